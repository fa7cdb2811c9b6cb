"""What the library keeps of messages in memory, and dropping a person's part of it."""

from __future__ import annotations

from collections.abc import Sequence

import discord


def forget_messages(client: discord.Client, user_id: int) -> int:
    """Drop the client's copies of what a person wrote, of the answers, and of their DM; returns how many."""
    kept = client._connection._messages
    if kept is None:
        return 0
    about = [message for message in kept if _is_about(message, user_id)]
    ids = {str(message.id) for message in about} | {str(_answered(message)) for message in about}
    dms = {message.channel.id for message in about if isinstance(message.channel, discord.DMChannel)}
    theirs = [
        message
        for message in kept
        if message in about or message.channel.id in dms or str(message.nonce).partition("-")[0] in ids
    ]
    for message in theirs:
        kept.remove(message)
    return len(theirs)


def _is_about(message: discord.Message, user_id: int) -> bool:
    """Whether a message is the person's, answers one of theirs, names them or has a button of theirs."""
    answered = message.reference.resolved if message.reference is not None else None
    return (
        message.author.id == user_id
        or (isinstance(answered, discord.Message) and answered.author.id == user_id)
        or user_id in message.raw_mentions
        or _has_button_of(message, user_id)
    )


def _answered(message: discord.Message) -> int | None:
    return message.reference.message_id if message.reference is not None else None


def _has_button_of(message: discord.Message, user_id: int) -> bool:
    ids = (getattr(one, "custom_id", None) for row in message.components for one in _within(row))
    return any(one.split(":")[2:3] == [str(user_id)] for one in ids if one and one.startswith("lily:"))


def _within(row: object) -> Sequence[object]:
    return getattr(row, "children", ())
