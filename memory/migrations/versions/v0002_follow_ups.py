"""Follow-ups that go out by themselves: claims, what was said, when to look again; snoozing."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from memory.store import types

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_MOMENT = types.UtcDateTime(timezone=True)


def upgrade() -> None:
    """Apply."""
    for column in (
        sa.Column("next_at", _MOMENT, nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False, server_default=sa.text("0")),
        sa.Column("claimed_by", sa.String(length=160), nullable=True),
        sa.Column("claimed_until", _MOMENT, nullable=True),
        sa.Column("place", sa.String(length=160), nullable=True),
        sa.Column("text", sa.Text(), nullable=True),
        sa.Column("prepared_at", _MOMENT, nullable=True),
        sa.Column("sent_at", _MOMENT, nullable=True),
        sa.Column("heard_at", _MOMENT, nullable=True),
    ):
        op.add_column("follow_ups", column)
    op.create_index("follow_ups_sent", "follow_ups", ["user_id", "sent_at"], unique=False)
    op.add_column("people", sa.Column("snooze_until", _MOMENT, nullable=True))
    op.add_column(
        "people", sa.Column("check_ins_chosen", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.create_index("inbox_of_a_person", "inbox", ["user_id", "said_at"], unique=False)


def downgrade() -> None:
    """Undo."""
    op.drop_index("inbox_of_a_person", table_name="inbox")
    op.drop_column("people", "check_ins_chosen")
    op.drop_column("people", "snooze_until")
    op.drop_index("follow_ups_sent", table_name="follow_ups")
    for name in (
        "heard_at",
        "sent_at",
        "prepared_at",
        "text",
        "place",
        "claimed_until",
        "claimed_by",
        "attempts",
        "next_at",
    ):
        op.drop_column("follow_ups", name)
