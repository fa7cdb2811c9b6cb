"""Running a checked script: the clock stands at each line's own time, everything else is real."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Sequence
from typing import Any

from bot.by_itself import follow_ups_of
from bot.conversations import Exchange
from bot.house import House
from bot.replay.aloud import EVERYTHING, Aloud
from bot.replay.script import ScriptLine
from memory.clock import SettableClock
from memory.inbox import ReplyState
from memory.messages import Message
from memory.model import Memory
from memory.recollection import Recalled
from memory.store.errors import IndexUnavailable
from scheduler.expiry import sweep
from scheduler.follow_ups import Said

Answer = dict[str, Any]
CLIENT = "replay"


class Unheard:
    """The channel of a replay: what she says stands in the answer, nobody hears it meanwhile."""

    async def deliver(self, message: Message, reply: Sequence[str]) -> None:
        """Take the reply; the exchange carries it."""

    async def has_replied(self, message: Message) -> bool:
        """Say no: an answer that was cut short has not been printed."""
        return False


class Replay:
    """Runs script lines through an open house whose clock is ``clock``."""

    def __init__(self, house: House, clock: SettableClock) -> None:
        self._house = house
        self._clock = clock
        self._channel = Unheard()
        self._follow_ups = follow_ups_of(house, Aloud(), at_once=EVERYTHING)

    async def run(self, lines: Sequence[ScriptLine]) -> AsyncIterator[Answer]:
        """Yield one answer a line, in order."""
        for line in lines:
            self._clock.set(line.at)
            yield await self._one(line)
            # the index is as it will be, so that the next line does not depend on how fast it was
            with contextlib.suppress(IndexUnavailable):
                await self._house.memory.outbox.drain()

    async def _one(self, line: ScriptLine) -> Answer:
        memory = self._house.memory
        if line.tick:
            archived = await sweep(memory.lifecycle, memory.outbox)
            said = await self._follow_ups.run_due()
            return {
                "at": line.at,
                "tick": True,
                "archived": _archived(archived),
                "follow_ups": [_said(one) for one in said],
            }
        if line.settings is not None:
            await memory.people.change(line.user, **line.settings)
        if line.say is None:
            return {"at": line.at, "user": line.user, "settings": dict(line.settings or {})}
        message = await self._message(line, line.say)
        exchange, known = await self._exchange(message)
        answer: Answer = {
            "at": line.at,
            "id": message.id,
            "user": line.user,
            "place": str(line.place),
            "say": line.say,
            **exchange_answer(exchange),
        }
        return {**answer, "known": True} if known else answer

    async def _message(self, line: ScriptLine, said: str) -> Message:
        person = await self._house.memory.people.get(line.user)
        defaults = self._house.settings.persona
        return Message(
            id=line.id,
            user_id=line.user,
            persona_id=(await self._house.cast.at(line.place, line.user)).id,
            text=said,
            said_at=self._clock.now(),
            place=line.place,
            zone=person.zone or defaults.zone,
            language=person.language or defaults.language,
            client=CLIENT,
        )

    async def _exchange(self, message: Message) -> tuple[Exchange, bool]:
        """Handle a message, or finish one that an earlier run had begun; True where all was done before."""
        conversations = self._house.conversations
        entry = await self._house.memory.inbox.get(message.id)
        if entry is None:
            return await conversations.handle(message, self._channel), False
        if entry.observed and entry.state in {ReplyState.REPLIED, ReplyState.IGNORED}:
            return Exchange(message), True
        begun = await conversations.answer(entry.message, self._channel)
        observation = await conversations.observe(entry.message)
        return (
            Exchange(message, begun.reply, begun.recollection, begun.context, observation, begun.error),
            False,
        )


def exchange_answer(exchange: Exchange) -> Answer:
    """Return what one exchange did, in the stable form of an answer."""
    recollection, observation = exchange.recollection, exchange.observation
    answer: Answer = {
        "reply": list(exchange.reply),
        "recalled": [recalled_answer(one) for one in recollection.memories] if recollection else [],
        "context": exchange.context,
        "written": [_written(memory) for memory in observation.written] if observation else [],
        "archived": _archived(observation.archived) if observation else [],
        "skipped": [
            {"text": one.text, "same_as": one.same_as, "why": one.why}
            for one in (observation.skipped if observation else ())
        ],
    }
    if observation is not None and observation.cause is not None:
        answer["nothing_because"] = observation.cause
    if observation is not None and observation.waiting is not None:
        answer["waiting_for"] = observation.waiting
    if exchange.error is not None:
        answer["error"] = exchange.error
    return answer


def recalled_answer(one: Recalled) -> Answer:
    """Return one recalled memory, in the stable form of an answer."""
    return {
        "id": one.memory.id,
        "text": one.memory.text,
        "phase": one.phase,
        "state": one.state,
        "score": round(one.score, 6),
        "similarity": round(one.similarity, 6),
        "why": one.why,
    }


def _written(memory: Memory) -> Answer:
    names = (
        "id",
        "text",
        "category",
        "kind",
        "valid_from",
        "valid_to",
        "precision",
        "when_text",
        "expires_at",
        "outcome",
        "rev",
    )
    return {name: getattr(memory, name) for name in names}


def _said(one: Said) -> Answer:
    return {
        "memory_id": one.memory_id,
        "user": one.user_id,
        "place": str(one.place),
        "text": one.text,
        "state": one.state,
    }


def _archived(memories: Sequence[Memory]) -> list[Answer]:
    return [
        {"id": memory.id, "text": memory.text, "reason": memory.archived_reason, "by": memory.archived_by}
        for memory in memories
    ]
