"""The word files agree with each other."""

from __future__ import annotations

from importlib import resources

import pytest
import yaml

from memory.relations.compare import antonyms
from memory.relations.implied import ruled_out_words
from memory.statements import attribute_of, parse_statement
from memory.statements.lexicon import lexicon, stems, wider_than
from memory.text import fold


def _keys() -> set[str]:
    return {key for _, key in lexicon().words.values()}


def test_every_word_that_is_a_kind_of_another_is_known_and_so_is_the_other() -> None:
    text = (resources.files("memory.statements") / "is_a.yaml").read_text(encoding="utf-8")
    for line in yaml.safe_load(text):
        narrower, _, wider = fold(line).partition(" < ")
        assert {word.strip() for word in narrower.split(",")} | {wider} <= _keys(), line


def test_words_that_rule_each_other_out_are_known() -> None:
    assert {word for pair in antonyms() for word in pair} <= _keys()
    assert ruled_out_words() <= _keys()


@pytest.mark.parametrize(
    ("town", "county"), [("淡水", "新北"), ("羅東", "宜蘭"), ("蘭嶼", "台東"), ("鳳山", "高雄")]
)
def test_a_town_lies_in_its_county_in_both_scripts(town: str, county: str) -> None:
    for word in (town, fold(town)):
        known = lexicon().concept(fold(word))
        assert known is not None and fold(county) in wider_than(known[1])


@pytest.mark.parametrize("country", ["挪威", "秘魯", "Portugal", "Kenya", "Japan"])
def test_a_country_is_abroad(country: str) -> None:
    known = lexicon().concept(fold(country))
    assert known is not None and fold("外國") in wider_than(known[1])


@pytest.mark.parametrize(
    ("word", "first"),
    [("hates", "hate"), ("hiking", "hike"), ("running", "runn"), ("boxes", "box"), ("visited", "visite")],
)
def test_an_ending_gives_back_the_e_that_it_took(word: str, first: str) -> None:
    assert stems(word)[0] == first


@pytest.mark.parametrize(
    "text", ["使用者每個星期二打球", "使用者每次吃飯都看書", "The user swims each morning"]
)
def test_any_time_of_each_day_or_week_is_a_habit(text: str) -> None:
    assert parse_statement(text).habitual


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("使用者在加油站上班", "employer"),
        ("使用者家有五口人", "household"),
        ("The user is in ninth grade", "grade"),
        ("使用者現在58公斤", "weight"),
        ("使用者的大學是逢甲", "school"),
    ],
)
def test_more_sentences_fill_a_slot(text: str, slot: str) -> None:
    assert attribute_of(text) == slot


@pytest.mark.parametrize(
    "text", ["使用者在家工作", "使用者在公司上班", "使用者在朋友的店上班", "The user works at night"]
)
def test_a_vague_workplace_names_no_employer(text: str) -> None:
    assert attribute_of(text) != "employer"
