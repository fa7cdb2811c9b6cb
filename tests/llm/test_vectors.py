from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from llm.errors import ModelMalformed
from llm.vectors import unit

NUMBERS = st.floats(min_value=-1e6, max_value=1e6).filter(lambda number: abs(number) > 1e-6)


@given(st.lists(NUMBERS, min_size=3, max_size=3))
def test_any_direction_becomes_a_unit_vector_of_float32(values: list[float]) -> None:
    vector = unit(values, 3)
    assert vector.dtype == np.float32
    assert abs(float(np.linalg.norm(vector)) - 1.0) < 1e-6
    assert np.allclose(vector * np.linalg.norm(values), values, rtol=1e-5, atol=1e-5 * max(map(abs, values)))


@pytest.mark.parametrize(
    "values",
    [[], [1.0], [1.0, 2.0, 3.0], [0.0, 0.0], [float("nan"), 1.0], [float("inf"), 1.0], [None, 1.0], "ab"],
)
def test_what_has_no_direction_or_another_size_is_refused(values: list[float]) -> None:
    with pytest.raises(ModelMalformed):
        unit(values, 2)
