"""How Chinese says when: tables and rules over folded (Simplified) text."""

from __future__ import annotations

from memory.grounding.festival_names import FESTIVALS_ZH, alternatives
from memory.grounding.frame import Distance, Frame, Part, Shape, Unit
from memory.grounding.lexicon import Groups, Lexicon, Rule, blocked, clock, date_frame, vague
from memory.grounding.numerals import CJK_NUMBER, cjk_number, cjk_pair

DAYS = {
    "今天": 0, "今日": 0, "今儿": 0, "今儿个": 0, "本日": 0, "明天": 1, "明日": 1, "明儿": 1, "明儿个": 1,
    "后天": 2, "后日": 2, "大后天": 3, "大后日": 3, "大大后天": 4, "昨天": -1, "昨日": -1, "昨儿": -1, "前天": -2,
    "前日": -2, "大前天": -3, "大前日": -3, "大大前天": -4, "琴日": -1, "寻日": -1, "听日": 1,
}  # fmt: skip
DAYPARTS = {
    "凌晨": "small_hours", "清晨": "dawn", "一大早": "dawn", "大清早": "dawn", "一早": "dawn", "清早": "dawn",
    "早晨": "morning", "早上": "morning", "上午": "morning", "晨间": "morning", "早间": "morning", "中午": "noon",
    "正午": "noon", "午间": "noon", "下午": "afternoon", "午后": "afternoon", "傍晚": "dusk", "黄昏": "dusk",
    "晚上": "evening", "晚间": "evening", "夜晚": "evening", "夜里": "evening", "夜间": "evening",
    "入夜": "evening", "深夜": "late_night", "半夜": "midnight", "大半夜": "midnight", "三更半夜": "midnight",
    "午夜": "midnight", "子夜": "midnight", "早": "morning", "晚": "evening", "夜": "evening",
}  # fmt: skip
YEARS = {"今年": 0, "本年": 0, "明年": 1, "来年": 1, "后年": 2, "大后年": 3, "去年": -1, "上年": -1,
         "旧年": -1, "前年": -2, "大前年": -3}  # fmt: skip
SEASONS = {"春": "spring", "夏": "summer", "秋": "autumn", "冬": "winter"}
UNITS = {
    "秒": Unit.SECOND, "秒钟": Unit.SECOND, "分": Unit.MINUTE, "分钟": Unit.MINUTE, "刻钟": Unit.MINUTE,
    "小时": Unit.HOUR, "钟头": Unit.HOUR, "钟": Unit.HOUR, "天": Unit.DAY, "日": Unit.DAY, "工作天": Unit.WORKDAY,
    "工作日": Unit.WORKDAY, "周": Unit.WEEK, "星期": Unit.WEEK, "礼拜": Unit.WEEK, "月": Unit.MONTH,
    "年": Unit.YEAR, "周年": Unit.YEAR,
}  # fmt: skip
PARTS = {"初": Part.EARLY, "头": Part.EARLY, "上旬": Part.EARLY, "中": Part.MIDDLE, "中旬": Part.MIDDLE,
         "底": Part.LATE, "末": Part.LATE, "下旬": Part.LATE, "尾": Part.LATE}  # fmt: skip

_N = CJK_NUMBER
_RELATIVE = r"(?:上+|下+|这|本|今|此)"
_WEEK = r"(?:周|星期|礼拜)"
_WEEKDAY = (
    r"(?:一(?![起样直些共般定旦]|下(?!午)|个|年|岁|次|天)|二(?![手话胎战楼]|人世)|[三四五六](?![次个倍趟位])|"
    r"[日天](?![本文语记历期程]))"
)
_DAYPART = alternatives(name for name in DAYPARTS if len(name) > 1)
_UNIT = r"(?:秒钟?|分钟?|刻钟|个?半?(?:小时|钟头)|个钟|天|日|个?工作[天日]|周年?|个?(?:星期|礼拜)|个半?月|年)"
_AFTER = r"(?:之后|以后|过后|后(?![面悔来果台座门天勤])|之内再|之前|以前|前(?![面往提途男女任辈后天者]))"
_NOT_AGO = "(?<![第每整好])"
_FESTIVAL = alternatives(FESTIVALS_ZH)


def _relative(word: str | None) -> int:
    if not word or word[0] not in "上下":
        return 0
    return len(word) if word[0] == "下" else -len(word)


def _number(text: str | None) -> int | None:
    return None if text is None else cjk_number(text)


def _weekday(text: str | None) -> int | None:
    return None if text is None else 6 if text in "日天" else "一二三四五六".index(text)


def _year_number(text: str | None) -> int | None:
    return None if text is None else _number(text)


def _week(g: Groups) -> Frame | None:
    relative = _relative(g["rel"])
    if g["day"]:
        return Frame(week_rel=relative, weekday=_weekday(g["day"]))
    if g["end"]:
        return Frame(week_rel=relative, weekend=True)
    if g["work"]:
        return Frame(week_rel=relative, workdays=True)
    return Frame(week_rel=relative, part=PARTS.get(g["part"] or ""))


def _distance(g: Groups) -> Frame | None:
    count, unit_text, tail = g["n"] or "", g["unit"] or "", g["dir"] or ""
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
    if unit is Unit.MONTH and "个" not in unit_text and not g["half"]:
        return None
    sign = -1 if "前" in tail else 1
    return Frame(distance=Distance(low, high, unit, sign))


def _window(shape: Shape, sign: int):  # noqa: ANN202
    def build(g: Groups) -> Frame | None:
        count, unit_text = g["n"], g["unit"] or ""
        amount = 0.5 if count == "半" else _number(count)
        if amount is None:
            return None
        if "半" in unit_text:
            amount += 0.5
        word = unit_text.replace("个", "").replace("半", "")
        if word == "刻钟":
            amount *= 15
        return Frame(distance=Distance(amount, amount, UNITS[word], sign, shape))

    return build


def _clock(g: Groups) -> Frame | None:
    hour, minute = _number(g["h"]), 0
    if hour is None:
        return None
    if g["half"]:
        minute = 30
    elif g["quarter"]:
        minute = 15 * (_number(g["quarter"]) or 0)
    elif g["m"]:
        minute = _number(g["m"]) if _number(g["m"]) is not None else 60  # type: ignore[assignment]
    if g["short"]:
        hour, minute = (hour - 1, 60 - (15 * (_number(g["sq"]) or 1) if g["sq"] else _number(g["sm"]) or 0))
    return clock(hour, minute, loose=bool(g["loose"]))


def _month_day(g: Groups) -> Frame | None:
    return date_frame(_number(g["m"]), _number(g["d"]))


def _lunar(g: Groups) -> Frame | None:
    month_word, day_word = g["m"] or "", g["d"]
    month = {"正": 1, "腊": 12, "冬": 11}.get(month_word) or cjk_number(month_word)
    mday = None if day_word is None else cjk_number(day_word.removeprefix("初"))
    if month is None or not 1 <= month <= 12 or not (mday is None or 1 <= mday <= 30):
        return None
    return Frame(month=month, mday=mday, lunar=True, leap=True if g["leap"] else None)


def _recur_week(g: Groups) -> Frame | None:
    days = tuple(sorted({_weekday(day) or 0 for day in (g["days"] or "") if day in "一二三四五六日天"}))
    if len(days) == 1:
        return Frame(recur="weekly", weekday=days[0])
    return Frame(recur="weekly", weekdays=days or None, weekend=True if g["end"] else None)


_MINUTES = r"(?:[0-5]?\d|[零〇一二两三四五]?十[一二三四五六七八九]?|[零〇][一二三四五六七八九]|[一二三四五六七八九])"
_NOT_POINTS = (
    r"(?!建议|意见|理由|原因|想法|问题|不同|要求|疑问|感想|[好坏]处|心得|看法|结论|希望|补充|共识|说明|[好坏]|头[^上疼]|名[^单]|数|滴|"
    r"都|也|点|儿|了?不|东西|小|心|水|事|钱|用|吃|菜|优|缺|伤|像|可以注意|需要注意|注意|声明|关系)"
)
_ONE_AHEAD = r"(?=[半整钟零要就才到见开集出前后左之以会再睡考上下去回]|[0-5]|一刻|[。!?,，]|$)"

RULES: tuple[Rule, ...] = (
    Rule("day", alternatives(DAYS) + r"(?!性|养成)", lambda g: Frame(day_rel=DAYS[g["0"] or ""])),
    Rule(
        "day_part_short",
        r"(?P<d>今|明|昨|前|后|大后|大前)(?P<p>早上|晚上|早|晨|晚|夜|午)(?![餐饭安点年])",
        lambda g: Frame(
            day_rel=DAYS[f"{g['d']}天"],
            daypart={"早": "morning", "晨": "morning", "午": "noon"}.get((g["p"] or "")[0], "evening"),
        ),
    ),
    Rule("daypart", rf"(?P<p>{_DAYPART})(?![茶好])", lambda g: Frame(daypart=DAYPARTS[g["p"] or ""])),
    Rule(
        "week",
        rf"(?P<rel>{_RELATIVE})[一1]?个?{_WEEK}的?"
        rf"(?:(?P<day>{_WEEKDAY})|(?P<end>末)|(?P<work>平日|工作日)|(?P<part>[初中底])(?![间学考]))?(?![年])",
        _week,
    ),
    Rule(
        "weekend",
        rf"(?:(?P<rel>{_RELATIVE})个?)?(?:周末|礼拜末)",
        lambda g: Frame(week_rel=_relative(g["rel"]) if g["rel"] else None, weekend=True),
    ),
    Rule(
        "weekday",
        rf"(?<![\d一二两三四五六七八九十几每整双单半圆第四]){_WEEK}(?P<day>{_WEEKDAY})",
        lambda g: Frame(weekday=_weekday(g["day"])),
    ),
    Rule(
        "weekday_in_brackets",
        r"\((?:周|星期|礼拜)?(?P<day>[一二三四五六日])\)",
        lambda g: Frame(weekday=_weekday(g["day"])),
    ),
    Rule(
        "distance",
        rf"{_NOT_AGO}(?:(?:再过|大?约|大概|差不多|过)?)(?P<half>半)?(?P<n>{_N})?(?(half)(?:个)?|)(?P<unit>(?(half)(?:小时|钟头|天|年|月|分钟)|{_UNIT}))(?P<more>半)?的?时?间?(?P<dir>{_AFTER})",
        _distance,
    ),
    Rule(
        "distance_ahead",
        rf"(?:再过|再等|还有|还剩|过)(?P<half>半)?个?(?P<n>{_N})?(?P<unit>(?(half)(?:小时|钟头|天|年|月)|{_UNIT}))"
        r"(?P<more>半)?(?P<dir>)(?=就|要|才|会|再|考|是|放|开|截|到|，|,|。|!|$)",
        _distance,
    ),
    Rule("window_last", rf"(?:最近|过去|近)的?这?(?P<n>{_N}|半)(?P<unit>{_UNIT})(?:以来|来|内|里)?", _window(Shape.LAST, -1)),
    Rule("window_next", rf"(?:未来|接下来|往后|今后|接着)的?这?(?P<n>{_N}|半)(?P<unit>{_UNIT})(?:内|里|之内)?", _window(Shape.NEXT, 1)),
    Rule("window_within", rf"(?<!第)(?P<n>{_N}|半)(?P<unit>{_UNIT})(?:之内|以内|内(?![容心部衣]))", _window(Shape.WITHIN, 1)),
    Rule(
        "clock",
        rf"(?<![第\d.:/+有])(?:(?P<short>差)(?:(?P<sq>[一三])刻|(?P<sm>{_MINUTES})分)(?:钟)?(?:到|就)?)?"
        rf"(?P<h>2[0-9]|[01]?\d|二十[一二三四]?|十[一二三四五六七八九]?|[零一二两三四五六七八九])"
        r"(?:点(?!\d{3})|时(?![候间代常尚光刻而段区差数期]))(?:钟|整)?"
        rf"(?:(?P<half>半)|(?:过)?(?P<quarter>[一二三])刻(?:钟)?|(?P<m>{_MINUTES})(?![个人次元块天岁种]|十)分?)?"
        rf"(?P<loose>左右|多|前后|上下)?{_NOT_POINTS}",
        _clock,
    ),
    Rule(
        "clock_range_head",
        r"(?<![第\d.:/])(?P<h>2[0-4]|[01]?\d|二十[一二三四]?|十[一二]?|[一二两三四五六七八九])"
        r"(?P<half>)(?P<quarter>)(?P<m>)(?P<short>)(?P<sq>)(?P<sm>)(?P<loose>)(?=\s*[到至~〜–-]\s*(?:2[0-4]|1?\d|二?十[一二]?|[一二两三四五六七八九])点)",
        _clock,
    ),
    Rule("part_of_month", r"(?<![\d一二三四五六七八九十个])月(?P<p>初|中(?![旬])|底|末|尾|头|上旬|中旬|下旬)",
         lambda g: Frame(month_rel=0, part=PARTS[g["p"] or ""])),
    Rule("part_of_month_alone", r"(?P<p>上旬|中旬|下旬)", lambda g: Frame(part=PARTS[g["p"] or ""])),
    Rule("month_relative", r"(?P<rel>上+|下+|这|本|今|当)个?月份?(?P<p>初|中旬?|底|末|尾|上旬|下旬|头)?(?![饼亮])",
         lambda g: Frame(month_rel=_relative(g["rel"]), part=PARTS.get(g["p"] or ""))),
    Rule("month", rf"(?<![\d个])(?P<m>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])\s?月份?(?P<p>初(?![一二三四五六七八九十])|中旬?|底|末|尾|上旬|下旬)?(?!饼|亮|球)",
         lambda g: Frame(month=_number(g["m"]), part=PARTS.get(g["p"] or ""))),
    Rule("month_day", rf"(?<![\d个])(?P<m>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])\s?月\s?(?:的)?(?P<d>{_N})\s?(?:日|号|(?![\d个天分月年元块次人点位条岁台%:：多]))",
         _month_day),
    Rule("day_of_month",
         r"(?<![\d第a-z.:/+-])(?P<d>[0-3]?\d|[一二三]?十[一二三四五六七八九]?|廿[一二三四五六七八九]?|卅一?|[一二三四五六七八九])\s?"
         r"(?:号(?![线楼店桌房门机球选车馆厅床出码称召文公院闸教月台]|公路)|(?<=\d)日(?![本文语元圆子常游夜内后前报历志币]))",
         lambda g: date_frame(None, _number(g["d"]))),
    Rule("day_of_month_head", rf"(?<![\d第a-z.:/])(?P<d>[0-3]?\d|[一二三]?十[一二三四五六七八九]?|[一二三四五六七八九])(?=\s*[到至~〜–-]\s*(?:{_N})[号日])",
         lambda g: date_frame(None, _number(g["d"]))),
    Rule("month_day_head", rf"(?<![\d个])(?P<m>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月(?P<d>{_N})(?=\s*[到至~〜–-]\s*(?:{_N})[号日])", _month_day),
    Rule("year", r"(?<![\d.])(?P<y>(?:1[89]|20)\d\d|[一二][零〇一二三四五六七八九]{3})\s?年(?![级代])(?P<p>初(?!一)|底|末|中)?",
         lambda g: Frame(year=_year_number(g["y"]), part=PARTS.get(g["p"] or ""))),
    Rule("year_minguo", rf"民国(?P<y>{_N})年(?P<p>初(?!一)|底|末|中)?",
         lambda g: Frame(year=(n + 1911) if (n := _number(g["y"])) is not None and 0 < n < 300 else None,
                         part=PARTS.get(g["p"] or "")) if _number(g["y"]) else None),
    Rule("year_relative", rf"(?P<y>{alternatives(YEARS)})(?P<p>初(?!一)|底|末|中(?!秋)|年初|年底|上半年|下半年)?(?![级])",
         lambda g: Frame(year_rel=YEARS[g["y"] or ""],
                         part=Part.FIRST_HALF if (g["p"] or "")[:2] == "上半" else Part.SECOND_HALF
                         if (g["p"] or "")[:2] == "下半" else PARTS.get((g["p"] or "")[-1:]))),
    Rule("part_of_year", r"(?<![今明去前后年一二两三四五六七八九十几多少\d])年(?P<p>初(?!一)|底|终(?!奖)|尾(?!牙)|末)",
         lambda g: Frame(year_rel=None, part=PARTS.get(g["p"] or "", Part.LATE), recur=None, season="year")),
    Rule("half_year", r"(?P<p>上半年|下半年)",
         lambda g: Frame(part=Part.FIRST_HALF if (g["p"] or "")[0] == "上" else Part.SECOND_HALF, season="year")),
    Rule("quarter", r"第(?P<q>[一二三四1-4])季度?(?![的]?(?:赛|第))",
         lambda g: Frame(quarter=_number(g["q"]))),
    Rule("season", r"(?P<s>[春夏秋冬])(?:天(?!的)|天(?=的时候)|季(?!限|节))(?P<p>初|末)?", lambda g: Frame(season=SEASONS[g["s"] or ""])),
    Rule("season_of_year", r"(?P<y>今|明|去|前|后)(?:年)?(?P<s>[春夏秋冬])(?:天|季)?(?![装])",
         lambda g: Frame(year_rel=YEARS[f"{g['y']}年"], season=SEASONS[g["s"] or ""])),
    Rule("lunar_date", rf"(?:农历|阴历|旧历|古历)的?(?P<leap>闰)?(?P<m>正|腊|冬|{_N})月(?:(?P<d>初[一二三四五六七八九十]|{_N})[日号]?)?", _lunar),
    Rule("lunar_date_by_name", r"(?P<leap>闰)?(?P<m>正|腊|[一二三四五六七八九十]{1,2})月(?P<d>初[一二三四五六七八九十])", _lunar),
    Rule("lunar_month_by_name", r"(?P<leap>)(?P<m>正|腊)月(?P<d>(?:十[一二三四五六七八九]?|[二廿]十?[一二三四五六七八九]?|三十))?(?![个天])", _lunar),
    Rule("lunar_new_year_day", r"(?:大年|年|春节)初(?P<d>[一二三四五六七八九十]|十[一二三四五])",
         lambda g: Frame(festival=f"lunar_new_year_{_number(g['d'])}")),
    Rule("festival", rf"(?P<f>{_FESTIVAL})(?:那天|当天|那日)?",
         lambda g: Frame(festival=FESTIVALS_ZH[g["f"] or ""])),
    Rule("festival_eve", rf"(?P<f>{_FESTIVAL})(?:的?前(?:一天|一晚|夕|夜)|的前一日)",
         lambda g: Frame(festival=FESTIVALS_ZH[g["f"] or ""], shift=-1)),
    Rule("festival_morrow", rf"(?P<f>{_FESTIVAL})(?:的?(?:隔天|翌日|第二天|后一天))",
         lambda g: Frame(festival=FESTIVALS_ZH[g["f"] or ""], shift=1)),
    Rule("long_weekend", rf"(?P<f>{_FESTIVAL})的?(?:连续?假期?|连休|长假|假期|四天连假|三天连假)",
         lambda g: Frame(festival=FESTIVALS_ZH[g["f"] or ""], bridge=True)),
    Rule("new_years_eve_night", r"跨年(?:夜|晚会|那晚|当晚|晚上)?(?![度级])", lambda g: Frame(festival="new_years_eve", daypart="evening")),
    Rule("eve_night", r"(?P<f>除夕|平安)夜(?![市])|(?:圣诞|耶诞)夜", lambda g: Frame(
        festival="lunar_eve" if g["f"] == "除夕" else "christmas_eve", daypart="evening")),
    Rule("break", r"(?:(?P<y>今年|明年|去年)的?)?(?P<b>暑假|寒假)(?![作])",
         lambda g: Frame(festival="summer_break" if g["b"] == "暑假" else "winter_break", year_rel=YEARS.get(g["y"] or ""))),
    Rule("nth_weekday", rf"第(?P<n>[一二三四五1-5])个(?:周|星期|礼拜)(?P<day>[一二三四五六日天])",
         lambda g: Frame(nth=_number(g["n"]), weekday=_weekday(g["day"]))),
    Rule("last_weekday", rf"最后一?个(?:周|星期|礼拜)(?P<day>[一二三四五六日天])", lambda g: Frame(nth=-1, weekday=_weekday(g["day"]))),
    Rule("recur_week", rf"(?:每|逐)(?:[一二两三]|隔)?个?{_WEEK}的?(?P<days>(?:[一二三四五六日天](?![次个])[、,和跟]?)+)?(?P<end>末)?", _recur_week),
    Rule("recur_day", r"每(?:一|隔)?天|天天|每日|每(?P<p>晚|早|夜)(?:上)?|每个?(?P<p2>早上|晚上|中午|下午)", lambda g: Frame(
        recur="daily", daypart={"晚": "evening", "早": "morning", "夜": "evening", "中": "noon", "下": "afternoon"}.get(
            (g["p"] or g["p2"] or " ")[0]))),
    Rule("recur_month", rf"每个?月的?(?:(?P<d>{_N})[号日]|(?P<p>初|底|中))?", lambda g: Frame(
        recur="monthly", mday=_number(g["d"]), part=PARTS.get(g["p"] or ""))),
    Rule("recur_year", r"每一?年|年年", lambda g: Frame(recur="yearly")),
    Rule("recur_workdays", r"平日|平常日|工作日(?![内后前])", lambda g: Frame(recur="weekly", workdays=True)),
    Rule("one_oclock_guard", rf"(?<![\d十零晨晚早午夜上后在到约概就是快天日号一二三四五六]{{1}})一点{_ONE_AHEAD}" r"(?=[^半整钟零\d到])(?<=[有了早快慢好多少大小些的近高低])", blocked),
    Rule("a_bit", r"(?<=[有快慢早晚多少大小好高低近远些轻久着了吃喝给])一点(?!半|钟|整|零|\d)|一点(?:点|儿|也|都|东西|小)|有点", blocked),
    Rule("vague", r"以前|从前|以后|之后|后来|小时候|长大后?|哪天|哪一天|改天|改日|有(?:一)?天(?!我们)|总有一天|某天|那天|当天|前几天|前阵子|前些[天日]子?|"
         r"过几天|这几天|这阵子|这两天|前两天|过两天|过阵子|几天[前后]|好久以前|很久以前|不久[前后]?|最近|刚才|刚刚|待会儿?|等一?下|等会儿?|一会儿|晚点|晚一点|"
         r"有空(?:的时候)?|期[中末]考?周|月经|将来|未来|到时候?|随时|隔天|翌日|次日|第[一二三四五六七八九十\d]+[天周]|毕业那天|当年|那年|那时候?|几点|几号|几月|星期几|周几|礼拜几|何时|什么时候", vague),
    Rule("not_time", r"一天到晚|一下(?:子)?|一时(?!半刻后)|一日不见|二话不说|三天两头|三更灯火|朝九晚五|早九晚五|九点九|一五一十|七上八下|十之八九|五月天|七月半|三月兔|一日三餐|一日游|[一二三两]日游|"
         r"下午茶|早午餐|晚上好|早上好|下午好|上午好|中午好|一年到头|半天(?![后前])|大半天|老半天|三点式|两点一线|四季|周一到周五的剧|半斤八两|百日|千年|万年|"
         r"后天(?=努力|的努力|失调|培养|性|免疫)|一号(?=人物|选手|店)|十二月党|双十一(?=折)|今日(?=子)|明日方舟|昨日重现|明日香|明日之|生日|节日|假日|平安夜(?=苹果)|\d+号(?=线)|大后方|"
         r"五一(?=十)|元旦(?=酱)|今天下|三国|九一八", blocked),
)  # fmt: skip

LEXICON = Lexicon(
    "zh",
    r"[今本明后大昨前琴寻听凌清一早晨中正午下傍黄晚夜入深半三子上这此周星礼(再约概差过还最近未接往\d零〇二两四五六七八九十廿卅百未月年当民去来旧第"
    r"春夏秋冬农阴古闰腊元除端国双圣耶万母父情七重感劳儿教青妇复愚光行开和植小尾跨平暑寒每逐天工有快慢多少好高低近远些哪改总某那很不刚待等期将到随隔翌次毕几何什生节假以从长好百千万晚新九妈祖军护国愚"
    r"白女中立清冬霜佛浴记台退黑]",
    RULES,
)
"""The Chinese lexicon."""
