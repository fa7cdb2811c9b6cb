"""Lore that a server's admins write: title, key words, who wrote it and took it out, and when.

The table holds the lore of characters too. Its ids grow with them: a character's id may be as long
as an id was allowed to be at all.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from memory.store import types

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_MOMENT = types.UtcDateTime(timezone=True)
_WIDENED = (("id", 128, 288), ("persona_id", 64, 96))


def upgrade() -> None:
    """Apply."""
    with op.batch_alter_table("lore") as lore:
        for name, before, after in _WIDENED:
            lore.alter_column(
                name,
                existing_type=sa.String(length=before),
                type_=sa.String(length=after),
                existing_nullable=False,
            )
        lore.add_column(sa.Column("title", sa.String(length=64), nullable=True))
        lore.add_column(sa.Column("keys", sa.JSON(), nullable=True))
        lore.add_column(sa.Column("created_at", _MOMENT, nullable=True))
        lore.add_column(sa.Column("created_by", sa.String(length=160), nullable=True))
        lore.add_column(sa.Column("archived", sa.Boolean(), nullable=False, server_default=sa.false()))
        lore.add_column(sa.Column("archived_at", _MOMENT, nullable=True))
        lore.add_column(sa.Column("archived_by", sa.String(length=160), nullable=True))


def downgrade() -> None:
    """Undo: the lore of servers goes, an older version would take it for a character's."""
    op.execute(sa.text("DELETE FROM lore WHERE title IS NOT NULL"))
    with op.batch_alter_table("lore") as lore:
        for name in ("archived_by", "archived_at", "archived", "created_by", "created_at", "keys", "title"):
            lore.drop_column(name)
        for name, before, after in _WIDENED:
            lore.alter_column(
                name,
                existing_type=sa.String(length=after),
                type_=sa.String(length=before),
                existing_nullable=False,
            )
