"""A little of the fuzzing in every run; ``python -m tests.faults.fuzz`` is the long one."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings

from tests.faults.targets import TARGETS, Target


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Let nobody log: what is wrong with each of a thousand inputs is no news."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


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
