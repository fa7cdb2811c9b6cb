"""Months, years, their parts and the seasons in Chinese."""

from __future__ import annotations

from memory.grounding.festival_names import alternatives
from memory.grounding.frame import Frame, Part, Piece, Unit
from memory.grounding.lexicon import Groups, Rule, date_frame, vague
from memory.grounding.zh.words import PARTS, SEASONS, UNITS, YEARS, N, number, relative_of


def _year_number(text: str | None) -> int | None:
    return None if text is None else number(text)


def _month_day(g: Groups) -> Frame | None:
    return date_frame(number(g["m"]), number(g["d"]))


_CENTURIES = {
    "二十": 1900,
    "20": 1900,
    "上": 1900,
    "上个": 1900,
    "十九": 1800,
    "19": 1800,
    "本": 2000,
    "二十一": 2000,
    "21": 2000,
}


_STAGE = r"(?P<p>[初末中]期?|[早前]期|后期|晚期)?"


def _part(g: Groups) -> Part | None:
    """Read 初, 中, 末 and what else names an early, a middle or a late part."""
    said = (g["p"] or " ")[0]
    return PARTS.get({"早": "初", "前": "初", "后": "末", "晚": "末"}.get(said, said))


def _decade(g: Groups) -> Frame | None:
    if g["y"]:
        return Frame(decade=int(g["y"]), part=_part(g))
    if g["mg"]:
        return Frame(decade=1911 + (number(g["mg"]) or 0), part=_part(g))
    two = number(g["d"])
    if two is None:
        return None
    return Frame(decade=two + _CENTURIES[g["c"]] if g["c"] else two, part=_part(g))


def _piece(g: Groups) -> Frame | None:
    count, word = number(g["n"]), (g["u"] or "").removeprefix("个")
    if count is None or not 0 < count < 32:
        return None
    if word.startswith("季"):
        count, word = count * 3, "月"
    return Frame(piece=Piece(count, UNITS[word], last=bool(g["w"]) or g["w2"] == "后"))


RULES: tuple[Rule, ...] = (
    Rule(
        "part_of_month",
        r"(?<![\d一二三四五六七八九十个])月(?P<p>初|中(?![旬])|底|末|尾|头|上旬|中旬|下旬)",
        lambda g: Frame(season="month", part=PARTS[g["p"] or ""]),
    ),
    Rule(
        "part_of_month_alone",
        r"(?P<p>上旬|中旬|下旬)",
        lambda g: Frame(part=PARTS[g["p"] or ""]),
    ),
    Rule(
        "month_relative",
        r"(?P<rel>上{1,8}|下{1,8}|这|(?<![原基根日书剧])本|今)一?个?月份?(?:的?月(?=[初中底末]))?(?P<p>初|中旬?|底|末|尾|上旬|下旬|头)?(?![饼亮])",
        lambda g: Frame(month_rel=relative_of(g["rel"]), part=PARTS.get(g["p"] or "")),
    ),
    Rule(
        "month",
        r"(?:(?<![\d个近仨半])|(?<=整个))(?P<m>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])\s?月份?月?"
        r"(?P<p>初(?![一二三四五六七八九十])|中旬?|底|末|尾|上旬|下旬)?(?!饼|亮|球)",
        lambda g: Frame(month=number(g["m"]), part=PARTS.get(g["p"] or "")),
    ),
    Rule("no_such_month", rf"(?<![\d年])(?:1[3-9]|[2-9]\d)月{N}[日号]", vague),
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
        r"(?:号(?![线楼店桌房门机球选车馆厅床出码称召文公院闸教月台餐套仓库柜宿梯股胶电队]|公路)|(?<=\d)日"
        r"(?![本文语元圆子常游夜内后前报历志币]))",
        lambda g: date_frame(None, number(g["d"])),
    ),
    Rule(
        "day_of_month_bare",
        r"(?:(?<=[上下这]个月)|(?<=[上下本]月))(?P<d>[0-3]?\d)(?=开|要|就|交|考|出|回|去|到|放|发|领|截|是|有|,|，|。|$)",
        lambda g: date_frame(None, number(g["d"])),
    ),
    Rule(
        "day_of_month_tail",
        r"(?:(?<=[日号\d一二三四五六七八九十][到至])|(?<=[日号\d一二三四五六七八九十][~〜–-]))(?P<d>[一二三]?十[一二三四五六七八九]?|"
        r"[一二三四五六七八九]|廿[一二三四五六七八九]?)日",
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
        "year_short",
        r"(?<![\d零〇一二三四五六七八九.:/])(?:0(?P<y>\d)|[零〇](?P<y2>[一二三四五六七八九]))\s?年(?![级代次])(?P<p>初(?!一)|底|末|中)?",
        lambda g: Frame(year=2000 + (number(g["y"] or g["y2"]) or 0), part=PARTS.get(g["p"] or "")),
    ),
    Rule(
        "minguo_slashed",
        r"(?<![\d/.:$])(?P<y>1[0-3]\d)/(?P<m>1[0-2]|0?[1-9])/(?P<d>3[01]|[12]\d|0?[1-9])(?![\d/])",
        lambda g: date_frame(number(g["m"]), number(g["d"]), 1911 + (number(g["y"]) or 0)),
    ),
    Rule(
        "year_unclear",
        rf"(?<!\d)(?:[1-9]\d|[一二三四五六七八九][一二三四五六七八九零〇])年(?:{N}月(?:份|底|初|中)?(?:{N}"
        r"[日号])?|底|初)",
        vague,
    ),
    Rule(
        "year_minguo",
        rf"民国(?P<y>{N})年(?!代)(?P<p>初(?!一)|底|末|中)?",
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
        "quarter",
        r"(?:第(?P<q>[一二三四1-4])季度?(?![的]?(?:赛|第))|(?<![\d一二两三四十前后头])(?P<q2>[一二三四1-4])季度|(?<=[年度])首季度?|首季度|"
        r"(?<![a-z\d])q(?P<q3>[1-4])(?:季度?)?(?![\d:.a-z]))(?P<p>[初末底])?",
        lambda g: Frame(quarter=number(g["q"] or g["q2"] or g["q3"] or "1"), part=_part(g)),
    ),
    Rule(
        "quarter_relative",
        r"(?P<rel>上{1,8}|下{1,8}|这|本|今)一?个?季(?:度|(?=[初末底]|的?(?:业绩|营收|财报|业务|考核|预算|报表|目标|奖金|绩效)))(?P<p>[初末底])?",
        lambda g: Frame(quarter_rel=relative_of(g["rel"]), part=_part(g)),
    ),
    Rule(
        "half_month",
        r"(?<![\d一二三四五六七八九十半])(?P<p>[上下])半个?月(?![后前])",
        lambda g: Frame(season="month", part=Part.FIRST_HALF if g["p"] == "上" else Part.SECOND_HALF),
    ),
    Rule(
        "half_of",
        r"(?:(?<=[月年])|(?<=[月年]的))(?P<p>[上下前后])半(?:个?[月年]|段(?!时间))",
        lambda g: Frame(part=Part.FIRST_HALF if g["p"] in {"上", "前"} else Part.SECOND_HALF),
    ),
    Rule(
        "piece",
        r"(?:(?:(?<=[月年季])|(?<=[月年季]的))(?P<w>最后)|(?<=[月年季]的)(?P<w2>[前头后])|(?<=[月年季])前)\s?(?P<n>[一二两三四五六七八九十]{1,3}|[1-9]\d?)\s?"
        r"(?P<u>[天日]|个?(?:周|星期|礼拜)|个月|个?季度?)(?![前后以之内])",
        _piece,
    ),
    Rule(
        "first_day_of",
        r"(?:(?<=[月年])|(?<=[月年]的))(?:第一|头一?)天(?!上|开|报|工作|营业|住|来|到|放|考|实习|训|比赛|的?(?:课|班|行程))",
        lambda _: Frame(piece=Piece(1, Unit.DAY, last=False)),
    ),
    Rule(
        "decade",
        r"(?:(?:(?P<c>二十|20|上个?|十九|19|本|二十一|21)世纪)?(?P<d>[2-9]0|[二三四五六七八九]十)"
        rf"|(?<!\d)(?P<y>(?:19|20)\d0)|民国(?P<mg>[二三四五六七八九]十|[2-9]0))年代{_STAGE}",
        _decade,
    ),
    Rule(
        "years_from",
        r"(?<=从)(?P<y>(?:19|20)\d\d)\s*[到至~〜–-]\s*(?P<y2>(?:19|20)\d\d)(?![\d年])",
        lambda g: (
            Frame(year=int(g["y"] or 0), year_last=int(g["y2"] or 0))
            if (g["y"] or "") < (g["y2"] or "")
            else None
        ),
    ),
    Rule(
        "years_head",
        r"(?<![\d.])(?P<y>(?:19|20)\d\d)(?=\s*[到至~〜–-]\s*(?:19|20)\d\d年)",
        lambda g: Frame(year=int(g["y"] or 0)),
    ),
    Rule(
        "year_spoken",
        r"两千(?P<t>[零〇][一二三四五六七八九]|一?十[一二三四五六七八九]?|二十[一二三四五六七八九]?|三十[一二三四五六七八九]?)年"
        r"(?![来以的多])|两千(?P<t2>)年(?=[一二三四五六七八九十\d]{1,2}月)",
        lambda g: Frame(year=2000 + (number((g["t"] or g["t2"] or "零").lstrip("零〇") or "零") or 0)),
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
