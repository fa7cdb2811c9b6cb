"""Taiwan's days off: the rule of the law, so that a long weekend needs no library to be loaded.

From 2024 on; the years before had days off swapped for working Saturdays and come from ``holidays``.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from functools import lru_cache

FIRST_YEAR = 2024
"""The first year the rule is checked for, day by day, against the library."""
_ACT = 2025
"""The year the act on memorial days added more; Labour Day and Little New Year's Eve follow a year on."""
_SWAPPED = {2024: (date(2024, 2, 8),), 2025: (date(2025, 1, 27),)}
_MADE_UP_BEHIND = {0, 3}
"""Two holidays on one day: the workday before is off too, on a Monday and a Thursday the one behind."""
_DAY = timedelta(days=1)

Lookup = Callable[[str, int], date | None]
"""Name of a festival and a year to its day."""


def _single_days(year: int, lookup: Lookup) -> list[date]:
    fixed = [(1, 1), (2, 28), (4, 4), (10, 10)]
    if year >= _ACT:
        fixed += [(9, 28), (10, 25), (12, 25)]
    if year > _ACT:
        fixed.append((5, 1))
    moving = (lookup(name, year) for name in ("qingming", "dragon_boat", "mid_autumn"))
    return [date(year, month, day) for month, day in fixed] + [day for day in moving if day is not None]


def _new_year(year: int, lookup: Lookup) -> list[date]:
    first = lookup("spring", year)
    if first is None:
        return []
    return [first + shift * _DAY for shift in range(-2 if year > _ACT else -1, 3)]


def _next_free(day: date, step: int, taken: set[date]) -> date:
    while day.weekday() >= 5 or day in taken:
        day += step * _DAY
    return day


def _of_year(year: int, lookup: Lookup) -> set[date]:
    new_year, single = _new_year(year, lookup), _single_days(year, lookup)
    taken = {*new_year, *single}
    for day in new_year:
        if day.weekday() >= 5:
            taken.add(_next_free(max(new_year), 1, taken))
    for day in sorted(set(single)):
        if day.weekday() >= 5:
            taken.add(_next_free(day, -1 if day.weekday() == 5 else 1, taken))
        if single.count(day) > 1:  # Children's Day on the day of Qingming
            taken.add(_next_free(day, 1 if day.weekday() in _MADE_UP_BEHIND else -1, taken))
    return taken | set(_SWAPPED.get(year, ()))


@lru_cache(maxsize=32)
def free_days(year: int, lookup: Lookup) -> frozenset[date]:
    """Return the holidays of a year and the days off that make up for those on a weekend."""
    if year < FIRST_YEAR:
        import holidays

        return frozenset(holidays.country_holidays("TW", years=year))
    found = _of_year(year, lookup) | _of_year(year + 1, lookup)
    return frozenset(day for day in found if day.year == year)
