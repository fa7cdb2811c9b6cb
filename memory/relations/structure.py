"""What structure alone decides, surest first. Each rule gives a verdict with its reason, or passes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from memory.model import USER_SUBJECT
from memory.relations.compare import Pair
from memory.relations.happenings import death, events, stopped
from memory.relations.implied import ruled_out
from memory.relations.possessions import changed_value, other_amount, partner, same_possession
from memory.relations.stances import (
    EATING,
    allergic_now,
    allergy,
    denied_class,
    denied_or_done,
    differs,
    negation,
    stance,
    stance_of,
    turned,
)
from memory.relations.traits import traits_of
from memory.relations.turns import (
    another_job,
    another_one,
    another_place,
    back_home,
    back_on,
    fulfilled,
    left_school,
    left_the_dorm,
    other_days,
    recovered,
    resumed,
    scrapped,
    side_job,
)
from memory.relations.types import Relation, Verdict
from memory.relations.wording import says, wording
from memory.statements import Aspect, is_single_valued, same_value
from memory.statements.lexicon import lexicon
from memory.statements.slots import USUALLY_SINGLE

Rule = Callable[[Pair], Verdict | None]

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_ROUTINE = frozenset({"起床", "睡", "上班", "吃"})
# Share of a sentence that a state's own words take when it tells nothing else (the subject takes the rest).
_MOSTLY = 0.45
_PLAIN = re.compile(r"[\s\W_]+")


def equal_texts(pair: Pair) -> Verdict | None:
    """Find the same sentence again, whatever its person, script or punctuation."""
    a, b = (_PLAIN.sub("", p.text) for p in (pair.a, pair.b))
    if a == b and pair.same_subject and not _stored_dates_differ(pair):
        return Verdict(Relation.DUPLICATE, "the same words")
    return None


def _stored_dates_differ(pair: Pair) -> bool:
    a, b = pair.old.valid_from, pair.new.valid_from
    return a is not None and b is not None and a != b


def hypothetical(pair: Pair) -> Verdict | None:
    """Leave what only might be aside: it changes nothing."""
    sides = (pair.a.aspect, pair.b.aspect)
    if Aspect.HYPOTHETICAL in sides and sides[0] is not sides[1]:
        return Verdict(Relation.DIFFERENT, "one of them is only supposed")
    return None


def correction(pair: Pair) -> Verdict | None:
    """Let 「不是貓，是狗」 overturn what names the wrong one."""
    for pattern in wording("corrected"):
        match = pattern.search(pair.b.text)
        if match is None or not pair.same_subject:
            continue
        wrong = {t.key or t.surface for t in lexicon().tokens(match["wrong"]) if t.kind != "function"}
        if (wrong & pair.a.terms - {None} or match["wrong"].strip() in pair.a.text) and not pair.a.negated:
            return Verdict(Relation.CONTRADICT, "the new one corrects a word of the old one")
    return None


def exclusive_traits(pair: Pair) -> Verdict | None:
    """Find two states that exclude each other, or the same one said twice."""
    if pair.a.scope or pair.b.scope or "rare" in pair.b.markers:
        return None
    theirs = pair.same_subject and USER_SUBJECT not in {pair.a.subject, pair.b.subject}
    old, new = traits_of(pair.a, theirs=theirs), traits_of(pair.b, theirs=theirs)
    common = sorted(old.keys() & new.keys())
    for name in common:
        if old[name].value != new[name].value and (old[name].outright or new[name].outright):
            return Verdict(Relation.CONTRADICT, f"{name}: {old[name].value} against {new[name].value}")
    flipped = pair.a.polarity * pair.b.polarity < 0
    if (
        pair.opposed
        and (pair.solid or not _deeds(pair))
        and not flipped
        and pair.same_subject
        and not pair.dates_clash
        and not pair.b.additive
    ):
        return Verdict(Relation.CONTRADICT, f"one excludes the other: {pair.opposed}")
    if theirs or flipped or "stopped" in pair.b.markers - pair.a.markers:
        return None
    agree = [name for name in common if old[name].outright and new[name].outright]
    unlike = pair.numbers_clash or pair.dates_clash or pair.names_clash or pair.b.additive
    only_that = any(new[name].share >= _MOSTLY for name in agree)
    if agree and pair.same_subject and not unlike and (only_that or _adds_little(pair)):
        return Verdict(Relation.DUPLICATE, f"{agree[0]}: the same state again")
    return None


def _deeds(pair: Pair) -> bool:
    """Whether the words that exclude each other are deeds (買 / 賣): those must be done to the same thing."""
    words = set((pair.opposed or "").split(" / "))
    return all(kind == "verb" for kind, key in pair.a.concepts | pair.b.concepts if key in words)


def _adds_little(pair: Pair) -> bool:
    return pair.covers_new >= 0.5 or len(pair.only_new) <= 1


def other_subject(pair: Pair) -> Verdict | None:
    """Keep different people apart; one's own animal or brother named in both is one."""
    close = pair.one_owns_other and pair.covers_new >= 0.75 and pair.covers_old >= 0.6
    if not pair.same_subject and not close:
        return Verdict(Relation.DIFFERENT, "about different people")
    return None


def other_time_of_life(pair: Pair) -> Verdict | None:
    """Let what was so in a closed time of life stand beside what is so now."""
    if pair.a.scope != pair.b.scope:
        return Verdict(Relation.DIFFERENT, "one tells of an earlier time")
    return None


def single_slot(pair: Pair) -> Verdict | None:
    """Let another value of a slot with one value overturn the old one."""
    slot = pair.a.slot
    if slot is None or slot != pair.b.slot:
        return None
    once_only = bool(pair.b.dates & {"day:0", "day:-1", "day:1"})
    if not is_single_valued(slot) and (slot not in USUALLY_SINGLE or once_only):
        return None
    same = same_value(slot, pair.old.text, pair.new.text)
    if same is False and (not pair.b.additive or slot in {"home", "age", "grade"}):
        return Verdict(Relation.CONTRADICT, f"{slot} has another value")
    if same and (pair.covers_new >= 0.34 or len(pair.only_new) <= 2):
        return Verdict(Relation.DUPLICATE, f"{slot} has the same value")
    return None


def other_things(pair: Pair) -> Verdict | None:
    """Let the same kind of statement about another thing add to it."""
    if pair.apart:
        return Verdict(Relation.DIFFERENT, "about different things")
    if pair.b.additive:
        return Verdict(Relation.DIFFERENT, "says that it comes on top")
    return None


def counts(pair: Pair) -> Verdict | None:
    """Find the same thing counted differently."""
    if pair.numbers_clash and pair.covers_new >= 0.6 and pair.covers_old >= 0.6 and not pair.parity_differs:
        if pair.a.aspect is Aspect.DONE or pair.b.aspect is Aspect.DONE:
            return None
        return Verdict(Relation.CONTRADICT, "another number for the same thing")
    return None


def only_numbers(pair: Pair) -> Verdict | None:
    """Find the same sentence with other numbers in it, or the same routine at another hour."""
    a, b = pair.a, pair.b
    plain = [_NUMBER.sub("#", parsed.text) for parsed in (a, b)]
    routine = bool(pair.shared & _ROUTINE) and all(d.startswith(("at:", "part:")) for d in a.dates | b.dates)
    same = plain[0] == plain[1] and a.text != b.text and pair.same_subject
    if same and (not pair.dates_clash or routine) and Aspect.DONE not in {a.aspect, b.aspect}:
        return Verdict(Relation.CONTRADICT, "the same sentence with another number")
    return None


def contained(pair: Pair) -> Verdict | None:
    """Find that everything the new one says is in the old one."""
    if differs(pair) or not pair.solid or stance_of(pair.a) * stance_of(pair.b) < 0:
        return None
    one_stance = bool(stance_of(pair.a)) != bool(stance_of(pair.b))
    if one_stance and not pair.shared & EATING and not _both_own(pair):
        return None
    if pair.counts_more or pair.prepares or _over_now(pair):
        return None
    if pair.covers_new >= 0.99 and pair.covers_old >= 0.25:
        return Verdict(Relation.DUPLICATE, "the old one says all of it")
    if pair.covers_new >= 0.75 and pair.covers_old >= 0.75:
        return Verdict(Relation.DUPLICATE, "nearly the same content")
    return None


def _over_now(pair: Pair) -> bool:
    """Whether the old one tells of something under way or hoped for, and the new one of its end."""
    under_way = "ongoing" in pair.a.markers or pair.a.aspect is Aspect.PLANNED
    return under_way and (pair.b.aspect is Aspect.DONE or says("over", pair.b.text))


def _both_own(pair: Pair) -> bool:
    return says("owns", pair.a.text) and says("owns", pair.b.text)


RULES: tuple[Rule, ...] = (
    equal_texts,
    hypothetical,
    death,
    correction,
    exclusive_traits,
    partner,
    other_subject,
    other_time_of_life,
    side_job,
    fulfilled,
    single_slot,
    other_amount,
    only_numbers,
    another_job,
    back_home,
    left_the_dorm,
    other_days,
    scrapped,
    left_school,
    recovered,
    back_on,
    resumed,
    events,
    stopped,
    allergy,
    allergic_now,
    ruled_out,
    denied_class,
    turned,
    stance,
    changed_value,
    negation,
    denied_or_done,
    same_possession,
    other_things,
    another_place,
    another_one,
    counts,
    contained,
)


# Those that say by their words what it is that ends; asked about everything known, however unlike.
ENDS: tuple[Rule, ...] = (
    hypothetical,
    death,
    other_subject,
    other_time_of_life,
    side_job,
    fulfilled,
    back_home,
    left_the_dorm,
    other_days,
    scrapped,
    left_school,
    recovered,
    resumed,
    stopped,
    allergic_now,
    turned,
    changed_value,
)


def by_structure(pair: Pair, rules: Iterable[Rule] = RULES) -> Verdict | None:
    """Return the first rule's verdict, or None where structure doesn't tell."""
    return next((verdict for rule in rules if (verdict := rule(pair)) is not None), None)
