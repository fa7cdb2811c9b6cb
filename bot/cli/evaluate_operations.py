"""``lily eval operations``: a house of its own, in a folder that goes when it is done, plays the script."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bot.cli.rows import Row
from bot.conversations import Conversations
from bot.house import House, open_house
from bot.settings.policy import characters_folder, prices
from bot.settings.sections import Settings
from llm.usage import Usage
from memory.clock import SettableClock
from memory.evaluation.conversation import read_conversations
from memory.evaluation.operations import OperationsPrediction, Talk, evaluate_operations
from memory.evaluation.spending import spending_report
from memory.messages import Message
from memory.observe import Observation
from memory.service import MemoryService

COMMAND = "eval operations"


class _Unheard:
    """The channel of an evaluation: nobody hears her."""

    async def deliver(self, message: Message, reply: Sequence[str]) -> None:
        """Take the reply."""

    async def has_replied(self, message: Message) -> bool:
        """Say no: there is nothing to take up again."""
        return False


async def score_operations(
    rows: Sequence[Row], settings: Settings
) -> tuple[dict[str, Any], Sequence[OperationsPrediction]]:
    """Play the rows in a fresh house with the settings' models and score what it did.

    Facts and vectors live in a temporary folder, whatever the settings say of storage.
    """
    conversations = read_conversations(rows)
    if not conversations:
        raise ValueError("there is no conversation in it")
    clock = SettableClock(conversations[0].lines[0].at)
    used: list[Usage] = []
    async with _house(settings, clock, used) as house:
        report = await evaluate_operations(
            conversations, house.memory, clock, _talk(house.conversations, house.memory), house.character.id
        )
        messages = sum(line.say is not None for one in conversations for line in one.lines)
        spent = spending_report(used, prices(settings), messages)
    return {**report.as_dict(), "spending": spent}, report.predictions


@asynccontextmanager
async def _house(settings: Settings, clock: SettableClock, used: list[Usage]) -> AsyncIterator[House]:
    with TemporaryDirectory(prefix="lily-eval-", ignore_cleanup_errors=True) as folder:
        update = {"data_dir": Path(folder), "database_url": None, "chroma": "embedded"}
        apart = settings.model_copy(
            update={
                "storage": settings.storage.model_copy(update=update),
                "persona": settings.persona.model_copy(
                    update={"characters_dir": characters_folder(settings)}
                ),
            }
        )
        async with open_house(apart, clock, command=COMMAND, usage=used.append) as house:
            yield house


def _talk(conversations: Conversations, memory: MemoryService) -> Talk:
    channel = _Unheard()

    async def talk(message: Message, reply: str | None) -> Observation | None:
        if reply is None:
            return (await conversations.handle(message, channel)).observation
        await memory.inbox.admit(message)
        await memory.inbox.replying(message.id, (reply,))
        await memory.inbox.replied(message, (reply,))
        return await conversations.observe(message)

    return talk
