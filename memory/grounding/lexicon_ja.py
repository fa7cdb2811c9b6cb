"""How Japanese says when: tables and rules over folded text (kanji in Simplified form where they differ)."""

from __future__ import annotations

from memory.grounding.festival_names import FESTIVALS_JA, alternatives
from memory.grounding.frame import Distance, Frame, Part, Shape, Unit
from memory.grounding.lexicon import Build, Groups, Lexicon, Rule, blocked, clock, date_frame, vague
from memory.grounding.numerals import CJK_NUMBER, cjk_number, cjk_pair

DAYS = {
    "今日": 0, "きょう": 0, "本日": 0, "明日": 1, "あした": 1, "あす": 1, "明后日": 2, "あさって": 2,
    "しあさって": 3, "明明后日": 3, "昨日": -1, "きのう": -1, "一昨日": -2, "おととい": -2,
    "さきおととい": -3, "一昨昨日": -3,
}  # fmt: skip
DAYPARTS = {
    "未明": "small_hours", "深夜": "late_night", "夜中": "midnight", "真夜中": "midnight",
    "早朝": "dawn", "明け方": "dawn", "朝": "morning", "午前中": "morning", "午前": "morning",
    "お昼": "noon", "昼": "noon", "正午": "noon", "昼间": "noon", "午后": "afternoon", "夕方": "dusk",
    "夜": "evening", "晩": "evening",
}  # fmt: skip
YEARS = {
    "今年": 0, "ことし": 0, "来年": 1, "再来年": 2, "去年": -1, "昨年": -1, "一昨年": -2,
    "おととし": -2,
}  # fmt: skip
UNITS = {
    "秒": Unit.SECOND, "分": Unit.MINUTE, "分间": Unit.MINUTE, "时间": Unit.HOUR, "日": Unit.DAY,
    "日间": Unit.DAY, "周间": Unit.WEEK, "周": Unit.WEEK, "ヶ月": Unit.MONTH, "か月": Unit.MONTH,
    "カ月": Unit.MONTH, "ケ月": Unit.MONTH, "个月": Unit.MONTH, "ヵ月": Unit.MONTH,
    "ヶ月间": Unit.MONTH, "か月间": Unit.MONTH, "年": Unit.YEAR, "年间": Unit.YEAR,
    "营业日": Unit.WORKDAY, "営业日": Unit.WORKDAY,
}  # fmt: skip
_RELATIVE = {"再来": 2, "来": 1, "今": 0, "先": -1, "先々": -2, "先先": -2}
_SPOKEN_DAYS = {
    "ついたち": 1, "ふつか": 2, "みっか": 3, "よっか": 4, "いつか": 5, "むいか": 6, "なのか": 7,
    "ようか": 8, "ここのか": 9, "とおか": 10, "はつか": 20,
}  # fmt: skip
_N = CJK_NUMBER
_UNIT = alternatives(UNITS)
_REL = alternatives(_RELATIVE)
_DAYPART = alternatives(DAYPARTS)
_DAY = r"[月火水木金土日]"
SEASONS = {"春": "spring", "夏": "summer", "秋": "autumn", "冬": "winter"}
PARTS = {
    "初め": Part.EARLY, "はじめ": Part.EARLY, "上旬": Part.EARLY, "头": Part.EARLY, "半ば": Part.MIDDLE,
    "なかば": Part.MIDDLE, "中旬": Part.MIDDLE, "末": Part.LATE, "下旬": Part.LATE, "终わり": Part.LATE,
    "终り": Part.LATE,
}  # fmt: skip
_PART = alternatives(PARTS)


def _number(text: str | None) -> int | None:
    return None if text is None else cjk_number(text)


def _weekday(text: str | None) -> int | None:
    return None if not text else "月火水木金土日".index(text)


def _week(g: Groups) -> Frame | None:
    relative = _RELATIVE[g["rel"] or "今"]
    if g["day"]:
        return Frame(week_rel=relative, weekday=_weekday(g["day"]))
    if g["end"]:
        return Frame(week_rel=relative, weekend=True)
    return Frame(week_rel=relative)


def _distance(sign: int, shape: Shape = Shape.POINT) -> Build:
    def build(g: Groups) -> Frame | None:
        text = g["n"] or ""
        single = cjk_number(text) if text != "半" else None
        pair = (
            (0.5, 0.5)
            if text == "半"
            else cjk_pair(text) or (None if single is None else (float(single), float(single)))
        )
        if pair is None:
            return None
        more = 0.5 if g.get("half") else 0.0
        unit = UNITS[g["u"] or ""]
        return Frame(distance=Distance(pair[0] + more, pair[1] + more, unit, sign, shape))

    return build


def _clock(g: Groups) -> Frame | None:
    minute = 30 if g["half"] else _number(g["m"]) or 0
    hour = _number(g["h"])
    return None if hour is None else clock(hour, minute, loose=bool(g["loose"]))


RULES: tuple[Rule, ...] = (
    Rule("day", alternatives(DAYS), lambda g: Frame(day_rel=DAYS[g["0"] or ""])),
    Rule(
        "day_part_short",
        r"今(?P<p>朝|晩|夜)|昨(?P<p2>晩|夜)|明(?P<p3>朝|晩)|ゆうべ|夕べ|けさ|今宵",
        lambda g: Frame(
            day_rel=-1 if (t := g["0"] or "")[0] in "昨ゆ夕" else 1 if t[0] == "明" else 0,
            daypart="morning" if "朝" in t or t == "けさ" else "evening",
        ),
    ),
    Rule(
        "daypart",
        rf"(?P<p>{_DAYPART})(?!食|ごはん|御饭|饭|市|景|寝|型|顔|颜|练|日新闻|ドラ|行)",
        lambda g: Frame(daypart=DAYPARTS[g["p"] or ""]),
    ),
    Rule("week", rf"(?P<rel>{_REL})周(?:の?(?P<day>{_DAY})(?:曜日?)|の?(?P<end>末))?", _week),
    Rule("week_short_day", rf"(?P<rel>{_REL})周の?(?P<day>{_DAY})(?P<end>)(?=[にはのと、。]|$)", _week),
    Rule("weekend", r"周末|土日", lambda g: Frame(weekend=True)),
    Rule("weekday", rf"(?<!毎周)(?P<day>{_DAY})曜日?", lambda g: Frame(weekday=_weekday(g["day"]))),
    Rule("weekday_in_brackets", rf"\((?P<day>{_DAY})\)", lambda g: Frame(weekday=_weekday(g["day"]))),
    Rule(
        "month_relative",
        rf"(?P<rel>{_REL})月の?(?P<p>{_PART})?",
        lambda g: Frame(month_rel=_RELATIVE[g["rel"] or "今"], part=PARTS.get(g["p"] or "")),
    ),
    Rule(
        "month_end",
        r"月末|月初め?|月半ば",
        lambda g: Frame(
            month_rel=0,
            part=Part.LATE
            if "末" in (g["0"] or "")
            else Part.EARLY
            if "初" in (g["0"] or "")
            else Part.MIDDLE,
        ),
    ),
    Rule(
        "year_relative",
        rf"(?P<y>{alternatives(YEARS)})の?(?P<p>初め|末|半ば)?",
        lambda g: Frame(year_rel=YEARS[g["y"] or ""], part=PARTS.get(g["p"] or "")),
    ),
    Rule(
        "part_of_year",
        r"年末(?!年始)|年明け|年始",
        lambda g: Frame(season="year", part=Part.LATE if "末" in (g["0"] or "") else Part.EARLY),
    ),
    Rule(
        "era_year",
        r"(?P<e>令和|平成|昭和)(?P<y>元|\d{1,2})年",
        lambda g: Frame(
            year={"令和": 2018, "平成": 1988, "昭和": 1925}[g["e"] or ""]
            + (1 if g["y"] == "元" else int(g["y"] or 1))
        ),
    ),
    Rule(
        "year",
        r"(?<![\d.])(?P<y>(?:19|2[01])\d\d)年(?!代|生まれ|度)の?(?P<p>初め|末|半ば)?",
        lambda g: Frame(year=int(g["y"] or 0), part=PARTS.get(g["p"] or "")),
    ),
    Rule(
        "month_day",
        rf"(?<!\d)(?P<m>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月(?P<d>{_N})日(?!间)",
        lambda g: date_frame(_number(g["m"]), _number(g["d"])),
    ),
    Rule(
        "month",
        r"(?<![\d个ヶかカ])(?P<m>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月の?"
        rf"(?P<p>{_PART})?",
        lambda g: Frame(month=_number(g["m"]), part=PARTS.get(g["p"] or "")),
    ),
    Rule(
        "day_of_month",
        r"(?<![\d.第])(?P<d>[0-3]?\d|[一二三]?十[一二三四五六七八九]?)日(?![间目后前ぶ])",
        lambda g: date_frame(None, _number(g["d"])),
    ),
    Rule(
        "day_of_month_spoken",
        alternatives(name for name in _SPOKEN_DAYS if name not in {"いつか", "ようか"})
        + r"(?=に|の|から|まで|は)",
        lambda g: date_frame(None, _SPOKEN_DAYS[g["0"] or ""]),
    ),
    Rule(
        "distance_ahead",
        rf"(?:あと)?(?P<n>{_N}|半)(?P<u>{_UNIT})(?P<half>半)?(?:后|ご(?=に))(?:くらい|ぐらい)?",
        _distance(1),
    ),
    Rule(
        "distance_ago",
        rf"(?P<n>{_N}|半)(?P<u>{_UNIT})(?P<half>半)?(?:ほど|くらい|ぐらい)?(?:前|まえ)",
        _distance(-1),
    ),
    Rule("window_last", rf"(?:この|ここ|过去)(?P<n>{_N})(?P<u>{_UNIT})(?:间)?", _distance(-1, Shape.LAST)),
    Rule("window_within", rf"(?P<n>{_N})(?P<u>{_UNIT})以内(?:に)?", _distance(1, Shape.WITHIN)),
    Rule(
        "duration",
        rf"(?P<n>{_N})(?:日间|时间|分间|周间|年间|ヶ月间?|か月间?|カ月间?)(?![后前ご半以])",
        blocked,
    ),
    Rule(
        "clock",
        r"(?<![\d.:])(?P<h>2[0-9]|[01]?\d|二十[一-四]?|十[一二]?|[一二三四五六七八九零])时"
        r"(?![间代期点])(?:(?P<half>半)|(?P<m>[0-5]?\d|[一二三四五]?十[一二三四五六七八九]?)"
        r"分)?(?P<loose>ごろ|顷|くらい|ぐらい|过ぎ)?",
        _clock,
    ),
    Rule(
        "season",
        r"(?:(?P<y>去年|今年|来年)の)?(?P<s>[春夏秋冬])(?=に|は|の|から|まで|、|。|$)",
        lambda g: Frame(season=SEASONS[g["s"] or ""], year_rel=YEARS.get(g["y"] or "")),
    ),
    Rule(
        "break",
        r"(?P<b>夏|冬|春)休み",
        lambda g: Frame(festival="summer_break") if g["b"] == "夏" else Frame(vague=True),
    ),
    Rule(
        "festival",
        rf"(?<![ァ-ヶー])(?P<f>{alternatives(FESTIVALS_JA)})(?:の日)?",
        lambda g: Frame(festival=FESTIVALS_JA[g["f"] or ""]),
    ),
    Rule(
        "recur_week",
        rf"毎周の?(?P<days>(?:{_DAY}[・、と]?)+)?(?:曜日?)?",
        lambda g: (
            Frame(recur="weekly", weekday=d[0])
            if len(d := tuple(sorted({_weekday(c) or 0 for c in (g["days"] or "") if c in "月火水木金土日"})))
            == 1
            else Frame(recur="weekly", weekdays=d or None)
        ),
    ),
    Rule(
        "recur_day",
        r"毎(?P<p>日|朝|晩|夜)|まいにち",
        lambda g: Frame(
            recur="daily", daypart={"朝": "morning", "晩": "evening", "夜": "evening"}.get(g["p"] or "")
        ),
    ),
    Rule(
        "recur_month", rf"毎月(?:の?(?P<d>{_N})日)?", lambda g: Frame(recur="monthly", mday=_number(g["d"]))
    ),
    Rule("recur_year", r"毎年", lambda g: Frame(recur="yearly")),
    Rule("recur_workdays", r"平日", lambda g: Frame(recur="weekly", workdays=True)),
    Rule(
        "next_day",
        r"翌(?:日|(?P<p>朝))|次の日",
        lambda g: Frame(vague=True, morrow=True, daypart="morning" if g["p"] else None),
    ),
    Rule(
        "vague",
        r"いつか(?!に)|いつでも|いつも|昔|以前|この前|この间|先日|最近|今度|そのうち|将来|"
        r"子供の顷|小さい顷|数日[前后]|何日か[前后]|さっき|あとで|后で|ある日|あの日|その日|"
        r"当日|いつ|何时|何日|何曜日|期末(?!试|考|テスト|レポ)",
        vague,
    ),
    Rule(
        "not_time",
        r"日本|日记|日常|一日中|一时的?|一番|今时|今まで|今から|朝ドラ|正月太り|誕生日|"
        r"诞生日|休日|祝日|時々|时々|二日酔い|二日醉い|月曜から夜ふかし|三日坊主|春巻き|"
        r"秋叶|冬服|夏服|夏目",
        blocked,
    ),
)

LEXICON = Lexicon(
    "ja",
    r"[今きし本明あ昨一おさ未深夜真早朝午昼正夕晩再来先周土月火水木金日年毎ま令平昭\d零〇二三四五六七八九十百半こ过春夏秋冬元大クイバホハ母父子ひ七ゴg成海山敬文宪みス勤建天中エ终いつふむなはとそ何数将小以翌次当期后最诞誕休祝时時(去ゆけ]",
    RULES,
)
"""The Japanese lexicon."""
