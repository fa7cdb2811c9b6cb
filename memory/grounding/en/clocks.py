"""Times of day in English."""

from __future__ import annotations

from memory.grounding.en.words import B, N, number
from memory.grounding.frame import Frame
from memory.grounding.lexicon import Groups, Rule, clock
from memory.grounding.lexicon_common import half_of_day


def _clock_words(g: Groups) -> Frame | None:
    hour = number(g["h"])
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
            else number(word.removesuffix("s").removesuffix(" minute")) or 0
        )
        if g["to"] in {"to", "till", "before", "of"}:
            hour, minute = (hour - 1 or 12), 60 - minute
    if g["ap"]:
        settled = half_of_day(hour, g["ap"])
        return None if settled is None else clock(settled, minute, fixed=True)
    return clock(hour, minute, loose=False)


RULES: tuple[Rule, ...] = (
    Rule(
        "noon_midnight",
        rf"{B}(?<!past )(?<!to )(?:at\s+)?(?P<w>noon|midday|midnight)\b",
        lambda g: (
            Frame(clock=None, daypart="noon")
            if g["w"] == "midday"
            else clock(24 if g["w"] == "midnight" else 12, fixed=True)
        ),
    ),
    Rule(
        "clock_words",
        rf"{B}(?<!from )(?<!between )(?:(?:at|by|until|till|before|after|around|about)\s+)?"
        r"(?:(?P<m>half|(?:a\s+)?quarter|(?:five|ten|fifteen|twenty(?:[ -]five)?|5|10|15|20|"
        rf"25|{N}\s+minutes?)(?:\s+minutes?)?)\s+(?P<to>past|after|to|till|before|of)\s+)"
        rf"(?P<h>{N})(?:\s*(?P<ap>[ap])\.?\s?m\b)?(?!\s*(?:people|minutes|hours|days|%|of))",
        lambda g: _clock_words(g) if (g["h"] or "") not in {"a", "an"} else None,
    ),
    Rule(
        "clock_at",
        rf"{B}(?:at|by(?=\s+\d)|around)\s+(?P<m>)(?P<to>)(?P<h>\d{{1,2}}|two|three|four|five|six|"
        r"seven|eight|nine|ten|eleven|twelve)(?P<ap>)(?:\s+o'?clock)?(?![\d:/,]|h\d|\.\d|\s*[ap]"
        r"\.?\s?m\b|\s*(?:-|%|people|percent|years|dollars|bucks|points|of|months|weeks|kg|"
        r"km|minutes|or more|different|\w+s\b))",
        _clock_words,
    ),
    Rule(
        "clock_spelled",
        rf"{B}(?:at\s+)?(?P<to>)(?P<h>one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
        r"(?:[ -](?P<m>ten|fifteen|twenty|thirty|forty|fifty|(?:twenty|thirty|forty|fifty)[ -]five))?"
        r"(?:\s*(?P<ap>[ap])\.?\s?m\b|"
        r"(?=\s+(?:in the (?:morning|afternoon|evening)|tonight|tomorrow)\b))",
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
