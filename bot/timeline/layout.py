"""Where everything on a picture stands. Pure: the same memories and moment give the same places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.timeline.axis import Axis, Tick, axis_of, ticks
from bot.timeline.notes import Notes
from bot.timeline.spans import Stretch, Style, Times, times_of
from memory.catalog import load_catalog
from memory.model import Category, Memory
from memory.policy import MemoryPolicy

WIDTH = 1200
TITLE, SUBTITLE, TEXT, NOTE, LABEL, TICK = 36, 21, 27, 20, 20, 19
"""Sizes of letters in pixels."""

PADDING = 36
ROW = 72
BAR = 22
LEAST_BAR = 16.0
"""A bar is never narrower: one evening among three months is still seen."""

_TOP = 176
_DOT = 30
_TEXT_SHARE = 0.44
_GAP = 30
_LEGEND_ROW = 36
_LEGEND_DOT, _LEGEND_SWATCH = 28, 40
_TICK_GAP = 128.0  # the widest label and a little air


class Measure(Protocol):
    """What a layout must know of letters."""

    def length(self, text: str, size: int) -> float:
        """Return how wide a line is."""
        ...

    def cut(self, text: str, size: int, room: float) -> str:
        """Return a line that fits."""
        ...


@dataclass(frozen=True, slots=True)
class Words:
    """A line of text; ``x`` is its left edge, ``y`` the top of its letters' box."""

    x: float
    y: float
    text: str
    size: int


@dataclass(frozen=True, slots=True)
class Bar:
    """When something was true; an open end runs off the axis or begins nobody knows when."""

    left: float
    right: float
    open_left: bool
    open_right: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One memory."""

    memory_id: str
    category: Category
    style: Style
    top: float
    text: Words
    note: Words
    bar: Bar
    known: tuple[float, float]
    put_away: float | None

    @property
    def middle(self) -> float:
        """Where its bar lies."""
        return self.top + ROW / 2


@dataclass(frozen=True, slots=True)
class Link:
    """From a version to the one that took its place."""

    category: Category
    start: tuple[float, float]
    end: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Sample:
    """An entry of the legend; ``mark`` is the left edge of its colour."""

    words: Words
    mark: float
    category: Category | None
    style: Style


@dataclass(frozen=True, slots=True)
class Layout:
    """A picture as places."""

    width: int
    height: int
    title: Words
    subtitle: Words
    chart: tuple[float, float, float, float]
    ticks: tuple[Tick, ...]
    now: float
    now_label: Words
    now_label_right: float
    rows: tuple[Row, ...]
    links: tuple[Link, ...]
    legend: tuple[Sample, ...]


def layout(
    memories: Sequence[Memory],
    now: datetime,
    zone: str,
    language: str,
    face: Measure,
    *,
    page: tuple[int, int] = (1, 1),
    width: int = WIDTH,
    policy: MemoryPolicy | None = None,
) -> Layout:
    """Lay out the memories of one picture, in the order given; ``page`` is its number of how many."""
    words = load_catalog("bot.timeline", language)
    times = [times_of(one, now, policy or MemoryPolicy()) for one in memories]
    text_right = PADDING + (width - 2 * PADDING) * _TEXT_SHARE
    axis = axis_of(times, now, text_right + _GAP, width - PADDING)
    notes = Notes(words, now, zone, language)
    rows = tuple(
        _row(one, when, axis, notes, face, _TOP + place * ROW, text_right)
        for place, (one, when) in enumerate(zip(memories, times, strict=True))
    )
    bottom = _TOP + len(rows) * ROW
    legend, height = _legend(rows, notes, face, bottom + 26, width)
    now_text = words.text("now")
    now_x = axis.at(now)
    half = face.length(now_text, LABEL) / 2
    now_left = min(max(now_x - half, axis.left), axis.right - 2 * half)
    inner = width - 2 * PADDING
    return Layout(
        width=width,
        height=height,
        title=Words(PADDING, 26, face.cut(words.text("title"), TITLE, inner), TITLE),
        subtitle=Words(PADDING, 78, face.cut(notes.summary(memories, page), SUBTITLE, inner), SUBTITLE),
        chart=(axis.left, _TOP, axis.right, bottom),
        ticks=ticks(axis, zone, words, _TICK_GAP),
        now=now_x,
        now_label=Words(now_left, 106, now_text, LABEL),
        now_label_right=now_left + 2 * half,
        rows=rows,
        links=_links(memories, rows),
        legend=legend,
    )


def _row(
    memory: Memory, times: Times, axis: Axis, notes: Notes, face: Measure, top: float, text_right: float
) -> Row:
    left = PADDING + _DOT
    room = text_right - left
    archived = times.style is Style.ARCHIVED
    return Row(
        memory_id=memory.id,
        category=memory.category,
        style=times.style,
        top=top,
        text=Words(left, top + 7, face.cut(notes.text(memory), TEXT, room), TEXT),
        note=Words(left, top + 41, face.cut(notes.note(memory), NOTE, room), NOTE),
        bar=_bar(times.true, axis),
        known=_known(times.known, axis),
        put_away=axis.at(times.known.end) if archived else None,
    )


def _bar(true: Stretch, axis: Axis) -> Bar:
    start = axis.left if true.start is None else axis.at(true.start)
    end = axis.at(true.end)
    if end - start < LEAST_BAR:
        middle = min(max((start + end) / 2, axis.left + LEAST_BAR / 2), axis.right - LEAST_BAR / 2)
        start, end = middle - LEAST_BAR / 2, middle + LEAST_BAR / 2
    return Bar(start, end, true.start is None or true.start < axis.start, true.end > axis.end)


def _known(known: Stretch, axis: Axis) -> tuple[float, float]:
    return axis.left if known.start is None else axis.at(known.start), axis.at(known.end)


def _links(memories: Sequence[Memory], rows: Sequence[Row]) -> tuple[Link, ...]:
    by_id = {row.memory_id: row for row in rows}
    found: list[Link] = []
    for memory, row in zip(memories, rows, strict=True):
        before = by_id.get(memory.supersedes_id or "")
        if before is None or before is row:
            continue
        down = BAR / 2 if row.top > before.top else -BAR / 2
        start = max(before.bar.right - 7, before.bar.left)
        end = min(row.bar.left + 7, row.bar.right)
        found.append(Link(row.category, (start, before.middle + down), (end, row.middle - down)))
    return tuple(found)


def _legend(
    rows: Sequence[Row], notes: Notes, face: Measure, top: float, width: int
) -> tuple[tuple[Sample, ...], int]:
    """Return the entries for what is on this picture, in as many lines as they need, and the height."""
    shown = {row.category for row in rows}
    styles = {row.style for row in rows}
    entries: list[tuple[str, Category | None, Style]] = [
        (notes.category(category), category, Style.LIVE) for category in Category if category in shown
    ]
    entries += [
        (notes.style(style), None, style) for style in (Style.AHEAD, Style.ARCHIVED) if style in styles
    ]
    samples: list[Sample] = []
    x, y = float(PADDING), top
    for text, category, style in entries:
        before = _LEGEND_DOT if category else _LEGEND_SWATCH
        wide = before + face.length(text, LABEL)
        if x + wide > width - PADDING and x > PADDING:
            x, y = float(PADDING), y + _LEGEND_ROW
        samples.append(Sample(Words(x + before, y, text, LABEL), x, category, style))
        x += wide + 26
    return tuple(samples), round(y + _LEGEND_ROW + 14)
