"""Small builders the persona's tests share."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from llm.protocols import Turn
from memory.extraction.types import Change, Fact
from memory.model import Category, Kind, Memory, Phase, Precision, TemporalState
from memory.places import DM
from memory.reading import read_message
from memory.recollection import Reading, Recalled, Recollection
from persona.character import Character
from persona.library import load_character
from persona.situation import NOTHING, Beside, Situation

TAIPEI = ZoneInfo("Asia/Taipei")
NOW = datetime(2026, 9, 12, 21, 30, tzinfo=TAIPEI)


@lru_cache(maxsize=8)
def character(character_id: str = "lily") -> Character:
    return load_character(character_id)


def memory(text: str, category: Category, **fields: object) -> Memory:
    base: dict[str, object] = {
        "id": f"id-{text}",
        "user_id": "u",
        "persona_id": "lily",
        "places": ("dm",),
        "text": text,
        "category": category,
        "kind": Kind.VERSIONED,
        "created_at": NOW - timedelta(days=2),
        "zone": "Asia/Taipei",
    }
    return Memory.model_validate(base | fields)


def event(text: str, start: datetime, when_text: str | None = None, **fields: object) -> Memory:
    given: dict[str, object] = {
        "kind": Kind.EVENT,
        "valid_from": start,
        "valid_to": start + timedelta(days=1),
        "precision": Precision.DAY,
        "when_text": when_text,
    }
    return memory(text, Category.SCHEDULE, **(given | fields))


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=TAIPEI)


def recalled(one: Memory, now: datetime = NOW, told_now: Change | None = None) -> Recalled:
    phase = None
    if one.kind is Kind.EVENT and one.valid_from is not None and one.valid_to is not None:
        phase = (
            Phase.UPCOMING if now < one.valid_from else Phase.PAST if now >= one.valid_to else Phase.ONGOING
        )
    return Recalled(one, TemporalState.VALID, phase, 0.7, 0.9, 0.8, "", told_now)


def situation(
    text: str,
    *,
    now: datetime = NOW,
    language: str = "zh-TW",
    profile: Sequence[Memory] = (),
    memories: Sequence[Recalled] = (),
    due: Sequence[Recalled] = (),
    upcoming: Sequence[Recalled] = (),
    recent: Sequence[str] = (),
    told: Sequence[Fact] = (),
    turns: Sequence[Turn] = (),
    display_name: str | None = None,
    context: str = "",
    lore: Sequence[str] = (),
    read: bool = True,
    beside: Beside = NOTHING,
) -> Situation:
    zone = "Asia/Taipei"
    reading = read_message(text, now, zone) if read else Reading()
    recollection = Recollection(
        now,
        zone,
        language,
        DM,
        profile=tuple(profile),
        memories=tuple(memories),
        due=tuple(due),
        reading=reading,
        upcoming=tuple(upcoming),
    )
    return Situation(
        text=text,
        recollection=recollection,
        now=now,
        language=language,
        display_name=display_name,
        turns=tuple(turns),
        context=context,
        lore=tuple(lore),
        recent_replies=tuple(recent),
        told=tuple(told),
        beside=beside,
    )


PROFILE = (
    memory("使用者叫小明", Category.NAME, attribute="name"),
    memory("使用者討厭吃香菜", Category.PREFERENCE, attribute="food:香菜"),
    memory("使用者喜歡吃拉麵", Category.PREFERENCE),
    memory("使用者住在台北", Category.IDENTITY, attribute="home"),
    memory("使用者的生日是5月3日", Category.IDENTITY, attribute="birthday"),
    memory("使用者養了一隻叫麻糬的貓", Category.IDENTITY),
    memory("使用者在科技公司當工程師", Category.IDENTITY),
    memory("使用者對花生過敏", Category.IDENTITY),
    memory("使用者就讀成功大學", Category.IDENTITY),
    memory("使用者喜歡畫畫", Category.HOBBY),
    memory("使用者的媽媽討厭吃茄子", Category.PREFERENCE, subject="媽媽"),
)
EXAM = event("使用者下週二有期末考", day("2026-09-15"), "下週二")
