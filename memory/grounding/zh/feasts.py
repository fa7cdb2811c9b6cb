"""Lunar dates, festivals, long weekends and school breaks in Chinese."""

from __future__ import annotations

from memory.grounding.festival_names import FESTIVALS_ZH
from memory.grounding.frame import Frame
from memory.grounding.lexicon import Groups, Rule, blocked
from memory.grounding.numerals import cjk_number
from memory.grounding.zh.words import FESTIVAL, YEARS, N, number


def _lunar(g: Groups) -> Frame | None:
    month_word, day_word = g["m"] or "", g["d"]
    month = {"正": 1, "腊": 12, "冬": 11}.get(month_word) or cjk_number(month_word)
    mday = None if day_word is None else cjk_number(day_word.removeprefix("初"))
    if month is None or not 1 <= month <= 12 or not (mday is None or 1 <= mday <= 30):
        return None
    return Frame(month=month, mday=mday, lunar=True, leap=True if g["leap"] else None)


_FOREIGN = (
    "以色列", "日本", "韩国", "法国", "英国", "德国", "泰国", "印度", "越南", "菲律宾", "新加坡",
    "马来西亚", "加拿大", "澳洲", "墨西哥", "伊斯兰", "伊斯兰教", "伊斯兰历", "犹太", "犹太教",
    "东正教", "藏历", "佛历", "波斯", "缅甸", "印尼", "瑞士", "俄罗斯", "荷兰", "意大利", "义大利",
    "西班牙", "美国",
)  # fmt: skip
_NOT_FOREIGN = "".join(f"(?<!{name})(?<!{name}的)" for name in _FOREIGN)
"""Another people's feast of the same name lies on another day."""
_FIRSTS = "".join(sorted({name[0] for name in FESTIVALS_ZH}))
"""What a festival begins with: looked at first, as it costs least."""
RULES: tuple[Rule, ...] = (
    Rule(
        "other_calendar",
        r"(?:东正教|伊斯兰教?|犹太教?|印度教?|回教|佛历|泰国|藏历|傣历)\S{0,4}?(?:历)?"
        r"(?:新年|复活节|节|日)|提灯节",
        blocked,
    ),
    Rule(
        "lunar_date",
        rf"(?:农历|阴历|旧历|古历)的?(?P<leap>闰)?(?P<m>正|腊|冬|{N})月(?:"
        rf"(?P<d>初[一二三四五六七八九十]|{N})[日号]?)?",
        _lunar,
    ),
    Rule(
        "lunar_date_by_name",
        r"(?P<leap>闰)?(?P<m>正|腊|[一二三四五六七八九十]{1,2})月"
        r"(?P<d>初[一二三四五六七八九十])",
        _lunar,
    ),
    Rule(
        "lunar_month_by_name",
        r"(?P<leap>)(?P<m>正|腊)月(?P<d>(?:十[一二三四五六七八九]?|[二廿]"
        r"十?[一二三四五六七八九]?|三十|[1-3]?\d))?(?![个天\d])",
        _lunar,
    ),
    Rule(
        "lunar_word",
        r"(?:农历|阴历|旧历)(?=(?:\d|[一二][零〇一二三四五六七八九]{3}年|今年|明年|去年|"
        r"后年|闰))|(?<=年)(?:农历|阴历|旧历)(?=的?[正腊闰\d一二三四五六七八九十])",
        lambda g: Frame(lunar=True),
    ),
    Rule(
        "mid_autumn_by_date",
        r"八月十五(?![日号天个])|正月十五|五月初五|七月初七|九月初九",
        lambda g: Frame(
            festival={
                "八": "mid_autumn",
                "正": "lantern",
                "五": "dragon_boat",
                "七": "qixi",
                "九": "double_ninth",
            }[(g["0"] or "")[0]]
        ),
    ),
    Rule(
        "lunar_new_year_day",
        r"(?:大年|年|春节)初(?P<d>[一二三四五六七八九十]|十[一二三四五])",
        lambda g: Frame(festival=f"lunar_new_year_{number(g['d'])}"),
    ),
    Rule(
        "near_new_year_day",
        r"(?<![大年月国升念读第上下高])初(?P<d>[一二三四五六])(?!十五)"
        r"(?:(?<=[到至~-]初[一二三四五六])|(?=早|中午|下午|晚|[要回去拜会再才就那到至,，、。~-]|开[工市]|$))"
        r"(?!那年|(?:要|会)?(?:毕业|期中|期末|段考|开学))",
        lambda g: Frame(festival=f"near_new_year_{number(g['d'])}"),
    ),
    Rule(
        "festival",
        rf"(?=[上下这{_FIRSTS}]){_NOT_FOREIGN}(?:(?P<look>上|下|这)一?[个次])?(?P<f>{FESTIVAL})(?:那天|当天|那日)?(?!节?(?:饭|礼盒|"
        r"档期|卡片|礼物|特卖|快乐|好吃|夜市)|粽|(?<=节)[约水俭能省食奏目操])",
        lambda g: Frame(festival=FESTIVALS_ZH[g["f"] or ""], look={"上": -1, "下": 1}.get(g["look"] or "")),
    ),
    Rule(
        "festival_eve",
        rf"(?P<f>{FESTIVAL})(?:的?前(?:一天|一晚|夕|夜)|的前一日)",
        lambda g: Frame(festival=FESTIVALS_ZH[g["f"] or ""], shift=-1),
    ),
    Rule(
        "festival_morrow",
        rf"(?P<f>{FESTIVAL})(?:的?(?:隔天|翌日|第二天|后一天))",
        lambda g: Frame(festival=FESTIVALS_ZH[g["f"] or ""], shift=1),
    ),
    Rule(
        "long_weekend",
        rf"(?P<f>{FESTIVAL})的?(?:连续?假期?|连休|长假|假期|四天连假|三天连假)",
        lambda g: Frame(festival=FESTIVALS_ZH[g["f"] or ""], bridge=True),
    ),
    Rule(
        "new_years_eve_night",
        r"(?:(?P<look>上|下)一?次)?跨年(?:夜|晚会|那晚|当晚|晚上)?(?![度级])",
        lambda g: Frame(
            festival="new_years_eve", daypart="evening", look={"上": -1, "下": 1}.get(g["look"] or "")
        ),
    ),
    Rule(
        "eve_night",
        r"(?P<f>除夕|平安)夜(?![市])|(?:圣诞|耶诞)夜",
        lambda g: Frame(festival="lunar_eve" if g["f"] == "除夕" else "christmas_eve", daypart="evening"),
    ),
    Rule(
        "break",
        r"(?:(?P<y>今年|明年|去年)的?)?(?P<b>暑假|寒假)(?![作])",
        lambda g: Frame(
            festival="summer_break" if g["b"] == "暑假" else "winter_break", year_rel=YEARS.get(g["y"] or "")
        ),
    ),
)
