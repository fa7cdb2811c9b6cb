"""Slots that hold many values at once: what is liked, eaten, owned, known, and what is coming up."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory.statements.lexicon import Token
from memory.statements.slots import Slot

_ALLERGY = re.compile(
    r"对(?P<v>[^,，。]{1,10}?)过敏|\ballergic to (?P<w>[a-z ]+?)(?=$|[,.;]| and\b)|\b(?P<x>[a-z]+) allergy\b|アレルギー"
)
_SKILL = re.compile(
    r"(?<!不)(?:会|懂得?|擅长|精通|学会|在学|正在学|学)(?:弹|拉|吹|打|说|讲|写|做|唱|跳)?(?P<v>[^\s,，。]{1,8})"
    r"|\b(?:plays?|speaks?|can (?:play|speak)|learning|knows how to|good at|fluent in) (?:the )?(?P<w>[a-z ]+)"
)
_PET = re.compile(r"养|饲养|家里有|有(?:一|\d)?只|\bhas (?:an? |two |\d )|\bowns?\b|\badopted\b|饲っ")
_ATTITUDE_OBJECT = re.compile(
    r"(?:喜欢|讨厌|热爱|喜爱|迷上|爱上|厌恶|受不了|爱|怕|害怕|恨)(?:了|上|看|听|玩|去|做|打)?(?P<v>[^\s,，。]{1,12})"
    r"|\b(?:love|like|enjoy|hate|dislike|prefer|adore)s? (?:to )?(?P<w>[a-z][a-z ]{1,30}?)(?=$|[,.;]| and\b| but\b| because\b)"
)
_CONSUME = re.compile(r"吃|喝|点|碰|\beats?\b|\bdrinks?\b|食べ|飲み|烘焙|口感|味道")
_EVENT = re.compile(
    r"(?P<v>期末考|期中考|考试|面试|口试|牙医|看诊|手术|婚礼|结婚|演唱会|聚餐|聚会|会议|开会|出差|旅行|旅游|搬家|报告|比赛|马拉松|约会|毕业典礼|回诊|健检|健康检查|看电影|展览|生日派对|截止|交稿|交作业)"
    r"|\b(?P<w>final exam|finals|midterm|exam|interview|dentist|surgery|wedding|concert|meeting|business trip|trip|appointment|presentation|marathon|party|flight|deadline|checkup|date night|graduation)s?\b"
)


def multi_slot(said: str, tokens: Sequence[Token], polarity: int) -> Slot | None:
    """Return the many-valued slot of the words after the subject, its value in the key."""
    if match := _ALLERGY.search(said):
        value = next((g for g in match.groups() if g), "")
        return _keyed("allergy", value.strip(), tokens)
    things = {token.kind: token.key for token in reversed(tokens) if token.kind and token.key}
    if "animal" in things and _PET.search(said):
        return Slot(f"pet:{things['animal']}", things["animal"] or "")
    for kind in ("food", "drink"):
        if kind in things and (polarity or _CONSUME.search(said)):
            return Slot(f"{kind}:{things[kind]}", things[kind] or "")
    if polarity and (match := _ATTITUDE_OBJECT.search(said)):
        return _keyed("like", (match["v"] or match["w"]).strip(), tokens)
    for kind in ("instrument", "language"):
        if kind in things and _SKILL.search(said):
            return Slot(f"skill:{things[kind]}", things[kind] or "")
    return None


def event_slot(said: str) -> Slot | None:
    """Return ``event:<topic>`` for something on the calendar."""
    match = _EVENT.search(said)
    topic = (match["v"] or match["w"]) if match else None
    return Slot(f"event:{topic}", topic) if topic else None


def _keyed(prefix: str, value: str, tokens: Sequence[Token]) -> Slot | None:
    inside = [
        t.key
        for t in tokens
        if t.key and t.kind and t.surface in value and t.kind not in {"like", "dislike", "negation", "verb"}
    ]
    key = inside[0] if inside and len(inside[0]) >= len(value) - 2 else value
    return Slot(f"{prefix}:{key}", key) if key else None
