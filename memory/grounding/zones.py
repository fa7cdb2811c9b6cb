"""Another place's clock named beside a time: 日本時間晚上八點, 9 am PST, 20:00 UTC+1."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from zoneinfo import ZoneInfo

_TAIPEI, _SHANGHAI, _TOKYO, _SEOUL = "Asia/Taipei", "Asia/Shanghai", "Asia/Tokyo", "Asia/Seoul"
_EAST, _CENTRAL, _MOUNTAIN, _WEST = (
    "America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles",
)  # fmt: skip
_LONDON, _PARIS, _BERLIN, _SYDNEY = "Europe/London", "Europe/Paris", "Europe/Berlin", "Australia/Sydney"

_PLACES: dict[str, tuple[str, ...]] = {
    "台湾": (_TAIPEI,), "台北": (_TAIPEI,), "中原标准": (_TAIPEI,), "北京": (_SHANGHAI,),
    "上海": (_SHANGHAI,),
    "中国": (_SHANGHAI,), "大陆": (_SHANGHAI,), "香港": ("Asia/Hong_Kong",), "澳门": ("Asia/Macau",),
    "日本": (_TOKYO,), "东京": (_TOKYO,), "韩国": (_SEOUL,), "首尔": (_SEOUL,),
    "新加坡": ("Asia/Singapore",), "马来西亚": ("Asia/Kuala_Lumpur",), "泰国": ("Asia/Bangkok",),
    "曼谷": ("Asia/Bangkok",), "越南": ("Asia/Ho_Chi_Minh",), "菲律宾": ("Asia/Manila",),
    "印度": ("Asia/Kolkata",), "杜拜": ("Asia/Dubai",), "迪拜": ("Asia/Dubai",), "英国": (_LONDON,),
    "伦敦": (_LONDON,), "法国": (_PARIS,), "巴黎": (_PARIS,), "德国": (_BERLIN,), "柏林": (_BERLIN,),
    "荷兰": ("Europe/Amsterdam",), "义大利": ("Europe/Rome",), "意大利": ("Europe/Rome",),
    "西班牙": ("Europe/Madrid",), "中欧": (_PARIS,), "纽约": (_EAST,), "波士顿": (_EAST,), "美东": (_EAST,),
    "多伦多": ("America/Toronto",), "芝加哥": (_CENTRAL,), "美中": (_CENTRAL,), "美西": (_WEST,),
    "洛杉矶": (_WEST,), "旧金山": (_WEST,), "西雅图": (_WEST,), "太平洋": (_WEST,),
    "温哥华": ("America/Vancouver",), "夏威夷": ("Pacific/Honolulu",), "雪梨": (_SYDNEY,), "悉尼": (_SYDNEY,),
    "墨尔本": ("Australia/Melbourne",), "澳洲": (_SYDNEY, "Australia/Perth"),
    "纽西兰": ("Pacific/Auckland",), "新西兰": ("Pacific/Auckland",), "美国": (_EAST, _WEST),
    "加拿大": ("America/Toronto", "America/Vancouver"), "格林威治": ("UTC",), "世界": ("UTC",),
    "アメリカ": (_EAST, _WEST), "ニューヨーク": (_EAST,),
    "ロサンゼルス": (_WEST,), "ハワイ": ("Pacific/Honolulu",),
    "ロンドン": (_LONDON,), "イギリス": (_LONDON,), "パリ": (_PARIS,),
}  # fmt: skip
"""Places in folded text before 時間; a country of several clocks has more than one."""
_PLACES_EN: dict[str, tuple[str, ...]] = {
    "pacific": (_WEST,), "eastern": (_EAST,), "central": (_CENTRAL,), "mountain": (_MOUNTAIN,),
    "new york": (_EAST,), "la": (_WEST,), "california": (_WEST,), "seattle": (_WEST,), "london": (_LONDON,),
    "uk": (_LONDON,), "paris": (_PARIS,), "berlin": (_BERLIN,), "tokyo": (_TOKYO,), "japan": (_TOKYO,),
    "korea": (_SEOUL,), "korean": (_SEOUL,), "taiwan": (_TAIPEI,), "taipei": (_TAIPEI,),
    "beijing": (_SHANGHAI,), "china": (_SHANGHAI,), "hong kong": ("Asia/Hong_Kong",),
    "singapore": ("Asia/Singapore",), "india": ("Asia/Kolkata",), "sydney": (_SYDNEY,),
    "us": (_EAST, _WEST),
}  # fmt: skip
_LETTERS: dict[str, tuple[str, ...]] = {
    "utc": ("UTC",), "gmt": ("UTC",), "est": (_EAST,), "edt": (_EAST,), "et": (_EAST,), "cst": (_CENTRAL,),
    "cdt": (_CENTRAL,), "mst": (_MOUNTAIN,), "mdt": (_MOUNTAIN,), "pst": (_WEST,), "pdt": (_WEST,),
    "pt": (_WEST,), "bst": (_LONDON,), "cet": (_PARIS,), "cest": (_PARIS,), "jst": (_TOKYO,),
    "kst": (_SEOUL,), "hkt": ("Asia/Hong_Kong",), "sgt": ("Asia/Singapore",), "ist": ("Asia/Kolkata",),
    "aest": (_SYDNEY,), "aedt": (_SYDNEY,), "nzst": ("Pacific/Auckland",),
}  # fmt: skip
_CHINA_STANDARD = {_TAIPEI, _SHANGHAI, "Asia/Hong_Kong", "Asia/Macau"}
"""Where CST is the own clock, not Chicago's."""
_REACH = 3
"""How many characters may stand between a time and the clock it is told by."""


@dataclass(frozen=True, slots=True)
class Clockwork:
    """The clocks a text names between two offsets, likeliest first."""

    start: int
    end: int
    zones: tuple[str, ...]


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    def names(table: dict[str, tuple[str, ...]]) -> str:
        return "|".join(sorted(table, key=len, reverse=True))

    return re.compile(
        rf"\(?(?:用|以|是)?(?P<place>{names(_PLACES)})(?:的|当地|标准)?(?:时间|时区)(?:的话)?(?:是|的|では?|に)?\)?"
        rf"|(?<![a-z])(?P<place_en>{names(_PLACES_EN)})(?: standard| daylight)? time\b"
        rf"|(?<=[\dm时点分半.])\s?\(?(?P<letters>{names(_LETTERS)})(?![a-z'])"
        r"(?:\s?(?P<offset>[+-]\d{1,2})(?::00)?(?!\d))?\)?"
    )


@lru_cache(maxsize=1)
def _hint() -> re.Pattern[str]:
    return re.compile(rf"时[间区]|[a-z] time\b|[\dm时点分半.]\s?\(?(?:{'|'.join(_LETTERS)})(?![a-z'])")


def clocks_named(folded: str, own: str) -> tuple[Clockwork, ...]:
    """Return the clocks a folded text names; ``own`` is the person's zone."""
    found: list[Clockwork] = []
    if _hint().search(folded) is None:
        return ()
    for match in _pattern().finditer(folded):
        zones = _PLACES.get(match["place"] or "") or _PLACES_EN.get(match["place_en"] or "")
        if zones is None:
            zones = _by_letters(match["letters"], match["offset"], own)
        if zones is not None:
            found.append(Clockwork(match.start(), match.end(), zones))
    return tuple(found)


def _by_letters(letters: str, offset: str | None, own: str) -> tuple[str, ...] | None:
    if offset is not None:
        hours = int(offset)
        known = letters in {"utc", "gmt"} and -12 <= hours <= 14
        return (f"Etc/GMT{-hours:+d}" if hours else "UTC",) if known else None
    return (own,) if letters == "cst" and own in _CHINA_STANDARD else _LETTERS[letters]


def without_clocks(folded: str, clocks: Sequence[Clockwork]) -> str:
    """Return the text with the named clocks blanked out, as long as before."""
    for item in clocks:
        folded = folded[: item.start] + " " * (item.end - item.start) + folded[item.end :]
    return folded


def clock_beside(folded: str, clocks: Sequence[Clockwork], start: int, end: int) -> Clockwork | None:
    """Return the clock named within an expression or beside it with no word between, or None."""
    for item in clocks:
        between = folded[item.end : start] if item.end <= start else folded[end : item.start]
        if len(between) <= _REACH and not any(character.isalnum() for character in between.replace("的", "")):
            return item
    return None


@lru_cache(maxsize=64)
def zone_of(name: str) -> ZoneInfo:
    """Return a zone by name."""
    return ZoneInfo(name)
