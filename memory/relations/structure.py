"""What structure alone decides, surest first. Each rule gives a verdict with its reason, or passes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from memory.relations.compare import Pair
from memory.relations.traits import traits_of
from memory.relations.types import Relation, Verdict
from memory.statements import Aspect, ParsedStatement, is_single_valued, same_value
from memory.statements.lexicon import lexicon
from memory.statements.patterns import expression

Rule = Callable[[Pair], Verdict | None]

_EATING = frozenset({"吃", "喝"})
_WHEN = expression(r"在[^,，。]{1,8}(?:时|的时候|期间)|\b(?:when|while|during) ")
_PROMOTED = expression(r"升任|升为|升上|晋升|转任|改当|改做|跳槽到|\b(?:got )?promoted to\b|\bis now an? ")
_ONLY = expression(r"只|仅|\bonly\b")
_NARROWING = frozenset({"season", "meal"})
_PLAIN = re.compile(r"[\s\W_]+")
_MOURNING = expression(r"想念|怀念|忌日|扫墓|遗物|生前|梦|照片|纪念|\bmiss|\bgrave|\bmemor|\bremember|\bdream")
_DEATH = "过世"
_CORRECTED = (
    expression(r"不是(?P<wrong>[^,，。]{1,12}?)[,，]?(?:而)?是(?P<right>[^,，。]{1,16})"),
    expression(r"不(?:要|想)?(?:再)?(?:叫|喝|吃|住|在)(?:他|她)?(?P<wrong>[^,，。]{1,10})[,，]?(?:改|而是|叫)(?P<right>[^,，。]{1,16})"),
    expression(r"\bnot (?:an? )?(?P<wrong>[a-z ]{2,20}?),? (?:but|it is|it's) (?:an? )?(?P<right>[a-z ]{2,20})"),
    expression(r"(?P<right>[a-z]+), not (?:an? )?(?P<wrong>[a-z]+)$"),
    expression(r"(?P<right>[^,，。]{1,10})[,，](?:而)?不是(?P<wrong>[^,，。]{1,10})$"),
)  # fmt: skip
_POSSESSION = (
    expression(r"^(?:使用者|用户)的(?P<thing>[^,，。是在叫的很不]{1,8}?)(?:现在|名字|的名字)?(?P<link>是|在|叫|换成|改成)(?:了)?(?P<value>[^,，。]{1,12})$"),
    expression(r"^(?:使用者|用户)(?P<thing>开|骑|用|戴)(?P<link>的)是(?P<value>[^,，。]{1,10})$"),
    expression(r"^the user's (?P<thing>[a-z ]+?) (?P<link>is|are)(?: now| called| named| an?| in)* (?P<value>[a-z0-9 ]+)$"),
)  # fmt: skip
_LINKS = {"换成": "是", "改成": "是"}
_PARTNER = (
    expression(r"^(?:使用者|用户)的?(?:男朋友|女朋友|男友|女友|另一半|老公|老婆|伴侣)(?:的名字)?(?:叫|是|名叫)(?P<v>[^,，。]{1,6})$"),
    expression(r"^(?:使用者|用户)(?:正在|目前|现在)?(?:和|跟|与)(?P<v>[^,，。]{1,6}?)(?:正|还)?(?:在|正在)?(?:交往|在一起|谈恋爱)(?:中)?$"),
    expression(r"^the user is (?:dating|seeing|in a relationship with|married to|engaged to) (?P<v>[a-z]+)$"),
    expression(r"^(?P<v>[a-z]+) is the user's (?:partner|boyfriend|girlfriend|husband|wife|fiancee?)$"),
    expression(r"^the user's (?:partner|boyfriend|girlfriend|husband|wife) is (?:named |called )?(?P<v>[a-z]+)$"),
)  # fmt: skip
_MANY = frozenset("专长 朋友 优点 缺点 习惯 偶像 爱好 梦想 强项 拿手菜 同事 hobby strength dream friend goal".split())
_ONCE = frozenset({"口试", "毕业典礼", "告别式", "预产期", "退伍", "报到", "结婚", "手术", "订婚"})
_OWN_EVENT = expression(
    r"^(?:的|'s)?\s?[^,，。在是]{1,10}(?:在|是|改|定在|订在|排在)|\b(?:exam|interview|finals?|defense|wedding|surgery|graduation|test|presentation) is (?:on|at|in)?"
)
_AGAIN = frozenset({"看牙医", "看医生", "开会", "聚餐", "加班", "旅行", "出差", "看电影", "演唱会", "交往", "课", "运动"})


def _say(relation: Relation, reason: str) -> Verdict:
    return Verdict(relation, reason)


def equal_texts(pair: Pair) -> Verdict | None:
    """The same sentence again, whatever its person, script or punctuation."""
    a, b = (_PLAIN.sub("", p.text) for p in (pair.a, pair.b))
    if a == b and pair.same_subject and not _stored_dates_differ(pair):
        return _say(Relation.DUPLICATE, "the same words")
    return None


def _stored_dates_differ(pair: Pair) -> bool:
    a, b = pair.old.valid_from, pair.new.valid_from
    return a is not None and b is not None and a != b


def hypothetical(pair: Pair) -> Verdict | None:
    """What only might be changes nothing."""
    sides = (pair.a.aspect, pair.b.aspect)
    if Aspect.HYPOTHETICAL in sides and sides[0] is not sides[1]:
        return _say(Relation.DIFFERENT, "one of them is only supposed")
    return None


def death(pair: Pair) -> Verdict | None:
    """Who died does nothing any more; a pet that died is no longer kept."""
    a, b = pair.a, pair.b
    died_a, died_b = _DEATH in a.terms, _DEATH in b.terms
    if died_a and not died_b:
        people = {key for kind, key in a.concepts if kind == "kin"} | ({a.subject} - {"user"})
        again = {key for kind, key in b.concepts if kind == "kin"} | ({b.subject} - {"user"})
        if people & again and not _MOURNING.search(b.text):
            return _say(Relation.CONTRADICT, "one who died is told to be doing things")
    if died_b and not died_a and ("养" in a.terms or (a.slot or "").startswith("pet:")):
        animals = {key for kind, key in a.concepts if kind == "animal"}
        if animals & (b.terms | {b.subject}) or any(name in b.text for name in a.names):
            return _say(Relation.CONTRADICT, "the animal that was kept has died")
    return None


def correction(pair: Pair) -> Verdict | None:
    """「不是貓，是狗」 overturns what names the wrong one."""
    for pattern in _CORRECTED:
        match = pattern.search(pair.b.text)
        if match is None or not pair.same_subject:
            continue
        wrong = {t.key or t.surface for t in lexicon().tokens(match["wrong"]) if t.kind != "function"}
        if (wrong & pair.a.terms - {None} or match["wrong"].strip() in pair.a.text) and not pair.a.negated:
            return _say(Relation.CONTRADICT, "the new one corrects a word of the old one")
    return None


def exclusive_traits(pair: Pair) -> Verdict | None:
    """Two states that exclude each other, or the same one said twice."""
    if pair.a.scope or pair.b.scope or "rare" in pair.b.markers:
        return None
    old, new = traits_of(pair.a), traits_of(pair.b)
    common = sorted(old.keys() & new.keys())
    for name in common:
        if old[name].value != new[name].value and (old[name].outright or new[name].outright):
            return _say(Relation.CONTRADICT, f"{name}: {old[name].value} against {new[name].value}")
    if pair.opposed and pair.same_subject and not pair.dates_clash and not pair.b.additive:
        return _say(Relation.CONTRADICT, f"one excludes the other: {pair.opposed}")
    agree = [name for name in common if old[name].outright and new[name].outright]
    unlike = pair.numbers_clash or pair.dates_clash or pair.names_clash or pair.b.additive
    if agree and pair.same_subject and not unlike and _adds_little(pair):
        return _say(Relation.DUPLICATE, f"{agree[0]}: the same state again")
    return None


def _adds_little(pair: Pair) -> bool:
    return pair.covers_new >= 0.5 or len(pair.only_new) <= 1


def other_subject(pair: Pair) -> Verdict | None:
    """About different people; one's own animal or brother named in both is one."""
    close = pair.one_owns_other and pair.covers_new >= 0.75 and pair.covers_old >= 0.6
    if not pair.same_subject and not close:
        return _say(Relation.DIFFERENT, "about different people")
    return None


def other_time_of_life(pair: Pair) -> Verdict | None:
    """What was so in a closed time of life stands beside what is so now."""
    if pair.a.scope != pair.b.scope:
        return _say(Relation.DIFFERENT, "one tells of an earlier time")
    return None


def single_slot(pair: Pair) -> Verdict | None:
    """A slot with one value: another value overturns it."""
    slot = pair.a.slot
    if slot is None or slot != pair.b.slot or not is_single_valued(slot):
        return None
    same = same_value(slot, pair.old.text, pair.new.text)
    if same is False and (not pair.b.additive or slot in {"home", "age", "grade"}):
        return _say(Relation.CONTRADICT, f"{slot} has another value")
    if same and (pair.covers_new >= 0.34 or len(pair.only_new) <= 2):
        return _say(Relation.DUPLICATE, f"{slot} has the same value")
    return None


def events(pair: Pair) -> Verdict | None:
    """Moved, cancelled, done, again: two tellings of something that happens at a time."""
    a, b = pair.a, pair.b
    if pair.solid and not a.polarity:
        if b.aspect is Aspect.CANCELLED and a.aspect is not Aspect.CANCELLED:
            return _say(Relation.CONTRADICT, "the new one calls it off")
        if b.aspect is Aspect.MOVED and a.aspect is not Aspect.DONE and not pair.apart - {"season"}:
            return _say(Relation.CONTRADICT, "the new one moves it")
    if pair.tense_differs:
        return _say(Relation.DIFFERENT, "one is past, the other ahead")
    if pair.dates_clash and not (a.polarity and b.polarity):
        once = pair.solid & _ONCE
        own = _OWN_EVENT.search(_said(a)) and _OWN_EVENT.search(_said(b))
        settled = (once or own) and not pair.solid & _AGAIN and not pair.apart
        if settled and pair.covers_new >= 0.5 and not b.additive:
            return _say(Relation.CONTRADICT, "one happening, another date")
        if not (a.habitual or b.habitual):
            return _say(Relation.DIFFERENT, "at different times")
    return None


def _said(parsed: ParsedStatement) -> str:
    return re.sub(r"^(?:使用者|用户|the user)", "", parsed.text)


def stopped(pair: Pair) -> Verdict | None:
    """What is no longer done overturns that it is done."""
    a, b = pair.a, pair.b
    ended = b.aspect is Aspect.STOPPED or "stopped" in b.markers
    if ended and "stopped" not in a.markers and not a.negated and pair.solid and not pair.apart:
        return _say(Relation.CONTRADICT, "the new one ends what the old one tells")
    return None


def stance(pair: Pair) -> Verdict | None:
    """For or against the same thing."""
    a, b = _stance(pair.a), _stance(pair.b)
    if not a or not b:
        return None
    topics = pair.solid
    narrowed = _narrowing(pair.a) ^ _narrowing(pair.b) or (_WHEN.search(pair.b.text) and not _WHEN.search(pair.a.text))
    if pair.apart - {"work"}:
        return _say(Relation.DIFFERENT, "about different things")
    if not topics:
        return None
    if a != b:
        if "rare" in pair.b.markers or narrowed:
            return _say(Relation.DIFFERENT, "an exception, or in another setting")
        if pair.covers_new >= 0.3 or pair.covers_old >= 0.5:
            return _say(Relation.CONTRADICT, "for it, then against it, or the other way round")
        return None
    fresh = pair.counts_more or _narrowing(pair.b) - _narrowing(pair.a)
    alike = pair.covers_new >= 0.6 or (pair.covers_old >= 0.8 and pair.covers_new >= 0.5)
    if alike and not fresh and not _differs(pair, parity=False):
        return _say(Relation.DUPLICATE, "the same stance on the same thing")
    return None


def _stance(parsed: ParsedStatement) -> int:
    if parsed.polarity:
        return parsed.polarity
    if parsed.terms & _EATING:
        if parsed.negated:
            return -1
        return 1 if parsed.habitual else 0
    return 0


def _narrowing(parsed: ParsedStatement) -> frozenset[str]:
    settings = frozenset(d for d in parsed.dates if d.split(":")[0] in {"weekend", "weekday", "part", "wd"})
    return settings | frozenset(key for kind, key in parsed.concepts if kind in _NARROWING)


def _differs(pair: Pair, *, parity: bool = True) -> bool:
    return (
        pair.numbers_clash
        or pair.dates_clash
        or pair.names_clash
        or (parity and pair.parity_differs)
        or pair.b.additive
    )


def changed_value(pair: Pair) -> Verdict | None:
    """「轉行」「換成」: another thing of the same kind takes the place of the old one."""
    if pair.a.slot == "job" and _PROMOTED.search(pair.b.text) and pair.same_subject:
        return _say(Relation.CONTRADICT, "the new one changes the job")
    if "change" in pair.b.markers and pair.apart & {"job", "vehicle", "brand", "color", "work"}:
        return _say(Relation.CONTRADICT, "the new one changes it")
    return None


def negation(pair: Pair) -> Verdict | None:
    """The same thing said and denied."""
    if not pair.parity_differs or pair.apart or (_stance(pair.a) and _stance(pair.b)):
        return None
    if _same_dislike(pair):
        return None
    if not pair.solid or pair.dates_clash or pair.b.additive or _ONLY.search(pair.b.text):
        return None
    if _narrowing(pair.a) ^ _narrowing(pair.b):
        return None
    if pair.covers_new >= 0.6 and pair.covers_old >= 0.6:
        return _say(Relation.CONTRADICT, "said and denied")
    return None


def _same_dislike(pair: Pair) -> bool:
    """Whether one denies what the other is against: 不敢吃辣, 怕辣."""
    a, b = pair.a, pair.b
    return (a.negated and b.polarity < 0) or (b.negated and a.polarity < 0)


def denied_or_done(pair: Pair) -> Verdict | None:
    """「不会开车」 against 「每天开车…」: a plain denial, and a sentence that has it happening again and again."""
    a, b = pair.a, pair.b
    if not pair.parity_differs or pair.apart or pair.dates_clash or b.additive or not pair.shared:
        return None
    if _same_dislike(pair):
        return None
    if "rare" in a.markers | b.markers or _ONLY.search(b.text) or _narrowing(a) - _narrowing(b):
        return None
    denial, whole = (a, pair.covers_old) if a.negated else (b, pair.covers_new)
    doing = b if a.negated else a
    if whole >= 0.9 and not denial.polarity and (doing.habitual or doing.polarity > 0 or not a.negated):
        return _say(Relation.CONTRADICT, "denied, yet done")
    return None


def allergy(pair: Pair) -> Verdict | None:
    """Who is allergic to it does not eat it every week."""
    slot = pair.a.slot or ""
    if slot.startswith("allergy:") and _stance(pair.b) > 0 and slot.partition(":")[2] in pair.b.terms:
        if pair.b.terms & _EATING and not pair.b.slot == slot:
            return _say(Relation.CONTRADICT, "allergic to it, yet eating it")
    return None


def partner(pair: Pair) -> Verdict | None:
    """The same person told as partner in two ways."""
    a, b = (partner_name(p) for p in (pair.a, pair.b))
    if a and a == b and "stopped" not in pair.a.markers | pair.b.markers and not pair.parity_differs:
        return _say(Relation.DUPLICATE, "the same partner")
    return None


def partner_name(parsed: ParsedStatement) -> str | None:
    """Return the name of the user's partner, where the sentence tells just that."""
    return next((m["v"] for p in _PARTNER if (m := p.search(parsed.text))), None)


def same_possession(pair: Pair) -> Verdict | None:
    """「使用者的猫叫…」「房租是…」: one thing of the user's, told to be something else."""
    a, b = _possession(pair.a), _possession(pair.b)
    if a is None or b is None or a[0] != b[0] or pair.b.additive:
        return None
    values = [{t for t in lexicon_terms(v)} for v in (a[1], b[1])]
    if (values[0] & values[1] and not pair.apart) or pair.dates_clash:
        return None
    if any(w in a[1] or w in b[1] for w in ("不", "没", "很", "not")):
        return None
    return _say(Relation.CONTRADICT, "one thing of theirs, told to be something else")


def _possession(parsed: ParsedStatement) -> tuple[str, str] | None:
    for pattern in _POSSESSION:
        match = pattern.search(parsed.text)
        if match is None or match["thing"].strip() in _MANY:
            continue
        known = lexicon().concept(match["thing"].strip())
        thing = known[1] if known else match["thing"].strip()
        link = _LINKS.get(match["link"], match["link"])
        return (f"{thing}/{link}", match["value"].strip())
    return None


def lexicon_terms(phrase: str) -> frozenset[str]:
    """Return what a phrase names: concepts, and loose characters one by one."""
    return frozenset(t.key or t.surface for t in lexicon().tokens(phrase) if t.kind != "function")


def other_things(pair: Pair) -> Verdict | None:
    """The same kind of statement about another thing adds to it."""
    if pair.apart:
        return _say(Relation.DIFFERENT, "about different things")
    if pair.b.additive:
        return _say(Relation.DIFFERENT, "says that it comes on top")
    return None


def counts(pair: Pair) -> Verdict | None:
    """The same thing counted differently."""
    if pair.numbers_clash and pair.covers_new >= 0.6 and pair.covers_old >= 0.6 and not pair.parity_differs:
        if pair.a.aspect is Aspect.DONE or pair.b.aspect is Aspect.DONE:
            return None
        return _say(Relation.CONTRADICT, "another number for the same thing")
    return None


def contained(pair: Pair) -> Verdict | None:
    """Everything the new one says is in the old one."""
    if _differs(pair) or not pair.solid or _stance(pair.a) * _stance(pair.b) < 0:
        return None
    if bool(_stance(pair.a)) != bool(_stance(pair.b)) and not pair.shared & _EATING:
        return None
    if pair.counts_more:
        return None
    if pair.covers_new >= 0.99 and pair.covers_old >= 0.25:
        return _say(Relation.DUPLICATE, "the old one says all of it")
    if pair.covers_new >= 0.75 and pair.covers_old >= 0.75:
        return _say(Relation.DUPLICATE, "nearly the same content")
    return None


RULES: tuple[Rule, ...] = (
    equal_texts,
    hypothetical,
    death,
    correction,
    exclusive_traits,
    partner,
    other_subject,
    other_time_of_life,
    single_slot,
    events,
    stopped,
    allergy,
    stance,
    changed_value,
    negation,
    denied_or_done,
    same_possession,
    other_things,
    counts,
    contained,
)


def by_structure(pair: Pair, rules: Iterable[Rule] = RULES) -> Verdict | None:
    """Return the first rule's verdict, or None where structure doesn't tell."""
    return next((verdict for rule in rules if (verdict := rule(pair)) is not None), None)
