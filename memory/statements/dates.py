"""The dates and numbers a sentence mentions, as comparable keys. Grounding them is not done here."""

from __future__ import annotations

import re

from memory.statements.lexicon import lexicon
from memory.statements.structure import Quantity
from memory.statements.values import MONTHS, month_day, with_digits

_WEEKDAYS = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6}
_EN_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_RELATIVE = (
    ("day:-2", r"前天|\bday before yesterday\b|一昨日"),
    ("day:-1", r"昨天|昨日|昨晚|\byesterday\b|\blast night\b"),
    ("day:0", r"今天|今日|今晚|今早|\btoday\b|\btonight\b"),
    ("day:2", r"后天|\bday after tomorrow\b|明後日"),
    ("day:1", r"明天|明日|明晚|明早|(?<!after )\btomorrow\b"),
    (
        "week:-1",
        r"上(?:个)?(?:周|星期|礼拜)|\blast (?:week|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b|先週",
    ),
    (
        "week:1",
        r"下(?:个)?(?:周|星期|礼拜)|\bnext (?:week|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b|来週",
    ),
    ("week:0", r"(?:这|本)(?:个)?(?:周|星期|礼拜)|\bthis week\b|今週"),
    ("month:-1", r"上(?:个)?月|\blast month\b|先月"),
    ("month:1", r"下(?:个)?月|\bnext month\b|来月"),
    ("month:0", r"(?:这|本)(?:个)?月|\bthis month\b|今月"),
    ("year:-1", r"去年|\blast year\b"),
    ("year:-2", r"前年|大前年"),
    ("year:2", r"后年"),
    ("year:1", r"明年|\bnext year\b|来年"),
    ("year:0", r"今年|\bthis year\b"),
    ("weekend", r"周末|假日|\bweekends?\b|週末"),
    ("weekday", r"工作日|平日|上班日|\bweekdays?\b"),
    ("part:morning", r"早上|上午|清晨|\bmorning\b|朝"),
    ("part:noon", r"中午|\bnoon\b"),
    ("part:afternoon", r"下午|\bafternoon\b"),
    ("part:evening", r"晚上|傍晚|夜里|\bevening\b|\bnight\b"),
    ("holiday:newyear", r"跨年|元旦|\bnew year"),
    ("holiday:lunar", r"过年|春节|农历年|\blunar new year\b|\bchinese new year\b"),
    ("holiday:christmas", r"圣诞|\bchristmas\b"),
)
_COMPILED = tuple((key, re.compile(pattern)) for key, pattern in _RELATIVE)
_WEEKDAY = re.compile(r"(?:周|星期|礼拜|拜)([一二三四五六日天])")
_MONTH_ONLY = re.compile(r"(?<!\d)(\d{1,2})月(?!\d)(?!底|初|中)")
_DAY_OF_MONTH = re.compile(r"(?<![\d月/.第穿])(\d{1,2})[号日](?!楼|线|店|机)")
_EN_MONTH = re.compile(
    r"\b(?:in|to|until|this|next|by|for|since|on|early|late|mid)[ -](" + "|".join(MONTHS) + r")\b"
)
_NUMBER = re.compile(
    r"(?<![\d:/\-.])(\d+(?:\.\d+)?)\s*(公斤|公分|公里|分钟|小时|星期|年级|kg|cm|km|km|%|[一-鿿]|[a-z]+)?"
)
_PLAIN_COUNTERS = frozenset("个只隻名位张条本件")
_CLOCK = re.compile(r"(\d{1,2})(?:点|:)(\d{2}|半)?分?|\b(\d{1,2}) ?(am|pm)\b")


def dates_in(said: str) -> frozenset[str]:
    """Return keys such as ``md:09-06``, ``wd:1``, ``day:1``, ``month:1``, ``m:6``, ``at:22``."""
    said = with_digits(said)
    found = {key for key, pattern in _COMPILED if pattern.search(said)}
    if day := month_day(said):
        found.add(f"md:{day[1]:02d}-{day[2]:02d}")
        found -= {"holiday:christmas"}
        if day[0]:
            found.add(f"y:{day[0]}")
    else:
        found.update(f"m:{m}" for m in map(int, _MONTH_ONLY.findall(said)) if 1 <= m <= 12)
        found.update(f"m:{MONTHS[name]}" for name in _EN_MONTH.findall(said))
    if not day:
        found.update(f"dom:{d}" for d in _DAY_OF_MONTH.findall(said))
    found.update(f"wd:{_WEEKDAYS[c]}" for c in _WEEKDAY.findall(said))
    found.update(f"wd:{i}" for i, name in enumerate(_EN_DAYS) if re.search(rf"\b{name}s?\b", said))
    for hour, minute, en_hour, _noon in _CLOCK.findall(said):
        value = int(en_hour or hour) % 12
        late = {"半": "30", "00": ""}.get(minute, minute)
        found.add(f"at:{value}" + (f":{late}" if late else ""))
    return frozenset(found)


def _unit(written: str) -> str:
    """Return what is counted: a measure, a known animal, person or vehicle, or nothing special."""
    unit = {"kg": "公斤", "cm": "公分", "km": "公里"}.get(written, written)
    known = lexicon().concept(unit) if unit else None
    if known and known[0] in {"animal", "kin", "vehicle"}:
        return known[1]
    return "" if unit in _PLAIN_COUNTERS or (known and known[0] == "function") else unit


def numbers_in(said: str) -> tuple[Quantity, ...]:
    """Return the numbers that are no part of a date or a clock time, with what they count."""
    said = with_digits(said)
    said = re.sub(
        r"\d{4}\s*[-/.年]\s*\d{1,2}\s*[-/.月]\s*\d{1,2}[日号]?|\d{1,2}/\d{1,2}(?:/\d{4})?", " ", said
    )
    said = re.sub(
        r"\d{1,2}月(?:\d{1,2}[日号]?)?|(?:"
        + "|".join(MONTHS)
        + r")\.? \d{1,2}(?:st|nd|rd|th)?(?:, ?\d{4})?\b",
        " ",
        said,
    )
    said = re.sub(r"\d{1,2}[号日]|\b(?:19|20)\d\d\b年?", " ", said)
    said = _CLOCK.sub(" ", said)
    found = []
    for value, written in _NUMBER.findall(said):
        unit = _unit(written)
        if float(value) == 1 and unit in {"天", "下", "次", "点"}:
            continue
        found.append(Quantity(float(value), unit))
    return tuple(found)
