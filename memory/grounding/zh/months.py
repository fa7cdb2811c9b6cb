"""Months, years, their parts and the seasons in Chinese."""

from __future__ import annotations

from memory.grounding.festival_names import alternatives
from memory.grounding.frame import Frame, Part
from memory.grounding.lexicon import Groups, Rule, date_frame, vague
from memory.grounding.zh.words import PARTS, SEASONS, YEARS, N, number, relative_of


def _year_number(text: str | None) -> int | None:
    return None if text is None else number(text)


def _month_day(g: Groups) -> Frame | None:
    return date_frame(number(g["m"]), number(g["d"]))


RULES: tuple[Rule, ...] = (
    Rule(
        "part_of_month",
        r"(?<![\d一二三四五六七八九十个])月(?P<p>初|中(?![旬])|底|末|尾|头|上旬|中旬|下旬)",
        lambda g: Frame(season="month", part=PARTS[g["p"] or ""]),
    ),
    Rule(
        "part_of_month_alone",
        r"(?P<p>上旬|中旬|下旬|初(?=[。,，要会去有]))",
        lambda g: Frame(part=PARTS[g["p"] or ""]),
    ),
    Rule(
        "month_relative",
        r"(?P<rel>上+|下+|这|(?<![原基根日书剧])本|今)一?个?月份?(?:的?月(?=[初中底末]))?(?P<p>初|中旬?|底|末|尾|上旬|下旬|头)?(?![饼亮])",
        lambda g: Frame(month_rel=relative_of(g["rel"]), part=PARTS.get(g["p"] or "")),
    ),
    Rule(
        "month",
        r"(?<![\d个近仨半])(?P<m>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])\s?月份?月?"
        r"(?P<p>初(?![一二三四五六七八九十])|中旬?|底|末|尾|上旬|下旬)?(?!饼|亮|球)",
        lambda g: Frame(month=number(g["m"]), part=PARTS.get(g["p"] or "")),
    ),
    Rule(
        "month_day",
        r"(?<![\d个近仨半])(?P<m>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])\s?月\s?"
        rf"(?:的)?(?P<d>{N})\s?(?:日|号|(?![\d个天分月年元块次人点位条岁台%:：多]))",
        _month_day,
    ),
    Rule(
        "day_of_month",
        r"(?<![\d第征罗舟a-z.:/+百千零〇一二三四五六七八九十-])(?P<d>[0-3]?\d|"
        r"[一二三]?十[一二三四五六七八九]?|廿[一二三四五六七八九]?|卅一?|"
        r"[一二三四五六七八九])\s?"
        r"(?:号(?![线楼店桌房门机球选车馆厅床出码称召文公院闸教月台]|公路)|(?<=\d)日"
        r"(?![本文语元圆子常游夜内后前报历志币]))",
        lambda g: date_frame(None, number(g["d"])),
    ),
    Rule(
        "day_of_month_head",
        r"(?<![\d第a-z.:/])(?P<d>[0-3]?\d|[一二三]?十[一二三四五六七八九]?|"
        rf"[一二三四五六七八九])(?=\s*[到至~〜–-]\s*(?:{N})[号日])",
        lambda g: date_frame(None, number(g["d"])),
    ),
    Rule(
        "month_day_head",
        rf"(?<![\d个近仨半])(?P<m>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月(?P<d>{N})"
        rf"(?=\s*[到至~〜–-]\s*(?:{N})[号日])",
        _month_day,
    ),
    Rule(
        "year",
        r"(?<![\d.])(?P<y>[12]\d{3}|[一二][零〇一二三四五六七八九]{3})\s?年(?![级代])"
        r"(?P<p>初(?!一)|底|末|中)?",
        lambda g: Frame(year=_year_number(g["y"]), part=PARTS.get(g["p"] or "")),
    ),
    Rule(
        "year_unclear",
        rf"(?<!\d)(?:\d{{2}}|[一二三四五六七八九零〇]{{2}})年(?:{N}月(?:份|底|初|中)?(?:{N}"
        r"[日号])?|底|初)",
        vague,
    ),
    Rule(
        "year_minguo",
        rf"民国(?P<y>{N})年(?P<p>初(?!一)|底|末|中)?",
        lambda g: (
            Frame(
                year=(n + 1911) if (n := number(g["y"])) is not None and 0 < n < 300 else None,
                part=PARTS.get(g["p"] or ""),
            )
            if number(g["y"])
            else None
        ),
    ),
    Rule(
        "year_minguo_bare",
        r"(?<!\d)(?P<y>1[0-3]\d|一[〇零一二三][〇零一二三四五六七八九]|"
        r"一百[一二三]?十?[一二三四五六七八九]?)年(?=\s?(?:1[0-2]|0?[1-9]|十[一二]?|"
        r"[一二三四五六七八九])月)",
        lambda g: Frame(year=1911 + (number(g["y"]) or 0)),
    ),
    Rule(
        "year_relative",
        rf"(?P<y>{alternatives(YEARS)})(?P<p>初(?!一)|底|末|中(?!秋)|年初|年底|年中(?!秋)|"
        r"上半年|下半年)?(?![级])",
        lambda g: Frame(
            year_rel=YEARS[g["y"] or ""],
            part=Part.FIRST_HALF
            if (g["p"] or "")[:2] == "上半"
            else Part.SECOND_HALF
            if (g["p"] or "")[:2] == "下半"
            else PARTS.get((g["p"] or "")[-1:]),
        ),
    ),
    Rule(
        "part_of_year",
        r"(?<![今明去前后年一二两三四五六七八九十几多少\d])年(?P<p>初(?!一)|底|终(?!奖)|尾"
        r"(?!牙)|末)",
        lambda g: Frame(year_rel=None, part=PARTS.get(g["p"] or "", Part.LATE), recur=None, season="year"),
    ),
    Rule(
        "half_year",
        r"(?P<p>上半年|下半年)",
        lambda g: Frame(
            part=Part.FIRST_HALF if (g["p"] or "")[0] == "上" else Part.SECOND_HALF, season="year"
        ),
    ),
    Rule(
        "quarter", r"第(?P<q>[一二三四1-4])季度?(?![的]?(?:赛|第))", lambda g: Frame(quarter=number(g["q"]))
    ),
    Rule(
        "season",
        r"(?P<s>[春夏秋冬])(?:天(?!的)|天(?=的时候)|季(?!限|节))(?P<p>初|末)?",
        lambda g: Frame(season=SEASONS[g["s"] or ""]),
    ),
    Rule(
        "season_of_year",
        r"(?P<y>今|明|去|前|后)(?:年)?(?P<s>[春夏秋冬])(?:天|季)?(?![装])",
        lambda g: Frame(year_rel=YEARS[f"{g['y']}年"], season=SEASONS[g["s"] or ""]),
    ),
)
