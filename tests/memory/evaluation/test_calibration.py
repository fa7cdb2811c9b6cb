from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.evaluation.calibration import LEAST, NotEnough, calibrate
from memory.relations.types import Relation

C, D, X = Relation.CONTRADICT, Relation.DUPLICATE, Relation.DIFFERENT


def spread(start: float, stop: float, count: int) -> list[float]:
    return [round(float(value), 4) for value in np.linspace(start, stop, count)]


def data(same: list[float], against: list[float], apart: list[float]) -> tuple[list[float], list[Relation]]:
    return [*same, *against, *apart], [D] * len(same) + [C] * len(against) + [X] * len(apart)


CLEAR = data(spread(0.05, 0.2, 200), spread(0.3, 0.5, 200), spread(0.6, 0.9, 200))


def test_where_the_sorts_lie_apart_the_thresholds_lie_between_them() -> None:
    found = calibrate(*CLEAR, related=spread(0.5, 0.9, 50), unrelated=spread(0.0, 0.3, 50))
    assert found.duplicate.value == 0.3
    assert 0.47 <= found.gray.value <= 0.5
    assert found.floor is not None
    assert 0.5 <= found.floor.value <= 0.53
    assert found.kept_out == 1.0
    assert found.pairs == 600


def test_a_duplicate_threshold_needs_data_that_shows_it_is_safe() -> None:
    few = data(spread(0.05, 0.2, 20), spread(0.3, 0.5, 20), spread(0.6, 0.9, 20))
    assert calibrate(*few).duplicate.value == 0.0


def test_where_no_duplicate_lies_below_the_others_nothing_is_skipped_unasked() -> None:
    mixed = data(spread(0.2, 0.6, 200), spread(0.1, 0.5, 200), spread(0.3, 0.9, 200))
    assert calibrate(*mixed).duplicate.value == 0.0


def test_more_to_cover_reaches_further() -> None:
    limits = [calibrate(*CLEAR, cover=cover).gray.value for cover in (0.6, 0.8, 0.99)]
    assert limits == sorted(limits)
    assert len(set(limits)) == 3


def test_without_questions_there_is_no_floor() -> None:
    assert calibrate(*CLEAR).floor is None
    assert calibrate(*CLEAR).as_dict()["floor"] is None


def test_each_figure_tells_what_it_does_to_rows_it_was_not_chosen_on() -> None:
    told = calibrate(*CLEAR).as_dict()
    assert told["gray"]["covered_at_worst"] <= told["gray"]["covered_held_out"] <= 1
    assert told["duplicate"]["others_below_held_out"] <= told["duplicate"]["others_below_at_worst"] <= 0.02
    low, high = told["gray"]["confidence_95"]
    assert low <= told["gray"]["value"] <= high + 0.001


@pytest.mark.parametrize(
    ("distances", "labels", "told"),
    [
        ([0.1] * 30, [D] * 30, "0 rows are labelled CONTRADICT"),
        ([], [], "0 rows are labelled"),
        ([0.3] * 60, [D, C, X] * 20, "all distances are the same"),
        ([float("nan")] * 60, [D, C, X] * 20, "a distance is no number"),
    ],
)
def test_data_that_can_carry_no_threshold_is_refused(
    distances: list[float], labels: list[Relation], told: str
) -> None:
    with pytest.raises(NotEnough, match=told):
        calibrate(distances, labels)


def test_too_few_questions_and_a_share_without_sense_are_refused() -> None:
    with pytest.raises(NotEnough, match=f"at least {LEAST} are needed for the floor"):
        calibrate(*CLEAR, related=[0.5], unrelated=spread(0, 0.2, 50))
    with pytest.raises(NotEnough, match="the share to cover"):
        calibrate(*CLEAR, cover=0.2)


DISTANCES = st.lists(st.floats(0, 2), min_size=LEAST, max_size=25)


@settings(max_examples=25, deadline=None)
@given(DISTANCES, DISTANCES, DISTANCES)
def test_no_pair_that_is_no_duplicate_is_ever_skipped_unasked(
    same: list[float], against: list[float], apart: list[float]
) -> None:
    try:
        found = calibrate(*data(same, against, apart))
    except NotEnough:
        return
    assert all(distance >= found.duplicate.value for distance in (*against, *apart))
    assert found.duplicate.value <= found.gray.value
    covered = [distance <= found.gray.value for distance in (*same, *against)]
    assert sum(covered) >= 0.95 * len(covered)
