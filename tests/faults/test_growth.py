"""Reading a text costs in proportion to its length, whatever is repeated: no pattern that backtracks."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import pytest

from bot.discord.splitting import split
from memory.extraction.rules import OfflineExtractor
from memory.extraction.types import ExtractionRequest
from memory.grounding.resolver import resolve

AT = datetime(2026, 9, 12, 13, 30, tzinfo=UTC)
REPEATED = ("下", "明天", "9", "```", "http://a", "  ", "2026-", "十")
MARKS = ("`", "> ", '"', "“”", "「a」", ":", "-", "a  ", "(")
FACTOR = 8
"""How much longer the longer text is. In proportion its cost is as many times higher, 64 times where each
place in it is looked at from each other one: half of that is let pass, for a machine that has much to do."""


def dates(text: str) -> None:
    resolve(text, AT, "Asia/Taipei")


def parts(text: str) -> None:
    split(text)


def facts(text: str) -> None:
    request = ExtractionRequest(text=text, said_at=AT, zone="Asia/Taipei", language="zh-TW")
    asyncio.run(OfflineExtractor().extract(request))


def cost(read: Callable[[str], None], text: str) -> float:
    """Return the least processor time of two readings."""
    took = []
    for _ in range(2):
        began = time.process_time()
        read(text)
        took.append(time.process_time() - began)
    return min(took)


@pytest.mark.parametrize(
    ("read", "pieces"), [(dates, REPEATED), (parts, REPEATED), (facts, (*REPEATED, *MARKS))]
)
def test_no_text_costs_more_than_its_length(read: Callable[[str], None], pieces: Sequence[str]) -> None:
    for piece in pieces:
        short = (piece * 400)[:400]
        longer = piece * (400 * FACTOR // len(piece))
        little, much = cost(read, short), cost(read, longer)
        assert much < 0.02 or much < little * FACTOR**2 / 2, (piece, little, much)
