"""Dates and times in figures, the same in every language."""

from __future__ import annotations

from dataclasses import replace

from memory.grounding.frame import Frame
from memory.grounding.lexicon import Groups, Rule, blocked, clock, date_frame


def _int(text: str | None) -> int | None:
    return int(text) if text else None


def _year(text: str | None) -> int | None:
    number = _int(text)
    if number is None or len(text or "") > 2:
        return number
    return number + (2000 if number < 70 else 1900)


def _ymd(g: Groups) -> Frame | None:
    return date_frame(_int(g["m"]), _int(g["d"]), _year(g["y"]))


def _slashed(g: Groups) -> Frame | None:
    """Month first unless only day first can be."""
    first, second = _int(g["a"]) or 0, _int(g["b"]) or 0
    return date_frame(*((second, first) if first > 12 >= second else (first, second)), _year(g["y"]))


def _slashed_days(g: Groups) -> Frame | None:
    single, last = date_frame(_int(g["a"]), _int(g["b"])), _int(g["c"]) or 0
    if single is None or not (single.mday or 32) < last <= 31:
        return None
    return replace(single, mday_last=last)


def _day_first(g: Groups) -> Frame | None:
    first, second = _int(g["a"]) or 0, _int(g["b"]) or 0
    return date_frame(*((first, second) if second > 12 >= first else (second, first)), _year(g["y"]))


def half_of_day(hour: int, letter: str) -> int | None:
    """Return the 24 h hour of a 12 h one, or None where there is none."""
    if not 1 <= hour <= 12:
        return hour if letter == "p" and 12 < hour < 24 else None
    return hour % 12 + (12 if letter == "p" else 0)


def _clock(g: Groups) -> Frame | None:
    hour, minute = _int(g["h"]) or 0, _int(g["m"]) or 0
    letter = g.get("ap") or g.get("ap0")
    if letter:
        settled = half_of_day(hour, letter)
        return None if settled is None else clock(settled, minute, fixed=True)
    return clock(hour, minute, fixed=(g["h"] or "").startswith("0"))


_NO_DIGIT = r"(?<![\d.,/:#$€£¥+\-_v])"
_AFTER_DATE = rf"(?:{_NO_DIGIT}|(?<=\d\d\d\d-)|(?<=[-/.]\d-)|(?<=[-/.]\d\d-))"
"""Where a full date can begin: also right behind another and a hyphen (10/1/2026-10/7/2026)."""
_COUNTED = (
    r"(?![\d/%.]|-\d+(?![\d/])|\s?(?:h\b|hours?|杯|碗|片|份|匙|块|个|公|的人|量|人|价|cups?|of\b|"
    r"tsp|tbsp|inch|决赛|强|mile|pound))"
)

RULES: tuple[Rule, ...] = (
    Rule("iso_instant", rf"{_NO_DIGIT}(?P<y>(?:19|2[01])\d\d)-(?P<m>\d\d)-(?P<d>\d\d)t(?=\d\d:\d\d)", _ymd),
    Rule(
        "iso_date",
        rf"{_AFTER_DATE}(?P<y>[12]\d{{3}})(?P<s>[-/.])(?P<m>\d{{1,2}})(?P=s)"
        r"(?P<d>\d{1,2})(?![\d/]|\.\d|-\d(?!\d{3}(?P=s)))",
        _ymd,
    ),
    Rule(
        "year_month_day_cjk",
        r"(?<!\d)(?P<y>[12]\d{3})\s?年\s?(?P<m>\d{1,2})\s?月\s?(?P<d>\d{1,2})\s?[日号]",
        _ymd,
    ),
    Rule(
        "iso_month",
        rf"{_NO_DIGIT}(?P<y>(?:19|2[01])\d\d)[-/](?P<m>0[1-9]|1[0-2])(?![\d/.-])",
        lambda g: date_frame(_int(g["m"]), None, _int(g["y"])),
    ),
    Rule(
        "iso_date_spaced",
        rf"{_NO_DIGIT}(?P<y>20\d\d) (?P<m>0[1-9]|1[0-2]) (?P<d>0[1-9]|[12]\d|3[01])(?![\d/.:-]| \d)",
        _ymd,
    ),
    Rule(
        "slashed_month_year",
        rf"{_NO_DIGIT}(?P<m>0?[1-9]|1[0-2])/(?P<y>(?:19|20)\d\d)(?![\d/.-]|\s+of\b)",
        lambda g: date_frame(_int(g["m"]), None, _int(g["y"])),
    ),
    Rule(
        "slashed_date_year",
        rf"{_AFTER_DATE}(?P<a>\d{{1,2}})(?P<s>[/-])(?P<b>\d{{1,2}})(?P=s)(?P<y>\d{{4}}|\d{{2}})"
        r"(?![\d/]|-\d(?!\d?[-/.]\d))",
        _slashed,
    ),
    Rule(
        "dotted_date_year",
        rf"{_NO_DIGIT}(?P<a>\d{{1,2}})\.(?P<b>\d{{1,2}})\.(?P<y>(?:19|2[01])\d\d)(?!\d|\.\d)",
        _day_first,
    ),
    Rule(
        "slashed_date",
        r"(?<!\d,)(?<![\d./:#$€£¥+_v])(?<![了剩占吃喝半a-z])(?<!only )(?<!in )"
        r"(?<!约(?!1?\d/[1-3]\d\D))(?P<a>\d{1,2})/"
        rf"(?P<b>\d{{1,2}})(?P<y>){_COUNTED}[号日]?",
        _slashed,
    ),
    Rule(
        "dashed_date",
        r"(?<![\d-])(?P<m>0[1-9]|1[0-2])-(?P<d>0[1-9]|[12]\d|3[01])(?P<y>)(?=\s+\d{1,2}:\d\d)",
        _ymd,
    ),
    Rule(
        "slashed_days",
        r"(?<!\d,)(?<![\d./:#$€£¥+_v-])(?P<a>1[0-2]|0?[1-9])/(?P<b>\d{1,2})\s?[-~〜–到至]\s?"
        r"(?P<c>\d{1,2})(?![\d/:点時时%.])[号日]?",
        _slashed_days,
    ),
    Rule("always_open", r"24/7|7-11|50/50", blocked),
    Rule(
        "clock_24h",
        r"(?<![\d.,/:])(?P<h>2[0-4]|[01]?\d):(?P<m>[0-5]\d)(?::[0-5]\d(?:\.\d+)?)?(?![\d:%])"
        r"(?:\s?(?P<ap>[ap])(?:\.?m\b\.?|\b))?",
        _clock,
    ),
    Rule(
        "clock_letters",
        r"(?<![\d.,/:$])(?P<h>1[0-2]|0?[1-9])(?::(?P<m>[0-5]\d))?\s?(?P<ap>[ap])\.?\s?m"
        r"(?:\.|\b)",
        _clock,
    ),
    Rule(
        "clock_run_together",
        r"(?<![\d.,/:$])(?P<h>1[0-2]|0?[1-9])(?P<m>[0-5]\d)\s?(?P<ap>[ap])\.?\s?m(?:\.|\b)",
        _clock,
    ),
    Rule(
        "clock_h",
        r"(?<![\d.,/:$a-z])(?P<h>[01]?\d|2[0-3])h(?P<m>[0-5]\d)(?![\da-z])",
        lambda g: clock(_int(g["h"]) or 0, _int(g["m"]) or 0, fixed=True),
    ),
    Rule(
        "clock_letters_first",
        r"(?<![a-z])(?P<ap0>[ap])m\s?(?P<h>1[0-2]|0?[1-9])(?::(?P<m>[0-5]\d))?(?!\d)",
        _clock,
    ),
    Rule(
        "score",
        r"(?:比分|比数|比|以|赢|输|score(?:d)?|won|lost|beat \w+)\s?:?\s?\d{1,3}\s?[:-]"
        r"\s?\d{1,3}",
        blocked,
    ),
    Rule("telephone", r"(?<!\d)(?:\+\d[\d -]{7,}\d|0\d{1,3}[- ]\d{3,4}[- ]?\d{3,4}|\d{7,})(?!\d)", blocked),
    Rule(
        "version",
        r"(?<![a-z\d])v\d+(?:\.\d+)*|(?![12]\d{3}\.\d{1,2}\.\d{1,2}(?![\d.]))"
        r"(?!\d{1,2}\.\d{1,2}\.(?:19|2[01])\d\d(?![\d.]))\d+\.\d+\.\d+(?:\.\d+)*(?![\d])",
        blocked,
    ),
    Rule(
        "price",
        r"[$€£¥]\s?\d[\d,.]*(?:\s?[/-]\s?\d+)?|(?:nt|us|hk)\$?\s?\d[\d,.]*|\d[\d,.]*\s?"
        r"(?:元|块钱?|美金|日圆|日元|円|台币|dollars?|bucks?|usd|twd|%)",
        blocked,
    ),
    Rule("title", r"《[^》]*》|〈[^〉]*〉|『[^』]*』", blocked),
    Rule("address", r"https?://\S+|www\.\S+|<[@#:][^>]*>", blocked),
)

TRIGGER = r"[\d《〈『$€£¥+<比以赢输]|(?<![a-z])(?:https?|www|v\d|nt|us|hk|[ap]m|score|won|lost|beat)"
"""Finds the places where a rule here can begin."""
