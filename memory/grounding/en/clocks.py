"""Times of day in English."""

from __future__ import annotations

from dataclasses import replace

from memory.grounding.en.words import B, N, number
from memory.grounding.frame import Frame
from memory.grounding.lexicon import Groups, Rule, clock
from memory.grounding.lexicon_common import half_of_day


def _clock_words(g: Groups) -> Frame | None:
    named = {"noon": 12, "midnight": 24}.get(g["h"] or "")
    hour = number(g["h"]) if named is None else named
    if hour is None or hour > 24:
        return None
    minute = 0
    if g["m"]:
        word = g["m"].strip()
        minute = (
            30
            if word == "half"
            else 15
            if "quarter" in word
            else number(word.removeprefix("oh ").removesuffix("s").removesuffix(" minute")) or 0
        )
        if g["to"] in {"to", "till", "before", "of"}:
            hour, minute = (hour - 1 or 12), 60 - minute
    if named is not None:
        return clock(hour, minute, fixed=True)
    if g["ap"]:
        settled = half_of_day(hour, g["ap"])
        return None if settled is None else clock(settled, minute, fixed=True)
    return clock(hour, minute, loose=False)


def _hours(g: Groups) -> Frame | None:
    first = clock(number(g["h"]) or 0, int(g["m"] or 0))
    last = clock(number(g["h2"]) or 0, int(g["m2"] or 0))
    return None if first is None or last is None else replace(first, clock_last=last.clock)


_HOUR = "(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_MINUTES_SPELLED = (
    r"(?:oh (?:one|two|three|four|five|six|seven|eight|nine)|(?:twenty|thirty|forty|fifty)(?:[ -]"
    r"(?:one|two|three|four|five|six|seven|eight|nine))?|ten|eleven|twelve|thirteen|fourteen|fifteen|"
    r"sixteen|seventeen|eighteen|nineteen)"
)
_DAY_BEHIND = (
    r"(?=,?\s+(?:on|tomorrow|today|tonight|yesterday|this (?:morning|afternoon|evening)|in the (?:morning|"
    r"afternoon|evening)|(?:this |next |last )?(?:mon|tues|wednes|thurs|fri|satur|"
    r"sun)day)\b(?! (?:the )?(?:scale|page)))"
)
_BUSY_BEFORE = "(?:" + "|".join(
    f"(?<={word} )"
    for word in (
        "class", "classes", "work", "working", "meeting", "meetings", "shift", "lesson", "lessons",
        "practice",
        "rehearsal", "busy", "free", "available", "open", "closed", "gym", "party", "call", "day", "today",
        "tomorrow", "tonight", "morning", "afternoon", "evening", "yesterday", "th", "lecture", "training",
        r"/\d", r"/\d\d", r"/\d\d\d\d",
    )
) + ")"  # fmt: skip
"""What runs from three to five: a bare pair of numbers is hours only beside one of these or a day."""
_AFTER_CLOCK = (
    "(?:"
    + "|".join(
        f"(?<={clock_end}{joint})"
        for clock_end in (r"\d[ap]m", r"\d [ap]m", r"[ap]\.m\.")
        for joint in (" to ", " until ", " till ", " - ", "-", " – ", " and ")
    )
    + ")"
)
RULES: tuple[Rule, ...] = (
    Rule(
        "noon_midnight",
        rf"{B}(?<!past )(?<!to )(?:at\s+)?(?P<w>noon|midday|midnight)(?:-?ish)?\b",
        lambda g: (
            Frame(clock=None, daypart="noon")
            if g["w"] == "midday"
            else clock(24 if g["w"] == "midnight" else 12, fixed=True)
        ),
    ),
    Rule(
        "clock_words",
        rf"{B}(?<!from )(?<!between )(?:(?:at|by|until|till|before|after|around|about)\s+)?"
        r"(?:(?!\d+ to \d)(?P<m>half|(?:a\s+)?quarter|(?:five|ten|fifteen|twenty(?:[ -]five)?|5|10|15|20|"
        rf"25|{N}\s+minutes?)(?:\s+minutes?)?)\s+(?P<to>past|after|to|till|before|of)\s+)"
        rf"(?P<h>noon|midnight|{N})(?:\s*(?P<ap>[ap])\.?\s?m\b)?(?!\s*(?:people|minutes|hours|days|%|of))",
        lambda g: _clock_words(g) if (g["h"] or "") not in {"a", "an"} else None,
    ),
    Rule(
        "clock_at",
        rf"(?:{B}(?:at|by(?=\s+\d)|around)\s+|(?<=@)|(?<=@ ))(?P<m>)(?P<to>)(?P<h>\d{{1,2}}|"
        r"two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?:-?ish\b)?(?P<ap>)(?:\s+o'?clock)?(?![\d:/,]|h\d|h\b|\.\d|\s*[ap]"
        r"\.?\s?m\b|\s*(?:-|%|people|percent|years|dollars|bucks|points|of|months|weeks|kg|"
        r"km|minutes|or more|different|\w+s\b))",
        _clock_words,
    ),
    Rule(
        "clock_spelled",
        rf"{B}(?:at\s+)?(?P<to>)(?P<h>{_HOUR})"
        rf"(?:[ -](?P<m>{_MINUTES_SPELLED}))?"
        r"(?:\s*(?P<ap>[ap])\.?\s?m\b|"
        r"(?=\s+(?:in the (?:morning|afternoon|evening)|tonight|tomorrow)\b))",
        _clock_words,
    ),
    Rule(
        "clock_spelled_at",
        rf"{B}(?:at|around|about|by|until|till|before|after)\s+(?P<to>)(?P<h>{_HOUR})[ -]"
        rf"(?P<m>{_MINUTES_SPELLED})(?P<ap>)"
        r"(?!\s*(?:dollars|bucks|people|percent|\w+s\b))",
        _clock_words,
    ),
    Rule(
        "clock_half",
        rf"{B}(?:at|around|about|by|until|till|before|after)\s+(?P<m>half)(?P<to>)[ -](?P<h>{_HOUR})(?P<ap>)"
        r"(?![a-z]|\s+(?:of|the|a|people|dozen|hundred|million))",
        _clock_words,
    ),
    Rule(
        "clock_figures",
        rf"{B}(?:at|around|about|approximately|by)\s+(?P<h>1[0-2]|0?[1-9])(?P<m>[0-5]\d)(?<!1[5-9]\d\d)"
        r"(?:-?ish\b|(?=\s*(?:in the (?:morning|afternoon|evening)|tomorrow|tonight|today|on\s))"
        r"|(?:(?<=\d\d\d\d)|(?<=15)|(?<=30)|(?<=45))(?=\s*(?:[.,!?]|$)))",
        lambda g: clock(int(g["h"] or 0), int(g["m"] or 0), fixed=(g["h"] or "").startswith("0")),
    ),
    Rule(
        "clock_before_part",
        r"(?:^|(?<=do )|(?<=say )|(?<=it )|(?<=by )|(?<=till )|(?<=until ))(?P<m>)(?P<to>)"
        r"(?P<h>1[0-2]|[1-9])(?P<ap>)"
        r"(?=,?\s+(?:tonight|this (?:morning|afternoon|evening)|"
        r"tomorrow(?: (?:morning|afternoon|evening|night))?)\b)",
        _clock_words,
    ),
    Rule(
        "clock_dotted",
        rf"{B}(?:at\s+)?(?P<to>)(?P<h>1[0-2]|0?[1-9])\.(?P<m>[0-5]\d)\s?(?P<ap>[ap])\.?\s?m\b",
        _clock_words,
    ),
    Rule(
        "clock_dotted_at",
        rf"{B}(?<!rated )(?<!sold )(?<!priced )at\s+(?P<h>[01]\d|2[0-3]|\d(?=\.(?:00|15|30|"
        r"45)))\.(?P<m>[0-5]\d)"
        r"(?![\d.]|\s*(?:%|€|[ap]\.?\s?m\b|each|per|percent|dollars|bucks|euros?|stars?|points?|out of))",
        lambda g: clock(int(g["h"] or 0), int(g["m"] or 0), fixed=(g["h"] or "").startswith("0")),
    ),
    Rule(
        "clock_h_at",
        rf"{B}at\s+(?P<h>[01]?\d|2[0-3])h(?P<m>[0-5]\d)?(?![\da-z])",
        lambda g: clock(int(g["h"] or 0), int(g["m"] or 0), fixed=(g["h"] or "").startswith("0")),
    ),
    Rule(
        "clock_hours",
        rf"{B}(?:(?:from|between)\s+)(?P<h>1[0-2]|[1-9])(?::(?P<m>[0-5]\d))?\s*(?:to|-|–|until|till|and)\s*"
        rf"(?P<h2>1[0-2]|[1-9])(?::(?P<m2>[0-5]\d))?{_DAY_BEHIND}",
        _hours,
    ),
    Rule(
        "clock_hours_of",
        rf"(?=from|between){_BUSY_BEFORE}(?:from|between)\s+(?P<h>1[0-2]|[1-9])(?::(?P<m>[0-5]\d))?\s*(?:to|-|–|until|till|and)\s*"
        r"(?P<h2>1[0-2]|[1-9])(?::(?P<m2>[0-5]\d))?(?![\d:/%]|\s*(?:[ap]\.?\s?m\b|people|kids|years|months|weeks|"
        r"days|hours|minutes|dollars|bucks|percent))",
        _hours,
    ),
    Rule(
        "clock_hours_behind_day",
        r"(?=\d)(?:(?<=day )|(?<=tomorrow )|(?<=tonight ))(?P<h>1[0-2]|[1-9])(?::(?P<m>[0-5]\d))?"
        r"\s+(?:to|until|till)\s+(?P<h2>1[0-2]|[1-9])(?::(?P<m2>[0-5]\d))?"
        r"(?=\s*(?:[.,!?]|$|at |in |on |for |with |and |i |we ))",
        _hours,
    ),
    Rule(
        "clock_range_tail",
        rf"(?=\d){_AFTER_CLOCK}(?P<to>)(?P<m>)(?P<h>1[0-2]|[1-9])(?P<ap>)(?![\d:/%-]|\.\d|\s*(?:[ap]\.?\s?m\b|people|kids|"
        r"years|months|weeks|days|hours|minutes|dollars|bucks|percent|o'?clock))",
        _clock_words,
    ),
    Rule(
        "clock_oclock",
        rf"{B}(?:at\s+)?(?P<m>)(?P<to>)(?P<h>\d{{1,2}}|one|two|three|four|five|six|seven|"
        r"eight|nine|ten|eleven|twelve)(?:\s*o'?\s?clock)(?:\s*(?P<ap>[ap])\.?\s?m\b)?",
        _clock_words,
    ),
    Rule(
        "clock_range_head",
        rf"{B}(?:(?:from|between)\s+)?(?P<m>)(?P<to>)(?P<h>\d{{1,2}})(?P<ap>)(?=\s*(?:to|-|"
        r"–|until|till|and)\s*\d{1,2}(?::\d\d)?\s?[ap]\.?m\b)",
        _clock_words,
    ),
)
