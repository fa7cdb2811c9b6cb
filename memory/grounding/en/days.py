"""Days, parts of the day, weeks and weekdays in English."""

from __future__ import annotations

from dataclasses import replace

from memory.grounding.en.words import (
    DAY_NAMES,
    DAYPARTS,
    ORD,
    PARTS,
    REL,
    B,
    M,
    N,
    W,
    number,
    relative_of,
    unit_of,
    weekday_of,
)
from memory.grounding.festival_names import FESTIVALS_EN, alternatives
from memory.grounding.frame import Frame, Part, Unit
from memory.grounding.lexicon import Groups, Rule, date_frame, vague


def _rel_weekday(g: Groups) -> Frame | None:
    word, day = g["rel"] or "", weekday_of(g["w"])
    if word in {"coming", "this coming", "the coming", "upcoming"}:
        return Frame(weekday=day, look=1)
    if word == "this past":
        return Frame(weekday=day, look=-1)
    relative = relative_of(word)
    return Frame(week_rel=relative, weekday=day, loose_week=True if relative else None)


def _rel_unit(g: Groups) -> Frame | None:
    relative, unit, part = relative_of(g["rel"]), unit_of(g["u"]), PARTS.get((g["p"] or "").strip(" -"))
    if unit is Unit.WEEK:
        return Frame(week_rel=relative, part=part)
    if unit is Unit.MONTH:
        return Frame(month_rel=relative, part=part)
    if unit is Unit.YEAR:
        return Frame(year_rel=relative, part=part)
    return Frame(day_rel=relative) if unit is Unit.DAY and relative else None


def _rel_unit_of(text: str) -> Frame:
    unit = text.rsplit(" ", 1)[-1]
    return Frame(**{f"{unit}_rel": 0})  # type: ignore[arg-type]


def _weekday_dotted(g: Groups) -> Frame | None:
    """Read Thursday 26.10 as a date where the weekday agrees; Monday 11.30 may be a time and stays vague."""
    day = date_frame(int(g["m"] or 0), int(g["d"] or 0))
    return Frame(vague=True) if day is None else replace(day, weekday=weekday_of(g["w"]))


_SHORT_DAYS = "(?:tues?|weds?|thurs?|thur|mon|fri|sat|sun)"
_SURE_WEEKDAYS = [*DAY_NAMES, "tues", "tue", "weds", "thurs", "thur", "thu"]
_UNRANKED = "".join(
    f"(?<!{rank} )" for rank in ("first", "second", "third", "fourth", "fifth", "last", "1st", "2nd")
)

RULES: tuple[Rule, ...] = (
    Rule(
        "day",
        rf"{B}(?:today|tomorrow|yesterday|tmrw|tmr|tomorow|(?:the )?day after (?:tomorrow|tmrw|tmr)|"
        r"the day before yesterday|day before yesterday)(?!'s world)\b",
        lambda g: Frame(
            day_rel=0
            if "today" in (t := g["0"] or "")
            else 2
            if "after" in t
            else -2
            if "before" in t
            else -1
            if t == "yesterday"
            else 1
        ),
    ),
    Rule(
        "day_part_short",
        rf"{B}(?P<d>tonight|tonite|last night|this (?P<p>morning|afternoon|evening)|"
        r"this night|overnight)\b",
        lambda g: Frame(
            day_rel=-1 if g["d"] == "last night" else 0, daypart=DAYPARTS.get(g["p"] or "", "evening")
        ),
    ),
    Rule(
        "daypart",
        rf"{B}(?:(?:in|during|around|by|at(?!\s+night))\s+(?:the\s+)?)(?P<p>{alternatives(DAYPARTS)})\b"
        r"(?!\s+(?:person|people|owl|shift|market|routine|coffee|club|sky|light|time (?:is|"
        r"was)))(?<!good morning)(?<!good night)(?<!good evening)(?<!good afternoon)",
        lambda g: Frame(daypart=DAYPARTS[g["p"] or ""]),
    ),
    Rule(
        "daypart_bare",
        rf"{B}(?P<p>{alternatives(DAYPARTS)})\b(?<!good morning)(?<!good night)"
        r"(?<!good evening)(?<!good afternoon)",
        lambda g: Frame(daypart=DAYPARTS[g["p"] or ""]),
    ),
    Rule(
        "daypart_bare",
        rf"{B}(?:at|during|over)\s+lunch\b(?!\s+with\b)",
        lambda _: Frame(daypart="noon"),
    ),
    Rule(
        "half_of_named_day",
        r"(?:(?<=day )|(?<=tomorrow )|(?<=mon )|(?<=tue )|(?<=wed )|(?<=thu )|(?<=fri )|(?<=sat )|(?<=sun ))"
        r"(?:in the )?(?P<h>am|pm)\b(?!\s+i\b)",
        lambda g: Frame(daypart="morning" if g["h"] == "am" else "afternoon"),
    ),
    Rule(
        "weekdays_away",
        rf"{B}(?P<n>{N})\s+(?P<w>{W}|(?:{alternatives(DAY_NAMES)})s)\s+(?P<way>from now|later|ago)\b",
        lambda g: Frame(
            nth=number(g["n"]),
            weekday=weekday_of(
                (g["w"] or "").removesuffix("days") + "day" if (g["w"] or "").endswith("days") else g["w"]
            ),
            look=-1 if g["way"] == "ago" else 1,
        ),
    ),
    Rule(
        "end_of_today",
        rf"{B}(?:by\s+)?(?:the\s+)?eod\b|"
        rf"{B}by\s+(?:the\s+)?(?:end|close) of (?:the\s+)?(?:business\s+)?day\b",
        lambda _: Frame(day_rel=0),
    ),
    Rule(
        "relative_weekday",
        rf"{B}(?:(?:on|by)\s+)?(?P<rel>{REL})\s+(?P<w>{W})(?!\s+of\s)",
        _rel_weekday,
    ),
    Rule(
        "weekday",
        rf"{B}{_UNRANKED}(?:on\s+)?(?P<w>{alternatives(_SURE_WEEKDAYS)})\b\.?(?!s\b)",
        lambda g: Frame(weekday=weekday_of(g["w"])),
    ),
    Rule(
        "weekday_short",
        rf"{B}(?:on\s+(?P<w>mon|wed|fri|sat|sun)\b\.?|(?P<w2>mon|wed|fri|sat|sun)\b\.?"
        r"(?=\s*,?\s*(?:\d|(?:in the )?(?:morning|afternoon|evening|night|[ap]m\b)))|"
        r"(?:(?:(?<=\d )|(?<=\d, ))(?P<w4>mon|wed|fri)|(?:(?<=\dth )|(?<=\dst )|(?<=\d\()|(?<=\d \())"
        r"(?P<w5>mon|wed|fri|sat|sun))\b\.?(?=\s*(?:at\b|[,)!?]|$))|"
        r"^(?P<w3>mon|wed|fri|sat|sun)\.?(?=[!?]*$))",
        lambda g: Frame(weekday=weekday_of(g["w"] or g["w2"] or g["w3"] or g["w4"] or g["w5"])),
    ),
    Rule(
        "weekday_of_week",
        rf"{B}(?P<w>{W})\s+(?:of\s+)?(?P<rel>this|next|last|the following)\s+week\b",
        lambda g: Frame(week_rel=relative_of(g["rel"]), weekday=weekday_of(g["w"])),
    ),
    Rule("weekday_week", rf"{B}(?P<w>{W})\s+week\b", lambda g: Frame(week_rel=1, weekday=weekday_of(g["w"]))),
    Rule(
        "weekend",
        rf"{B}(?:(?:on|over|during|at)\s+)?(?:(?P<rel>{REL})|the)?\s*week-?end\b(?!s|\s+(?:of|in)\s)",
        lambda g: Frame(
            week_rel=relative_of(g["rel"]) if g["rel"] else None,
            weekend=True,
            loose_week=True if (g["rel"] or "") == "next" else None,
        ),
    ),
    Rule(
        "weekend_after",
        rf"{B}(?:the\s+)?(?P<u>weekend|week|month|year) after (?:the )?next\b",
        lambda g: (
            Frame(week_rel=2, weekend=True)
            if g["u"] == "weekend"
            else Frame(week_rel=2)
            if g["u"] == "week"
            else Frame(month_rel=2)
            if g["u"] == "month"
            else Frame(year_rel=2)
        ),
    ),
    Rule(
        "weekend_before",
        rf"{B}(?:the\s+)?(?P<u>weekend|week|month|year) before last\b",
        lambda g: (
            Frame(week_rel=-2, weekend=True)
            if g["u"] == "weekend"
            else Frame(week_rel=-2)
            if g["u"] == "week"
            else Frame(month_rel=-2)
            if g["u"] == "month"
            else Frame(year_rel=-2)
        ),
    ),
    Rule(
        "weekday_before_last",
        rf"{B}(?:on\s+)?(?:the\s+)?(?P<w>{W}) before last\b",
        lambda g: Frame(week_rel=-2, weekday=weekday_of(g["w"]), loose_week=True),
    ),
    Rule(
        "weekday_after_next",
        rf"{B}(?:the\s+)?(?P<w>{W}) after next\b",
        lambda g: Frame(week_rel=2, weekday=weekday_of(g["w"]), loose_week=True),
    ),
    Rule(
        "relative_unit",
        rf"{B}(?P<p>(?:early|mid|late)[ -])?(?:in\s+)?(?:the\s+)?(?P<rel>{REL})\s+"
        r"(?P<u>week|wk|month|year|yr|day)\b(?!\s*(?:end|day)|-end|\s+of\s+(?!next|this|last)|\s+(?:of|in)\s+(?:this|next|last|the)\s+"
        r"(?:month|year)\b)",
        _rel_unit,
    ),
    Rule(
        "part_of",
        rf"{B}(?:(?:at|in|by|around|near|towards?)\s+)?(?:the\s+)?(?P<p>beginning|start|"
        r"middle|end|first half|second half|last day)\s+of\s+(?:(?P<rel>this|next|last|"
        r"the following|the|the current)\s+)?(?P<u>week|month|year)\b",
        _rel_unit,
    ),
    Rule(
        "part_prefix",
        rf"{B}(?:(?:at|in|by|around|on)\s+)?(?:the\s+)?(?P<p>beginning|start|middle|end|"
        rf"first half|second half|last day)\s+(?:of|in)(?=\s+(?:{M}|{REL}|(?:19|2[01])\d\d\b))|{B}(?:in\s+)?"
        rf"(?P<p2>early|mid|late)[ -](?=(?:{M}|spring|summer|autumn|winter))",
        lambda g: Frame(part=PARTS[g["p"] or g["p2"] or ""]),
    ),
    Rule(
        "end_letters",
        rf"{B}(?:by\s+)?(?:the\s+)?(?:eom|eoy)\b",
        lambda g: (
            Frame(month_rel=0, part=Part.LATE)
            if "eom" in (g["0"] or "")
            else Frame(year_rel=0, part=Part.LATE)
        ),
    ),
    Rule(
        "nth_weekday",
        rf"{B}(?:on\s+)?(?:the\s+)?(?P<n>{alternatives(ORD)})\s+(?P<w>{W}|week-?end\b)(?=\s+(?:(?:morning|afternoon|evening|night)"
        rf"\s+)?(?:of\b|in\s+(?:{M}|(?:the|this|next|last) month\b)))",
        lambda g: (
            Frame(nth=ORD[g["n"] or ""], weekend=True)
            if (g["w"] or "").startswith("week")
            else Frame(nth=ORD[g["n"] or ""], weekday=weekday_of(g["w"]))
        ),
    ),
    Rule(
        "nth_from_end",
        rf"{B}(?:the\s+)?(?:second|third|fourth|fifth|2nd|3rd|4th|5th|"
        rf"\d+th)[ -](?:to[ -])?last\s+(?:day|week|month|weekend|{W})"
        rf"(?:\s+(?:of|in)\s+(?:{M}|(?:the|this|next|last)\s+(?:month|year)|(?:19|20)\d\d))?",
        vague,
    ),
    Rule(
        "weekend_of",
        rf"{B}(?:(?:for|on|over|during)\s+)?the week-?end of(?=\s+{alternatives(FESTIVALS_EN)})",
        lambda _: Frame(weekend=True),
    ),
    Rule(
        "nth_week",
        rf"{B}(?:(?:in|for|during)\s+)?(?:the\s+)?(?P<n>{alternatives(ORD)}|final)\s+week(?=\s+(?:of|in)\s+(?:{M}|"
        rf"(?:this|next|last|the)\s+(?:month|year)|(?:19|20)\d\d\b))",
        lambda g: Frame(nth=ORD.get(g["n"] or "", -1), whole_week=True),
    ),
    Rule(
        "the_month",
        r"(?:(?<=day of )|(?<=day in )|(?<=ing of )|(?<=week of )|(?<=week in ))the month\b",
        lambda _: Frame(month_rel=0),
    ),
    Rule(
        "weekday_half_read",
        rf"{B}(?:on\s+)?(?P<w>{alternatives(DAY_NAMES)}|{_SHORT_DAYS})\s+(?P<d>\d{{1,2}})\.(?P<m>\d{{1,2}})\.?"
        r"(?![\d.]|\s*(?:[ap]\.?m\b|k[gm]\b|hours?|miles?|stars?|points?|%|million|times))",
        _weekday_dotted,
    ),
    Rule(
        "dotted_half_read",
        rf"{B}(?:on\s+)?(?:\d{{1,2}}\.\d{{1,2}}\.(?=\s+(?:\d{{1,2}}:|in the|at\s|around\s))|"
        rf"(?<=on )\d{{1,2}}\.\d{{1,2}}(?=\s+at\s))",
        vague,
    ),
    Rule(
        "remainder",
        rf"{B}(?:for\s+)?(?:the\s+)?rest of (?P<u>(?:the|this) (?:day|week|month|year))\b|"
        rf"{B}later (?P<u2>this (?:week|month|"
        r"year))\b|later in (?P<u3>the (?:week|month|year))\b",
        lambda g: replace(_rel_unit_of(g["u"] or g["u2"] or g["u3"] or ""), remainder=1),
    ),
    Rule(
        "elapsed",
        rf"{B}earlier (?:in )?(?P<u>(?:this|the) (?:week|month|year))\b",
        lambda g: replace(_rel_unit_of(g["u"] or ""), remainder=-1),
    ),
    Rule(
        "week_of",
        rf"{B}(?:in\s+|for\s+)?the week (?:of|starting|beginning|commencing)(?: on)?(?=\s)",
        lambda g: Frame(whole_week=True),
    ),
)
