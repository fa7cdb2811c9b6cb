"""Tables, patterns and small readers the Chinese rules share."""

from __future__ import annotations

from memory.grounding.festival_names import FESTIVALS_ZH, alternatives
from memory.grounding.frame import Part, Unit
from memory.grounding.numerals import CJK_NUMBER, cjk_number

DAYS = {
    "今天": 0, "今日": 0, "今儿": 0, "今儿个": 0, "本日": 0, "明天": 1, "明日": 1, "明儿": 1,
    "明儿个": 1, "后天": 2, "后日": 2, "大后天": 3, "大后日": 3, "大大后天": 4, "昨天": -1, "昨日": -1,
    "昨儿": -1, "前天": -2, "前日": -2, "大前天": -3, "大前日": -3, "大大前天": -4, "琴日": -1,
    "寻日": -1, "听日": 1,
}  # fmt: skip

DAYPARTS = {
    "凌晨": "small_hours", "清晨": "dawn", "一大早": "dawn", "大清早": "dawn", "一早": "dawn",
    "清早": "dawn", "早晨": "morning", "早上": "morning", "上午": "morning", "晨间": "morning",
    "早间": "morning", "中午": "noon", "正午": "noon", "午间": "noon", "下午": "afternoon",
    "午后": "afternoon", "傍晚": "dusk", "黄昏": "dusk", "晚上": "evening", "晚间": "evening",
    "夜晚": "evening", "夜里": "evening", "夜间": "evening", "入夜": "evening", "深夜": "late_night",
    "半夜": "midnight", "大半夜": "midnight", "三更半夜": "midnight", "午夜": "midnight",
    "子夜": "midnight", "早": "morning", "晚": "evening", "夜": "evening",
}  # fmt: skip

YEARS = {
    "今年": 0, "本年": 0, "明年": 1, "来年": 1, "下年": 1, "后年": 2, "大后年": 3, "去年": -1,
    "上年": -1, "旧年": -1, "前年": -2, "大前年": -3,
}  # fmt: skip

SEASONS = {"春": "spring", "夏": "summer", "秋": "autumn", "冬": "winter"}

UNITS = {
    "秒": Unit.SECOND, "秒钟": Unit.SECOND, "分": Unit.MINUTE, "分钟": Unit.MINUTE, "刻钟": Unit.MINUTE,
    "小时": Unit.HOUR, "钟头": Unit.HOUR, "钟": Unit.HOUR, "天": Unit.DAY, "日": Unit.DAY,
    "工作天": Unit.WORKDAY, "工作日": Unit.WORKDAY, "周": Unit.WEEK, "星期": Unit.WEEK,
    "礼拜": Unit.WEEK, "月": Unit.MONTH, "年": Unit.YEAR, "周年": Unit.YEAR,
}  # fmt: skip

PARTS = {"初": Part.EARLY, "头": Part.EARLY, "上旬": Part.EARLY, "中": Part.MIDDLE, "中旬": Part.MIDDLE,
         "底": Part.LATE, "末": Part.LATE, "下旬": Part.LATE, "尾": Part.LATE}  # fmt: skip

N = CJK_NUMBER

LONGEST_YEARS = 60
"""Beyond this a number before 年 names a year (2010年之後), not a distance (own judgement)."""

RELATIVE = r"(?:上{1,8}|下{1,8}|这|(?<![原基根日书剧])本|今|此)"

WEEK = r"(?:周|星期|礼拜)"

WEEKDAY = (
    r"(?:一(?![起样直些共般定旦]|下(?!午)|个|年|岁|次|天)|二(?![手话胎战楼]|人世)|"
    r"[三四五六](?![次个倍趟位])|"
    r"[日天](?![本文语记历期程]))"
)

LAST_DAY = r"(?:\s*[到至~〜–-](?P<last>[一二三四五六日天])(?![点号月个天周时分十百]))?"

DAYPART = alternatives(name for name in DAYPARTS if len(name) > 1)

UNIT = (
    r"\s?(?:秒钟?|分钟?|刻钟|个?半?(?:小时|钟头)|个钟|天|日|个?工作[天日]|周年?|个?"
    r"(?:星期|礼拜)|个半?月|年)"
)

AFTER = (
    r"(?:之后|以后|过后|后(?![面悔来果台座门天勤])|之内再|之前|以前|前"
    r"(?![面往提途男女任辈后天者]))"
)

NOT_AGO = r"(?<![第每整好\d])"

FESTIVAL = alternatives(FESTIVALS_ZH)


def relative_of(word: str | None) -> int:
    """Return how far 上, 這, 下下 point, in units."""
    if not word or word[0] not in "上下":
        return 0
    return len(word) if word[0] == "下" else -len(word)


def number(text: str | None) -> int | None:
    """Return the value of a numeral that may be missing."""
    return None if text is None else cjk_number(text)


def weekday_of(text: str | None) -> int | None:
    """Return the weekday (Monday 0) of 一 to 六, 日, 天."""
    return None if text is None else 6 if text in "日天" else "一二三四五六".index(text)


MINUTES = (
    r"(?:[0-5]?\d|[零〇一二两三四五]?十[一二三四五六七八九]?|[零〇][一二三四五六七八九]|"
    r"[一二三四五六七八九])"
)

NOT_POINTS = (
    r"(?!建议|意见|理由|原因|想法|问题|不同|要求|疑问|感想|[好坏]处|心得|看法|结论|希望|"
    r"补充|共识|说明|[好坏]|头[^上疼]|名[^单]|数|滴|"
    r"都|也|点|儿|了?不|东西|小|心|水|事|钱|用|吃|菜|优|缺|伤|像|可以注意|需要注意|注意|"
    r"声明|关系)"
)

MEASURE = r"\s?(?:公[升斤里尺克分吨]|岁|毫|厘|倍|度|折|块|元|万|亿|千|百|坪|吨|升|%|级|寸|英)"
"""What makes 兩點五 a decimal."""

ONE_AHEAD = r"(?=[半整钟零要就才到见开集出前后左之以会再睡考上下去回]|[0-5]|一刻|[。!?,，]|$)"
