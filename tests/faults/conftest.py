from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.faults.lines import short_pauses


@pytest.fixture(autouse=True)
def at_once() -> Iterator[None]:
    """Let her try again at once."""
    with short_pauses():
        yield
