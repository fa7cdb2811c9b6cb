from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.scheduler.street import Street, open_street


@pytest.fixture
async def street(tmp_path: Path) -> AsyncIterator[Street]:
    async with open_street(tmp_path) as opened:
        yield opened
