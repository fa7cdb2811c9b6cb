"""What a context shows for a question, line by line, and whether a timeline's demands hold there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from memory.evaluation.timeline import Standing, Timeline
from memory.wording import texts

_PHASE_NOTES = {
    "upcoming": ("phase.upcoming", "phase.moved_to"),
    "ongoing": ("phase.ongoing", "phase.ongoing_within"),
    "past": ("phase.past", "phase.past_outcome", "phase.done"),
    "cancelled": ("phase.cancelled", "phase.called_off"),
    "undated": ("phase.undated", "phase.moved"),
}
_OVER = frozenset({"past", "cancelled"})
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


@dataclass(frozen=True, slots=True)
class Line:
    """One remembered thing as a model reads it: the words, the phase it is marked with, its dates."""

    text: str
    phase: str | None = None
    when: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """The lines of a context. ``anchored``: it tells the present moment, so that a date says its phase."""

    lines: tuple[Line, ...]
    anchored: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is wrong with a context: codes with the pattern they are about. All empty: it holds."""

    stale: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    wrong_phase: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether nothing is wrong."""
        return not (self.stale or self.missing or self.wrong_phase)


def read_context(context: str, language: str) -> Shown:
    """Read a rendered context as its model does: every item with the notes behind its quotes."""
    words = texts(language)
    bullet = words.text("context.bare_item", quoted="")
    return Shown(
        tuple(_line(row, language) for row in context.split("\n") if row.startswith(bullet)), anchored=True
    )


def judge_shown(timeline: Timeline, shown: Shown) -> Verdict:
    """Hold a context against what its timeline demands."""
    stale = [f"never {p.pattern}" for p in timeline.never if any(p.search(one.text) for one in shown.lines)]
    missing = [f"must {p.pattern}" for p in timeline.must if not any(p.search(o.text) for o in shown.lines)]
    live = [one for one in shown.lines if one.phase not in _OVER]
    stale += [f"live {p.pattern}" for p in timeline.must_not if any(p.search(o.text) for o in live)]
    wrong: list[str] = []
    for standing in timeline.standings:
        about = [one for one in shown.lines if standing.about.search(one.text)]
        told = f"{standing.about.pattern} {'/'.join(sorted(standing.phases))} {standing.date or ''}".rstrip()
        if not about:
            missing.append(told)
            continue
        if not any(_stands(one, standing, shown.anchored) for one in about):
            wrong.append(told)
        if standing.phases <= _OVER and any(_still_live(one, standing, shown.anchored) for one in about):
            stale.append(told)
    return Verdict(tuple(stale), tuple(missing), tuple(wrong))


def _line(row: str, language: str) -> Line:
    words = texts(language)
    closing = words.get("context.quote")[1]
    before, between, after = _around(words.text("context.item", quoted="\0", notes="\1"))
    _quoted, _, rest = row.removeprefix(before).partition(closing + between)
    notes = rest.removesuffix(after).split(words.text("context.notes_join")) if rest else []
    prefix = words.text("context.when", when="")
    return Line(
        text=row,
        phase=_phase(notes, language),
        when=next((note.removeprefix(prefix) for note in notes if note.startswith(prefix)), ""),
    )


def _around(template: str) -> tuple[str, str, str]:
    before, rest = template.split("\0")
    between, after = rest.split("\1")
    return before, between, after


def _phase(notes: Sequence[str], language: str) -> str | None:
    words = texts(language)
    for phase, keys in _PHASE_NOTES.items():
        for key in keys:
            fixed, open_ended, _ = str(words.get(key)).partition("{")
            if any(note.startswith(fixed) if open_ended else note == fixed for note in notes):
                return phase
    return None


def _stands(line: Line, standing: Standing, anchored: bool) -> bool:
    if line.phase is not None:
        return line.phase in standing.phases and (
            standing.date is None or line.when.startswith(standing.date) or not line.when
        )
    return _says(line, standing) or (anchored and _names(line.text, standing.date))


def _still_live(line: Line, standing: Standing, anchored: bool) -> bool:
    """Whether a line about something that is over reads as if it were not. Another date: another event."""
    if line.phase in _OVER or _says(line, standing):
        return False
    if standing.date is not None and line.when and not line.when.startswith(standing.date):
        return False
    return line.phase is not None or not (anchored and _names(line.text, standing.date))


def _says(line: Line, standing: Standing) -> bool:
    return standing.says is not None and standing.says.search(line.text) is not None


def _names(text: str, day: str | None) -> bool:
    """Whether a sentence names a calendar day in full, so that nobody has to know when it was said."""
    try:
        forms = _spoken(date.fromisoformat(day or ""))
    except ValueError:
        return False
    return any(re.search(form, text, re.IGNORECASE) for form in forms)


def _spoken(day: date) -> Iterable[str]:
    yield day.isoformat()
    yield rf"(?<!\d)0?{day.month}\s*[/月]\s*0?{day.day}(?!\d)"
    month = rf"{_MONTHS[day.month - 1]}[a-z]*"
    yield rf"\b{month} {day.day}(?!\d)"
    yield rf"(?<!\d){day.day}(?:st|nd|rd|th)?(?: of)? {month}"
