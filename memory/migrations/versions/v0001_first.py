"""The first schema."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from memory.store import types

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "events",
        sa.Column("seq", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("at", types.UtcDateTime(timezone=True), nullable=False),
        sa.Column("user_id", sa.String(length=128), nullable=False),
        sa.Column("persona_id", sa.String(length=64), nullable=False),
        sa.Column("memory_id", sa.String(length=64), nullable=False),
        sa.Column("action", sa.String(length=16), nullable=False),
        sa.Column("actor", sa.String(length=160), nullable=False),
        sa.Column("cause", sa.String(length=256), nullable=False),
        sa.Column("snapshot", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("seq"),
        sqlite_autoincrement=True,
    )
    op.create_index("events_of_a_person", "events", ["user_id", "persona_id", "at"], unique=False)
    op.create_table(
        "inbox",
        sa.Column("seq", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("id", sa.String(length=128), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.String(length=128), nullable=False),
        sa.Column("persona_id", sa.String(length=64), nullable=False),
        sa.Column("conversation", sa.String(length=320), nullable=False),
        sa.Column("place", sa.String(length=160), nullable=False),
        sa.Column("client", sa.String(length=32), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("display_name", sa.String(length=128), nullable=True),
        sa.Column("zone", sa.String(length=64), nullable=False),
        sa.Column("language", sa.String(length=16), nullable=False),
        sa.Column("said_at", types.UtcDateTime(timezone=True), nullable=False),
        sa.Column("received_at", types.UtcDateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("observed", sa.Boolean(), nullable=False),
        sa.Column("reply", sa.JSON(), nullable=True),
        sa.Column("extraction", sa.JSON(), nullable=True),
        sa.Column("waiting_for", sa.String(length=64), nullable=True),
        sa.PrimaryKeyConstraint("seq"),
        sa.UniqueConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_index("inbox_to_answer", "inbox", ["state", "seq"], unique=False)
    op.create_index("inbox_to_observe", "inbox", ["user_id", "persona_id", "observed", "seq"], unique=False)
    op.create_table(
        "leases",
        sa.Column("key", sa.String(length=320), nullable=False),
        sa.Column("holder", sa.String(length=64), nullable=False),
        sa.Column("expires_at", types.UtcDateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_table(
        "lore",
        sa.Column("id", sa.String(length=128), nullable=False),
        sa.Column("persona_id", sa.String(length=64), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("half_life_days", sa.Float(), nullable=True),
        sa.Column("expires_at", types.UtcDateTime(timezone=True), nullable=True),
        sa.Column("source", sa.String(length=128), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("lore_of_a_persona", "lore", ["persona_id"], unique=False)
    op.create_table(
        "memories",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.String(length=128), nullable=False),
        sa.Column("persona_id", sa.String(length=64), nullable=False),
        sa.Column("places", sa.JSON(), nullable=False),
        sa.Column("visibility", sa.String(length=16), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("language", sa.String(length=16), nullable=False),
        sa.Column("quote", sa.Text(), nullable=False),
        sa.Column("subject", sa.String(length=128), nullable=False),
        sa.Column("category", sa.String(length=16), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("attribute", sa.String(length=256), nullable=True),
        sa.Column("slot", sa.String(length=384), nullable=True),
        sa.Column("created_at", types.UtcDateTime(timezone=True), nullable=True),
        sa.Column("updated_at", types.UtcDateTime(timezone=True), nullable=True),
        sa.Column("valid_from", types.UtcDateTime(timezone=True), nullable=True),
        sa.Column("valid_to", types.UtcDateTime(timezone=True), nullable=True),
        sa.Column("precision", sa.String(length=16), nullable=True),
        sa.Column("zone", sa.String(length=64), nullable=True),
        sa.Column("when_text", sa.Text(), nullable=True),
        sa.Column("expires_at", types.UtcDateTime(timezone=True), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("sensitive", sa.Boolean(), nullable=False),
        sa.Column("flags", sa.JSON(), nullable=False),
        sa.Column("supersedes_id", sa.String(length=64), nullable=True),
        sa.Column("archived", sa.Boolean(), nullable=False),
        sa.Column("archived_reason", sa.String(length=16), nullable=True),
        sa.Column("archived_at", types.UtcDateTime(timezone=True), nullable=True),
        sa.Column("archived_by", sa.String(length=160), nullable=True),
        sa.Column("source", sa.String(length=256), nullable=False),
        sa.Column("rev", sa.Integer(), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("memories_of_a_person", "memories", ["user_id", "persona_id", "archived"], unique=False)
    op.create_index(
        "memories_that_expire",
        "memories",
        ["expires_at"],
        unique=False,
        sqlite_where=sa.text("archived = 0 AND expires_at IS NOT NULL"),
        postgresql_where=sa.text("archived = false AND expires_at IS NOT NULL"),
    )
    op.create_index(
        "one_live_value_a_slot",
        "memories",
        ["user_id", "persona_id", "slot"],
        unique=True,
        sqlite_where=sa.text("archived = 0 AND slot IS NOT NULL"),
        postgresql_where=sa.text("archived = false AND slot IS NOT NULL"),
    )
    op.create_table(
        "meta",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_table(
        "outbox",
        sa.Column("seq", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("memory_id", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.String(length=128), nullable=False),
        sa.PrimaryKeyConstraint("seq"),
        sqlite_autoincrement=True,
    )
    op.create_index("outbox_of_a_person", "outbox", ["user_id"], unique=False)
    op.create_table(
        "people",
        sa.Column("user_id", sa.String(length=128), nullable=False),
        sa.Column("zone", sa.String(length=64), nullable=True),
        sa.Column("language", sa.String(length=16), nullable=True),
        sa.Column("check_ins", sa.Boolean(), nullable=False),
        sa.Column("quiet_from", sa.String(length=5), nullable=True),
        sa.Column("quiet_to", sa.String(length=5), nullable=True),
        sa.Column("paused", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("user_id"),
    )
    op.create_table(
        "turns",
        sa.Column("seq", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("conversation", sa.String(length=320), nullable=False),
        sa.Column("user_id", sa.String(length=128), nullable=False),
        sa.Column("persona_id", sa.String(length=64), nullable=False),
        sa.Column("message_id", sa.String(length=128), nullable=False),
        sa.Column("speaker", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=128), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", types.UtcDateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("seq"),
        sqlite_autoincrement=True,
    )
    op.create_index("turns_of_a_conversation", "turns", ["conversation", "seq"], unique=False)
    op.create_index("turns_of_a_person", "turns", ["user_id"], unique=False)
    op.create_table(
        "follow_ups",
        sa.Column("memory_id", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.String(length=128), nullable=False),
        sa.Column("persona_id", sa.String(length=64), nullable=False),
        sa.Column("due_at", types.UtcDateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("reason", sa.String(length=64), nullable=True),
        sa.Column("updated_at", types.UtcDateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["memory_id"], ["memories.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("memory_id"),
    )
    op.create_index("follow_ups_due", "follow_ups", ["state", "due_at"], unique=False)
    op.create_index("follow_ups_of_a_person", "follow_ups", ["user_id", "persona_id"], unique=False)


def downgrade() -> None:
    """Undo."""
    op.drop_index("follow_ups_of_a_person", table_name="follow_ups")
    op.drop_index("follow_ups_due", table_name="follow_ups")
    op.drop_table("follow_ups")
    op.drop_index("turns_of_a_person", table_name="turns")
    op.drop_index("turns_of_a_conversation", table_name="turns")
    op.drop_table("turns")
    op.drop_table("people")
    op.drop_index("outbox_of_a_person", table_name="outbox")
    op.drop_table("outbox")
    op.drop_table("meta")
    op.drop_index(
        "one_live_value_a_slot",
        table_name="memories",
        sqlite_where=sa.text("archived = 0 AND slot IS NOT NULL"),
        postgresql_where=sa.text("archived = false AND slot IS NOT NULL"),
    )
    op.drop_index(
        "memories_that_expire",
        table_name="memories",
        sqlite_where=sa.text("archived = 0 AND expires_at IS NOT NULL"),
        postgresql_where=sa.text("archived = false AND expires_at IS NOT NULL"),
    )
    op.drop_index("memories_of_a_person", table_name="memories")
    op.drop_table("memories")
    op.drop_index("lore_of_a_persona", table_name="lore")
    op.drop_table("lore")
    op.drop_table("leases")
    op.drop_index("inbox_to_observe", table_name="inbox")
    op.drop_index("inbox_to_answer", table_name="inbox")
    op.drop_table("inbox")
    op.drop_index("events_of_a_person", table_name="events")
    op.drop_table("events")
