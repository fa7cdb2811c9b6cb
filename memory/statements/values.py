"""Numbers, dates and places as values that can be compared, whatever way they were written."""

from __future__ import annotations

import re

from memory.statements.lexicon import lexicon
from memory.text import fold

_DIGITS = {c: i for i, c in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2, "俩": 2}
_UNITS = (
    "年月日号岁个只台辆次点时分公斤块元层楼名位瓶杯级天周星礼小刻本张条件棵双口人度秒万千百半"
    "届成折场份趟种代倍罐包碗盒片颗首家堂门科顿餐排列根支"
)
_NUMERAL = re.compile(rf"(?<![周期拜曜大国高第万初])[〇零一二三四五六七八九十百千两俩]+(?=[{_UNITS}])")
_LARGE = re.compile(
    r"(?<![成几])[一二三四五六七八九两][十百千]*万[一二三四五六七八九十百千零]*|[一二三四五六七八九两]千[一二三四五六七八九十百零]*"
)
_NOT_NUMBERS = re.compile(
    r"一(?:点(?:都|也|儿|$)|些|起|样|直|定|般|下|边|面|旦|切|向|生(?!日)|共|半|时|度|路|年到头|天到晚)"
    r"|十分|万一|三明治|三星|四川|八卦|千万|五月天|百万|三不五时|七夕|九份|百货|百合|三重|六合|千层|九层塔|三层肉|三杯鸡|百页|一个人|一小时候"
)
_SUFFIX = re.compile(r"(?:特别行政区|直辖市|[市县省区乡镇村里])$")
_EN_NUMBERS = {
    "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
    "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12", "thirteen": "13",
    "fourteen": "14", "fifteen": "15", "sixteen": "16", "seventeen": "17", "eighteen": "18",
    "nineteen": "19", "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60",
    "seventy": "70",
}  # fmt: skip
_EN_NUMBER = re.compile(r"\b(" + "|".join(_EN_NUMBERS) + r")\b(?! (?:of|another|day\b))")
MONTHS = {
    name: month
    for month, names in enumerate(
        (
            ("january", "jan"), ("february", "feb"), ("march", "mar"), ("april", "apr"), ("may",),
            ("june", "jun"), ("july", "jul"), ("august", "aug"), ("september", "sept", "sep"),
            ("october", "oct"), ("november", "nov"), ("december", "dec"),
        ),
        start=1,
    )
    for name in names
}  # fmt: skip
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))


def arabic(numeral: str) -> int:
    """Return the value of a Chinese numeral below ten thousand (十二, 二百零五, 二〇二六)."""
    if not any(c in "十百千" for c in numeral):
        return int("".join(str(_DIGITS[c]) for c in numeral))
    total, digit = 0, 0
    for character in numeral:
        if character in _DIGITS:
            digit = _DIGITS[character]
        else:
            total += (digit or 1) * {"十": 10, "百": 100, "千": 1000}[character]
            digit = 0
    return total + digit


def _large(numeral: str) -> int:
    ten_thousands, found, rest = numeral.partition("万")
    if not found:
        return arabic(numeral)
    if len(rest) == 1 and rest in _DIGITS:  # 一万二 is 12,000
        return arabic(ten_thousands) * 10_000 + _DIGITS[rest] * 1_000
    return arabic(ten_thousands) * 10_000 + (arabic(rest) if rest else 0)


def with_digits(folded: str) -> str:
    """Write the numerals that stand before a unit as digits; idioms (一起, 三明治) stay."""
    kept = {m.span() for m in _NOT_NUMBERS.finditer(folded)}

    def replace(match: re.Match[str]) -> str:
        if any(start < match.end() and match.start() < end for start, end in kept):
            return match.group()
        return str(arabic(match.group()))

    folded = _LARGE.sub(lambda m: str(_large(m.group())), folded)
    folded = _NUMERAL.sub(replace, folded)
    return _EN_NUMBER.sub(lambda m: _EN_NUMBERS[m.group(1)], folded)


def month_day(text: str) -> tuple[int | None, int, int] | None:
    """Return (year or None, month, day) of the first calendar day in a text."""
    folded = with_digits(fold(text))
    if m := re.search(r"(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})", folded):
        return int(m[1]), int(m[2]), int(m[3])
    if m := re.search(r"(\d{1,2})/(\d{1,2})/(\d{4})", folded):
        return int(m[3]), int(m[1]), int(m[2])
    if m := re.search(r"(\d{1,2})\s*月\s*(\d{1,2})", folded) or re.search(
        r"(?<![\d/.])(\d{1,2})[/](\d{1,2})(?![\d/.])", folded
    ):
        return None, int(m[1]), int(m[2])
    if m := re.search(rf"\b({_MONTH})\.? (?:the )?(\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (\d{{4}}))?", folded):
        return (int(m[3]) if m[3] else None), MONTHS[m[1]], int(m[2])
    if m := re.search(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({_MONTH})\b(?:,? (\d{{4}}))?", folded):
        return (int(m[3]) if m[3] else None), MONTHS[m[2]], int(m[1])
    if re.search(r"\bchristmas day\b|圣诞节(?!前|后)", folded):
        year = re.search(r"\b(20\d\d)\b", folded)
        return (int(year[1]) if year else None), 12, 25
    return None


def place_parts(text: str) -> tuple[str, ...]:
    """Return the places a phrase names, coarse to fine as written, administrative endings off."""
    rest = fold(text)
    found: list[str] = []
    for token in lexicon().tokens(rest):
        if token.kind == "place" and token.key:
            found.append(token.key)
            rest = rest.replace(token.surface, "/", 1)
    for piece in re.split(r"[/,，、\s]+|(?<=[市县省区乡镇])(?=.)", rest):
        name = _SUFFIX.sub("", piece) if len(piece) > 2 else piece
        name = re.sub(r"(?:那边|这边|附近|一带|里|area)$", "", name).strip("的在 ")
        if name and name not in {"市", "县", "区", "in", "the", "city"}:
            found.append(name)
    return tuple(found)
