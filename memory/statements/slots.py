"""The slot a fact fills: what makes two facts comparable whatever their distance."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory.statements.lexicon import lexicon
from memory.statements.values import month_day, place_parts, with_digits
from memory.text import fold

SINGLE_VALUED: frozenset[str] = frozenset(
    {
        "name", "nickname", "bot_name", "home", "hometown", "birthday", "age", "job", "school", "grade",
        "major", "pronouns", "gender", "height", "weight", "blood_type", "zodiac", "chinese_zodiac",
        "mbti", "marital", "anniversary", "children", "nationality",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot and the value a sentence gives it, both folded."""

    attribute: str
    value: str


def is_single_valued(attribute: str) -> bool:
    """Whether the slot holds one value at a time; every ``favorite:<what>`` does."""
    return attribute in SINGLE_VALUED or attribute.startswith("favorite:")


_END = r"(?=$|[,，。;；!！?？(（]|(?:了|啦|喔|哦|唷|吧)$)"
_QUOTED = r"[「『\"'“‘《]"
_QUOTE_END = r"[」』\"'”’》]"
_NAME = rf"{_QUOTED}?(?P<v>[^\s,，。「」『』\"'“”!！?？、;；的]{{1,20}}?(?: [a-z][^\s,，。]{{0,20}}){{0,2}}){_QUOTE_END}?"
_LATIN_NAME = r"[\"']?(?P<v>[^\s,.!?\"']{1,20}(?: (?!and\b|but\b|now\b|not\b|instead\b|because\b|from\b)[^\s,.!?\"']{1,20}){0,2})[\"']?"
_TAIL = rf"(?:[呢啊喔哦了啦唷耶]|就好|就可以|就行)?{_END}"
_NOT_A_NAME = re.compile(
    r"^(?:了|外卖|外送|车|计程车|我|他|她|你|人|醒|做|什么|床|救护车|吃|不|得|好|苦|停|(?:uber|taxi|for|me|out|it|the|an?|us)\b)"
)

_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (attribute, re.compile(pattern))
    for attribute, pattern in (
        ("bot_name", rf"(?:叫|称|管)(?:ai|机器人|助理|莉莉|你)(?:为|叫|作|做)?{_QUOTED}(?P<v>[^」』\"”]+)"),
        ("bot_name", rf"ai的(?:名字|昵称|称呼)(?:改成|改为|换成|是|叫|取为|取名为?|定为)[了]?{_NAME}{_TAIL}"),
        ("bot_name", rf"(?:帮|给|把|替)(?:ai|机器人|助理).{{0,4}}?(?:取名|命名|改名|改叫|取了?.{{0,3}}名字)(?:为|叫|成)?{_NAME}{_TAIL}"),
        ("bot_name", r"\b(?:calls|named|renamed|names) (?:the )?(?:ai|assistant|bot|lily)(?: to)? " + _LATIN_NAME),
        ("bot_name", r"\bthe (?:ai|assistant|bot)'s name (?:is|to|was changed to) " + _LATIN_NAME),
        ("nickname", rf"(?:希望|想要?|喜欢|要|偏好)(?:别人|大家|莉莉|ai|你|被)?(?:被|能被)?(?:叫|称呼?)(?:做|为|作|他|她|自己|使用者)?{_NAME}{_TAIL}"),
        ("nickname", rf"(?:改|可以|请|以后|都|就|应该|直接|要)(?:叫|称呼?)(?:他|她|我|使用者|自己)(?:做|为|作)?{_NAME}{_TAIL}"),
        ("nickname", rf"(?:^|[,，])(?:改)?叫(?:他|她|使用者){_NAME}{_TAIL}"),
        ("nickname", rf"(?:昵称|绰号|外号|小名|暱称|称呼|网名)(?:是|叫|为|改成|改为|换成)做?{_NAME}{_TAIL}"),
        ("nickname", r"\b(?:be called|go by|goes by|went by|to call (?:them|him|her|the user)|nickname is|call (?:them|him|her|the user)) " + _LATIN_NAME),
        ("name", rf"(?:名字|姓名|本名|真名|全名)(?:现在)?(?:是|叫|为|改成|改为|改叫|换成)做?{_NAME}{_TAIL}"),
        ("name", rf"^(?:现在|其实|的?本名|已经)*(?:叫|名叫|叫做|叫作|改名叫?|改名为|改名成|姓名为|改叫)[做作为]?{_NAME}{_TAIL}"),
        ("name", rf"(?:改名叫?|改名为|改名成|改叫)[做作为]?{_NAME}{_TAIL}"),
        ("name", r"\b(?:name (?:is|was changed to|has changed to)|(?:is|are) (?:called|named)|changed (?:their|his|her) name to) " + _LATIN_NAME),
        ("name", r"(?:名前は|の名前は)(?P<v>[^\s、。]{1,12}?)(?:です|だ|$)"),
        ("pronouns", r"(?:代名词|人称)(?:是|用|为)?(?P<v>.{1,10}?)" + _END),
        ("pronouns", r"\bpronouns? (?:are|is) (?P<v>[a-z/]+)|\b(?P<w>(?:she|he|they|ze|it)/[a-z]+)"),
        ("anniversary", r"(?:结婚)?纪念日(?:是|在|为)?(?P<v>.*\d.*)"),
        ("anniversary", r"\banniversary (?:is|on|falls on)(?: on)? (?P<v>.*\d.*)"),
        ("birthday", r"(?:生日|出生日期)(?:其实|应该)?(?:是|在|为|改成|改为)?(?P<v>.*\d.*)"),
        ("birthday", r"(?P<v>(?:\d{4}年)?\d{1,2}[月/]\d{1,2}[日号]?)(?:.{0,2}(?:生日|出生|生的?)" + _END + ")"),
        ("birthday", r"\bbirthday(?: is| falls)?(?: on)? (?P<v>.*\d.*)|\bborn(?: on)? (?P<w>.*\d.*)"),
        ("birthday", r"誕生日は(?P<v>.*\d.*)|诞生日は(?P<w>.*\d.*)"),
        ("age", r"(?:今年|现在|已经|刚满|年龄是|满|快要?|虚岁|刚|年纪是)*(?P<v>\d{1,3})岁" + _END),
        ("age", r"\b(?:is|turned|turning|age is)(?: now| already| only)? (?P<v>\d{1,3})(?: years? old| years of age)?" + r"(?=$|[,.]| now\b)"),
        ("height", r"身高(?:是|有|为|约|大概|大约)?(?P<v>\d{2,3}(?:\.\d+)?)|(?P<w>1\d\d)(?:公分|cm)高?" + _END),
        ("height", r"\b(?:is|height is) (?P<v>\d{3}) ?cm|\bis (?P<w>\d'\d{1,2}|\d feet(?: \d+)?)(?: tall)?"),
        ("weight", r"体重(?:是|有|为|约|大概|大约|变成|降到|掉到|增加到|来到|到|只剩)*(?P<v>\d{2,3}(?:\.\d+)?)|(?:瘦|胖|减|重|增肥|掉)(?:到|成|至)了?(?P<w>\d{2,3}(?:\.\d+)?)(?:公斤|kg|斤)?"),
        ("weight", r"\b(?:weighs?|weight is|down to|up to|weighed) (?P<v>\d{2,3}(?:\.\d+)?)(?: ?kg| ?kilos?| ?pounds| ?lbs)"),
        ("blood_type", r"(?:血型(?:是|为)?|^是)(?P<v>ab|a|b|o)(?:型|$)|\bblood type is (?P<w>ab|a|b|o)|\btype (?P<x>ab|a|b|o)\b"),
        ("zodiac", r"(?P<v>牡羊|白羊|金牛|双子|巨蟹|狮子|处女|天秤|天蝎|射手|人马|摩羯|魔羯|山羊|水瓶|双鱼)(?:座|女|男)?"),
        ("zodiac", r"\b(?P<v>aries|taurus|gemini|cancer|leo|virgo|libra|scorpio|sagittarius|capricorn|aquarius|pisces)\b(?! (?:treatment|patient|surgery))"),
        ("chinese_zodiac", r"(?:属|生肖(?:是|属)?)(?P<v>[鼠牛虎兔龙蛇马羊猴鸡狗猪])(?:的)?" + _END),
        ("mbti", r"\b(?P<v>[ie][ns][tf][jp])\b"),
        ("nationality", r"国籍(?:是|为)?(?P<v>\S{2,8}?)" + _END + r"|\bcitizenship is (?P<w>[a-z ]+)"),
        ("major", r"(?:主修|专攻|念的是|读的是|科系是|系所是)(?P<v>\S{2,12}?)(?:系)?" + _END),
        ("major", r"\b(?:majors? in|majored in|majoring in|degree in|studies) (?P<v>[a-z ]+?)(?= at\b| and\b|$|[,.])"),
        ("grade", r"(?:念|读|升上?|是|上|现在|今年|就读|升到|成为)(?:了|在)?(?P<v>(?:国小|小学)?[小国高大研硕博][一二三四五六])(?!学|个)"),
        ("grade", r"(?P<v>[小国高大研硕博][一二三四五六](?:年级)?)(?:的?学生|生|了)?" + _END),
        ("children", r"(?:有|生了|育有)(?P<v>\d+)(?:个|名|位)(?:小孩|孩子|子女|小朋友|儿女)"),
        ("children", r"\bhas (?P<v>\d+|a) (?:kids?|child(?:ren)?)\b(?! (?:menu|seat))"),
    )
)  # fmt: skip

_HOMETOWN = re.compile(
    r"(?:老家|故乡|家乡|娘家)(?:是|在|为|位于)?(?P<v>[^\s,，。]{2,12}?)" + _END
    + r"|(?:出生于|出生在|出生地是|(?:从小)?在(?P<w>[^\s,，。]{2,8}?)(?:长大|出生))(?P<x>[^\s,，。]{2,8})?"
    r"|\b(?:hometown is|grew up in|is from|comes from|was born in|was raised in)(?: in)? (?P<y>[a-z ,]+?)(?=$|[.;]| but\b| and\b)"
)  # fmt: skip
_NATIVE = re.compile(r"^(?:其实)?是?(?:土生土长的|道地的)?(?P<v>[^\s,，。是]{2,4})人" + _END)
_HOME = re.compile(
    r"(?:居?住在|居住(?:地是|于)|家住?在|定居(?:在|于)?|租屋在|租在|住处是|现居)(?P<v>[^\s,，。;；]{2,14}?)" + _END
    + r"|(?:搬到|搬去|搬回|搬来|搬家到|移居(?:到)?|迁居(?:到)?)了?(?P<w>[^\s,，。;；]{2,12}?)(?:住|定居|生活)?" + _END
    + r"|\b(?:live in|lives in|living in|resides in|moved (?:back )?to|relocated to|based in|home is in|settled in)"
    r" (?P<x>[a-z ,'.]+?)(?=$|[,.;]| now\b| with\b| last\b| this\b| since\b| for\b| and\b| alone\b| because\b| in \d)"
    r"|(?P<y>[^\s、。]{2,8})に(?:住んでい|引っ越)"
)  # fmt: skip
_MARITAL = (
    ("single", re.compile(r"单身|没有?(?:男|女)朋友|没有?对象|没有?交往|\bis single\b|\bis not (?:dating|seeing)|独身")),
    ("divorced", re.compile(r"离婚|离异|\bdivorced?\b")),
    ("widowed", re.compile(r"丧偶|\bwidow(?:ed|er)?\b")),
    ("engaged", re.compile(r"订婚|\b(?:is|got) engaged\b")),
    ("unmarried", re.compile(r"(?:还没|尚未|未|没有?|不)(?:有)?(?:结婚|婚)|\bnot married\b|\bunmarried\b")),
    ("married", re.compile(r"已婚|(?<!未)(?:已经)?结了?婚了|^结婚|\bis married\b|\bgot married\b|结婚して")),
    ("dating", re.compile(r"(?:在|正在|开始)交往|交往中|有(?:男|女)朋友|脱单|\bdating\b|\bis seeing\b")),
)  # fmt: skip
_FAVORITE = re.compile(
    r"最(?:喜欢|爱|喜爱|钟爱)的(?P<what>[^是\s]{1,8}?)(?:现在|一直|就|还)?(?:是|为|叫)(?P<v>[^\s,，。]{1,20}?)" + _END
    + r"|\bfavou?rite (?P<what2>[a-z ]{2,20}?)(?: now)? (?:is|are) (?P<v2>[^,.;]+)"
    r"|(?P<v3>[^\s,，。]{1,12})(?:是|就是)(?:使用者)?最(?:喜欢|爱|喜爱)的(?P<what3>[^\s,，。]{1,8})$"
    r"|(?:现在)?最(?:喜欢|爱)(?P<verb>吃|喝|看|听|玩)的?是?(?P<v4>[^\s,，。]{1,12}?)" + _END
)  # fmt: skip
_VERB_WHAT = {"吃": "食物", "喝": "饮料", "看": "看", "听": "音乐", "玩": "玩"}


def slot_of(said: str) -> Slot | None:
    """Return the single-valued slot that the words after the subject fill, with its value."""
    said = with_digits(said)
    if (found := _favorite(said)) is not None:
        return found
    for attribute, pattern in _PATTERNS:
        match = pattern.search(said)
        if match is None:
            continue
        value = next((g for g in match.groups() if g), "").strip(" 「」『』\"'是为")
        if not value or (attribute in {"name", "nickname"} and _NOT_A_NAME.match(value)):
            continue
        if (clean := _clean(attribute, value)) is not None:
            return Slot(attribute, clean)
    return _place_slot(said) or _marital(said)


def _clean(attribute: str, value: str) -> str | None:
    if attribute in {"birthday", "anniversary"}:
        day = month_day(value)
        return f"{day[1]:02d}-{day[2]:02d}" if day else None
    if attribute in {"name", "nickname", "bot_name"}:
        value = re.sub(r"(?:,|,|not|而不是|不是|不要).*$", "", value).strip()
        return value or None
    if attribute == "children" and value == "a":
        return "1"
    return value


def _favorite(said: str) -> Slot | None:
    match = _FAVORITE.search(said)
    if match is None or "不" in match.group()[:2]:
        return None
    groups = match.groupdict()
    what = groups["what"] or groups["what2"] or groups["what3"] or _VERB_WHAT.get(groups["verb"] or "")
    value = groups["v"] or groups["v2"] or groups["v3"] or groups["v4"]
    if not what or not value:
        return None
    found = lexicon().concept(what.strip())
    return Slot(f"favorite:{found[1] if found else what.strip()}", value.strip(" 「」"))


def _place_slot(said: str) -> Slot | None:
    for attribute, pattern in (("hometown", _HOMETOWN), ("home", _HOME), ("hometown", _NATIVE)):
        match = pattern.search(said)
        if match is None:
            continue
        value = next((g for g in match.groups() if g), "").strip()
        parts = place_parts(value)
        known = lexicon().concept(parts[0]) if parts else None
        if pattern is _NATIVE and not (known and known[0] == "place"):
            continue
        if parts and not re.search(r"一个人|独居|家里|老家|宿舍$|alone|parents|一起", value):
            return Slot(attribute, "/".join(parts))
    return None


def _marital(said: str) -> Slot | None:
    return next((Slot("marital", value) for value, pattern in _MARITAL if pattern.search(said)), None)


def same_slot_value(attribute: str, a: str, b: str) -> bool | None:
    """Compare two values of a slot; None where one may be a finer telling of the other.

    ``a`` is the known value: True also where ``b`` says no more than ``a`` (台北大安 / 台北).
    """
    a, b = fold(a), fold(b)
    if a == b:
        return True
    if attribute in {"home", "hometown"}:
        first, second = set(a.split("/")), set(b.split("/"))
        if second <= first:
            return True
        return None if first <= second or any(p and p in a for p in second) else False
    if attribute == "marital":
        return None if {a, b} in ({"single", "unmarried"}, {"dating", "unmarried"}) else False
    concept_a, concept_b = lexicon().concept(a), lexicon().concept(b)
    if concept_a and concept_b:
        return concept_a == concept_b
    if attribute.startswith("favorite:") or attribute in {"job", "school", "major"}:
        return None if a in b or b in a else False
    return False
