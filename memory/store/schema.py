"""The tables. Alembic's migrations make them; this is what the code reads and writes."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    false,
    text,
)

from memory.store.types import Label, Strings, UtcDateTime, Words

metadata = MetaData()

meta = Table(
    "meta",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)

memories = Table(
    "memories",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("user_id", String(128), nullable=False),
    Column("persona_id", String(64), nullable=False),
    Column("places", Strings, nullable=False),
    Column("visibility", String(16), nullable=False),
    Column("text", Words(), nullable=False),
    Column("language", String(16), nullable=False),
    Column("quote", Words(), nullable=False),
    Column("subject", Label(128), nullable=False),
    Column("category", String(16), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("attribute", Label(256)),
    Column("slot", Label(384)),  # subject and attribute, where one live value is all there may be
    Column("created_at", UtcDateTime),
    Column("updated_at", UtcDateTime),
    Column("valid_from", UtcDateTime),
    Column("valid_to", UtcDateTime),
    Column("precision", String(16)),
    Column("zone", String(64)),
    Column("when_text", Words()),
    Column("expires_at", UtcDateTime),
    Column("outcome", Words()),
    Column("sensitive", Boolean, nullable=False),
    Column("flags", Strings, nullable=False),
    Column("supersedes_id", String(64)),
    Column("archived", Boolean, nullable=False),
    Column("archived_reason", String(16)),
    Column("archived_at", UtcDateTime),
    Column("archived_by", String(160)),
    Column("source", String(256), nullable=False),
    Column("rev", Integer, nullable=False),
    Column("vector", LargeBinary, nullable=False),
    Index("memories_of_a_person", "user_id", "persona_id", "archived"),
    Index(
        "one_live_value_a_slot",
        "user_id",
        "persona_id",
        "slot",
        unique=True,
        sqlite_where=text("archived = 0 AND slot IS NOT NULL"),
        postgresql_where=text("archived = false AND slot IS NOT NULL"),
    ),
    Index(
        "memories_that_expire",
        "expires_at",
        sqlite_where=text("archived = 0 AND expires_at IS NOT NULL"),
        postgresql_where=text("archived = false AND expires_at IS NOT NULL"),
    ),
)

events = Table(
    "events",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=True),
    Column("at", UtcDateTime, nullable=False),
    Column("user_id", String(128), nullable=False),
    Column("persona_id", String(64), nullable=False),
    Column("memory_id", String(64), nullable=False),
    Column("action", String(16), nullable=False),
    Column("actor", String(160), nullable=False),
    Column("cause", String(256), nullable=False),
    Column("snapshot", JSON, nullable=False),
    Index("events_of_a_person", "user_id", "persona_id", "at"),
    sqlite_autoincrement=True,
)

outbox = Table(
    "outbox",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=True),
    Column("memory_id", String(64), nullable=False),
    Column("user_id", String(128), nullable=False),
    Index("outbox_of_a_person", "user_id"),
    sqlite_autoincrement=True,
)

inbox = Table(
    "inbox",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=True),
    Column("id", String(128), nullable=False, unique=True),
    Column("revision", Integer, nullable=False),
    Column("user_id", String(128), nullable=False),
    Column("persona_id", String(64), nullable=False),
    Column("conversation", String(320), nullable=False),
    Column("place", String(160), nullable=False),
    Column("client", String(32), nullable=False),
    Column("text", Words(), nullable=False),
    Column("display_name", Label(128)),
    Column("zone", String(64), nullable=False),
    Column("language", String(16), nullable=False),
    Column("said_at", UtcDateTime, nullable=False),
    Column("received_at", UtcDateTime, nullable=False),
    Column("state", String(16), nullable=False),
    Column("observed", Boolean, nullable=False),
    Column("reply", JSON),
    Column("extraction", JSON),
    Column("waiting_for", String(64)),
    Index("inbox_to_observe", "user_id", "persona_id", "observed", "seq"),
    Index("inbox_to_answer", "state", "seq"),
    Index("inbox_of_a_person", "user_id", "said_at"),
    Index("inbox_by_time", "said_at"),
    sqlite_autoincrement=True,
)

turns = Table(
    "turns",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=True),
    Column("conversation", String(320), nullable=False),
    Column("user_id", String(128), nullable=False),
    Column("persona_id", String(64), nullable=False),
    Column("message_id", String(128), nullable=False),
    Column("speaker", String(16), nullable=False),
    Column("name", Label(128)),
    Column("text", Words(), nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Index("turns_of_a_conversation", "conversation", "seq"),
    Index("turns_of_a_person", "user_id"),
    sqlite_autoincrement=True,
)

people = Table(
    "people",
    metadata,
    Column("user_id", String(128), primary_key=True),
    Column("zone", String(64)),
    Column("language", String(16)),
    Column("check_ins", Boolean, nullable=False),
    Column("quiet_from", String(5)),
    Column("quiet_to", String(5)),
    Column("paused", Boolean, nullable=False),
    Column("snooze_until", UtcDateTime),
    Column("check_ins_chosen", Boolean, nullable=False, default=False, server_default=false()),
)

leases = Table(
    "leases",
    metadata,
    Column("key", String(320), primary_key=True),
    Column("holder", String(64), nullable=False),
    Column("expires_at", UtcDateTime, nullable=False),
)

follow_ups = Table(
    "follow_ups",
    metadata,
    Column("memory_id", String(64), ForeignKey("memories.id", ondelete="CASCADE"), primary_key=True),
    Column("user_id", String(128), nullable=False),
    Column("persona_id", String(64), nullable=False),
    Column("due_at", UtcDateTime, nullable=False),
    Column("state", String(16), nullable=False),
    Column("reason", String(64)),
    Column("updated_at", UtcDateTime, nullable=False),
    Column("next_at", UtcDateTime),  # not looked at before: it has to wait, or failed and is tried later
    Column("attempts", Integer, nullable=False, default=0, server_default=text("0")),
    Column("claimed_by", String(160)),
    Column("claimed_until", UtcDateTime),
    Column("place", String(160)),  # where it was asked, or was about to be
    Column("text", Words()),
    Column("prepared_at", UtcDateTime),  # from here on it may have been said
    Column("sent_at", UtcDateTime),
    Column("heard_at", UtcDateTime),  # when the person first spoke after it was sent, wherever
    Index("follow_ups_due", "state", "due_at"),
    Index("follow_ups_of_a_person", "user_id", "persona_id"),
    Index("follow_ups_sent", "user_id", "sent_at"),
)

lore = Table(
    "lore",
    metadata,
    Column("id", String(288), primary_key=True),
    Column("persona_id", String(96), nullable=False),  # whose: lily/zh-TW, or a server's: guild:1
    Column("text", Words(), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("half_life_days", Float),
    Column("expires_at", UtcDateTime),
    Column("source", String(128), nullable=False),
    Column("digest", String(64), nullable=False),
    Column("vector", LargeBinary, nullable=False),
    Column("title", String(64)),  # from here on: of a server's lore only
    Column("keys", JSON),
    Column("created_at", UtcDateTime),
    Column("created_by", String(160)),
    Column("archived", Boolean, nullable=False, default=False, server_default=false()),
    Column("archived_at", UtcDateTime),
    Column("archived_by", String(160)),
    Index("lore_of_a_persona", "persona_id"),
)
