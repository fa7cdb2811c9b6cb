"""The audience table."""

import pytest

from memory.places import DM, InvalidPlace, Place, may_use

OPEN = Place("1", "10")
OTHER_CHANNEL = Place("1", "11")
PRIVATE = Place("1", "12", private=True)
OTHER_SERVER = Place("2", "20")


@pytest.mark.parametrize(
    ("said_in", "used_in", "allowed"),
    [
        (DM, DM, True),
        (DM, OPEN, False),
        (DM, PRIVATE, False),
        (OPEN, OPEN, True),
        (OPEN, OTHER_CHANNEL, True),
        (OPEN, PRIVATE, True),
        (OPEN, DM, True),
        (OPEN, OTHER_SERVER, False),
        (PRIVATE, PRIVATE, True),
        (PRIVATE, DM, True),
        (PRIVATE, OPEN, False),
        (PRIVATE, OTHER_SERVER, False),
    ],
)
def test_words_are_used_only_where_the_audience_table_allows(said_in, used_in, allowed):
    assert may_use(said_in, used_in) is allowed


@pytest.mark.parametrize("place", [DM, OPEN, PRIVATE])
def test_a_place_reads_back_from_its_stored_form(place):
    assert Place.parse(str(place)) == place


@pytest.mark.parametrize("text", ["", "DM", "guild:1", "guild:/channel:2", "guild:1/channel:2/x"])
def test_anything_else_is_refused_with_the_form_to_write(text):
    with pytest.raises(InvalidPlace, match="guild:G/channel:C"):
        Place.parse(text)
