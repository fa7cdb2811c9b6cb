"""What friends tell each other, in three languages, against plain calendar arithmetic."""

from __future__ import annotations

import pytest

from memory.grounding import resolve
from tests.memory.grounding.friends import Row
from tests.memory.grounding.friends_others import DATED_EN, DATED_JA, UNDATED_EN, UNDATED_JA
from tests.memory.grounding.friends_zh import DATED, UNDATED
from tests.memory.grounding.saying import TAIPEI, at


def _found(row: Row) -> list[tuple[str, str]]:
    said_at = at(row.said.isoformat())
    found = (item for item in resolve(row.text, said_at, TAIPEI) if item.start and item.end)
    return [(f"{item.start:%Y-%m-%dT%H:%M}", f"{item.end:%Y-%m-%dT%H:%M}") for item in found]


@pytest.mark.parametrize("row", [*DATED, *DATED_EN, *DATED_JA], ids=lambda row: row.text)
def test_a_time_told_to_a_friend_lands_where_the_calendar_says(row):
    assert _found(row) == [(f"{low:%Y-%m-%dT%H:%M}", f"{high:%Y-%m-%dT%H:%M}") for low, high in row.meant]


@pytest.mark.parametrize("row", [*UNDATED, *UNDATED_EN, *UNDATED_JA], ids=lambda row: row.text)
def test_what_is_not_surely_a_date_stays_undated(row):
    assert _found(row) == []
