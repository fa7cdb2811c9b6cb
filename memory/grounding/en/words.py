"""Tables, patterns and small readers the English rules share."""

from __future__ import annotations

from memory.grounding.festival_names import alternatives
from memory.grounding.frame import Part, Unit
from memory.grounding.numerals import NUMBER_EN, ORDINAL_EN, english_number

MONTH_NAMES = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]

MONTHS = {name: index for index, name in enumerate(MONTH_NAMES, 1)} | {
    "jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10,
    "nov": 11, "dec": 12,
}  # fmt: skip

DAY_NAMES = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

WEEKDAYS = {name: index for index, name in enumerate(DAY_NAMES)} | {
    "mon": 0, "tue": 1, "tues": 1, "wed": 2, "weds": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4,
    "sat": 5, "sun": 6,
}  # fmt: skip

OPEN_MONTHS = {"may", "march", "mar", "jan", "sep", "dec", "jun"}
"""Month names that are other words too: they need a preposition, a day or a year beside them."""

DAYPARTS = {
    "morning": "morning", "afternoon": "afternoon", "evening": "evening", "night": "evening",
     "lunchtime": "noon", "lunch time": "noon", "midday": "noon", "dawn": "dawn",
    "dusk": "dusk", "early morning": "dawn", "late morning": "morning", "early afternoon": "afternoon",
    "late afternoon": "afternoon", "early evening": "evening", "late evening": "evening",
    "late at night": "late_night", "late night": "late_night", "early-morning": "dawn",
    "late-morning": "morning", "early-afternoon": "afternoon", "late-afternoon": "afternoon",
    "early-evening": "evening", "late-evening": "evening", "late-night": "late_night",
}  # fmt: skip

SEASONS = {"spring": "spring", "summer": "summer", "autumn": "autumn", "fall": "autumn", "winter": "winter"}

UNITS = {
    "second": Unit.SECOND, "sec": Unit.SECOND, "minute": Unit.MINUTE, "min": Unit.MINUTE,
    "hour": Unit.HOUR, "hr": Unit.HOUR, "h": Unit.HOUR, "day": Unit.DAY, "night": Unit.DAY,
    "business day": Unit.WORKDAY, "working day": Unit.WORKDAY, "work day": Unit.WORKDAY,
    "week": Unit.WEEK, "wk": Unit.WEEK, "month": Unit.MONTH, "year": Unit.YEAR, "yr": Unit.YEAR,
    "fortnight": Unit.WEEK,
}  # fmt: skip

PARTS = {
    "early": Part.EARLY, "beginning": Part.EARLY, "start": Part.EARLY, "mid": Part.MIDDLE,
    "middle": Part.MIDDLE, "late": Part.LATE, "end": Part.LATE, "last day": Part.END,
    "first half": Part.FIRST_HALF, "second half": Part.SECOND_HALF,
}  # fmt: skip

N = NUMBER_EN

M = (
    rf"(?:{alternatives(MONTH_NAMES)}\b|"
    rf"{alternatives(name for name in MONTHS if name not in MONTH_NAMES)}\b\.?)"
)

W = (
    rf"(?:{alternatives(DAY_NAMES)}\b|"
    rf"{alternatives(name for name in WEEKDAYS if name not in DAY_NAMES)}\b(?:\.(?=\s))?)"
)

UNIT = (
    r"(?:business days?|working days?|work days?|seconds?|secs?|minutes?|mins?|hours?|"
    r"hrs?|h|days?|nights?|weeks?|wks?|fortnights?|months?|years?|yrs?)\b"
)

REL = (
    r"(?:this coming|this past|this|next|last|previous|past|coming|following|upcoming|"
    r"current|the coming|the following)"
)

B = r"(?<![a-z0-9'/.])"

ORD = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": -1, "1st": 1, "2nd": 2,
    "3rd": 3, "4th": 4, "5th": 5,
}  # fmt: skip


def number(text: str | None) -> int | None:
    """Return the value of a number that may be missing."""
    return None if text is None else english_number(text.rstrip("."))


def weekday_of(text: str | None) -> int | None:
    """Return the weekday (Monday 0) of a name or its short form."""
    return None if text is None else WEEKDAYS[text.rstrip(".").removesuffix("'s")]


def relative_of(word: str | None) -> int:
    """Return -1, 0 or 1 for last, this, next."""
    word = word or ""
    if any(part in word for part in ("last", "past", "previous")):
        return -1
    return 1 if any(part in word for part in ("next", "following", "upcoming")) or word == "coming" else 0


def unit_of(text: str | None) -> Unit:
    """Return the unit a word names, singular or plural."""
    word = (text or "").strip()
    return UNITS.get(word) or UNITS[word.removesuffix("s")]


YEAR = (
    r"(?:,?\s*(?:of\s+)?(?P<y>(?:(?:(?<=, )|(?<=of ))1[78]|19|"
    r"2[01])\d\d)(?![\d:]))?(?!,?\s+(?:(?:of\s+)'?\d\d\b(?!\d|[a-z]|th)|'\d\d\b|"
    r"(?:of\s+)?\d{3,4}\b(?!\s*[a-z])))"
)

NAMED_DAY = rf"(?:the\s+)?(?P<d>{ORDINAL_EN}|[0-3]?\d(?![\d:/])(?:\.(?=\s))?)"

NOT_HOUR = (
    r"(?!\s*(?:[ap]\.?m\b|:|%|/|people|times|of us|minutes|hours|days|weeks|months|"
    r"years|bucks|dollars|percent|kids|points))"
)
