"""How English says when: tables and rules over lower-cased text."""

from __future__ import annotations

from memory.grounding.festival_names import FESTIVALS_EN, alternatives
from memory.grounding.frame import Distance, Frame, Part, Shape, Unit
from memory.grounding.lexicon import Groups, Lexicon, Rule, blocked, clock, date_frame, vague
from memory.grounding.lexicon_common import half_of_day
from memory.grounding.numerals import NUMBER_EN, ORDINAL_EN, english_number

_MONTH_NAMES = "january february march april may june july august september october november december".split()
MONTHS = {name: index for index, name in enumerate(_MONTH_NAMES, 1)} | {
    "jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10,
    "nov": 11, "dec": 12,
}  # fmt: skip
_DAY_NAMES = "monday tuesday wednesday thursday friday saturday sunday".split()
WEEKDAYS = {name: index for index, name in enumerate(_DAY_NAMES)} | {
    "mon": 0, "tue": 1, "tues": 1, "wed": 2, "weds": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4, "sat": 5, "sun": 6,
}  # fmt: skip
_SHORT_WEEKDAYS = {"mon", "sat", "sun", "wed", "fri"}
DAYPARTS = {
    "morning": "morning", "afternoon": "afternoon", "evening": "evening", "night": "evening", "noon": "noon",
    "lunchtime": "noon", "lunch time": "noon", "midday": "noon", "dawn": "dawn", "dusk": "dusk",
    "early morning": "dawn", "late morning": "morning", "early afternoon": "afternoon", "late afternoon": "afternoon",
    "early evening": "evening", "late evening": "evening", "late at night": "late_night", "late night": "late_night",
}  # fmt: skip
SEASONS = {"spring": "spring", "summer": "summer", "autumn": "autumn", "fall": "autumn", "winter": "winter"}
UNITS = {
    "second": Unit.SECOND, "sec": Unit.SECOND, "minute": Unit.MINUTE, "min": Unit.MINUTE, "hour": Unit.HOUR,
    "hr": Unit.HOUR, "h": Unit.HOUR, "day": Unit.DAY, "night": Unit.DAY, "business day": Unit.WORKDAY,
    "working day": Unit.WORKDAY, "work day": Unit.WORKDAY, "week": Unit.WEEK, "wk": Unit.WEEK, "month": Unit.MONTH,
    "year": Unit.YEAR, "yr": Unit.YEAR, "fortnight": Unit.WEEK,
}  # fmt: skip
PARTS = {"early": Part.EARLY, "beginning": Part.EARLY, "start": Part.EARLY, "mid": Part.MIDDLE, "middle": Part.MIDDLE,
         "late": Part.LATE, "end": Part.LATE, "last day": Part.END, "first half": Part.FIRST_HALF,
         "second half": Part.SECOND_HALF}  # fmt: skip

_N = NUMBER_EN
_M = alternatives(MONTHS) + r"\b\.?"
_W = alternatives(WEEKDAYS) + r"\b\.?"
_UNIT = r"(?:business days?|working days?|work days?|seconds?|secs?|minutes?|mins?|hours?|hrs?|h|days?|nights?|weeks?|wks?|fortnights?|months?|years?|yrs?)\b"
_REL = r"(?:this coming|this past|this|next|last|previous|past|coming|following|upcoming|current|the coming|the following)"
_B = r"(?<![a-z0-9'/.])"
_ORD = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": -1, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "5th": 5}


def _number(text: str | None) -> int | None:
    return None if text is None else english_number(text)


def _month(text: str | None) -> int | None:
    return None if text is None else MONTHS[text.rstrip(".")]


def _weekday(text: str | None) -> int | None:
    return None if text is None else WEEKDAYS[text.rstrip(".").removesuffix("'s")]


def _relative(word: str | None) -> int:
    word = word or ""
    if any(part in word for part in ("last", "past", "previous")):
        return -1
    return 1 if any(part in word for part in ("next", "following", "upcoming")) or word == "coming" else 0


def _unit(text: str | None) -> Unit:
    word = (text or "").strip()
    return UNITS.get(word) or UNITS[word.removesuffix("s")]


def _rel_weekday(g: Groups) -> Frame | None:
    word, day = g["rel"] or "", _weekday(g["w"])
    if word in {"coming", "this coming", "the coming", "upcoming"}:
        return Frame(weekday=day, festival_rel=None, week_rel=None)
    relative = _relative(word)
    return Frame(week_rel=relative, weekday=day, loose_week=True if relative else None)


def _rel_unit(g: Groups) -> Frame | None:
    relative, unit, part = _relative(g["rel"]), _unit(g["u"]), PARTS.get((g["p"] or "").strip(" -"))
    if unit is Unit.WEEK:
        return Frame(week_rel=relative, part=part)
    if unit is Unit.MONTH:
        return Frame(month_rel=relative, part=part)
    if unit is Unit.YEAR:
        return Frame(year_rel=relative, part=part)
    return Frame(day_rel=relative) if unit is Unit.DAY and relative else None


def _distance(sign: int, shape: Shape = Shape.POINT):  # noqa: ANN202
    def build(g: Groups) -> Frame | None:
        unit = _unit(g["u"])
        text = g["n"]
        if text is None:
            amount: float | None = 1.0
        elif text.startswith("half"):
            amount = 0.5
        elif "." in text:
            amount = float(text)
        else:
            amount = english_number(text)
        if amount is None:
            return None
        if g.get("half"):
            amount += 0.5
        if "fortnight" in (g["u"] or ""):
            amount *= 2
        if amount == 0.5 and unit is Unit.DAY:
            return None
        return Frame(distance=Distance(amount, amount, unit, sign, shape))

    return build


def _clock_words(g: Groups) -> Frame | None:
    hour = _number(g["h"])
    if hour is None or hour > 24:
        return None
    minute = 0
    if g["m"]:
        word = g["m"].strip()
        minute = 30 if word == "half" else 15 if "quarter" in word else _number(word) or 0
        if g["to"] in {"to", "till", "before", "of"}:
            hour, minute = (hour - 1 or 12), 60 - minute
    if g["ap"]:
        settled = half_of_day(hour, g["ap"])
        return None if settled is None else clock(settled, minute, fixed=True)
    return clock(hour, minute, loose=False)


def _day_month(g: Groups) -> Frame | None:
    year = g["y"]
    return date_frame(_month(g["m"]), _number(g["d"]), int(year) if year else None)


_YEAR = r"(?:,?\s*(?:of\s+)?(?P<y>(?:1[6-9]|20)\d\d)(?![\d:]))?"
_NAMED_DAY = rf"(?:the\s+)?(?P<d>{ORDINAL_EN}|[0-3]?\d(?![\d:/]))"
_NOT_HOUR = r"(?!\s*(?:[ap]\.?m\b|:|%|/|people|times|of us|minutes|hours|days|weeks|months|years|bucks|dollars|percent|kids|points))"

RULES: tuple[Rule, ...] = (
    Rule("day", rf"{_B}(?:today|tomorrow|yesterday|tmrw|tmr|tomorow|the day after tomorrow|day after tomorrow|the day before yesterday|day before yesterday)(?!'s world)\b",
         lambda g: Frame(day_rel=0 if "today" in (t := g["0"] or "") else 2 if "after" in t else -2 if "before" in t else -1 if t == "yesterday" else 1)),
    Rule("day_part_short", rf"{_B}(?P<d>tonight|tonite|last night|this (?P<p>morning|afternoon|evening)|this night|overnight)\b",
         lambda g: Frame(day_rel=-1 if g["d"] == "last night" else 0, daypart=DAYPARTS.get(g["p"] or "", "evening"))),
    Rule("daypart", rf"{_B}(?:(?:in|at|during|around|by)\s+(?:the\s+)?)?(?P<p>{alternatives(DAYPARTS)})\b(?!\s+(?:person|people|owl|shift|market|routine|coffee|club|sky|light|time (?:is|was)))(?<!good morning)(?<!good night)(?<!good evening)(?<!good afternoon)",
         lambda g: Frame(daypart=DAYPARTS[g["p"] or ""])),
    Rule("greeting", rf"{_B}good\s?(?:morning|night|evening|afternoon)|{_B}may i\b|{_B}(?:sun|mon)(?= (?:is|was|set|rise|shine))|{_B}the sun\b|in the sun\b|march(?=ed|ing)|a second\b|"
         r"second (?=hand|floor|time|year|place|one)|first (?=time|place|thing|of all|name|one|floor|date|grade)|third (?=time|floor|place|grade)|fall (?=asleep|in love|down|apart|for|off)|spring (?=roll|onion)|one (?:of|day at)|may (?=be|have|not|i|also|need|go|want|take|come|get)", blocked),
    Rule("noon_midnight", rf"{_B}(?:at\s+)?(?P<w>noon|midday|midnight)\b", lambda g: Frame(clock=None, daypart="noon") if g["w"] == "midday" else clock(24 if g["w"] == "midnight" else 12, fixed=True)),
    Rule("relative_weekday", rf"{_B}(?:(?:on|by)\s+)?(?P<rel>{_REL})\s+(?P<w>{_W})", _rel_weekday),
    Rule("weekday", rf"{_B}(?:on\s+)?(?P<w>{alternatives([*_DAY_NAMES, 'tues', 'tue', 'weds', 'thurs', 'thur', 'thu'])}|(?:on\s+)?(?:mon|wed|fri|sat|sun)\b\.?(?![a-z]))(?:\b\.?)(?!s\b)", lambda g: Frame(weekday=_weekday((g["w"] or "").removeprefix("on ").strip()))),
    Rule("weekday_of_week", rf"{_B}(?P<w>{_W})\s+(?:of\s+)?(?P<rel>this|next|last|the following)\s+week\b", lambda g: Frame(week_rel=_relative(g["rel"]), weekday=_weekday(g["w"]))),
    Rule("weekday_week", rf"{_B}(?P<w>{_W})\s+week\b", lambda g: Frame(week_rel=1, weekday=_weekday(g["w"]))),
    Rule("weekend", rf"{_B}(?:(?:on|over|during|at)\s+)?(?:(?P<rel>{_REL})|the)?\s*weekend\b(?!s)", lambda g: Frame(week_rel=_relative(g["rel"]) if g["rel"] else None, weekend=True, loose_week=True if (g["rel"] or "") == "next" else None)),
    Rule("weekend_after", rf"{_B}(?:the\s+)?(?P<u>weekend|week|month|year) after next\b", lambda g: Frame(week_rel=2, weekend=True) if g["u"] == "weekend" else Frame(week_rel=2) if g["u"] == "week" else Frame(month_rel=2) if g["u"] == "month" else Frame(year_rel=2)),
    Rule("weekend_before", rf"{_B}(?:the\s+)?(?P<u>weekend|week|month|year) before last\b", lambda g: Frame(week_rel=-2, weekend=True) if g["u"] == "weekend" else Frame(week_rel=-2) if g["u"] == "week" else Frame(month_rel=-2) if g["u"] == "month" else Frame(year_rel=-2)),
    Rule("weekday_after_next", rf"{_B}(?:the\s+)?(?P<w>{_W}) after next\b", lambda g: Frame(week_rel=2, weekday=_weekday(g["w"]))),
    Rule("relative_unit", rf"{_B}(?P<p>(?:early|mid|late)[ -])?(?:in\s+)?(?:the\s+)?(?P<rel>{_REL})\s+(?P<u>week|month|year|day)\b(?!\s*(?:end|day))", _rel_unit),
    Rule("part_of", rf"{_B}(?:(?:at|in|by|around|near|towards?)\s+)?(?:the\s+)?(?P<p>beginning|start|middle|end|first half|second half|last day)\s+of\s+(?:(?P<rel>this|next|last|the following|the|the current)\s+)?(?P<u>week|month|year)\b",
         lambda g: _rel_unit(g)),
    Rule("part_prefix", rf"{_B}(?:(?:at|in|by|around)\s+)?(?:the\s+)?(?P<p>beginning|start|middle|end|first half|second half|last day)\s+of(?=\s+(?:{_M}|{_REL}))|{_B}(?:in\s+)?(?P<p2>early|mid|late)[ -](?=(?:{_M}|spring|summer|autumn|winter))",
         lambda g: Frame(part=PARTS[g["p"] or g["p2"] or ""])),
    Rule("end_letters", rf"{_B}(?:by\s+)?(?:the\s+)?(?:eom|eoy)\b", lambda g: Frame(month_rel=0, part=Part.LATE) if "eom" in (g["0"] or "") else Frame(year_rel=0, part=Part.LATE)),
    Rule("month_day", rf"{_B}(?:on\s+)?(?P<m>{_M})\s*{_NAMED_DAY}(?![\d:]){_NOT_HOUR}{_YEAR}", _day_month),
    Rule("day_month", rf"{_B}(?:on\s+)?{_NAMED_DAY}[\s/-]*(?:of\s+)?(?P<m>{_M})(?:[/-](?=\d{{4}}))?{_YEAR}", _day_month),
    Rule("month", rf"{_B}(?:(?:in|during|since)\s+)?(?P<m>{alternatives(name for name in MONTHS if name not in {'may', 'march', 'mar', 'jan', 'sep', 'dec', 'jun'})}\b\.?|(?:(?:in|by|until|since|this|next|last|early|late|mid|of)[ -])(?:may|march|mar|jan|sep|dec|jun)\b\.?|(?:may|march)(?=,?\s+(?:20|19)\d\d)){_YEAR}",
         lambda g: date_frame(_month((g["m"] or "").split(" ")[-1].split("-")[-1]), None, int(g["y"]) if g["y"] else None)),
    Rule("relative_month", rf"{_B}(?P<rel>this|next|last)\s+(?P<m>{_M})", lambda g: Frame(month=_month(g["m"]), year_rel=None, festival_rel=None)),
    Rule("day_of_month", rf"{_B}(?:on\s+)?the\s+(?P<d>{ORDINAL_EN})\b(?!\s+(?:time|place|floor|grade|year|week|month|day|one|person|thing|date|half|of (?!next|this|last|the month)|\w+day|\w+))(?:\s+of\s+(?P<rel>this|next|last|the)\s+month)?",
         lambda g: (base := date_frame(None, _number(g["d"]))) and Frame(mday=base.mday, month_rel=_relative(g["rel"]) if g["rel"] else None)),
    Rule("day_of_month_on", rf"{_B}on\s+the\s+(?P<d>{ORDINAL_EN})\b(?=\s*(?:[,.!?]|$|at|in|and|we|i|with|there|this|to|until))", lambda g: date_frame(None, _number(g["d"]))),
    Rule("day_of_month_bare", rf"(?<=day )(?P<d>{ORDINAL_EN})\b|(?<=from |with )(?P<d2>\d{{1,2}}(?:st|nd|rd|th))\b|{_B}(?:on\s+)?(?P<d3>\d{{1,2}}(?:st|nd|rd|th))(?=\s*(?:to|-|till|until)\s*\d)", lambda g: date_frame(None, _number(g["d"] or g["d2"] or g["d3"]))),
    Rule("nth_weekday", rf"{_B}(?:on\s+)?(?:the\s+)?(?P<n>{alternatives(_ORD)})\s+(?P<w>{_W})(?=\s+(?:of|in)\b)", lambda g: Frame(nth=_ORD[g["n"] or ""], weekday=_weekday(g["w"]))),
    Rule("year", rf"{_B}(?:in|since|back in|during|of|by|year|until)\s+(?P<y>(?:19|20)\d\d)(?![\d:/-]|\s*(?:people|ml|km|points|dollars|bucks|words|steps|calories|mg|kg))", lambda g: Frame(year=int(g["y"] or 0))),
    Rule("quarter", rf"{_B}(?:the\s+)?(?:q(?P<q>[1-4])|(?P<o>first|second|third|fourth|1st|2nd|3rd|4th)\s+(?:quarter|qtr))\b", lambda g: Frame(quarter=int(g["q"]) if g["q"] else _ORD[g["o"] or "first"])),
    Rule("season", rf"{_B}(?:(?:in|over|during)\s+)?(?:the\s+)?(?P<rel>this|next|last|in|over|during|early|late)\s+(?:the\s+)?(?P<s>spring|summer|autumn|fall|winter)\b(?!\s+(?:camp|school|job|vacation|break))(?:\s+(?:of\s+)?(?P<y>(?:19|20)\d\d))?",
         lambda g: Frame(season=SEASONS[g["s"] or ""], year=int(g["y"]) if g["y"] else None, season_rel=None if g["y"] or g["rel"] not in {"this", "next", "last"} else _relative(g["rel"]))),
    Rule("break", rf"{_B}(?:(?:this|the|over|during)\s+)?(?P<b>summer|winter) (?:break|vacation|holidays)\b", lambda g: Frame(festival=f"{g['b']}_break")),
    Rule("festival", rf"{_B}(?:(?:on|over|at|for)\s+)?(?:(?P<rel>this|next|last|this coming|this past)\s+)?(?P<f>{alternatives(FESTIVALS_EN)})\b(?!\s+(?:cake|tree|song|music|movie|gift|present|card|special|eve\b))",
         lambda g: Frame(festival=FESTIVALS_EN[g["f"] or ""], festival_rel=_relative(g["rel"]) or None)),
    Rule("distance_ahead", rf"{_B}(?:with)?in\s+(?:about\s+|around\s+|exactly\s+|another\s+)?(?P<n>half an?|{_N}|\d+\.\d)\s*(?P<half>and a half\s+)?(?P<u>{_UNIT})(?!\s+ago|\s*(?:in a row|straight|or|of))(?:'s? time)?(?:\s+(?:time|from now))?",
         lambda g: _distance(1, Shape.WITHIN)(g) if (g["0"] or "").startswith("within") else _distance(1)(g)),
    Rule("distance_from_now", rf"{_B}(?P<n>half an?|{_N}|\d+\.\d)\s*(?P<half>and a half\s+)?(?P<u>{_UNIT})\s+(?:and a half\s+)?(?:from now|from today|later|hence|from this moment)\b", _distance(1)),
    Rule("distance_ago", rf"{_B}(?:about\s+|around\s+)?(?P<n>half an?|{_N}|\d+\.\d)\s*(?P<half>and a half\s+)?(?P<u>{_UNIT})\s+(?:and a half\s+)?(?:ago|back(?=\s*(?:[,.!?]|$)))\b", _distance(-1)),
    Rule("window_last", rf"{_B}(?:(?:in|over|for|during|within)\s+)?(?:the\s+)?(?:past|last|previous)\s+(?P<n>(?!an?\b){_N}|half an?)\s+(?P<u>{_UNIT})", _distance(-1, Shape.LAST)),
    Rule("window_next", rf"{_B}(?:(?:in|over|for|during|within)\s+)?(?:the\s+)?(?:next|coming|following|upcoming)\s+(?P<n>(?!an?\b){_N}|half an?)\s+(?P<u>{_UNIT})", _distance(1, Shape.NEXT)),
    Rule("clock_words", rf"{_B}(?:(?:at|by|until|till|before|after|around|about)\s+)?(?:(?P<m>half|(?:a\s+)?quarter|{_N}(?:\s+minutes?)?)\s+(?P<to>past|after|to|till|before|of)\s+)(?P<h>{_N})(?:\s*(?P<ap>[ap])\.?\s?m\b)?(?!\s*(?:people|minutes|hours|days|%|of))",
         lambda g: _clock_words(g) if (g["h"] or "") not in {"a", "an"} else None),
    Rule("clock_at", rf"{_B}(?:at|by|around)\s+(?P<m>)(?P<to>)(?P<h>\d{{1,2}}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?P<ap>)(?:\s+o'?clock)?(?![\d:/.,]|\s*(?:-|%|people|percent|years|dollars|bucks|points|of|months|weeks|kg|km|minutes|or more|different|\w+s\b))", _clock_words),
    Rule("clock_oclock", rf"{_B}(?:at\s+)?(?P<m>)(?P<to>)(?P<h>\d{{1,2}}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?:\s*o'?\s?clock)(?P<ap>)", _clock_words),
    Rule("clock_range_head", rf"{_B}(?:(?:from|between)\s+)?(?P<m>)(?P<to>)(?P<h>\d{{1,2}})(?P<ap>)(?=\s*(?:to|-|–|until|till|and)\s*\d{{1,2}}(?::\d\d)?\s?[ap]\.?m\b)", _clock_words),
    Rule("recur", rf"{_B}(?:every|each)\s+(?:single\s+|other\s+)?(?:(?P<w>{_W})|(?P<u>day|week|month|year|morning|night|evening|afternoon|weekend|weekday))\b|{_B}(?:on\s+)?(?P<ws>{alternatives(_DAY_NAMES)})s\b|{_B}(?:on\s+)?(?P<we>weekends|weekdays)\b|{_B}(?P<adv>daily|weekly|monthly|yearly|annually)\b",
         lambda g: Frame(recur="weekly", weekday=_weekday(g["w"] or g["ws"])) if g["w"] or g["ws"] else _recur_unit(g["u"] or g["we"] or g["adv"] or "")),
    Rule("vague", rf"{_B}(?:someday|some day|one day|the other day|recently|lately|soon|later|sometime|eventually|a while ago|in a while|back then|when i was (?:a )?\w+|these days|a few (?:days|weeks|months|years) (?:ago|later)|in a few (?:days|weeks|months|hours|minutes)|once|finals week|in a bit|in a sec(?:ond)?|in a minute|a minute|the past|the future|in the end|the next day|the day before|the day after|that day|last minute|last time|next time)\b(?!\s+(?:tomorrow|yesterday))", vague),
    Rule("not_time", rf"{_B}(?:day one|one time|two weeks' notice|the sun|sunday best|black mirror|monday blues|second(?:s)? (?:later|to none)|first of all|at first|at last|at least|at one point|at one with|at (?:one|two) of|friday the 13th film|blade runner \d+|in a day or two)\b", blocked),
)  # fmt: skip


def _recur_unit(word: str) -> Frame:
    daypart = {"morning": "morning", "night": "evening", "evening": "evening", "afternoon": "afternoon"}.get(word)
    if word in {"day", "daily"} or daypart:
        return Frame(recur="daily", daypart=daypart)
    if word in {"weekend", "weekends"}:
        return Frame(recur="weekly", weekend=True)
    if word in {"weekday", "weekdays"}:
        return Frame(recur="weekly", workdays=True)
    return Frame(recur={"week": "weekly", "month": "monthly"}.get(word, word if word.endswith("ly") else "yearly").replace("annually", "yearly"))


LEXICON = Lexicon("en", r"(?<![a-z0-9'])[a-z0-9]", RULES)
"""The English lexicon."""
