"""The single-valued slots: what makes two facts comparable whatever their distance."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory.statements.lexicon import lexicon, wider_than
from memory.statements.patterns import patterns, search, value_of
from memory.statements.values import month_day, place_parts, with_digits
from memory.text import fold

SINGLE_VALUED: frozenset[str] = frozenset(
    {
        "name", "nickname", "bot_name", "home", "hometown", "birthday", "age", "job", "school", "grade",
        "major", "pronouns", "height", "weight", "blood_type", "zodiac", "chinese_zodiac", "mbti",
        "marital", "anniversary", "children", "nationality",
    }
)  # fmt: skip
# One at a time as a rule, but not surely enough to be settled without a look at the sentences.
USUALLY_SINGLE: frozenset[str] = frozenset({"commute", "work_place", "employer", "household"})
_NAMING = frozenset({"name", "nickname", "bot_name"})
_PLACES = frozenset({"home", "hometown", "work_place"})
# A plan or a wish about these leaves the slot as it is: 打算搬到台南 does not move anybody yet.
_ONLY_WHEN_TRUE = frozenset(
    {"home", "marital", "weight", "work_place", "children", "school", "grade", "commute"}
)
_PLAN = re.compile(
    r"打算|计划|想要?(?!到)|准备|预计|希望|考虑|将来|要(?=搬|去|移|住|瘦|减)|(?:要|会|即将|快)$|之后要|以后"
    r"|\b(?:will|plans?|planning|wants?|going|hopes?|hoping|would like|intends?|thinking about|considering) "
)
_NEGATED = re.compile(r"(?:不|没|没有|不是|并不|不再|不想|not|no longer|never)\s?(?:再|要再|要|真的)?\s?$")
_NOT_A_NAME = re.compile(
    r"^(?:了|外卖|外送|车|计程车|我|他|她|你|人|醒|做|什么|床|救护车|吃|不|得|好|苦|停|妈|爸|哥|姐|弟|妹|老公|老婆|大家|朋友|同事|室友|小孩|孩子|"
    r"(?:uber|taxi|for|me|out|it|the|an?|us|not)\b)"
)
_TELLING = re.compile(r"[帮去来买做起回给][^\s]")
_NOT_A_PLACE = re.compile(
    r"饭店|酒店|旅馆|民宿|医院|朋友|亲戚|[天晚周]$|家$|一个人|独居|家里|老家|宿舍$|alone|parents|一起|室友|新家|别的|其他"
)
_VAGUE_EMPLOYER = re.compile(
    r"家|公司|朋友|亲戚|外面|这里|那里|同|一起|业$|楼|区$|园$|国|边$|里$|室$|部$|\b(?:home|night|nights|the|an?|their|his|her|this|that|least|all|all|hard|moment)\b"
)
_ANY_EMPLOYER = frozenset(
    {
        "公司",
        "新创",
        "科技业",
        "科学园区",
        "远端",
        "进办公室",
        "大夜班",
        "早班",
        "正职",
        "学校",
        "大学",
        "工厂",
    }
)
_SCHOOLS = ("大学", "学院", "高中", "科大")
_GRADES = {"国小": "小", "小学": "小"}


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot and the value a sentence gives it, both folded."""

    attribute: str
    value: str


def is_single_valued(attribute: str) -> bool:
    """Whether the slot holds one value at a time; every ``favorite:<what>`` and ``least:<what>`` does."""
    return attribute in SINGLE_VALUED or attribute.startswith(("favorite:", "least:"))


def slot_of(said: str) -> Slot | None:
    """Return the single-valued slot that the words after the subject fill, with its value."""
    said = with_digits(said)
    if (found := _favorite(said)) is not None:
        return found
    for key, expressions in patterns("slots.yaml").items():
        attribute, _, fixed = key.partition("=")
        for expression in expressions:
            match = expression.search(said)
            if match is None or _untrue(attribute, said[: match.start()]):
                continue
            value = fixed or _clean(attribute, value_of(match).strip(" 「」『』\"'是为"))
            if value:
                return Slot("hometown" if attribute == "native" else attribute, value)
    return None


def _untrue(attribute: str, before: str) -> bool:
    if attribute != "marital" and _NEGATED.search(before):
        return True
    return attribute in _ONLY_WHEN_TRUE and _PLAN.search(before) is not None


def _clean(attribute: str, value: str) -> str | None:
    if attribute in {"birthday", "anniversary"}:
        day = month_day(value)
        return f"{day[1]:02d}-{day[2]:02d}" if day else None
    if attribute in _NAMING:
        value = re.sub(r"(?:,|，|\bnot\b|而不是|不是|不要).*$", "", value).strip()
        told_to = len(value) > 3 and _TELLING.search(value)
        return None if not value or told_to or _NOT_A_NAME.match(value) else value
    if attribute in _PLACES or attribute == "native":
        return _place(attribute, value)
    if attribute == "major" and value.endswith(_SCHOOLS):
        return None
    if attribute == "commute":
        return _vehicle(value)
    if attribute == "employer":
        return _employer(value)
    if attribute == "grade":
        for long, short in _GRADES.items():
            value = value.replace(long, short)
        return value.removesuffix("年级")
    return "1" if (attribute, value) == ("children", "a") else value or None


def _place(attribute: str, value: str) -> str | None:
    parts = place_parts(value)
    if not parts or _NOT_A_PLACE.search(value):
        return None
    known = lexicon().concept(parts[0])
    if attribute in {"native", "work_place"} and not (known and known[0] == "place"):
        return None
    return "/".join(parts)


def _employer(value: str) -> str | None:
    """Return what surely names one employer or one sort of it, not 公司 or 家里."""
    if _VAGUE_EMPLOYER.search(value) or place_parts(value)[:1] != (value,):
        return None
    known = lexicon().concept(value)
    if known is None:
        return value
    return known[1] if known[0] in {"work", "things", "brand"} and known[1] not in _ANY_EMPLOYER else None


def _vehicle(value: str) -> str | None:
    if value.startswith(("走", "walk")):
        return "走路"
    known = next((t.key for t in lexicon().tokens(value) if t.kind == "vehicle"), None)
    return known or {"driv": "汽车", "开": "汽车", "开车": "汽车", "bik": "脚踏车", "cycl": "脚踏车"}.get(
        value
    )


def _favorite(said: str) -> Slot | None:
    least = search("phrases.yaml", "least", said)
    match = least or search("phrases.yaml", "favorite", said)
    if match is None:
        return None
    what, value = match["what"].strip(), match["v"].strip(" 「」")
    if _NEGATED.search(said[: match.start()]) or value.startswith("不"):
        return None
    what = {"吃": "食物", "喝": "饮料", "听": "音乐", "玩": "游戏"}.get(what, what)
    known = lexicon().concept(what)
    return Slot(f"{'least' if least else 'favorite'}:{known[1] if known else what}", value)


def same_slot_value(attribute: str, a: str, b: str) -> bool | None:
    """Compare two values of a slot; None where one may be a finer telling of the other.

    ``a`` is the known value: True also where ``b`` says no more than ``a`` (台北大安 / 台北).
    """
    a, b = fold(a), fold(b)
    if a == b:
        return True
    if attribute in _PLACES:
        first, second = set(a.split("/")), set(b.split("/"))
        if second <= first.union(*map(wider_than, first)):
            return True
        finer = first <= second.union(*map(wider_than, second)) or any(part in a for part in second)
        return None if finer else False
    if attribute == "grade":
        return None if a[0] == b[0] and len(a) != len(b) else False
    if attribute == "marital":
        vague = ({"single", "unmarried"}, {"dating", "unmarried"})
        return None if {a, b} in vague else False
    known_a, known_b = lexicon().concept(a), lexicon().concept(b)
    if attribute == "employer" and bool(known_a) != bool(known_b):
        return None
    if known_a and known_b and known_a != known_b:
        if known_b[1] in wider_than(known_a[1]):
            return True
        if known_a[1] in wider_than(known_b[1]):
            return None
    if known_a and known_b:
        return None if attribute == "job" and (a in b or b in a) else known_a == known_b
    if attribute.startswith(("favorite:", "least:")) or attribute in {
        "job",
        "employer",
        "school",
        "major",
        "nationality",
    }:
        return None if a in b or b in a else False
    return False
