"""Builds ahead what a first message would wait for."""

from __future__ import annotations

from datetime import UTC, datetime

from memory.grounding.resolver import resolve

_SAMPLES = (
    "除夕和清明連假都要回家，下週二下午三點到五點考試，改到三月十號",
    "昨天跟 Amy 去了 Costco，明天早上 meeting 到三點",
    "exam next tuesday at 3pm, the party is on the 5th of may, moved to friday 9am pst",
    "来週の火曜日の午後3時に試験があります",
    "来週 meeting がある",
    "来週火曜考試",
    "来週火曜 meeting",
)
"""One text for each set of languages that texts are read by, and one for each table that loads late."""


def warm() -> None:
    """Build the tables of every language and load the lunar calendar.

    Takes a third of a second, so it belongs in a thread while the process starts; later calls cost a
    millisecond. It holds no lock: a message read meanwhile builds what it needs itself.
    """
    for text in _SAMPLES:
        resolve(text, datetime(2026, 1, 1, 12, tzinfo=UTC), "Asia/Taipei")
