"""What repeats, what stays vague, and what only looks like time in English."""

from __future__ import annotations

from memory.grounding.en.words import DAY_NAMES, B, W, weekday_of
from memory.grounding.festival_names import alternatives
from memory.grounding.frame import Frame
from memory.grounding.lexicon import Rule, blocked, vague


def _recur_unit(word: str) -> Frame:
    daypart = {"morning": "morning", "night": "evening", "evening": "evening", "afternoon": "afternoon"}.get(
        word
    )
    if word in {"day", "daily"} or daypart:
        return Frame(recur="daily", daypart=daypart)
    if word in {"weekend", "weekends"}:
        return Frame(recur="weekly", weekend=True)
    if word in {"weekday", "weekdays"}:
        return Frame(recur="weekly", workdays=True)
    return Frame(
        recur={"week": "weekly", "month": "monthly"}.get(
            word, word if word.endswith("ly") else "yearly"
        ).replace("annually", "yearly")
    )


RULES: tuple[Rule, ...] = (
    Rule(
        "greeting",
        rf"{B}(?:april|june|august)(?= (?:is (?:my|his|her)|said|says|called|told|texted)\b)|"
        rf"{B}good\s?(?:morning|night|evening|afternoon)|{B}may i\b|{B}(?:sun|mon)(?= "
        rf"(?:is|was|set|rise|shine))|{B}the sun\b|in the sun\b|march(?=ed|ing)|a second\b|"
        r"second (?=hand|floor|time|year|place|one)|first (?=time|place|thing|of all|name|"
        r"one|floor|date|grade)|third (?=time|floor|place|grade)|fall (?=asleep|in love|"
        r"down|apart|for|off)|spring (?=roll|onion)|one (?:of|day at)|may (?=be|have|not|i|"
        r"also|need|go|want|take|come|get)",
        blocked,
    ),
    Rule(
        "recur",
        rf"{B}(?:every|each)\s+(?:single\s+|other\s+)?(?:(?P<w>{W})|(?P<u>day|week|month|"
        rf"year|morning|night|evening|afternoon|weekend|weekday))\b|{B}(?:on\s+)?"
        rf"(?P<ws>{alternatives(DAY_NAMES)})s\b|{B}(?:on\s+)?(?P<we>weekends|weekdays)"
        rf"\b|{B}(?P<adv>daily|weekly|monthly|yearly|annually)\b",
        lambda g: (
            Frame(recur="weekly", weekday=weekday_of(g["w"] or g["ws"]))
            if g["w"] or g["ws"]
            else _recur_unit(g["u"] or g["we"] or g["adv"] or "")
        ),
    ),
    Rule(
        "vague",
        rf"{B}(?:someday|some day|one day|the other day|recently|lately|soon|later|sometime|"
        r"eventually|a while ago|in a while|back then|when i was (?:a )?\w+|these days|"
        r"a few (?:days|weeks|months|years) (?:ago|later)|in a few (?:days|weeks|months|"
        r"hours|minutes)|once|finals week|in a bit|in a sec(?:ond)?|in a minute|a minute|"
        r"the past|the future|in the end|as soon as possible|the next day|the day before|"
        r"the day after|that day|last minute|last time|next time)\b(?!\s+(?:tomorrow|"
        r"yesterday))",
        vague,
    ),
    Rule(
        "not_time",
        rf"{B}(?:(?<=built )in a day|day one|one time|two weeks' notice|the sun|sunday best|black mirror|"
        r"monday blues|second(?:s)? (?:later|to none)|first of all|at first|at last|"
        r"at least|at one point|at one with|at (?:one|two) of|friday the 13th film|"
        r"blade runner \d+|in a day or two)\b",
        blocked,
    ),
)
