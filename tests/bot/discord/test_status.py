"""How she is, told to admins and to whatever watches her: what answering costs, or that nobody knows."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from bot.discord.commands.status import cost, dollars
from bot.discord.commands.words import Tongue
from bot.discord.health import measured, rendered
from bot.discord.meter import Meter
from bot.settings.sections import PriceSettings
from llm.usage import Price, Purpose, Spending, Tokens, Usage
from tests.bot.discord.harness import SOON, Town, online, tells, town
from tests.bot.discord.overhearing import MODEL, overhearing

PRICED = PriceSettings(input=0.5, output=3.0)
ONE = 1000 * 0.5e-6 + 100 * 3e-6


async def status(place: Town) -> str:
    """Return what the server's owner reads."""
    return (await place.ming.slash(place.server.general, "lily status").reply(SOON)).content


async def test_what_a_message_costs_is_told_and_still_known_after_a_restart(tmp_path: Path) -> None:
    async with overhearing() as heard, town() as place:
        chosen = {"models": heard.settings(m=PRICED), "secrets": heard.secrets}
        async with online(place.discord, tmp_path, **chosen) as lily:
            await tells(lily, place.ming, "你好")
            await tells(lily, place.ming, "今天好冷", place.server.general)
            told = await status(place)
            assert "今天回了 2 則" in told
            assert f"花 {dollars(ONE)} 美元" in told
            assert f"一共花了 {dollars(2 * ONE)} 美元" in told
            assert f"openai {MODEL}" in told
            numbers = await measured(lily.service.parts)
            assert numbers["lily_model_calls_total"] == 2
            assert numbers["lily_model_cost_dollars_total"] == pytest.approx(2 * ONE)
            assert numbers["lily_cost_dollars_per_message_today"] == pytest.approx(ONE)
            assert numbers["lily_model_calls_per_message_today"] == 1
        async with online(place.discord, tmp_path, **chosen):
            told = await status(place)
            assert "今天回了 2 則，平均每則叫模型 1.0 次" in told
            assert f"一共花了 {dollars(2 * ONE)} 美元" in told


async def test_a_price_nobody_gave_is_told_as_unknown_and_not_as_nothing(tmp_path: Path) -> None:
    async with (
        overhearing() as heard,
        town() as place,
        online(place.discord, tmp_path, models=heard.settings(), secrets=heard.secrets) as lily,
    ):
        await tells(lily, place.ming, "你好")
        told = await status(place)
        assert "models.prices" in told
        assert "美元" not in told
        numbers = await measured(lily.service.parts)
        assert numbers["lily_model_unpriced_calls_total"] == 1
        assert math.isnan(numbers["lily_cost_dollars_per_message_today"])
        assert "lily_cost_dollars_per_message_today NaN\n" in rendered(numbers)


async def test_rules_cost_nothing_and_call_nobody(tmp_path: Path) -> None:
    async with town() as place, online(place.discord, tmp_path) as lily:
        await tells(lily, place.ming, "我對花生過敏")
        told = await status(place)
        assert "平均每則叫模型 0.0 次、花 0 美元" in told
        assert lily.service.parts.meter.total.calls == 0


def test_what_is_partly_known_is_told_as_the_least_it_can_be() -> None:
    words = Tongue("en")
    known = Spending(calls=3, known_cost=0.5, unpriced=1)
    assert cost(known, words, 2) == "at least 0.25 US dollars (calls at an unknown price: 1)"
    assert cost(Spending(calls=1, unpriced=1), words) == "unknown (models.prices names no price)"
    assert cost(Spending(), words) == "0 US dollars"


@pytest.mark.parametrize(
    ("amount", "shown"),
    [(0, "0"), (0.00042, "0.00042"), (0.17, "0.17"), (12.5, "12.50"), (1e-9, "0.0000000010")],
)
def test_an_amount_shows_two_digits_that_say_something(amount: float, shown: str) -> None:
    assert dollars(amount) == shown


def test_spending_is_counted_for_the_task_it_was_for_and_in_all() -> None:
    meter = Meter({"m": Price(1.0, 1.0)})
    usage = Usage("m", Purpose.REPLY, 0.1, Tokens(600_000, 400_000))
    meter.sink(usage)
    with meter.counting() as count:
        meter.sink(usage)
    meter.sink(usage)
    assert count.amounts == {"tokens": 1_000_000, "calls": 1, "microdollars": 1_000_000}
    assert (meter.total.calls, meter.total.cost) == (3, pytest.approx(3.0))
