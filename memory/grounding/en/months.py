"""Months, years, seasons and festivals in English."""

from __future__ import annotations

import re
from dataclasses import replace

from memory.grounding.en.words import (
    MONTHS,
    NAMED_DAY,
    NOT_HOUR,
    OPEN_MONTHS,
    ORD,
    PARTS,
    SEASONS,
    YEAR,
    B,
    M,
    number,
    relative_of,
)
from memory.grounding.festival_names import FESTIVALS_EN, alternatives
from memory.grounding.frame import Frame, Part
from memory.grounding.lexicon import Groups, Rule, date_frame
from memory.grounding.numerals import ORDINAL_EN, YEAR_EN, english_year


def _month(text: str | None) -> int | None:
    return None if text is None else MONTHS[text.rstrip(".")]


def _day_month(g: Groups) -> Frame | None:
    year = g["y"]
    month, day = _month(g["m"]), number(g["d"])
    frame = date_frame(month, day, int(year) if year else None)
    no_such_day = frame is None and day is not None and 29 < day < 32
    return Frame(vague=True) if no_such_day else frame


def _month_days(g: Groups) -> Frame | None:
    single, last = _day_month(g), number(g["e"])
    if single is None or last is None or single.mday is None or not single.mday < last <= 31:
        return None
    return replace(single, mday_last=last)


_M = "(?:" + "|".join(sorted(MONTHS, key=len, reverse=True)) + ")"
_BEHIND_MONTH = (
    "(?:"
    + "|".join(
        f"(?<={name}{joint})"
        for name in MONTHS
        for joint in (" to ", " and ", " until ", " till ", " through ", " - ", "-")
    )
    + ")"
)


_DECADES = {
    "twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60, "seventies": 70,
    "eighties": 80, "nineties": 90,
}  # fmt: skip


def _decade(g: Groups) -> Frame:
    part = PARTS.get(g["p"] or "")
    if g["n"]:
        return Frame(decade=2000, part=part)
    if g["w"]:
        return Frame(decade=_DECADES[g["w"]] + (1900 if g["c"] else 0), part=part)
    return Frame(decade=int(g["y"] or g["s"] or 0), part=part)


def _years(g: Groups) -> Frame | None:
    first, last = int(g["y"] or 0), int(g["y2"] or 0)
    opened = re.match(r"from|between", g["0"] or "") is not None
    if (
        first >= last
        or (g["j"] == "and" and not opened)
        or (g["j"] == "-" and not opened and last - first > 30)
    ):
        return None
    return Frame(year=first, year_last=last)


def _relative_month_days(g: Groups) -> Frame | None:
    first, last = number(g["d"]), number(g["e"])
    if first is None or last is None or not 0 < first < last <= 31:
        return None
    return Frame(month_rel=relative_of(g["rel"]), mday=first, mday_last=last)


def _joined(g: Groups) -> Frame | None:
    month = _month(g["m"] or g["m2"] or g["m3"] or g["m4"])
    day = number(g["d"] or g["d2"] or g["d3"] or g["d4"])
    year = number(g["y"] or g["y2"] or g["y3"])
    if year is not None and year < 100:
        year += 2000 if year < 70 else 1900
    return date_frame(month, day, year)


RULES: tuple[Rule, ...] = (
    Rule(
        "month_joined",
        rf"{B}(?:(?P<y>(?:19|20)\d\d)[-/](?P<m>{_M})[-/](?P<d>[0-3]?\d)|(?P<m2>{_M})[-/]?(?P<d2>[0-3]?\d)(?:[-/]|,\s|\s,\s)"
        rf"(?P<y2>(?:19|20)\d\d)|(?P<d3>[0-3]?\d)[-/](?P<m3>{_M})[-/](?P<y3>(?:19|20)\d\d|\d\d)"
        rf"|(?P<m4>{_M})[-/]?(?P<d4>[0-3]?\d))(?![\da-z/:-])",
        _joined,
    ),
    Rule(
        "year_month",
        rf"{B}(?:in\s+|since\s+|until\s+)?(?P<y>(?:19|20)\d\d)\s+(?P<m>{M})(?!\s*\d)",
        lambda g: date_frame(_month(g["m"]), None, int(g["y"] or 0)),
    ),
    Rule(
        "month_of_pair",
        r"(?=ma[ry])(?:(?:(?<=from )|(?<=between ))(?P<m>may|march|mar)(?=\s*(?:to|until|till|through|and|-|"
        rf"–)\s*(?:{M}|now\b))|{_BEHIND_MONTH}"
        r"(?P<m2>may|march|mar))\b",
        lambda g: Frame(month=_month(g["m"] or g["m2"])),
    ),
    Rule(
        "month_day_half",
        rf"{B}(?:on\s+)?(?P<m>{M})\s+(?P<d>{ORDINAL_EN}|[0-3]?\d)\s+(?P<h>am|pm)\b{YEAR}",
        lambda g: (
            (day := _day_month(g)) and replace(day, daypart="morning" if g["h"] == "am" else "afternoon")
        ),
    ),
    Rule(
        "month_comma_day",
        rf"{B}(?:on\s+)?(?P<m>{M})\s?,\s*(?P<d>\d{{1,2}}(?:st|nd|rd|th))\b{YEAR}",
        _day_month,
    ),
    Rule("month_day", rf"{B}(?:on\s+)?(?P<m>{M})\s*{NAMED_DAY}(?![\d:]){NOT_HOUR}{YEAR}", _day_month),
    Rule(
        "day_month",
        rf"{B}(?:on\s+)?{NAMED_DAY}[\s/-]*(?:day\s+)?(?:of\s+)?(?P<m>{M})(?:[/-](?=\d{{4}}))?{YEAR}",
        _day_month,
    ),
    Rule(
        "month_days",
        rf"{B}(?:on\s+|from\s+|between\s+)?(?P<m>{M})\s*(?P<d>{ORDINAL_EN}|[0-3]?\d)\s*"
        rf"(?:-|–|to|through|thru|until|till|and)\s*(?:the\s+)?(?P<e>{ORDINAL_EN}|[0-3]?\d)"
        rf"(?![\d:/]){NOT_HOUR}{YEAR}",
        _month_days,
    ),
    Rule(
        "days_month",
        rf"{B}(?:on\s+|from\s+|between\s+)?(?:the\s+)?(?P<d>{ORDINAL_EN}|[0-3]?\d)\s*(?:-|–|"
        rf"to|through|thru|until|till|and)\s*(?:the\s+)?(?P<e>{ORDINAL_EN}|[0-3]?\d)\s+"
        rf"(?:of\s+)?(?P<m>{M}){YEAR}",
        _month_days,
    ),
    Rule(
        "days_relative_month",
        rf"{B}(?:from\s+|between\s+)(?:the\s+)?(?P<d>{ORDINAL_EN}|[0-3]?\d)\s*(?:-|–|to|through|until|till|and)\s*"
        rf"(?:the\s+)?(?P<e>{ORDINAL_EN}|[0-3]?\d)\s+(?:of\s+|in\s+)?(?P<rel>this|next|last)\s+month\b",
        _relative_month_days,
    ),
    Rule(
        "half_of_year",
        rf"{B}(?:h(?P<h>[12])[ -](?P<y>(?:19|20)\d\d)|(?P<y2>(?:19|20)\d\d)[ -]h(?P<h2>[12]))\b",
        lambda g: Frame(
            year=int(g["y"] or g["y2"] or 0),
            part=Part.FIRST_HALF if (g["h"] or g["h2"]) == "1" else Part.SECOND_HALF,
        ),
    ),
    Rule(
        "year_quarter",
        rf"{B}(?:(?:in|during|since|by|until)\s+)?(?P<y>(?:19|20)\d\d)[ -]q(?P<q>[1-4])\b",
        lambda g: Frame(year=int(g["y"] or 0), quarter=int(g["q"] or 0)),
    ),
    Rule(
        "month_year_joined",
        rf"{B}(?P<m>{_M})-(?P<y>(?:19|20)\d\d)(?![\d/-])",
        lambda g: date_frame(_month(g["m"]), None, int(g["y"] or 0)),
    ),
    Rule(
        "month",
        rf"{B}(?:(?:in|during|since)\s+)?"
        rf"(?P<m>{alternatives(name for name in MONTHS if name not in OPEN_MONTHS)}"
        r"\b\.?|(?:(?:in|by|until|since|this|next|last|of)[ -])(?:may|march|"
        r"mar|jan|sep|dec|jun)\b\.?|(?:(?<=of )|(?<=early )|(?<=late )|(?<=mid )|(?<=mid-))"
        r"(?:may|march|mar|jan|sep|dec|jun)\b|(?:may|march|mar|jan|sep|dec|"
        rf"jun)(?=,?\s+(?:19|2[01])\d\d)){YEAR}",
        lambda g: date_frame(
            _month((g["m"] or "").split(" ")[-1].split("-")[-1]), None, int(g["y"]) if g["y"] else None
        ),
    ),
    Rule(
        "relative_month",
        rf"{B}(?P<rel>this|next|last)\s+(?P<m>{M})",
        lambda g: Frame(month=_month(g["m"]), look=relative_of(g["rel"]) or None),
    ),
    Rule(
        "day_of_month",
        rf"{B}(?:on\s+the\s+(?P<d>{ORDINAL_EN})|(?<!in )the\s+(?P<d2>\d{{1,2}}(?:st|nd|rd|th)))\b"
        r"(?!\s+(?!(?:of (?:next|this|last|the)"
        r" month|\d{1,2}(?::\d\d)?\s?[ap]\.?m\b|morning|afternoon|evening|night|before|after|around|by|"
        r"between|at|in|and|we|i|with|there|this|to|until|till|is|was|will|from|for|because|"
        r"but|so|or|as|if)\b))(?:\s+of\s+(?P<rel>this|next|last|the(?:\s+current)?)\s+month)?",
        lambda g: (
            (base := date_frame(None, number(g["d"] or g["d2"])))
            and Frame(mday=base.mday, month_rel=relative_of(g["rel"]) if g["rel"] else None)
        ),
    ),
    Rule(
        "day_of_relative_month",
        rf"{B}(?:on\s+)?(?:the\s+)?(?P<d>{ORDINAL_EN}|[1-9]|[12]\d|3[01])\s+(?:day\s+)?of\s+(?P<rel>this|next|last|"
        r"the current)\s+month\b",
        lambda g: (
            (base := date_frame(None, number(g["d"])))
            and Frame(mday=base.mday, month_rel=relative_of(g["rel"]))
        ),
    ),
    Rule(
        "day_of_month_on",
        rf"{B}on\s+(?:the\s+(?P<d>{ORDINAL_EN})|(?P<d2>\d{{1,2}}(?:st|nd|rd|th)))\b(?=\s*(?:[,.!?]|$|at|in|and|we|i|"
        r"with|there|this|to|until))|^(?P<d3>(?:\d?[4-9]|\d[0-3])(?:st|nd|rd|th))(?=[.!?]*$)",
        lambda g: date_frame(None, number(g["d"] or g["d2"] or g["d3"])),
    ),
    Rule(
        "day_of_month_bare",
        r"(?:(?<=day )|(?<=mon )|(?<=tue )|(?<=wed )|(?<=thu )|(?<=fri )|(?<=sat )|(?<=sun )"
        rf")(?:the\s+)?(?P<d>{ORDINAL_EN})\b(?!\s+(?:of\s+)?{M})|(?<=from |with )(?P<d2>\d{{1,2}}(?:st|"
        r"nd|rd|th))"
        r"\b|(?:(?<=day )|(?<=mon )|(?<=tue )|(?<=tues )|(?<=wed )|(?<=thu )|(?<=thurs )|(?<=fri )|"
        r"(?<=sat )|(?<=sun ))"
        r"(?:the\s+)?(?P<d4>[12]?\d|3[01])(?=\s*(?:[.!?]?$|[.!?,]\s|(?:at|between|from|around|after|before)\s))"
        rf"|{B}(?:on\s+)?(?P<d3>\d{{1,2}}(?:st|nd|rd|th))(?=\s*(?:to|-|till|until)\s*\d)",
        lambda g: date_frame(None, number(g["d"] or g["d2"] or g["d3"] or g["d4"])),
    ),
    Rule(
        "year",
        rf"{B}(?:in|since|back in|during|of|by|year|until)\s+(?P<y>(?:19|2[01])\d\d)(?![\d:/-]|"
        r"\s*(?:people|ml|km|points|dollars|bucks|words|steps|calories|mg|kg))",
        lambda g: Frame(year=int(g["y"] or 0)),
    ),
    Rule(
        "year_spelled",
        rf"{B}(?:in|since|back in|during|by|year|until)\s+{YEAR_EN}"
        r"(?!\s+(?:people|dollars|bucks|words|steps|of)\b)",
        lambda g: Frame(year=english_year(g)),
    ),
    Rule("year_spelled_bare", rf"{B}{YEAR_EN}", lambda g: Frame(year=english_year(g))),
    Rule(
        "years",
        rf"{B}(?:from\s+|between\s+)?(?P<y>(?:19|20)\d\d)\s*(?P<j>to|until|till|through|and|-|–|~)\s*(?P<y2>(?:19|20)\d\d)"
        r"(?![\d:/.-]|\s*(?:people|ml|km|points|dollars|bucks|words|steps|calories|mg|kg|%))",
        _years,
    ),
    Rule(
        "decade",
        rf"{B}(?:in\s+)?(?:the\s+)(?:(?P<p>early|mid|late)[ -])?(?:(?P<y>(?:19|20)\d0)s|"
        r"'?(?P<s>[2-9]0)'?s|(?P<c>nineteen[ -])?(?P<w>twenties|thirties|forties|"
        r"fifties|sixties|seventies|eighties|nineties)|(?P<n>noughties))\b",
        _decade,
    ),
    Rule(
        "decade_relative",
        rf"{B}(?:(?:in|for|during|over)\s+)?(?:the\s+)?(?P<rel>this|next|last|past|previous|coming)\s+decade\b(?!-)",
        lambda g: Frame(decade=relative_of(g["rel"])),
    ),
    Rule(
        "year_of_part",
        r"(?:(?<=[dgte] of )|(?<=days of )|(?<=weeks of )|(?<=months of )|(?<=week of )|"
        r"(?<=week in ))(?P<y>(?:19|2[01])\d\d)(?![\d:/-])",
        lambda g: Frame(year=int(g["y"] or 0)),
    ),
    Rule(
        "quarter",
        rf"{B}(?<!\d\d\d\d )(?<!\d-)(?:the\s+)?(?:q(?P<q>[1-4])|(?P<o>first|second|third|"
        r"fourth|1st|2nd|3rd|4th)"
        r"\s+(?:quarter|qtr))\b(?!\s*of an)(?:[\s,-]+(?:of\s+)?(?P<y>(?:19|2[01])\d\d))?",
        lambda g: Frame(
            quarter=int(g["q"]) if g["q"] else ORD[g["o"] or "first"], year=int(g["y"]) if g["y"] else None
        ),
    ),
    Rule(
        "quarter_relative",
        rf"{B}(?:(?:in|for|during)\s+)?(?:the\s+)?(?P<rel>this|next|last|past|previous|coming|following|current)\s+"
        r"(?:quarter|qtr)\b(?!\s*(?:of|past|to|hour|back|final))",
        lambda g: Frame(quarter_rel=relative_of(g["rel"])),
    ),
    Rule(
        "season",
        rf"{B}(?:(?:in|over|during)\s+)?(?:the\s+)?(?P<rel>this|next|last|in|over|during|"
        r"early|late)\s+(?:the\s+)?(?P<s>spring|summer|autumn|fall|winter)\b(?!\s+(?:camp|"
        r"school|job|vacation|break))(?:\s+(?:of\s+)?(?P<y>(?:19|2[01])\d\d))?",
        lambda g: Frame(
            season=SEASONS[g["s"] or ""],
            year=int(g["y"]) if g["y"] else None,
            season_rel=None if g["y"] or g["rel"] not in {"this", "next", "last"} else relative_of(g["rel"]),
        ),
    ),
    Rule(
        "break",
        rf"{B}(?:(?:this|the|over|during)\s+)?(?P<b>summer|winter) (?:break|vacation|"
        r"holidays)\b",
        lambda g: Frame(festival=f"{g['b']}_break"),
    ),
    Rule(
        "festival",
        rf"{B}(?:(?:on|over|at|for)\s+)?(?:(?P<rel>this|next|last|this coming|this past)"
        rf"\s+)?(?P<f>{alternatives(FESTIVALS_EN)})\b(?!\s+(?:cake|tree|song|music|movie|"
        rf"gift|present|card|special|moly|eve\b)){YEAR}",
        lambda g: Frame(
            festival=FESTIVALS_EN[g["f"] or ""],
            look=None if g["y"] else relative_of(g["rel"]) or None,
            year=int(g["y"]) if g["y"] else None,
        ),
    ),
)
