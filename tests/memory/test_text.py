"""Text as matching sees it: whatever characters a client sends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.text import fold, fold_same_length, lexical_terms, single_line

ANYTHING = st.text(alphabet=st.characters(exclude_categories=()))


@given(ANYTHING)
def test_whatever_characters_come_a_text_is_folded(text: str) -> None:
    assert isinstance(fold(text), str)
    assert len(fold_same_length(text)) == len(text)
    assert isinstance(lexical_terms(text), list)
    assert isinstance(single_line(text, 40), str)


@given(ANYTHING)
def test_a_folded_text_can_be_stored(text: str) -> None:
    fold(text).encode("utf-8")
    fold_same_length(text).encode("utf-8")


@pytest.mark.parametrize("half", ["\ud800", "\udfff"])
def test_half_a_character_hides_nothing_around_it(half: str) -> None:
    assert fold(f"我{half}愛貓").replace("\ufffd", "") == fold("我愛貓")
    assert lexical_terms(f"{half}愛貓") == lexical_terms("愛貓")


def test_both_scripts_fold_to_the_same() -> None:
    assert fold("臺灣的貓") == fold("台湾的猫")
