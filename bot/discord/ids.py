"""How Discord's ids are written in the house."""

from __future__ import annotations

from memory.messages import Message

CLIENT = "discord"


def message_key(message_id: int) -> str:
    """Return the house's id of a Discord message."""
    return f"{CLIENT}:{message_id}"


def snowflake(message: Message) -> int:
    """Return the Discord id of a message that came from there."""
    return int(message.id.removeprefix(f"{CLIENT}:"))


def admin_actor(user_id: int) -> str:
    """Return how an admin is named in the log of changes."""
    return f"admin:discord:{user_id}"


def person_actor(user_id: int) -> str:
    """Return how a person is named in the log of changes to what is theirs."""
    return f"person:discord:{user_id}"
