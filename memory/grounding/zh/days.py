"""Days, parts of the day, weeks and weekdays in Chinese."""

from __future__ import annotations

from memory.grounding.festival_names import alternatives
from memory.grounding.frame import Distance, Frame, Part, Unit
from memory.grounding.lexicon import Groups, Rule
from memory.grounding.zh.words import (
    DAYPART,
    DAYPARTS,
    DAYS,
    LAST_DAY,
    LONGEST_YEARS,
    PARTS,
    RELATIVE,
    UNITS,
    WEEK,
    WEEKDAY,
    YEARS,
    N,
    number,
    relative_of,
    weekday_of,
)

_ROUTINE = {
    "下班": "after_work", "放学": "after_school", "下课": "after_school", "午休": "noon", "午餐": "noon",
    "黎明": "dawn", "晚餐": "dusk", "宵夜": "late_night",
}  # fmt: skip
"""What one does every day tells the part of a day that is named beside it."""


def _many(g: Groups) -> Frame | None:
    """Read 週二四 as what repeats and 週五六 as a run of days; other heaps of numerals are none."""
    named = [weekday_of(day) or 0 for day in g["days"] or ""]
    if sorted(set(named)) != named:
        return None
    if named[-1] - named[0] != len(named) - 1:
        return Frame(recur="weekly", weekdays=tuple(named)) if g["rel"] is None else None
    week = None if g["rel"] is None else relative_of(g["rel"])
    return Frame(week_rel=week, weekday=named[0], weekday_last=named[-1])


def _today_elsewhere(g: Groups) -> Frame | None:
    """Read 去年的今天: today's date, as many years, months or weeks away as said."""
    if g["y"]:
        unit, count = Unit.YEAR, YEARS[g["y"]]
    else:
        unit, count = (Unit.MONTH if g["u"] == "月" else Unit.WEEK), relative_of(g["rel"])
    sign = 1 if count > 0 else -1
    return Frame(day_rel=0, anchored=Distance(abs(count), abs(count), unit, sign))


def _today_away(g: Groups) -> Frame | None:
    count, word = number(g["n"]), (g["u"] or "").removeprefix("个")
    if count is None or not 0 < count <= LONGEST_YEARS:
        return None
    return Frame(day_rel=0, anchored=Distance(count, count, UNITS[word], -1 if g["back"] else 1))


def _days_in_a_row(g: Groups) -> Frame | None:
    """Read 明後天 and 今明兩天 as the run of both days."""
    first, second = ("今明后".index(g[name] or "") for name in ("d", "two"))
    count = 3 if g["three"] else 2
    if second != first + 1 or (g["three"] and first):
        return None
    return Frame(day_rel=first, lasting=Distance(count, count, Unit.DAY, 1))


def _week(g: Groups) -> Frame | None:
    relative = relative_of(g["rel"])
    if g["day"]:
        return Frame(week_rel=relative, weekday=weekday_of(g["day"]), weekday_last=weekday_of(g["last"]))
    if g["end"]:
        return Frame(week_rel=relative, weekend=True)
    if g["work"]:
        return Frame(week_rel=relative, workdays=True)
    return Frame(week_rel=relative, part=PARTS.get(g["part"] or ""))


RULES: tuple[Rule, ...] = (
    Rule("day", alternatives(DAYS) + r"(?!性|养成)", lambda g: Frame(day_rel=DAYS[g["0"] or ""])),
    Rule(
        "today_elsewhere",
        rf"(?:(?P<y>去年|前年|明年|后年)|(?P<rel>上{{1,3}}|下{{1,3}})一?个?(?P<u>{WEEK}|月))的?(?:今天|今日)",
        _today_elsewhere,
    ),
    Rule(
        "today_away",
        rf"(?P<n>{N})(?P<u>年|个月|周|个?星期|个?礼拜)(?:(?P<back>之?前|以前)|(?:之|以)?后)的?(?:今天|今日)",
        _today_away,
    ),
    Rule(
        "days_in_a_row",
        r"(?P<d>今|明)(?P<two>明|后)(?P<three>后)?(?:(?:这?[两二三]?[天日])|这[两二三]天)(?![性])",
        _days_in_a_row,
    ),
    Rule("rest_of_day", r"今天(?:剩下的?|接下来的?)时间", lambda _: Frame(day_rel=0, remainder=1)),
    Rule(
        "day_part_short",
        r"(?P<d>今|明|昨|前|后|大后|大前)(?P<p>早上|晚上|早|晨|晚|夜|午)(?![餐饭安点年])",
        lambda g: Frame(
            day_rel=DAYS[f"{g['d']}天"],
            daypart={"早": "morning", "晨": "morning", "午": "noon"}.get((g["p"] or "")[0], "evening"),
        ),
    ),
    Rule("daypart", rf"(?P<p>{DAYPART})(?![茶好])", lambda g: Frame(daypart=DAYPARTS[g["p"] or ""])),
    Rule(
        "daypart_bare",
        r"(?P<p>下班|放学|下课|午休|午餐|晚餐|宵夜|黎明)(?:(?:之|以)?后(?![来的])|(?:时间|时候?|的时候)|(?<=午休|黎明))",
        lambda g: Frame(daypart=_ROUTINE[g["p"] or ""]),
    ),
    Rule(
        "daypart_behind_day",
        r"(?:(?<=[日号])|(?<=周[一二三四五六日天])|(?<=星期[一二三四五六日天])|(?<=礼拜[一二三四五六日天]))(?P<p>[早晚])"
        r"(?![餐饭安点年起睡了婚熟退场宴到早晚上间就已知说先])",
        lambda g: Frame(daypart=DAYPARTS[g["p"] or ""]),
    ),
    Rule(
        "week",
        rf"(?P<rel>{RELATIVE})[一1]?个?{WEEK}的?"
        r"(?:(?P<end>末|六[、,和跟]?(?:周|星期|礼拜)?[日天](?![本文语记历期程]))|"
        rf"(?P<day>{WEEKDAY}){LAST_DAY}|(?P<work>平日|工作日)|(?P<part>[初中底])(?![间学考]"
        r"))?(?![年])",
        _week,
    ),
    Rule(
        "half_week",
        r"(?P<half>[上下])半个?(?:周|星期|礼拜)(?![一二三四五六日天])",
        lambda g: Frame(week_rel=0, part=Part.FIRST_HALF if g["half"] == "上" else Part.SECOND_HALF),
    ),
    Rule(
        "weekend",
        rf"(?:(?P<rel>{RELATIVE})个?)?(?:周末|礼拜末)",
        lambda g: Frame(week_rel=relative_of(g["rel"]) if g["rel"] else None, weekend=True),
    ),
    Rule(
        "weekdays_many",
        rf"(?<![\d一二两三四五六七八九十几每])(?:(?P<rel>{RELATIVE})个?)?{WEEK}(?P<days>[一二三四五六日]{{2,6}})"
        r"(?![点號号月天个時时次楼年一二三四五六七八九十]|日)(?<!六日)",
        _many,
    ),
    Rule(
        "weekend_by_days",
        rf"(?<!每){WEEK}六[、,和跟]?(?:周|星期|礼拜)?[日天](?![本文语记历期程])",
        lambda g: Frame(weekend=True),
    ),
    Rule(
        "weekday",
        rf"(?<![\d一二两三四五六七八九十几每整双单半圆第四圣]){WEEK}(?P<day>{WEEKDAY}"
        rf"){LAST_DAY}",
        lambda g: Frame(weekday=weekday_of(g["day"]), weekday_last=weekday_of(g["last"])),
    ),
    Rule(
        "weekday_in_brackets",
        r"\((?:周|星期|礼拜)?(?P<day>[一二三四五六日])\)",
        lambda g: Frame(weekday=weekday_of(g["day"])),
    ),
    Rule(
        "nth_weekday",
        r"第(?P<n>[一二三四五1-5])个(?:周|星期|礼拜)(?P<day>[一二三四五六日天])",
        lambda g: Frame(nth=number(g["n"]), weekday=weekday_of(g["day"])),
    ),
    Rule(
        "nth_week_of_year",
        r"(?:(?<=年)|(?<=年的))第(?P<n>[一二三四五]?十?[一二三四五六七八九十]|[1-5]?\d)个?(?:周(?![一二三四五六日年])|星期(?![一二三四五六日天])|"
        r"礼拜(?![一二三四五六日天]))",
        lambda g: Frame(nth=number(g["n"]), whole_week=True),
    ),
    Rule(
        "last_week",
        r"(?<=[月份的年])最[后後]一?个?(?:周(?![一二三四五六日])|星期(?![一二三四五六日天])|礼拜(?![一二三四五六日天]))",
        lambda _: Frame(nth=-1, whole_week=True),
    ),
    Rule(
        "nth_week",
        r"(?<=[月份的])第(?P<n>[一二三四1-4])个?(?:周(?![一二三四五六日])|星期"
        r"(?![一二三四五六日天])|礼拜(?![一二三四五六日天]))",
        lambda g: Frame(nth=number(g["n"]), whole_week=True),
    ),
    Rule(
        "week_of",
        r"(?<=[日号节天旦夕秋午\d])(?:的)?(?:那|当)个?(?:周|礼拜|星期)(?![一二三四五六日天末])",
        lambda g: Frame(whole_week=True),
    ),
    Rule(
        "nth_weekend",
        r"(?:第(?P<n>[一二三四1-4])|(?P<last>最后一?))个?周末",
        lambda g: Frame(nth=-1 if g["last"] else number(g["n"]), weekend=True),
    ),
    Rule(
        "last_weekday",
        r"最后一?个(?:周|星期|礼拜)(?P<day>[一二三四五六日天])",
        lambda g: Frame(nth=-1, weekday=weekday_of(g["day"])),
    ),
)
