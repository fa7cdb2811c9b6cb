"""The recollection as text for a prompt: quoted data, each with its two times, inside a budget."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from memory.catalog import Catalog
from memory.extraction.types import Change
from memory.model import Flag, Kind, Memory, Phase, Precision
from memory.policy import MemoryPolicy
from memory.recollection import Recalled, Recollection
from memory.temporal import phase
from memory.text import has_cjk, single_line
from memory.wording import clock_anchor, event_when, plain_day, said_ago, texts

# Caps in characters: one memory never fills the context, an outcome or phrase never a memory's line.
TEXT_LIMIT = 120
DETAIL_LIMIT = 40
_CHARACTERS_PER_TOKEN = 4
# An event of such a date happens somewhere inside it, not all through it.
_SOMEWHERE_WITHIN = frozenset(
    {Precision.WEEKEND, Precision.WEEK, Precision.MONTH_PART, Precision.MONTH, Precision.YEAR}
)


@dataclass(frozen=True, slots=True)
class _Line:
    section: str
    text: str


def render_context(recollection: Recollection, policy: MemoryPolicy) -> str:
    """Return what is remembered as the text a model reads, at most ``policy.context_tokens`` long.

    The present moment always stands first. What is most useful gets its place first: the name, what
    it is time to ask about, the memories in their order, the rest of the profile. Nothing is said twice.
    """
    words = texts(recollection.language)
    anchor = clock_anchor(recollection.now, recollection.zone, recollection.language)
    now_line = words.text("context.now", anchor=anchor)
    budget = policy.context_tokens - count_tokens(now_line)
    chosen: dict[str, list[str]] = {"profile": [], "memories": [], "due": []}
    for line in _most_useful_first(recollection, policy, words):
        cost = count_tokens("\n" + line.text)
        if not chosen[line.section]:
            cost += count_tokens("\n" + words.text(f"context.{line.section}"))
        if cost <= budget:
            budget -= cost
            chosen[line.section].append(line.text)
    blocks = [now_line]
    for section, lines in chosen.items():
        if lines:
            blocks.append("\n".join([words.text(f"context.{section}"), *lines]))
    return "\n".join(blocks)


def count_tokens(text: str) -> int:
    """Return the size of a text for the budget: a CJK character counts 1, four other characters 1."""
    wide = sum(map(has_cjk, text))
    return wide + -(-(len(text) - wide) // _CHARACTERS_PER_TOKEN)


def quoted(text: str, words: Catalog, limit: int = TEXT_LIMIT) -> str:
    """Return a text in the language's quotes, on one line, capped, unable to close its quotes."""
    opening, closing = words.get("context.quote")
    inner_opening, inner_closing = words.get("context.inner_quote")
    inside = single_line(text, limit).replace(opening, inner_opening).replace(closing, inner_closing)
    return f"{opening}{inside}{closing}"


def _most_useful_first(recollection: Recollection, policy: MemoryPolicy, words: Catalog) -> Iterable[_Line]:
    due = {one.memory.id for one in recollection.due}
    recalled = due | {one.memory.id for one in recollection.memories}
    profile = [
        _Line("profile", words.text("context.bare_item", quoted=quoted(memory.text, words)))
        for memory in recollection.profile
        if memory.id not in recalled
    ]
    yield from profile[:1]
    for one in recollection.due:
        yield _Line("due", _item(one, recollection, policy, words))
    for one in recollection.memories:
        if one.memory.id not in due:
            yield _Line("memories", _item(one, recollection, policy, words))
    for one in recollection.upcoming:
        if one.memory.id not in recalled:
            yield _Line("memories", _item(one, recollection, policy, words))
    yield from profile[1:]


def _item(one: Recalled, recollection: Recollection, policy: MemoryPolicy, words: Catalog) -> str:
    now, zone, language = recollection.now, recollection.zone, recollection.language
    memory = one.memory
    notes = [_said(memory, now, zone, language, words)]
    when = event_when(memory, now, zone, language)
    if when is not None:
        notes.append(words.text("context.when", when=when))
    standing = _standing(one, now, policy, words)
    if standing:
        notes.append(standing)
    if when is not None and {Flag.AMBIGUOUS_DATE, Flag.DISPUTED_DATE} & set(memory.flags):
        notes.append(words.text("mark.ambiguous"))
    if memory.sensitive:
        notes.append(words.text("mark.sensitive"))
    joined = words.text("context.notes_join").join(notes)
    return words.text("context.item", quoted=quoted(memory.text, words), notes=joined)


def _said(memory: Memory, now: datetime, zone: str, language: str, words: Catalog) -> str:
    said = memory.confirmed_at
    broken = said is None and Flag.BROKEN_CREATED_AT in memory.flags
    ago = said_ago(said, now, zone, language, broken=broken)
    if said is None:
        return ago
    return words.text("context.said", ago=ago, date=plain_day(said, zone, language))


def _standing(one: Recalled, now: datetime, policy: MemoryPolicy, words: Catalog) -> str:
    """Say where an event stands: as this message tells, else by the clock, never by what was cached."""
    memory = one.memory
    match one.told_now:
        case Change.DONE:
            return words.text("phase.done")
        case Change.CANCELLED:
            return words.text("phase.cancelled")
        case Change.MOVED:
            if one.phase is None or memory.when_text is None:
                return words.text("phase.moved")
            return words.text("phase.moved_to", phrase=quoted(memory.when_text, words, DETAIL_LIMIT))
    if memory.kind is not Kind.EVENT:
        return ""
    if Flag.CANCELLED in memory.flags:
        return words.text("phase.called_off")
    if memory.outcome:
        return words.text("phase.past_outcome", outcome=quoted(memory.outcome, words, DETAIL_LIMIT))
    stands: Phase | None = phase(memory, now, policy)
    if stands is Phase.ONGOING and memory.precision in _SOMEWHERE_WITHIN:
        return words.text("phase.ongoing_within")
    if stands is None and Flag.RECURRING in memory.flags:
        return words.text("phase.recurring")
    return words.text(f"phase.{stands.value if stands else 'undated'}")
