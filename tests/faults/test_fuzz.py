"""A little of the fuzzing in every run; ``python -m tests.faults.fuzz`` is the long one."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from bot.errors import UserError
from bot.settings import load_settings
from memory.catalog import load_catalog
from tests.faults.targets import TARGETS, Target


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Let nobody log: what is wrong with each of a thousand inputs is no news."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def test_half_a_character_in_a_variable_is_told_like_any_wrong_value(tmp_path: Path) -> None:
    with pytest.raises(UserError) as told:
        load_settings(None, {"LILY_MEMORY__CAP_PER_PERSON": "\ud800"}, tmp_path)
    (line,) = told.value.texts(load_catalog("bot", "en"))
    assert line.startswith("memory.cap_per_person (LILY_MEMORY__CAP_PER_PERSON): ? does not fit")


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_no_input_brings_more_than_an_error_of_our_own(target: Target) -> None:
    bounded = settings(
        max_examples=3 if target.costly else 25,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    bounded(given(target.given)(target.holds))()
