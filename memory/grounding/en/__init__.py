"""The English lexicon: rules over folded text, by what they speak of."""

from __future__ import annotations

from memory.grounding.en import clocks, days, distances, months, rest
from memory.grounding.lexicon import Lexicon

LEXICON = Lexicon(
    "en", r"(?<![a-z0-9'])[a-z0-9]", days.RULES + distances.RULES + clocks.RULES + months.RULES + rest.RULES
)
"""Everything English."""
