"""A scripted conversation with its gold: what each line must store, skip, replace, archive or end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from memory.clock import as_utc
from memory.model import USER_SUBJECT, ArchivedReason, Category
from memory.places import Place

DEFAULT_ZONE = "Asia/Taipei"
DEFAULT_LANGUAGE = "zh-TW"
_HEAD = frozenset({"conversation", "kind", "set", "language", "zone"})
_LINE = frozenset(
    {"at", "say", "reply", "place", "tick", "store", "may", "skip", "archive", "cancelled", "done"}
)
_FACT = frozenset({"key", "has", "not", "category", "subject", "when", "replaces"})
_NOT_WITH_TICK = ("say", "reply", "place", "store", "may", "skip", "cancelled", "done")


@dataclass(frozen=True, slots=True)
class GoldFact:
    """A fact a line tells, by what any right wording of it holds.

    ``has``: of each group one word stands in the sentence; ``lacks``: no word of these does.
    ``when``: how its local start begins (ISO), ``""`` where it must stay undated, None: not looked at.
    ``replaces``: keys of facts that are no longer so once this one is told.
    """

    key: str
    has: tuple[tuple[str, ...], ...]
    categories: frozenset[Category]
    subjects: tuple[str, ...] = (USER_SUBJECT,)
    lacks: tuple[str, ...] = ()
    when: str | None = None
    replaces: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GoldLine:
    """One line. ``store`` must be kept, ``may`` can be; ``skip`` is said again and must not be kept twice.

    ``archive``: keys that leave at this line, with the reason; ``cancelled`` and ``done``: events that are
    off or over. ``reply``: what she answers, where the answer is scripted. ``say`` None is a tick.
    """

    number: int
    at: datetime
    say: str | None
    place: Place
    reply: str | None = None
    store: tuple[GoldFact, ...] = ()
    may: tuple[GoldFact, ...] = ()
    skip: tuple[str, ...] = ()
    archive: Mapping[str, ArchivedReason] = field(default_factory=dict)
    cancelled: tuple[str, ...] = ()
    done: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Conversation:
    """The lines of one person, in the order of their times."""

    id: str
    kind: str
    part: str
    language: str
    zone: str
    lines: tuple[GoldLine, ...]


def read_conversations(rows: Iterable[Mapping[str, Any]]) -> tuple[Conversation, ...]:
    """Read rows: a head (``conversation``), its lines (``at`` with ``say`` or ``tick``), the next head.

    ``ValueError`` names the conversation, the line and the field that is missing or wrong.
    """
    found: list[Conversation] = []
    head: Mapping[str, Any] | None = None
    lines: list[Mapping[str, Any]] = []
    for number, row in enumerate(rows, start=1):
        if "conversation" in row:
            if head is not None:
                found.append(_conversation(head, lines))
            head, lines = row, []
        elif head is None:
            raise ValueError(f"row {number}: a line before any conversation: the first row names one")
        else:
            lines.append(row)
    if head is not None:
        found.append(_conversation(head, lines))
    seen: set[str] = set()
    for one in found:
        if one.id in seen:
            raise ValueError(f"{one.id}: this conversation is there twice")
        seen.add(one.id)
    return tuple(found)


def _conversation(head: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> Conversation:
    name = head["conversation"]
    if not isinstance(name, str) or not name:
        raise ValueError(f"conversation must be a text, not {name!r}")
    _known(head, _HEAD, name)
    zone = str(head.get("zone", DEFAULT_ZONE))
    try:
        local = ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError):
        raise ValueError(f"{name}: zone {zone!r} is no IANA zone") from None
    if not rows:
        raise ValueError(f"{name}: it has no lines")
    told: set[str] = set()
    lines: list[GoldLine] = []
    for number, row in enumerate(rows, start=1):
        line = _line(row, f"{name}, line {number}", number, local, told)
        if lines and line.at < lines[-1].at:
            raise ValueError(f"{name}, line {number}: at goes back behind the line before")
        lines.append(line)
    return Conversation(
        id=name,
        kind=str(head.get("kind", "")),
        part=str(head.get("set", "")),
        language=str(head.get("language", DEFAULT_LANGUAGE)),
        zone=zone,
        lines=tuple(lines),
    )


def _line(row: Mapping[str, Any], where: str, number: int, zone: ZoneInfo, told: set[str]) -> GoldLine:
    _known(row, _LINE, where)
    try:
        at = datetime.fromisoformat(str(row.get("at")))
        place = Place.parse(str(row.get("place", "dm")))
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None
    say = row.get("say")
    if row.get("tick"):
        wrong = [name for name in _NOT_WITH_TICK if name in row]
        if wrong:
            raise ValueError(f"{where}: {wrong[0]} doesn't go with tick")
    elif not isinstance(say, str) or not say.strip():
        raise ValueError(f"{where}: say must be a text")
    reply = row.get("reply")
    if reply is not None and (not isinstance(reply, str) or not reply.strip()):
        raise ValueError(f"{where}: reply must be a text")
    before = set(told)
    store = _facts(row, "store", where, told)
    may = _facts(row, "may", where, told)
    line = GoldLine(
        number=number,
        at=as_utc(at if at.tzinfo else at.replace(tzinfo=zone)),
        say=say if isinstance(say, str) else None,
        place=place,
        reply=reply,
        store=store,
        may=may,
        skip=_keys(row, "skip", where),
        archive=_archive(row, where),
        cancelled=_keys(row, "cancelled", where),
        done=_keys(row, "done", where),
    )
    named = (*line.skip, *line.archive, *line.cancelled, *line.done)
    replaced = (key for fact in (*store, *may) for key in fact.replaces)
    for key in (*named, *replaced):
        if key not in before:
            raise ValueError(f"{where}: no line before tells a fact {key!r}")
    return line


def _facts(row: Mapping[str, Any], field_name: str, where: str, told: set[str]) -> tuple[GoldFact, ...]:
    given = row.get(field_name) or []
    if not isinstance(given, list):
        raise ValueError(f"{where}: {field_name} must be a list of facts")
    return tuple(_fact(item, f"{where}, {field_name}", told) for item in given)


def _fact(item: object, where: str, told: set[str]) -> GoldFact:
    if not isinstance(item, Mapping):
        raise ValueError(f"{where}: a fact needs has and category")
    _known(item, _FACT, where)
    key = str(item.get("key") or f"fact {len(told) + 1}")
    if key in told:
        raise ValueError(f"{where}: the key {key!r} is there twice")
    told.add(key)
    when = item.get("when")
    if when is not None and not isinstance(when, str):
        raise ValueError(f"{where}: when must be a text")
    return GoldFact(
        key=key,
        has=tuple(tuple(group.split("|")) for group in _texts(item, "has", where, needed=True)),
        categories=_categories(item, where),
        subjects=_texts(item, "subject", where) or (USER_SUBJECT,),
        lacks=_texts(item, "not", where),
        when=when,
        replaces=_texts(item, "replaces", where),
    )


def _categories(item: Mapping[str, Any], where: str) -> frozenset[Category]:
    names = _texts(item, "category", where, needed=True)
    unknown = [name for name in names if name not in set(Category)]
    if unknown:
        raise ValueError(f"{where}: category {unknown[0]!r} is none of {', '.join(Category)}")
    return frozenset(map(Category, names))


def _texts(item: Mapping[str, Any], name: str, where: str, *, needed: bool = False) -> tuple[str, ...]:
    given = item.get(name)
    values = [given] if isinstance(given, str) else given or []
    if not isinstance(values, list) or not all(isinstance(one, str) and one for one in values):
        raise ValueError(f"{where}: {name} must be a text or a list of texts")
    if needed and not values:
        raise ValueError(f"{where}: {name} is missing")
    return tuple(values)


def _keys(row: Mapping[str, Any], name: str, where: str) -> tuple[str, ...]:
    return _texts(row, name, where)


def _archive(row: Mapping[str, Any], where: str) -> dict[str, ArchivedReason]:
    given = row.get("archive") or {}
    if not isinstance(given, Mapping):
        raise ValueError(f"{where}: archive must be an object of keys and reasons")
    wrong = [reason for reason in given.values() if reason not in set(ArchivedReason)]
    if wrong:
        raise ValueError(f"{where}: reason {wrong[0]!r} is none of {', '.join(ArchivedReason)}")
    return {str(key): ArchivedReason(reason) for key, reason in given.items()}


def _known(row: Mapping[str, Any], names: frozenset[str], where: str) -> None:
    unknown = sorted(set(row) - names)
    if unknown:
        raise ValueError(f"{where}: {unknown[0]} is none of {', '.join(sorted(names))}")
