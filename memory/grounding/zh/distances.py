"""Distances and stretches from now in Chinese: 三天後, 最近一週."""

from __future__ import annotations

from memory.grounding.frame import Distance, Frame, Shape, Unit
from memory.grounding.lexicon import Build, Groups, Rule, vague
from memory.grounding.numerals import cjk_number, cjk_pair
from memory.grounding.zh.words import AFTER, LONGEST_YEARS, NOT_AGO, UNIT, UNITS, N, number


def _distance(g: Groups) -> Frame | None:
    count, unit_text, tail = g["n"] or "", (g["unit"] or "").strip(), g["dir"] or ""
    if g["half"]:
        pair: tuple[float, float] | None = (0.5, 0.5)
    else:
        loose, single = cjk_pair(count), cjk_number(count)
        pair = loose or (None if single is None else (float(single), float(single)))
    if pair is None:
        return None
    low, high = pair
    if "半" in unit_text or g["more"]:
        low, high = low + 0.5, high + 0.5
    word = unit_text.replace("个", "").replace("半", "")
    if word == "刻钟":
        low, high = low * 15, high * 15
    unit = UNITS[word]
    if unit is Unit.YEAR and (high > LONGEST_YEARS or count.startswith("0")):
        return None
    if unit is Unit.MONTH and "个" not in unit_text and not g["half"]:
        return None
    sign = -1 if "前" in tail else 1
    return Frame(distance=Distance(low, high, unit, sign))


def _window(shape: Shape, sign: int) -> Build:
    def build(g: Groups) -> Frame | None:
        count, unit_text = g["n"], (g["unit"] or "").strip()
        amount = 0.5 if count == "半" else number(count)
        if amount is None:
            return None
        if "半" in unit_text:
            amount += 0.5
        word = unit_text.replace("个", "").replace("半", "")
        if UNITS[word] is Unit.YEAR and amount > LONGEST_YEARS:
            return None
        if word == "刻钟":
            amount *= 15
        return Frame(distance=Distance(amount, amount, UNITS[word], sign, shape))

    return build


def _hours_minutes(g: Groups) -> Frame | None:
    hours, minutes = number(g["h"]), number(g["m"])
    if hours is None or minutes is None:
        return None
    amount = float(hours * 60 + minutes + (30 if g["hh"] else 0))
    return Frame(distance=Distance(amount, amount, Unit.MINUTE, -1 if g["back"] else 1))


def _anchored(g: Groups) -> Frame | None:
    frame = _distance({**g, "dir": g["way"]})
    return None if frame is None or frame.distance is None else Frame(anchored=frame.distance)


def _lasting(g: Groups) -> Frame | None:
    frame = _distance(g)
    return None if frame is None or frame.distance is None else Frame(lasting=frame.distance)


def _window_of(g: Groups) -> Frame | None:
    if g["w"] == "前":
        return Frame(vague=True)
    sign = 1 if g["w"] == "下" else -1
    return _window(Shape.NEXT if sign > 0 else Shape.LAST, sign)(g)


RULES: tuple[Rule, ...] = (
    Rule(
        "distance",
        rf"{NOT_AGO}(?:(?:再过|大?约|大概|差不多|过)?)(?P<half>半)?(?P<n>{N})?(?(half)"
        rf"(?:个)?|)(?P<unit>(?(half)(?:小时|钟头|天|年|月|分钟)|{UNIT}))"
        rf"(?P<more>半)?的?时?间?(?P<dir>{AFTER})",
        _distance,
    ),
    Rule(
        "distance_hours_minutes",
        rf"{NOT_AGO}(?P<h>{N})个?(?P<hh>半)?(?:小时|钟头)(?:又|零|加)?(?P<m>{N})分钟?"
        r"(?:之后|以后|后(?![面悔来])|(?P<back>之前|以前|前(?![面往])))",
        _hours_minutes,
    ),
    Rule(
        "distance_compound",
        rf"{N}(?:年|个?半?月|周|个?星期|个?礼拜|天|个?小时|个?钟头)(?:又|零|加|多)+(?:{N}|"
        rf"半)?{UNIT}?(?:{AFTER})|{N}(?:年|个月|周|天){N}{UNIT}(?:{AFTER})",
        vague,
    ),
    Rule(
        "distance_unknown",
        rf"(?:好几|数十|数|几十|几|上[百千]|[一二三四五六七八九]?十[几多])\s?{UNIT}"
        rf"(?:{AFTER})|{N}多{UNIT}(?:{AFTER})",
        vague,
    ),
    Rule(
        "distance_from_event",
        rf"(?<=[完束业院国赛国试术学假婚产])(?:[后的]|之后)?的?{N}{UNIT}(?:之后|以后|后"
        r"(?![面悔来])|之前|以前|前(?![面往]))",
        vague,
    ),
    Rule(
        "anchored",
        rf"(?<=[天日号节夕旦至明秋午五六一二三四末])的?(?P<way>前|后|之前|之后)(?P<n>{N})"
        rf"(?P<half>)(?P<unit>{UNIT})(?P<more>)(?![内里])",
        _anchored,
    ),
    Rule(
        "distance_passing",
        rf"(?:再过|再等)(?P<half>半)?个?(?P<n>{N})?(?P<unit>(?(half)(?:小时|钟头|天|年|月)|{UNIT}))"
        r"(?P<more>半)?(?P<dir>)",
        _distance,
    ),
    Rule(
        "distance_ahead",
        rf"(?:还有|还剩|再|过)(?P<half>半)?个?(?P<n>{N})?(?P<unit>(?(half)(?:小时|钟头|天|年|月)|{UNIT}))"
        r"(?P<more>半)?(?P<dir>)(?=就|要|才|会|再|考|是|放|开|截|到|睡|出[发门]|走|回|下[班课车]|上[班课车台]|起|吃|打给|结束|[,。!]|$)",
        _distance,
    ),
    Rule(
        "window_last",
        rf"(?:最近|过去|近)的?这?(?P<n>{N}|半)(?P<unit>{UNIT})(?:以来|来|内|里)?",
        _window(Shape.LAST, -1),
    ),
    Rule(
        "window_next",
        rf"(?:未来|接下来|往后|今后|接着)的?这?(?P<n>{N}|半)(?P<unit>{UNIT})(?:内|里|之内)?",
        _window(Shape.NEXT, 1),
    ),
    Rule(
        "window_within",
        rf"(?<!第)(?P<n>{N}|半)(?P<unit>{UNIT})(?:之内|以内|内(?![容心部衣]))",
        _window(Shape.WITHIN, 1),
    ),
    Rule(
        "lasting",
        rf"(?<=[天日号一二三四五六末节])(?:开始|起)(?:连续?|一连|连[放休请上]|放|休|请|出差|去)?(?:假)?(?P<n>{N})(?P<half>)(?P<unit>天|个?(?:周|星期|礼拜)|个月)"
        r"(?P<more>)(?P<dir>)(?![前后内])",
        _lasting,
    ),
    Rule(
        "window_of_weeks",
        r"(?<![天日号节夕旦至明秋午年月])(?P<w>上|下|前)(?P<n>[两二三四五六七八九十2-9])个?(?P<unit>周|星期|礼拜|个?月|天|"
        r"年)(?![前后以之初末底中])",
        _window_of,
    ),
)
