"""Days off in Taiwan: the rule against the library's tables, and what it spares."""

from __future__ import annotations

import subprocess
import sys

import holidays
import pytest

from memory.grounding.festivals import _first_day, bridge_days
from memory.grounding.taiwan import FIRST_YEAR, free_days


def _workdays(days):
    return sorted(day for day in days if day.weekday() < 5)


@pytest.mark.parametrize("year", range(FIRST_YEAR, 2041))
def test_the_rule_frees_the_same_workdays_as_the_library(year):
    theirs = holidays.country_holidays("TW", years=year)
    assert _workdays(free_days(year, _first_day)) == _workdays(theirs)


def test_earlier_years_come_from_the_library():
    assert free_days(2021, _first_day) == frozenset(holidays.country_holidays("TW", years=2021))


def test_a_long_weekend_reaches_over_the_day_made_up_for():
    first, after = bridge_days("national_tw", 2026)
    assert (first.isoformat(), after.isoformat()) == ("2026-10-09", "2026-10-12")


def test_a_coming_long_weekend_does_not_load_the_library():
    script = (
        "import sys; from datetime import datetime; from zoneinfo import ZoneInfo; "
        "from memory.grounding import resolve; "
        "now = datetime(2026, 9, 16, 14, tzinfo=ZoneInfo('Asia/Taipei')); "
        "resolve('國慶連假要去玩', now, 'Asia/Taipei'); "
        "sys.exit('holidays' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
