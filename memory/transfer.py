"""A person's data out and in: JSON Lines, every line checked before anything is written."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, time
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import String, Table, insert, select

from llm.protocols import Embedder
from memory.clock import Clock, as_utc
from memory.follow_ups import expect
from memory.identifiers import memory_id
from memory.lexical import embedding_text
from memory.model import ArchivedReason, Flag, Kind, Memory
from memory.people import Person
from memory.places import InvalidPlace, Place
from memory.policy import MemoryPolicy
from memory.statements import attribute_of
from memory.store import gate
from memory.store.database import Database
from memory.store.dialects import insert_if_absent
from memory.store.rows import slot_of
from memory.store.schema import events, memories, people, turns
from memory.store.writer import Action, Writer
from memory.temporal import expiry_of
from memory.text import readable, single_line

log = logging.getLogger(__name__)

FORMAT = 1
_MAX_TEXT = 2_000
_SHOWN = 60


class TransferError(Exception):
    """A file that can't be taken in; ``problems`` holds one line for each broken line of it."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


@dataclass(frozen=True, slots=True)
class ImportLine:
    """One parsed line: a memory, the log line of one, or a person's settings."""

    number: int
    memory: Memory | None = None
    event: dict[str, Any] | None = None
    person: Person | None = None


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did."""

    added: tuple[Memory, ...]
    known: int


async def export_lines(database: Database, user_id: str, now: datetime) -> AsyncIterator[dict[str, Any]]:
    """Yield everything kept about a person, a header first: settings, memories, their log, turns."""
    yield {"type": "header", "format": FORMAT, "user_id": user_id, "exported_at": now.isoformat()}
    async with database.read() as connection:
        for row in await connection.execute(select(people).where(people.c.user_id == user_id)):
            yield {"type": "settings", **row._mapping}
        for memory in await gate.owned(connection, user_id):
            yield {"type": "memory", **memory.model_dump(mode="json")}
        query = select(events).where(events.c.user_id == user_id).order_by(events.c.seq)
        for row in await connection.execute(query):
            yield {
                "type": "event",
                "at": row.at.isoformat(),
                "action": row.action,
                "actor": row.actor,
                "cause": row.cause,
                "snapshot": row.snapshot,
            }
        query = select(turns).where(turns.c.user_id == user_id).order_by(turns.c.seq)
        for row in await connection.execute(query):
            yield {
                "type": "turn",
                "conversation": row.conversation,
                "speaker": row.speaker,
                "text": row.text,
                "at": row.at.isoformat(),
            }


def parse_lines(lines: Iterable[str], default_persona: str, policy: MemoryPolicy) -> tuple[ImportLine, ...]:
    """Read an import file whole; raises :class:`TransferError` with every problem before anything is done.

    A memory needs ``user_id`` and ``text``; everything else has a default. An unknown
    ``created_at`` stays null; a broken one becomes null and flagged.
    """
    found: list[ImportLine] = []
    problems: list[str] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            parsed = _parse(number, line, default_persona, policy)
        except TransferError as error:
            problems.extend(error.problems)
        else:
            if parsed is not None:
                found.append(parsed)
    if problems:
        raise TransferError(problems)
    return tuple(found)


class Importer:
    """Takes parsed lines in, through the one writer, in one transaction.

    Settings are taken for somebody who has none here; turns stay where they were said.
    """

    def __init__(
        self,
        database: Database,
        embedder: Embedder,
        clock: Clock,
        actor: str = "import",
        policy: MemoryPolicy | None = None,
    ) -> None:
        self._database = database
        self._embedder = embedder
        self._clock = clock
        self._actor = actor
        self._policy = policy or MemoryPolicy()

    async def take(self, lines: Sequence[ImportLine]) -> Imported:
        """Add what is not there yet. Where a slot is taken, the one said last stays live."""
        ours = [line.memory for line in lines if line.memory is not None and line.event is None]
        vectors = await self._embedder.embed_documents([embedding_text(memory.text) for memory in ours])
        added: list[Memory] = []
        async with self._database.write() as connection:
            writer = Writer(connection, self._clock.now(), self._actor)
            for given, vector in zip(ours, vectors, strict=True):
                if await writer.current(given.id) is not None:
                    continue
                memory = await _settle(writer, given)
                if await writer.add(memory, vector, "import", Action.IMPORTED):
                    added.append(memory)
            await expect(connection, added, self._policy, self._clock.now())
            fresh = {memory.id for memory in added}
            for line in lines:
                if line.person is not None:
                    await insert_if_absent(connection, people, **asdict(line.person))
                if line.event is not None and line.memory is not None and line.memory.id in fresh:
                    await connection.execute(
                        insert(events).values(
                            **line.event,
                            user_id=line.memory.user_id,
                            persona_id=line.memory.persona_id,
                            memory_id=line.memory.id,
                            snapshot=line.memory.model_dump(mode="json"),
                        )
                    )
        return Imported(tuple(added), known=len(ours) - len(added))


async def _settle(writer: Writer, memory: Memory) -> Memory:
    """Keep one live value in a single-valued slot: the one said last."""
    slot = slot_of(memory)
    if slot is None or memory.archived:
        return memory
    for item in await gate.comparable(writer.connection, memory.user_id, memory.persona_id):
        if slot_of(item.memory) != slot:
            continue
        newer = memory.created_at is not None and (
            item.memory.created_at is None or memory.created_at >= item.memory.created_at
        )
        if newer:
            await writer.archive(item.memory, ArchivedReason.CONTRADICTED, f"replaced by {memory.id}")
            return memory.model_copy(update={"supersedes_id": item.memory.id})
        return writer.as_archived(memory, ArchivedReason.CONTRADICTED)
    return memory


def _parse(number: int, line: str, default_persona: str, policy: MemoryPolicy) -> ImportLine | None:
    try:
        data = json.loads(line)
    except RecursionError as error:
        raise TransferError([f"line {number}: nested too deep; write one flat JSON object a line"]) from error
    except ValueError as error:
        raise TransferError([f"line {number}: not JSON ({error}); write one JSON object a line"]) from error
    if not isinstance(data, dict):
        raise TransferError([f'line {number}: expected a JSON object, e.g. {{"user_id": ..., "text": ...}}'])
    unreadable = next((name for name, value in data.items() if not _is_readable([name, value])), None)
    if unreadable is not None:
        shown = single_line(readable(unreadable), _SHOWN)
        raise TransferError([f"line {number}: {shown}: half a character or NUL; write whole characters"])
    kind = data.pop("type", "memory")
    if not isinstance(kind, str):
        raise TransferError([f"line {number}: type: expected a text such as 'memory'"])
    if kind in {"header", "turn"}:
        return None
    if kind == "settings":
        return _parse_settings(number, data)
    if kind == "event":
        return _parse_event(number, data)
    if kind != "memory":
        raise TransferError([f"line {number}: type {kind[:_SHOWN]!r} is unknown; expected 'memory'"])
    return ImportLine(number, _parse_memory(number, data, default_persona, policy))


def _parse_event(number: int, data: dict[str, Any]) -> ImportLine:
    try:
        memory = Memory.model_validate(data["snapshot"])
        at = datetime.fromisoformat(data["at"])
        event = {
            "at": at,
            "action": str(Action(data["action"])),
            "actor": str(data["actor"]),
            "cause": str(data.get("cause", "")),
        }
        at.astimezone(UTC)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise TransferError([f"line {number}: a broken event line ({type(error).__name__})"]) from error
    if at.tzinfo is None:
        raise TransferError([f"line {number}: at: an instant needs a zone, e.g. 2026-09-12T21:30:00+08:00"])
    problems = _too_long(number, memory.model_dump(mode="json"), memories) + _too_long(number, event, events)
    if problems:
        raise TransferError(problems)
    return ImportLine(number, memory, event)


def _parse_settings(number: int, data: dict[str, Any]) -> ImportLine:
    try:
        person = TypeAdapter(Person).validate_python(data)
        if person.zone is not None:
            ZoneInfo(person.zone)
        for hour in (person.quiet_from, person.quiet_to):
            if hour is not None:
                time.fromisoformat(hour)
        if person.snooze_until is not None:
            as_utc(person.snooze_until)
    except (TypeError, ValueError, OSError, ZoneInfoNotFoundError) as error:
        raise TransferError([f"line {number}: a broken settings line ({type(error).__name__})"]) from error
    problems = _too_long(number, asdict(person), people)
    if problems:
        raise TransferError(problems)
    return ImportLine(number, person=person)


def _parse_memory(number: int, data: dict[str, Any], default_persona: str, policy: MemoryPolicy) -> Memory:
    problems = [
        f"line {number}: {name}: required and missing; write a text"
        for name in ("user_id", "text")
        if not isinstance(data.get(name), str) or not data[name].strip()
    ]
    unknown = sorted(set(data) - set(Memory.model_fields))
    problems += [f"line {number}: {single_line(name, _SHOWN)}: no such field" for name in unknown]
    flags = data.get("flags") or []
    if not isinstance(flags, list) or not all(isinstance(flag, str) for flag in flags):
        problems.append(f"line {number}: flags: expected a list of texts")
    if problems:
        raise TransferError(problems)
    flags = list(flags)
    created = data.get("created_at")
    if created is not None and not _is_instant(created):
        data["created_at"] = None
        flags.append(str(Flag.BROKEN_CREATED_AT))
        log.warning("import line %d: created_at is broken; kept without a date", number)
    values = {
        "id": memory_id(f"import:{data['user_id']}:{data['text']}", 0, 0),
        "persona_id": default_persona,
        "places": ("dm",),
        "source": "import",
        **data,
        "flags": tuple(dict.fromkeys(flags)),
    }
    try:
        for place in values["places"]:
            Place.parse(place)
        memory = Memory.model_validate(values)
        if memory.zone is not None:
            ZoneInfo(memory.zone)
    except ValidationError as error:
        raise TransferError(
            [
                f"line {number}: {'.'.join(map(str, e['loc']))}: {e['msg']}"
                for e in error.errors(include_url=False)
            ]
        ) from error
    except (InvalidPlace, TypeError) as error:
        raise TransferError([f"line {number}: places: {error}"]) from error
    except (ValueError, OSError, LookupError) as error:
        problem = f"line {number}: zone: there is no such time zone; write an IANA name such as Asia/Taipei"
        raise TransferError([problem]) from error
    problems = _too_long(number, memory.model_dump(mode="json"), memories)
    if len(memory.text) > _MAX_TEXT:
        problems.append(f"line {number}: text: {len(memory.text)} characters, at most {_MAX_TEXT}")
    if problems:
        raise TransferError(problems)
    try:
        return completed(memory, data, policy)
    except OverflowError as error:
        problem = f"line {number}: valid_to: at the end of the calendar; write a year people may live to see"
        raise TransferError([problem]) from error


def _too_long(number: int, values: Mapping[str, Any], table: Table) -> list[str]:
    """Return a line for each value that is longer than the store keeps."""
    return [
        f"line {number}: {column.name}: longer than {column.type.length} characters; shorten it"
        for column in table.columns
        if isinstance(column.type, String)
        and column.type.length is not None
        and len(str(values.get(column.name) or "")) > column.type.length
    ]


def _is_readable(value: Any) -> bool:
    if isinstance(value, str):
        return readable(value) == value
    if isinstance(value, dict):
        return all(_is_readable(key) and _is_readable(inner) for key, inner in value.items())
    return not isinstance(value, list) or all(map(_is_readable, value))


def completed(memory: Memory, given: dict[str, Any], policy: MemoryPolicy) -> Memory:
    """Fill in what a source left out: kind by category, attribute by its words, expiry by rule."""
    changes: dict[str, Any] = {}
    if "kind" not in given:
        changes["kind"] = policy.rule(memory.category).kind
    if "attribute" not in given:
        changes["attribute"] = attribute_of(memory.text, memory.category)
    if "expires_at" not in given:
        kind: Kind = changes.get("kind", memory.kind)
        changes["expires_at"] = expiry_of(
            memory.category, kind, memory.created_at, memory.valid_to, policy, memory.zone or "UTC"
        )
    return memory.model_copy(update=changes)


def _is_instant(value: Any) -> bool:
    try:
        as_utc(datetime.fromisoformat(str(value)))
    except ValueError:
        return False
    return True
