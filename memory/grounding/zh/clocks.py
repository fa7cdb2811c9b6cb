"""Times of day in Chinese: 三點半, 差五分七點."""

from __future__ import annotations

from memory.grounding.frame import Frame
from memory.grounding.lexicon import Groups, Rule, clock
from memory.grounding.zh.words import MEASURE, MINUTES, NOT_POINTS, ONE_AHEAD, number


def _clock(g: Groups) -> Frame | None:
    hour, minute = number(g["h"]), 0
    if hour is None:
        return None
    if g["half"]:
        minute = 30
    elif g["quarter"]:
        minute = 15 * (number(g["quarter"]) or 0)
    elif g["m"]:
        said = number(g["m"])
        minute = 60 if said is None else said
    if g.get("lq") or g.get("lm"):
        hour, minute = hour - 1, 60 - (15 * (number(g["lq"]) or 1) if g["lq"] else number(g["lm"]) or 0)
    if g["short"]:
        hour, minute = (hour - 1, 60 - (15 * (number(g["sq"]) or 1) if g["sq"] else number(g["sm"]) or 0))
    fixed = (g["h"] or "").startswith("0")
    return clock(hour, minute, fixed=fixed, loose=bool(g["loose"]))


RULES: tuple[Rule, ...] = (
    Rule(
        "oclock_pair",
        r"(?<![第\d])(?P<a>[一二两三四五六七八九十])(?P<b>[二三四五六七八九十]|十[一二])[点]"
        r"(?:钟|左右)?(?!半|多?个)",
        lambda g: clock(a, loose=True) if (a := number(g["a"])) and number(g["b"]) == a + 1 else None,
    ),
    Rule(
        "clock",
        r"(?<![第\d.:/+有])(?!一点(?![半钟整零过差多左]|[一三]刻|[二三四五]?十|[0-5]\d))(?:"
        rf"(?P<short>差)(?:(?P<sq>[一三])刻|(?P<sm>{MINUTES})分)(?:钟)?(?:到|就)?)?"
        r"(?P<h>2[0-9]|[01]?\d|二十[一二三四]?|十[一二三四五六七八九]?|"
        r"[零一二两三四五六七八九])"
        rf"(?:点(?!\d{{3}})(?!(?:[零一二三四五六七八九十百]|\d){{1,3}}{MEASURE})|时(?![候间代常尚光刻而段区差数期]))(?:钟|整)?"
        rf"(?:(?P<half>半)|(?:过)?(?P<quarter>[一二三1-3])刻(?:钟)?|(?P<m>{MINUTES})"
        r"(?![个人次元块天岁种刻]|十)分?(?:[0-5]?\d秒)?|差(?:(?P<lq>[一三])刻|"
        rf"(?P<lm>{MINUTES})分))?"
        rf"(?P<loose>左右|多|前后|上下)?{NOT_POINTS}",
        _clock,
    ),
    Rule(
        "clock_range_head",
        r"(?<![第\d.:/])(?P<h>2[0-4]|[01]?\d|二十[一二三四]?|十[一二]?|[一二两三四五六七八九])"
        r"(?P<half>)(?P<quarter>)(?P<m>)(?P<short>)(?P<sq>)(?P<sm>)(?P<loose>)"
        r"(?=\s*[到至~〜–-]\s*(?:下午|晚上|中午|凌晨)?(?:2[0-4]|1?\d|二?十[一二]?|"
        r"[一二两三四五六七八九])点)",
        _clock,
    ),
    Rule(
        "one_oclock",
        r"(?:(?<![有早晚快慢好多大小高低近远些轻久了吃喝给第十这那差百千万])|(?<=[今明昨前]"
        rf"[早晚]))一点{ONE_AHEAD}(?!都|也|点|儿)"
        r"|(?<=[上午晨夜里间天号日])一点(?![都也点儿]|不)|(?<=[期拜周][一二三四五六日天])"
        r"一点(?![都也点儿]|不)",
        lambda _: clock(1),
    ),
)
