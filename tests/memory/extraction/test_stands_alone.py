"""A change that names no event of its own can only speak of a known one."""

from __future__ import annotations

import pytest

from memory.extraction.changes import stands_alone
from tests.memory.extraction.scoring import ask


@pytest.mark.parametrize("text", ["考完了", "終於考完了！", "考試結束了"])
def test_a_bare_change_is_kept_with_a_known_event_only(text: str) -> None:
    assert not any(stands_alone(fact) for fact in ask(text).facts)


@pytest.mark.parametrize("text", ["多益考完了", "昨天面試", "演唱會超好看的", "下週二有期末考"])
def test_what_says_which_event_it_means_is_kept_by_itself(text: str) -> None:
    facts = ask(text).facts
    assert facts
    assert all(stands_alone(fact) for fact in facts)
