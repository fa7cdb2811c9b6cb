"""Takes a fact sentence apart. Pure; knows Chinese (both scripts), English and some Japanese."""

from __future__ import annotations

import re
from functools import lru_cache

from memory.statements.dates import dates_in, numbers_in
from memory.statements.lexicon import Token, bare, lexicon
from memory.statements.multi import multi_slot
from memory.statements.occupation import job_of, school_of
from memory.statements.person import split_subject, third_person
from memory.statements.slots import Slot, slot_of
from memory.statements.structure import Aspect, ParsedStatement
from memory.statements.values import with_digits
from memory.text import has_cjk

GRAMMAR = frozenset(
    {
        "like", "dislike", "negation", "hypothetical", "planned", "done", "stopped", "change",
        "moved_event", "cancelled", "additive", "scope", "correction", "function", "habitual",
        "rare", "ongoing", "recent", "pronoun_user",
    }
)  # fmt: skip
# Verbs that end something: the sentence is about what was and is no more.
_ENDING = frozenset(
    {"过世", "分手", "离婚", "辞职", "失业", "退休", "卖", "弄丢", "丢", "搬出", "退租", "还债"}
)
_IDIOMS = re.compile(
    r"不错|不只|不仅|不但|不得不|不过(?!敏)|不管|不论|不同|差不多|无论|不久|不断|不禁|无糖|不加糖|不加奶|没想到|不好意思"
    r"|分别|特别|别人|无法接受|无聊|无敌|非常|除非|是非|能不能|会不会|要不要|好不好|不知不觉|动不动|好不容易|说不定|了不起|不得了|不小心|不一定|三不五时|不锈钢|忍不住"
    r"|\bnot only\b|\bno\. ?\d|\bno problem\b|\bcan not wait\b"
)


@lru_cache(maxsize=2048)
def parse_statement(text: str) -> ParsedStatement:
    """Take one sentence apart; unknown words are kept as they are."""
    sentence = with_digits(third_person(text))
    subject, said = split_subject(sentence)
    undated = _WEEKDAY.sub(" ", said)
    tokens = lexicon().tokens(undated)
    markers = frozenset(token.kind for token in tokens if token.kind in GRAMMAR)
    if any(token.kind == "verb" and token.key in _ENDING for token in tokens):
        markers |= {"stopped"}
    if _NO_LONGER.search(said) or _GIVEN_UP.search(said):
        markers |= {"stopped"}
    if _EACH_TIME.search(said):
        markers = (markers | {"habitual"}) - {"rare"}
    if _IN_PROGRESS.search(said):
        markers |= {"ongoing"}
    polarity = _polarity(tokens)
    aspect = _aspect(markers)
    scope = next((token.key for token in tokens if token.kind == "scope"), None)
    slot = None
    if aspect is not Aspect.HYPOTHETICAL and scope is None:
        slot = slot_of(said) or job_of(said) or school_of(said) or multi_slot(said, tokens, polarity)
    return ParsedStatement(
        text=sentence,
        subject=subject,
        predicate=_predicate(tokens, polarity),
        concepts=frozenset(
            (token.kind, token.key)
            for token in tokens
            if token.kind and token.key and token.kind not in GRAMMAR
        ),
        loose=_loose(tokens),
        markers=markers,
        polarity=polarity,
        negated=_negations(undated, tokens) % 2 == 1,
        numbers=numbers_in(said),
        dates=dates_in(said),
        names=_names(said, slot),
        slot=slot.attribute if slot else None,
        value=slot.value if slot else None,
        aspect=aspect,
        changed=bool(markers & {"change", "stopped", "moved_event", "cancelled"}),
        additive="additive" in markers,
        corrected="correction" in markers,
        scope=scope,
    )


def _loose(tokens: list[Token]) -> frozenset[str]:
    """Join neighbouring unknown CJK characters; keep unknown words that are no punctuation."""
    found: list[str] = []
    last_end = -1
    for token in tokens:
        if token.kind or not token.surface[0].isalnum() or token.surface[0].isdigit():
            continue
        if has_cjk(token.surface) and token.start == last_end and found and has_cjk(found[-1]):
            found[-1] += token.surface
        else:
            found.append(token.surface if has_cjk(token.surface) else bare(token.surface))
        last_end = token.end
    return frozenset(found)


def _negations(said: str, tokens: list[Token]) -> int:
    idioms = [m.span() for m in _IDIOMS.finditer(said)]
    never = len(_NEVER.findall(said))  # the lexicon has 都不 for one word that tells nothing
    return never + sum(
        1 for token in tokens if token.kind == "negation" and not any(a <= token.start < b for a, b in idioms)
    )


_NEVER = re.compile(r"(?<!点)(?<!些)都不(?=[吃喝抽碰])")


_WEEKDAY = re.compile(r"(?:[上这下本](?:下|上|个)?)?(?:周|星期|礼拜|拜)[一二三四五六日天](?!到)")
# Two negations that make a strong yes: 无辣不欢, 非他不可, 没咖啡不行.
_NOT_WITHOUT = re.compile(r"[无非没](?:有)?.{1,5}不(?:欢|可|行)")
# 不…了 at the end of a clause: it was so, and is so no longer (不考了, 不用戴眼镜了).
_NO_LONGER = re.compile(
    r"(?<![受了错好])不(?!错|过|只|但|了|到|见|起|管)[^,，。了]{1,8}了(?=$|[,，。])|\bno longer\b"
    r"|(?<![还从])没有?(?!了|事|关系|问题|办法|想|错|时间|空|钱|力|精神|什么|吃|喝|人|下雨|那么|这么)[^,，。了]{1,8}了(?=$|[,，。])"
    r"|\bleft (?:the )?[a-z]+ (?:and joined|to join|to work|for [a-z]+$)"
)
# What ends something without a word of its own in the lexicon: 停安眠药了, 弃原神了, 没在超商做了.
_GIVEN_UP = re.compile(
    r"^(?:停|弃)(?:掉|用)?[^,，。了]{1,12}了$|脱(?:粉|坑|饭)了|退会了|没有?继续|没有?在[^,，。]{1,10}了$"
    r"|没有?(?:再|在)?做[^,，。了]{1,8}了$"
)
# Something that is being done and will be done some day.
_IN_PROGRESS = re.compile(
    r"(?<!现)在(?:做|等|准备|找|读|念|追|减|练|写|修|治|学|打官司|考虑|存|办|申请|装潢|复健)"
    r"|\b(?:is|are) (?:studying|preparing|training|waiting|applying|recovering|writing|renovating|saving)\b"
)
# Any time of each day, week or month: 每个星期天, every other Friday.
_EACH_TIME = re.compile(
    r"每(?:个|一|逢|到|隔)?(?:天|日|晚|早|周|星期|礼拜|月|年|季|假日|次|餐)"
    r"|\b(?:every|each) (?!once|now)[a-z]+|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b"
)
_CALLED = re.compile(
    r"(?:名叫|叫做|叫|名字是|取名)[「『\"']?(?P<v>[^\s,，。的「」『』\"']{1,6}?)[」』\"']?(?=的|$|[,，。])"
)
_EN_CALLED = re.compile(r"\b(?:named|called|name is) (?P<v>[a-z]+)")


def _names(said: str, slot: Slot | None) -> frozenset[str]:
    found = {m["v"] for pattern in (_CALLED, _EN_CALLED) for m in pattern.finditer(said)}
    if slot is not None and slot.attribute in {"name", "nickname", "bot_name"}:
        found.add(slot.value)
    return frozenset(found)


def _polarity(tokens: list[Token]) -> int:
    stance = 0
    if _NOT_WITHOUT.search("".join(token.surface for token in tokens)):
        return 1
    for index, token in enumerate(tokens):
        if token.kind in {"like", "dislike"}:
            sign = 1 if token.kind == "like" else -1
            before = tokens[max(0, index - 3) : index]
            if sum(1 for t in before if t.kind == "negation") % 2:
                sign = -sign
            stance = sign
    return stance


def _predicate(tokens: list[Token], polarity: int) -> str | None:
    if polarity:
        return "like"
    return next((token.key for token in tokens if token.kind == "verb"), None)


_ASPECTS = (
    ("hypothetical", Aspect.HYPOTHETICAL),
    ("cancelled", Aspect.CANCELLED),
    ("moved_event", Aspect.MOVED),
    ("stopped", Aspect.STOPPED),
    ("done", Aspect.DONE),
    ("planned", Aspect.PLANNED),
)


def _aspect(markers: frozenset[str]) -> Aspect:
    return next((aspect for kind, aspect in _ASPECTS if kind in markers), Aspect.STATE)
