"""What the words of a time expression say, before it is known when they were said."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from enum import StrEnum


class Unit(StrEnum):
    """A length of time a distance is counted in."""

    SECOND = "second"
    MINUTE = "minute"
    HOUR = "hour"
    DAY = "day"
    WORKDAY = "workday"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"


class Shape(StrEnum):
    """What a distance means: a point away, or the stretch up to it."""

    POINT = "point"
    LAST = "last"
    NEXT = "next"
    WITHIN = "within"


class Part(StrEnum):
    """Which part of a month or a year."""

    EARLY = "early"
    MIDDLE = "middle"
    LATE = "late"
    FIRST_HALF = "first_half"
    SECOND_HALF = "second_half"
    END = "end"


@dataclass(frozen=True, slots=True)
class Distance:
    """A distance from the moment of speaking: ``low`` to ``high`` units, ahead or back."""

    low: float
    high: float
    unit: Unit
    sign: int
    shape: Shape = Shape.POINT


NOW = Distance(0, 0, Unit.MINUTE, 1)
"""The moment of speaking itself, as the end of what runs to or from it."""


@dataclass(frozen=True, slots=True)
class Piece:
    """The first or last few units of a longer stretch (the last three days of June)."""

    count: int
    unit: Unit
    last: bool


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day. ``fixed`` where the words leave no choice between morning and afternoon."""

    hour: int
    minute: int = 0
    fixed: bool = False
    loose: bool = False


@dataclass(frozen=True, slots=True)
class Frame:
    """The slots a time expression can fill; neighbours fill one frame together.

    ``*_rel`` count from the present one (下下 = 2). ``look`` turns the tense (the coming, the last).
    ``anchored`` is a distance from the date named beside it (three days after Christmas), ``lasting`` how
    long what begins there goes on. ``piece`` cuts a stretch, ``remainder`` keeps what is left of it (1) or
    what is over (-1). ``decade`` is its first year, of two figures where the century is left open.
    ``mday_last`` and ``weekday_last`` end a run of days, ``clock_last`` a run of hours. ``festival`` names
    a row of the festival tables.
    ``morrow`` is the day after one named before it, ``year_untold`` goes with a vague year (那年), ``recur``
    is a period (``weekly``); ``vague`` speaks of time but is no date; ``block`` is no time at all.
    """

    year: int | None = None
    year_rel: int | None = None
    month: int | None = None
    month_rel: int | None = None
    year_last: int | None = None
    decade: int | None = None
    quarter: int | None = None
    quarter_rel: int | None = None
    piece: Piece | None = None
    remainder: int | None = None
    mday: int | None = None
    part: Part | None = None
    season: str | None = None
    season_rel: int | None = None
    lunar: bool | None = None
    leap: bool | None = None
    week_rel: int | None = None
    weekday: int | None = None
    weekday_last: int | None = None
    weekdays: tuple[int, ...] | None = None
    nth: int | None = None
    weekend: bool | None = None
    workdays: bool | None = None
    loose_week: bool | None = None
    day_rel: int | None = None
    festival: str | None = None
    mday_last: int | None = None
    look: int | None = None
    whole_week: bool | None = None
    bridge: bool | None = None
    distance: Distance | None = None
    anchored: Distance | None = None
    lasting: Distance | None = None
    shift: int | None = None
    daypart: str | None = None
    clock: Clock | None = None
    clock_last: Clock | None = None
    recur: str | None = None
    morrow: bool | None = None
    year_untold: bool | None = None
    vague: bool | None = None
    block: bool | None = None

    @property
    def has_year(self) -> bool:
        """Whether a year is named."""
        return self.year is not None or self.year_rel is not None

    @property
    def has_month(self) -> bool:
        """Whether a month is named."""
        return self.month is not None or self.month_rel is not None

    @property
    def dated(self) -> bool:
        """Whether anything but a time of day is named."""
        return any(getattr(self, name) is not None for name in DATE_SLOTS)

    @property
    def timed(self) -> bool:
        """Whether a time of day is named."""
        return self.clock is not None or self.daypart is not None

    @property
    def on_a_day(self) -> bool:
        """Whether the date slots name a day (so that a time of day can join)."""
        if self.distance is not None:
            return self.distance.unit in {Unit.DAY, Unit.WEEK, Unit.MONTH, Unit.YEAR}
        return (
            any(
                value is not None
                for value in (self.day_rel, self.weekday, self.mday, self.festival, self.weekdays)
            )
            or self.weekend is not None
            or self.recur is not None
            or self.part is Part.END
            or (self.piece is not None and self.piece.count == 1 and self.piece.unit is Unit.DAY)
        )


_TIME_SLOTS = {
    "daypart",
    "clock",
    "clock_last",
    "morrow",
    "year_untold",
    "vague",
    "block",
    "anchored",
    "lasting",
}
_NAMES = tuple(field.name for field in fields(Frame))
DATE_SLOTS = tuple(name for name in _NAMES if name not in _TIME_SLOTS)
"""The slots that name a date, not a time of day."""

_YEARLY = {"year", "year_rel"}
_FAMILIES: tuple[frozenset[str], ...] = (
    frozenset({"day_rel", "weekday"}),
    frozenset({"distance", "weekday", "weekend"}),
    frozenset({"week_rel", "weekday", "weekday_last", "weekend", "workdays", "loose_week", "part"}),
    frozenset(
        {*_YEARLY, "month", "month_rel", "mday", "mday_last", "weekday", "lunar", "leap", "whole_week"}
    ),
    frozenset({*_YEARLY, "month", "month_rel", "part", "lunar"}),
    frozenset({*_YEARLY, "month", "month_rel", "nth", "weekday", "weekend", "whole_week"}),
    frozenset({*_YEARLY, "quarter", "quarter_rel", "piece", "part"}),
    frozenset({*_YEARLY, "month", "month_rel", "piece"}),
    frozenset({"day_rel", "remainder"}),
    frozenset({"week_rel", "remainder"}),
    frozenset({"month_rel", "remainder"}),
    frozenset({"year_rel", "remainder"}),
    frozenset({"year", "year_last"}),
    frozenset({"decade", "part"}),
    frozenset({*_YEARLY, "season", "season_rel", "part"}),
    frozenset({*_YEARLY, "festival", "bridge", "weekday", "shift", "whole_week", "weekend", "look"}),
    frozenset({"recur", "festival", "weekday", "weekdays", "weekend", "workdays", "mday", "month", "part"}),
)
"""Which date slots can stand in one expression."""


def _sound(frame: Frame) -> bool:
    """Whether the slots make sense together."""
    named = {name for name in DATE_SLOTS if getattr(frame, name) is not None}
    if named - {"look"} and not any(named - {"look"} <= family for family in _FAMILIES):
        return False
    if frame.year is not None and frame.year_rel is not None:
        return False
    if frame.month is not None and frame.month_rel is not None:
        return False
    if frame.month_rel is not None and frame.has_year:
        return False
    if frame.mday is not None and frame.has_year and not frame.has_month:
        return False
    if frame.weekday_last is not None and frame.timed:
        return False
    if frame.lasting is not None and frame.clock is None and (frame.daypart or not frame.on_a_day):
        return False
    if frame.piece is not None and (frame.mday is not None or frame.part is not None):
        return False
    if frame.whole_week and frame.timed:
        return False
    on_weekday = frame.weekday is not None or frame.weekend is not None
    if on_weekday and frame.distance is not None and frame.distance.unit is not Unit.WEEK:
        return False
    if frame.weekday is not None and frame.has_month and frame.mday is None and frame.nth is None:
        return False
    return not (frame.timed and named and not frame.on_a_day)


def unite(left: Frame, right: Frame) -> Frame | None:
    """Return one frame that says what both say, or None where they don't belong together."""
    if left.block or right.block or left.vague or right.vague:
        return None
    changes: dict[str, object] = {}
    for name in _NAMES:
        value = getattr(right, name)
        if value is None:
            continue
        mine = getattr(left, name)
        if mine is not None and mine != value:
            return None
        changes[name] = value
    if left.clock is not None and right.clock is not None:
        return None
    if left.distance is not None and right.anchored is not None:
        return None
    united = replace(left, **changes)  # type: ignore[arg-type]
    return united if _sound(united) else None
