"""The numbers about her, where the store can't be asked for them."""

from __future__ import annotations

from bot.discord.health import metrics_page
from memory.store.errors import StoreUnavailable


async def away() -> dict[str, float]:
    raise StoreUnavailable("the server is down")


async def test_while_the_store_is_away_the_page_says_so_without_numbers() -> None:
    answer = await metrics_page(away)
    assert answer.status == 503
