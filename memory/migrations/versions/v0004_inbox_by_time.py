"""The inbox by time: what a server has used up today is asked with each message."""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_index("inbox_by_time", "inbox", ["said_at"], unique=False)


def downgrade() -> None:
    """Undo."""
    op.drop_index("inbox_by_time", table_name="inbox")
