"""Being for or against something, saying and denying it."""

from __future__ import annotations

from memory.relations.compare import Pair
from memory.relations.types import Relation, Verdict
from memory.relations.wording import says, wording
from memory.statements import Aspect, ParsedStatement
from memory.statements.lexicon import wider_than

EATING = frozenset({"吃", "喝"})
# What a favourite is one of, where the word is the kind itself.
_KINDS = {
    "季节": "season", "颜色": "color", "动物": "animal", "饮料": "drink", "食物": "food", "运动": "sport",
    "乐器": "instrument", "season": "season", "color": "color", "animal": "animal",
}  # fmt: skip
_MEALS = {"早餐": "part:morning", "午餐": "part:noon", "晚餐": "part:evening", "宵夜": "part:night"}
_NARROWING = frozenset({"season", "meal"})
_SETTINGS = frozenset({"weekend", "weekday", "part", "wd"})


def stance(pair: Pair) -> Verdict | None:
    """Compare being for or against the same thing."""
    a, b = stance_of(pair.a), stance_of(pair.b)
    if not a or not b:
        return None
    topics = pair.solid or _same_meal(pair)
    narrowed = _narrowing(pair.a) ^ _narrowing(pair.b) or (
        says("when", pair.b.text) and not says("when", pair.a.text)
    )
    if pair.apart - {"work"}:
        return Verdict(Relation.DIFFERENT, "about different things")
    if not topics:
        return None
    if a != b:
        if pair.opposed:
            return Verdict(Relation.DIFFERENT, f"the other way round about opposites: {pair.opposed}")
        if "rare" in pair.b.markers or narrowed or _each_names_a_thing(pair):
            return Verdict(Relation.DIFFERENT, "an exception, or in another setting")
        if pair.covers_new >= 0.3 or pair.covers_old >= 0.5:
            return Verdict(Relation.CONTRADICT, "for it, then against it, or the other way round")
        return None
    fresh = pair.counts_more or _narrowing(pair.b) - _narrowing(pair.a)
    alike = pair.covers_new >= 0.6 or (pair.covers_old >= 0.8 and pair.covers_new >= 0.5)
    if alike and not fresh and not differs(pair, parity=False):
        return Verdict(Relation.DUPLICATE, "the same stance on the same thing")
    return None


def _same_meal(pair: Pair) -> frozenset[str]:
    """Return the one meal both tell of, where the denial names no food: 早上都不吃, 早上會吃吐司."""
    denial = pair.a if pair.a.negated else pair.b
    bare = not any(kind in {"food", "drink"} for kind, _ in denial.concepts)
    both = _narrowing(pair.a) & _narrowing(pair.b) & frozenset(_MEALS)
    return both if bare and pair.shared & EATING else frozenset()


def _each_names_a_thing(pair: Pair) -> bool:
    """Whether each side has a thing of its own beside what they share (人多的餐厅, 人多的演唱会)."""
    old = {key for _, key in pair.a.things} & pair.only_old
    new = {key for _, key in pair.b.things} & pair.only_new
    return bool(old and new)


def stance_of(parsed: ParsedStatement) -> int:
    """Return 1 for, -1 against, 0 neither; eating it every day or not at all counts too."""
    if parsed.polarity:
        return parsed.polarity
    if parsed.terms & EATING:
        if parsed.negated:
            return -1
        return 1 if parsed.habitual else 0
    return 0


def _narrowing(parsed: ParsedStatement) -> frozenset[str]:
    settings = frozenset(d for d in parsed.dates if d.split(":")[0] in _SETTINGS)
    places = frozenset(m[1] for p in wording("setting") for m in p.finditer(parsed.text))
    meals = frozenset(key for kind, key in parsed.concepts if kind in _NARROWING)
    if parsed.terms & EATING:  # not eating in the morning is having no breakfast
        meals |= {meal for meal, part in _MEALS.items() if part in settings}
        settings -= {_MEALS[meal] for meal in meals & _MEALS.keys()}
    return settings | places | meals


def differs(pair: Pair, *, parity: bool = True) -> bool:
    """Whether a number, a date, a name, the negation (if ``parity``) or 也 sets the two apart."""
    return (
        pair.numbers_clash
        or pair.dates_clash
        or pair.names_clash
        or (parity and pair.parity_differs)
        or pair.b.additive
    )


def allergy(pair: Pair) -> Verdict | None:
    """See that who is allergic to it does not eat it every week."""
    slot = pair.a.slot or ""
    if not slot.startswith("allergy:") or pair.b.slot == slot or not pair.same_subject:
        return None
    if stance_of(pair.b) > 0 and slot.partition(":")[2] in pair.b.terms and pair.b.terms & EATING:
        return Verdict(Relation.CONTRADICT, "allergic to it, yet eating it")
    return _with_animals(pair)


def allergic_now(pair: Pair) -> Verdict | None:
    """See that who has become allergic to it no longer eats it gladly; being allergic all along says less."""
    a, b = pair.a, pair.b
    slot = b.slot or ""
    if not slot.startswith("allergy:") or a.slot == slot or not pair.same_subject or b.negated:
        return None
    if not says("begun", b.text) or stance_of(a) <= 0:
        return None
    if slot.partition(":")[2] in a.terms or any(term in slot for term in a.loose):
        return Verdict(Relation.CONTRADICT, "has become allergic to it")
    return None


def _with_animals(pair: Pair) -> Verdict | None:
    animals = {key for kind, key in pair.a.concepts if kind == "animal"}
    near = {t for key in pair.b.terms for t in (key, *wider_than(key))} & animals
    if near and says("keeps_it", pair.b.text) and not pair.b.negated and pair.b.aspect is not Aspect.PLANNED:
        return Verdict(Relation.CONTRADICT, "allergic to the animal, yet keeping one")
    return None


def cooled(pair: Pair) -> bool:
    """Whether the new one says of what was loved or hated that it is neither any more."""
    a, b = pair.a, pair.b
    return bool(a.polarity and says("lukewarm", b.text) and not says("lukewarm", a.text) and not b.scope)


def turned(pair: Pair) -> Verdict | None:
    """Find a taste that has turned: found only 還好 by now, dared by now, another one liked best."""
    a, b = pair.a, pair.b
    if not pair.same_subject or b.aspect in {Aspect.PLANNED, Aspect.HYPOTHETICAL}:
        return None
    if pair.solid and not pair.apart:
        if cooled(pair):
            return Verdict(Relation.CONTRADICT, "neither loved nor hated any more")
        if says("dared_not", a.text) and says("able_now", b.text) and not says("able_now", a.text):
            return Verdict(Relation.CONTRADICT, "what was not dared is by now")
    if says("now_best", b.text) and b.polarity > 0 and not b.negated and not b.additive:
        what = (a.slot or "").partition("favorite:")[2]
        named = {key for kind, key in b.concepts if kind in pair.apart}
        if what and any(what in wider_than(key) or _KINDS.get(what) in pair.apart for key in named):
            return Verdict(Relation.CONTRADICT, "another one is liked best now")
    return None


def negation(pair: Pair) -> Verdict | None:
    """Find the same thing said and denied."""
    if not pair.parity_differs or pair.apart or (stance_of(pair.a) and stance_of(pair.b)):
        return None
    if pair.same_dislike:
        return None
    if not pair.solid or pair.dates_clash or pair.b.additive or says("only", pair.b.text):
        return None
    if _narrowing(pair.a) ^ _narrowing(pair.b):
        return None
    if pair.covers_new >= 0.6 and pair.covers_old >= 0.6:
        return Verdict(Relation.CONTRADICT, "said and denied")
    return None


def denied_class(pair: Pair) -> Verdict | None:
    """Find who is against a whole class, or never does it, taking to one of it (不喝酒, 爱喝威士忌)."""
    a, b = pair.a, pair.b
    against = a.polarity < 0 or (a.negated and not a.polarity)
    if not against or not pair.narrower or b.negated or b.additive:
        return None
    if "rare" in b.markers or b.aspect is Aspect.PLANNED:
        return None
    takes = stance_of(b) > 0 or b.habitual or bool(b.slot and b.slot.startswith("pet:"))
    if takes and pair.same_subject and not _narrowing(a) and a.predicate != "学":
        return Verdict(Relation.CONTRADICT, "against the whole class, yet taking to one of it")
    return None


def denied_or_done(pair: Pair) -> Verdict | None:
    """Find a plain denial against a sentence that has it happening again and again (不会开车, 每天开车)."""
    a, b = pair.a, pair.b
    if not pair.parity_differs or pair.apart or pair.dates_clash or b.additive or not pair.shared:
        return None
    if pair.same_dislike:
        return None
    if "rare" in a.markers | b.markers or says("only", b.text) or _narrowing(a) - _narrowing(b):
        return None
    denial, whole = (a, pair.covers_old) if a.negated else (b, pair.covers_new)
    doing = b if a.negated else a
    if whole >= 0.9 and not denial.polarity and (doing.habitual or doing.polarity > 0 or not a.negated):
        return Verdict(Relation.CONTRADICT, "denied, yet done")
    return None
