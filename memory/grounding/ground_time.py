"""From the time-of-day slots of a frame to stretches of a day."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

from memory.grounding.calendar import DAWN_HOUR, Moment, Stretch
from memory.grounding.choice import Choice
from memory.grounding.frame import Clock, Frame
from memory.grounding.types import Tense
from memory.model import Precision

DAYPARTS: dict[str, tuple[int, int]] = {
    "small_hours": (0, 6), "dawn": (5, 8), "morning": (6, 12), "noon": (11, 14), "afternoon": (12, 18),
    "dusk": (17, 19), "evening": (18, 24), "late_night": (22, 26), "midnight": (23, 29),
    "after_work": (18, 24), "after_school": (16, 22),
}  # fmt: skip
"""Hours from midnight of the named day; past 24 is the night that runs on into the next day."""
WAKING_HOUR = 6
"""Bare hours before it are not meant unless it is night (own judgement)."""
_NIGHT = {"evening", "late_night", "midnight", "dusk"}
_MINUTE = timedelta(minutes=1)


def _at(day: date, minutes: int) -> datetime:
    return datetime.combine(day, time()) + timedelta(minutes=minutes)


def _tick(day: date, clock: Clock, hour: int) -> Stretch:
    start = _at(day, hour * 60 + clock.minute)
    if clock.loose:
        return Stretch(start, start + timedelta(hours=1), Precision.HOUR)
    return Stretch(start, start + _MINUTE, Precision.MINUTE)


def part_of_day(day: date, name: str) -> Stretch:
    """Return a part of a day."""
    low, high = DAYPARTS[name]
    return Stretch(_at(day, low * 60), _at(day, high * 60), Precision.DAYPART)


def hours_in_part(clock: Clock, part: str) -> tuple[int, ...]:
    """Return the hours (from midnight of the day) a clock can mean in a part of the day, best first."""
    hour = clock.hour
    if hour > 12:
        return (hour,)
    if part in {"small_hours", "dawn", "morning"}:
        return (0,) if hour == 12 and part == "small_hours" else (hour,)
    if part == "noon":
        return (hour + 12,) if hour < 4 else (hour,)
    if part in {"afternoon", "dusk", "after_school"}:
        return (12,) if hour in {0, 12} else (hour + 12,)
    if hour in {0, 12}:
        return (24,)
    if part == "midnight" and hour < 6:
        return (24 + hour, hour)
    return (24 + hour,) if hour < 4 else (hour + 12,)


def bare_hours(clock: Clock) -> tuple[int, ...]:
    """Return the hours a clock without a part of the day can mean on a named day, best first."""
    if clock.fixed:
        return (clock.hour,)
    if clock.hour == 12:
        return (12,)
    return (clock.hour + 12, clock.hour) if clock.hour <= 6 else (clock.hour, clock.hour + 12)


def on_day(frame: Frame, day: date) -> tuple[Stretch, ...]:
    """Return what the time-of-day slots mean on a named day, best first."""
    if frame.clock is None:
        return (part_of_day(day, frame.daypart or "morning"),)
    hours = hours_in_part(frame.clock, frame.daypart) if frame.daypart else bare_hours(frame.clock)
    return tuple(_tick(day, frame.clock, hour) for hour in hours)


def _candidates(frame: Frame, today: date) -> list[Stretch]:
    found = [option for shift in (-2, -1, 0, 1, 2) for option in on_day(frame, today + timedelta(days=shift))]
    return sorted(set(found), key=lambda item: item.start)


def without_day(frame: Frame, moment: Moment) -> Choice | None:
    """Ground a time of day that names no day: the next ahead, the last back, else today's."""
    now, tense = moment.wall, moment.tense
    options = _candidates(frame, moment.today)
    ahead = [item for item in options if item.end > now and (frame.clock is None or item.start >= now)]
    back = [item for item in reversed(options) if item.start <= now]
    if frame.clock is not None and frame.daypart is None and not frame.clock.fixed:
        return _open_clock(ahead, back, moment)
    if tense is Tense.FUTURE:
        return Choice((ahead[0],))
    if tense is Tense.PAST:
        return Choice((back[0],))
    today = [item for item in options if item.start.date() == moment.today]
    if frame.clock is None:
        current = [item for item in options if item.start <= now < item.end]
        return Choice((*current, *today, *ahead)[:1])
    if today and today[0].start > now:
        return Choice((today[0],))
    near = sorted(options, key=lambda item: abs(item.start - now))[:2]
    return Choice(tuple(dict.fromkeys([*today[:1], *near])), open_=True)


def _open_clock(ahead: list[Stretch], back: list[Stretch], moment: Moment) -> Choice:
    """Settle a bare 三點: waking hours first, unless it is night already."""
    now = moment.wall
    night = now.hour >= 21 or now.hour < DAWN_HOUR

    def waking(item: Stretch) -> bool:
        return item.start.hour >= WAKING_HOUR or (night and abs(item.start - now) <= timedelta(hours=6))

    forward = [item for item in ahead if waking(item)]
    backward = [item for item in back if waking(item)]
    line = backward if moment.tense is Tense.PAST else forward
    if moment.tense is Tense.NONE and (not forward or forward[0].start.date() != now.date()):
        return Choice((*backward[:1], *forward[:1]), open_=True)
    same_day = [item for item in line if item.start.date() == line[0].start.date()]
    return Choice(tuple(same_day), open_=len(same_day) > 1)
