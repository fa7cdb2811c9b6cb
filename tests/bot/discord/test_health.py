"""The numbers about her, where the store can't be asked for them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from bot.discord.health import metrics_page
from memory.clock import SystemClock
from memory.store.errors import StoreUnavailable


async def away(*_: object) -> int:
    raise StoreUnavailable("the server is down")


async def test_while_the_store_is_away_the_page_says_so_without_numbers() -> None:
    parts: Any = SimpleNamespace(
        client=SimpleNamespace(latency=0.1),
        budget=SimpleNamespace(today=away),
        house=SimpleNamespace(clock=SystemClock()),
    )
    answer = await metrics_page(parts)
    assert answer.status == 503
