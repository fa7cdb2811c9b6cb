"""What repeats, what stays vague, and what only looks like time in Chinese."""

from __future__ import annotations

from memory.grounding.frame import Frame
from memory.grounding.lexicon import Groups, Rule, blocked, vague
from memory.grounding.zh.words import PARTS, WEEK, N, number, weekday_of


def _recur_week(g: Groups) -> Frame | None:
    said = g["days"] or ""
    days = tuple(sorted({weekday_of(day) or 0 for day in said if day in "一二三四五六日天"}))
    if any(joint in said for joint in "到至~-") and len(days) == 2:
        days = tuple(range(days[0], days[1] + 1))
    if len(days) == 1:
        return Frame(recur="weekly", weekday=days[0])
    return Frame(recur="weekly", weekdays=days or None, weekend=True if g["end"] else None)


RULES: tuple[Rule, ...] = (
    Rule(
        "recur_week",
        rf"(?:每|逐)(?:[一二两三]|隔)?个?{WEEK}的?(?P<days>[一二三四五六日天](?![次个])"
        rf"(?:(?:[、,和跟]{WEEK}?)?[一二三四五六日天](?![次个点])|[到至~-]{WEEK}?[一二三四五六日天])*)?(?P<end>末)?",
        _recur_week,
    ),
    Rule(
        "recur_day",
        r"每(?:一|隔)?天|天天|每日|每(?P<p>晚|早|夜)(?:上)?|每个?(?P<p2>早上|晚上|中午|下午)",
        lambda g: Frame(
            recur="daily",
            daypart={"晚": "evening", "早": "morning", "夜": "evening", "中": "noon", "下": "afternoon"}.get(
                (g["p"] or g["p2"] or " ")[0]
            ),
        ),
    ),
    Rule(
        "recur_month",
        rf"每个?月的?(?:(?P<d>{N})[号日]|(?P<p>初|底|中))?",
        lambda g: Frame(recur="monthly", mday=number(g["d"]), part=PARTS.get(g["p"] or "")),
    ),
    Rule("recur_year", r"每一?年|年年", lambda g: Frame(recur="yearly")),
    Rule("recur_workdays", r"平日|平常日|工作日(?![内后前])", lambda g: Frame(recur="weekly", workdays=True)),
    Rule(
        "a_bit",
        r"(?<=[有快慢早晚多少大小好高低近远些轻久着了吃喝给])(?<![今明昨前][早晚])一点(?!半|钟|整|零|\d)|一点"
        r"(?:点|儿|也|都|东西|小)|有点",
        blocked,
    ),
    Rule(
        "vague",
        r"(?:[去前明后]年|[上下]个?月|[上下]个?(?:周|星期|礼拜))的?(?:这一?天|明天|昨天)|"
        r"(?<=[前后]的)这一?天|(?<=月的)今[天日]|"
        r"以前|从前|以后|之后|后来|小时候|长大后?|哪天|哪一天|改天|改日|有(?:一)?天(?!我们)|"
        r"总有一天|某天|那天|当[天日晚夜周月]|前几天|前阵子|前些[天日]子?|"
        r"过几天|这几天|这阵子|这两天|(?<![月年季])前两天|过两天|过阵子|几天[前后]|好久以前|很久以前|"
        r"不久[前后]?|最近|刚(?:才|刚)(?!(?:凌晨|清晨|早上|上午|中午|下午|傍晚|晚上|半夜)?[\d一二两三四五六七八九十]{1,3}[点:])|待会儿?|等一?下|等会儿?|一会儿|晚点|晚一点|"
        r"有空(?:的时候)?|期[中末]考?周|将来|未来|到时候?|随时|"
        r"(?!(?:(?<=[月年])|(?<=[月年]的))第一天)第[一二三四五六七八九十\d]+天|(?<![月份的年])第[一二三四五六七八九十\d]+周|毕业那天|"
        r"那时候?|几点|几号|几月|星期几|周几|礼拜几|何时|什么时候",
        vague,
    ),
    Rule("year_untold", r"当年|那年|那一年", lambda _: Frame(vague=True, year_untold=True)),
    Rule("next_day", r"(?:隔天|隔日|翌日|次日)", lambda _: Frame(vague=True, morrow=True)),
    Rule(
        "not_time",
        r"一天到晚|一下(?:子)?|一时(?!半刻后)|一日不见|二话不说|三天两头|三更灯火|朝九晚五|"
        r"早九晚五|九点九|一五一十|七上八下|十之八九|五月天|五月花|六月雪|七月半|星期五餐厅|八点档|三月兔|一日三餐|一日游|"
        r"[一二三两]日游|"
        r"月经|(?<=吃)元宵(?!节)|先天后天|下午茶|早午餐|晚上好|早上好|下午好|上午好|中午好|"
        r"一年到头|半天(?![后前])|大半天|老半天|三点式|两点一线|四季|周一到周五的剧|"
        r"半斤八两|百日|千年|万年|"
        r"后天(?=努力|的努力|失调|培养|性|免疫)|一号(?=人物|选手|店)|十二月党|双十一(?=折)|"
        r"明日方舟|昨日重现|明日香|明日之|生日|节日|假日|平安夜(?=苹果)|\d+号(?=线)|大后方|"
        r"五一(?=十)|元旦(?=酱)|三国|九一八",
        blocked,
    ),
)
