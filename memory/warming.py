"""Builds ahead the tables of the rules, which the first messages would wait for one after the other."""

from __future__ import annotations

from datetime import UTC, datetime

from memory import grounding
from memory.extraction.rules import extract_by_rules
from memory.extraction.types import ExtractionRequest
from memory.reading import read_message
from memory.relations.rules import decide
from memory.relations.types import Statement

_SAID = {
    "zh-TW": "我叫小明，下週三要去台北面試，我現在不吃牛肉了，考試延到週五，上次的面試上了",
    "en": "I'm Sam, I have an interview on Friday, I don't eat beef any more, the exam was moved to Monday",
    "ja": "私は花子です。金曜日に面接があります。牛肉はもう食べません。試験は月曜に延びました",
}
_HELD = (
    ("使用者喜歡吃牛肉火鍋", "使用者不吃牛肉了"),
    ("The user loves beef", "The user lives in Leeds now"),
    ("使用者住在台北", "使用者搬到高雄了"),
)
_WHEN = datetime(2026, 1, 1, 12, tzinfo=UTC)


def warm() -> None:
    """Read a sentence of each language by all rules: a second's work, for a thread while a house opens.

    Nothing is kept but the tables; who reads a message meanwhile builds what it needs itself.
    """
    grounding.warm()
    for language, said in _SAID.items():
        read_message(said, _WHEN, "Asia/Taipei")
        extract_by_rules(ExtractionRequest(text=said, said_at=_WHEN, zone="Asia/Taipei", language=language))
    for old, new in _HELD:
        decide(Statement(old), Statement(new))
