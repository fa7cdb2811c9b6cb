"""The table of other faiths' feasts, against the library it was taken from."""

from __future__ import annotations

import holidays
import pytest

from memory.grounding.faiths import FEASTS, FIRST_YEAR, feast_day
from tests.memory.grounding.saying import start

_SOURCES = {
    "eid_al_fitr": ("MY", "Eid al-Fitr", "public"),
    "eid_al_adha": ("MY", "Eid al-Adha", "public"),
    "diwali": ("IN", "Diwali", "optional"),
    "holi": ("IN", "Holi", "optional"),
    "vesak": ("SG", "Vesak Day", "public"),
    "rosh_hashanah": ("IL", "Rosh Hashanah", "public"),
    "yom_kippur": ("IL", "Yom Kippur", "public"),
    "passover": ("IL", "Pesach", "public"),
    "hanukkah": ("IL", "Hanukkah", "school"),
}


def test_every_feast_has_a_source():
    assert set(_SOURCES) == FEASTS


@pytest.mark.parametrize("name", sorted(_SOURCES))
def test_the_table_agrees_with_the_library(name):
    country, called, category = _SOURCES[name]
    for year in range(FIRST_YEAR, FIRST_YEAR + 26):
        known = holidays.country_holidays(
            country, years=year, observed=False, language="en_US", categories=("public", category)
        )
        days = {
            day
            for day, names in known.items()
            if called in {part.strip().removesuffix(" (estimated)") for part in names.split(";")}
        }
        assert feast_day(name, year) in days, year


def test_beyond_the_table_there_is_no_day():
    assert feast_day("diwali", FIRST_YEAR - 1) is None
    assert feast_day("diwali", 2200) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("明年開齋節要去朋友家", "2027-03-10"),
        ("排燈節要去吃印度菜", "2026-11-08"),
        ("we will fly home for Diwali", "2026-11-08"),
        ("Hanukkah 2027", "2027-12-25"),
    ],
)
def test_a_feast_of_another_faith_is_a_day(text, expected):
    assert start(text) == expected
