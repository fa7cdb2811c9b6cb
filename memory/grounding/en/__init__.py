"""The English lexicon: rules over folded text, by what they speak of."""

from __future__ import annotations

from memory.grounding.en import clocks, days, distances, months, rest
from memory.grounding.en.words import DAYPARTS, MONTHS, SEASONS, UNITS, WEEKDAYS
from memory.grounding.festival_names import FESTIVALS_EN
from memory.grounding.lexicon import Lexicon
from memory.grounding.numerals import WORDS_EN

_LEADING = (
    "a an the on in at by for of from over near around about during within between until till before "
    "after since back toward towards this next last past previous coming following upcoming current "
    "early mid late beginning start middle end first half quarter today tomorrow tomorow tonight "
    "tonite tmrw tmr yesterday overnight day weekend eom eoy q every each daily weekly monthly "
    "yearly annually some someday sometime one recently lately soon later eventually when these "
    "rest earlier "
    "eod noonish couple "
    "final finals once that as good may sun mon march fall spring black blade two midnight noon midday "
)
"""Words a rule can begin with, beside those of the tables."""


def _trigger() -> str:
    tables = (DAYPARTS, MONTHS, SEASONS, UNITS, WEEKDAYS, FESTIVALS_EN, WORDS_EN)
    words = {name.split()[0].split("-")[0].split("'")[0] for table in tables for name in table}
    words |= set(_LEADING.split())
    return rf"(?<![a-z0-9'])(?:\d|(?:{'|'.join(sorted(words, key=len, reverse=True))})s?(?![a-z]))"


LEXICON = Lexicon("en", _trigger(), days.RULES + distances.RULES + clocks.RULES + months.RULES + rest.RULES)
"""Everything English."""
