"""Numbers as people write them: digits, Chinese and Japanese numerals, English words."""

from __future__ import annotations

import re
from collections.abc import Mapping

_DIGITS = {
    "零": 0, "〇": 0, "一": 1, "壹": 1, "二": 2, "两": 2, "贰": 2, "俩": 2, "三": 3, "叁": 3, "四": 4,
    "五": 5, "六": 6, "七": 7, "八": 8, "九": 9,
}  # fmt: skip
_TENS = {"廿": 20, "卅": 30}
_MULTIPLIERS = {"十": 10, "百": 100, "千": 1000}

CJK_NUMBER = r"(?:\d{1,4}|[零〇一二两俩三四五六七八九十百廿卅]{1,7})"
"""A number in folded Chinese or Japanese text."""

_UNITS_EN = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS_EN = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90}
_ORDINALS_EN = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
    "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14,
    "fifteenth": 15, "sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19,
    "twentieth": 20, "thirtieth": 30,
}  # fmt: skip
_TENS_NAMES = "twenty|thirty|forty|fifty|sixty|ninety"
_SMALL = "one|two|three|four|five|six|seven|eight|nine"
NUMBER_EN = (
    rf"(?:\d{{1,4}}|(?:{_TENS_NAMES})(?:[ -](?:{_SMALL}))?|"
    + "|".join(sorted(_UNITS_EN[1:], key=len, reverse=True))
    + r"|an?|a couple(?: of)?)"
)
"""A whole number in folded English text."""
ORDINAL_EN = (
    r"(?:\d{1,2}(?:st|nd|rd|th)|(?:twenty|thirty)[ -](?:first|second|third|fourth|fifth|"
    r"sixth|seventh|eighth"
    r"|ninth)|" + "|".join(sorted(_ORDINALS_EN, key=len, reverse=True)) + ")"
)
"""A day's ordinal in folded English text."""


WORDS_EN = (*_UNITS_EN, *_TENS_EN, *_ORDINALS_EN)
"""Every word an English number can begin with."""


def cjk_number(text: str) -> int | None:
    """Return the value of a Chinese or Japanese numeral (``十五``, ``二〇二六``, ``廿三``, ``15``)."""
    if text.isdecimal():
        return int(text)
    if not any(character in _MULTIPLIERS or character in _TENS for character in text):
        if not text or any(character not in _DIGITS for character in text):
            return None
        return int("".join(str(_DIGITS[character]) for character in text))
    total, digit = 0, None
    for character in text:
        if character in _DIGITS:
            digit = _DIGITS[character]
        elif character in _TENS:
            total += _TENS[character]
            digit = None
        elif character in _MULTIPLIERS:
            total += (1 if digit is None else digit) * _MULTIPLIERS[character]
            digit = None
        else:
            return None
    return total + (digit or 0)


def cjk_pair(text: str) -> tuple[int, int] | None:
    """Return both ends of a loose count (``两三``, ``三五``, ``十二三``), or None where it is none."""
    stem = text[:-2]
    if len(text) < 2 or text[-1] not in _DIGITS or text[-2] not in _DIGITS or text.isdecimal():
        return None
    low, high = _DIGITS[text[-2]], _DIGITS[text[-1]]
    if not 0 < low < high or (high - low != 1 and (low, high) != (3, 5)):
        return None
    if not stem:
        return low, high
    base = cjk_number(stem)
    return (base + low, base + high) if base is not None and stem[-1] in "十廿卅" else None


_TEEN = "ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
_LOW = rf"(?:oh|zero)[ -](?:{_SMALL})|{_TEEN}|(?:{_TENS_NAMES}|seventy|eighty)(?:[ -](?:{_SMALL}))?"
YEAR_EN = (
    rf"(?:(?P<century>seventeen|eighteen|nineteen|twenty)[ -]"
    rf"(?:hundred(?:[ -](?:and[ -])?(?P<odd>{_LOW}|{_SMALL}))?|(?P<low>{_LOW}))"
    rf"|two[ -]thousand(?:[ -](?:and[ -])?(?P<since>{_LOW}|{_SMALL}))?)(?![a-z-])"
)
"""A year in English words (nineteen eighty-six, two thousand and five)."""


def english_year(groups: Mapping[str, str | None]) -> int | None:
    """Return the year of a match of ``YEAR_EN``, from its named groups."""
    said = groups["odd"] or groups["low"] or groups["since"]
    low = 0 if said is None else _below_hundred(re.sub("^(?:oh|zero)[ -]", "", said))
    century = groups["century"]
    base = 2000 if century is None else 100 * _UNITS_EN.index(century) if century != "twenty" else 2000
    return None if low is None else base + low


def _below_hundred(words: str) -> int | None:
    tens, _, ones = words.replace("-", " ").partition(" ")
    if tens in {"seventy", "eighty"}:
        return (70 if tens == "seventy" else 80) + (_UNITS_EN.index(ones) if ones else 0)
    return english_number(words)


def english_number(text: str) -> int | None:
    """Return the value of an English number or ordinal (``15th``, ``twenty-one``, ``a couple of``)."""
    words = re.sub(r"(?<=\d)(?:st|nd|rd|th)$", "", text.strip())
    if words.isdecimal():
        return int(words)
    if words in {"a", "an"}:
        return 1
    if words.startswith(("a couple", "couple")):
        return 2
    total = 0
    for word in re.split(r"[ -]", words):
        if word in _TENS_EN:
            total += _TENS_EN[word]
        elif word in _ORDINALS_EN:
            total += _ORDINALS_EN[word]
        elif word in _UNITS_EN:
            total += _UNITS_EN.index(word)
        else:
            return None
    return total
