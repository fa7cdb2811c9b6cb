"""Named days: fixed, on an nth weekday, lunar, by a solar term, by Easter; breaks and long weekends."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from functools import lru_cache

from memory.grounding.calendar import add_days, nth_weekday
from memory.grounding.faiths import FEASTS, feast_day
from memory.grounding.taiwan import free_days

Days = tuple[date, date]
"""First day and the day after the last."""

_FIXED: dict[str, tuple[int, int]] = {
    "new_year": (1, 1), "new_years_eve": (12, 31), "valentine": (2, 14), "white_day": (3, 14),
    "peace": (2, 28), "women": (3, 8), "arbor": (3, 12), "youth_tw": (3, 29), "fools": (4, 1),
    "children_tw": (4, 4), "children_cn": (6, 1), "labour": (5, 1), "youth_cn": (5, 4), "nurses": (5, 12),
    "father_tw": (8, 8), "armed_forces": (9, 3), "teachers_tw": (9, 28), "teachers_cn": (9, 10),
    "national_tw": (10, 10), "national_cn": (10, 1), "halloween": (10, 31), "singles": (11, 11),
    "christmas_eve": (12, 24), "christmas": (12, 25), "boxing": (12, 26), "independence_us": (7, 4),
    "st_patrick": (3, 17), "retrocession": (10, 25), "constitution": (12, 25), "earth": (4, 22),
    "double12": (12, 12), "june18": (6, 18), "party_cn": (7, 1), "army_cn": (8, 1), "veterans": (11, 11),
    "groundhog": (2, 2), "hinamatsuri": (3, 3), "kodomo": (5, 5), "bunka": (11, 3), "yama": (8, 11),
    "showa": (4, 29), "kenpo": (5, 3), "midori": (5, 4), "tanabata": (7, 7), "kenkoku": (2, 11),
    "kinro": (11, 23), "tenno": (2, 23), "pocky": (11, 11), "guy_fawkes": (11, 5),
    "boss": (10, 16), "consumers": (3, 15), "macau": (12, 20), "juneteenth": (6, 19), "epiphany": (1, 6),
    "cinco_de_mayo": (5, 5), "canada": (7, 1), "australia": (1, 26), "anzac": (4, 25),
}  # fmt: skip
_NTH: dict[str, tuple[int, int, int]] = {
    "mother": (5, 6, 2), "father": (6, 6, 3), "thanksgiving": (11, 3, 4), "mlk": (1, 0, 3),
    "presidents": (2, 0, 3), "memorial_us": (5, 0, -1), "labor_us": (9, 0, 1), "columbus": (10, 0, 2),
    "seijin": (1, 0, 2), "umi": (7, 0, 3), "keiro": (9, 0, 3), "sports_ja": (10, 0, 2),
}  # fmt: skip
_LUNAR: dict[str, tuple[int, int]] = {
    "spring": (1, 1), "lantern": (1, 15), "dragon_boat": (5, 5), "qixi": (7, 7), "ghost": (7, 15),
    "mid_autumn": (8, 15), "double_ninth": (9, 9), "laba": (12, 8), "weiya": (12, 16), "god_wealth": (1, 5),
    "dragon_head": (2, 2), "matsu": (3, 23), "buddha": (4, 8), "tiangong": (1, 9),
}  # fmt: skip
_EASTER: dict[str, int] = {
    "easter": 0, "good_friday": -2, "easter_monday": 1, "ash_wednesday": -46, "palm_sunday": -7,
    "pentecost": 49, "ascension": 39, "carnival": -47, "holy_saturday": -1, "maundy": -3, "whit_monday": 50,
    "trinity": 56, "corpus_christi": 60,
}  # fmt: skip
_TERMS = {
    "qingming": "清明", "winter_solstice": "冬至", "summer_solstice": "夏至", "spring_equinox": "春分",
    "autumn_equinox": "秋分", "start_spring": "立春", "start_summer": "立夏", "start_autumn": "立秋",
    "start_winter": "立冬",
}  # fmt: skip
_SPANS: dict[str, tuple[tuple[int, int], tuple[int, int]]] = {
    # First day and last day. School breaks differ by school: the usual calendar in Taiwan.
    "summer_break": ((7, 1), (8, 31)), "winter_break": ((1, 21), (2, 10)),
    "golden_week_ja": ((4, 29), (5, 5)), "obon": ((8, 13), (8, 16)), "oshogatsu": ((1, 1), (1, 3)),
}  # fmt: skip


@lru_cache(maxsize=512)
def lunar_day(year: int, month: int, day: int, leap: bool = False) -> date | None:
    """Return the solar date of a lunar one (``year`` is the lunar year), or None if there is none."""
    from lunar_python import Lunar

    try:
        solar = Lunar.fromYmd(year, -month if leap else month, day).getSolar()
    except Exception:  # the library raises bare Exception for days a lunar month lacks
        return None
    return date(solar.getYear(), solar.getMonth(), solar.getDay())


@lru_cache(maxsize=256)
def _solar_term(year: int, name: str) -> date | None:
    from lunar_python import Lunar

    solar = Lunar.fromYmd(year, 6, 1).getJieQiTable().get(name)
    if solar is None:
        return None
    found = date(solar.getYear(), solar.getMonth(), solar.getDay())
    if found.year != year:  # 冬至 of the year before opens the table
        solar = Lunar.fromYmd(year + (year - found.year), 6, 1).getJieQiTable().get(name)
        found = date(solar.getYear(), solar.getMonth(), solar.getDay())
    return found if found.year == year else None


def _easter(year: int) -> date:
    """Return Easter Sunday (Gregorian computus)."""
    a, (b, c) = year % 19, divmod(year, 100)
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    lunar = (32 + 2 * e + 2 * i - h - k) % 7
    m = (a + 11 * h + 19 * lunar) // 433
    month = (h + lunar - 7 * m + 90) // 25
    return date(year, month, (h + lunar - 7 * m + 33 * month + 19) % 32)


def _first_day(name: str, year: int) -> date | None:
    found = festival_days(name, year)
    return found[0] if found else None


def _free(day: date) -> bool:
    return day.weekday() >= 5 or day in free_days(day.year, _first_day)


_NOT_FREE = {"teachers_tw", "retrocession", "constitution"}


def long_weekend(anchor: date) -> Days:
    """Return the run of free days in Taiwan around a holiday."""
    first, after = anchor, add_days(anchor, 1)
    while _free(add_days(first, -1)):
        first = add_days(first, -1)
    while _free(after):
        after = add_days(after, 1)
    return first, after


def _eve_of_spring(year: int) -> date | None:
    spring = lunar_day(year, 1, 1)
    return None if spring is None else add_days(spring, -1)


def _one(day: date | None) -> Days | None:
    return None if day is None else (day, add_days(day, 1))


def _spring_holiday(year: int) -> Days | None:
    eve = _eve_of_spring(year)
    return None if eve is None else (eve, add_days(eve, 6))


_OTHERS: dict[str, Callable[[int], Days | None]] = {
    "lunar_eve": lambda year: _one(_eve_of_spring(year)),
    "little_eve": lambda year: _one(add_days(eve, -1) if (eve := _eve_of_spring(year)) else None),
    "spring_holiday": _spring_holiday,
    "cyber_monday": lambda year: _one(add_days(nth_weekday(year, 11, 3, 4) or date(year, 11, 22), 4)),
    "black_friday": lambda year: _one(add_days(nth_weekday(year, 11, 3, 4) or date(year, 11, 22), 1)),
}


NEAR_NEW_YEAR = "near_new_year_"
"""A bare 初二: the day after New Year, but only while people speak of it (elsewhere a year of school)."""


@lru_cache(maxsize=1024)
def festival_days(name: str, year: int) -> Days | None:
    """Return the days of a festival in a calendar year (lunar ones in the lunar year of that number)."""
    if name in _FIXED:
        return _one(date(year, *_FIXED[name]))
    if name in _NTH:
        return _one(nth_weekday(year, *_NTH[name]))
    if name in _LUNAR:
        return _one(lunar_day(year, *_LUNAR[name]))
    if name.startswith(("lunar_new_year_", NEAR_NEW_YEAR)):
        return _one(lunar_day(year, 1, int(name.rsplit("_", 1)[1])))
    if name in _EASTER:
        return _one(_easter(year) + timedelta(days=_EASTER[name]))
    if name in _TERMS:
        return _one(_solar_term(year, _TERMS[name]))
    if name in _SPANS:
        (month, day), (last_month, last_day) = _SPANS[name]
        return date(year, month, day), add_days(date(year, last_month, last_day), 1)
    if name in FEASTS:
        return _one(feast_day(name, year))
    other = _OTHERS.get(name)
    return other(year) if other else None


def bridge_days(name: str, year: int) -> Days | None:
    """Return a festival's long weekend."""
    found = festival_days(name, year)
    if found is None or name in _NOT_FREE:
        return found
    if name == "spring":
        found = _one(_eve_of_spring(year)) or found
    return long_weekend(found[0])
