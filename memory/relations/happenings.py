"""What happens, is moved, called off, ends or dies."""

from __future__ import annotations

import re

from memory.relations.compare import Pair, known
from memory.relations.types import Relation, Verdict
from memory.relations.wording import says
from memory.statements import Aspect, ParsedStatement

_PASSED = frozenset({"通过", "毕业", "出院", "痊愈"})
_DEATH = "过世"
# Happenings that come once: another date for one of them is a change.
_ONCE = frozenset({"口试", "毕业典礼", "告别式", "预产期", "退伍", "报到", "结婚", "手术", "订婚"})
# Happenings that come again and again: another date is another one.
_AGAIN = frozenset(
    {"看牙医", "看医生", "开会", "聚餐", "加班", "旅行", "出差", "看电影", "演唱会", "交往", "课", "运动"}
)


def death(pair: Pair) -> Verdict | None:
    """See that who died does nothing any more, and a pet that died is no longer kept."""
    a, b = pair.a, pair.b
    died_a, died_b = _DEATH in a.terms, _DEATH in b.terms
    if died_a and not died_b:
        people = {key for kind, key in a.concepts if kind == "kin"} | ({a.subject} - {"user"})
        again = {key for kind, key in b.concepts if kind == "kin"} | ({b.subject} - {"user"})
        if people & again and not says("mourning", b.text):
            return Verdict(Relation.CONTRADICT, "one who died is told to be doing things")
    if died_b and not died_a and ("养" in a.terms or (a.slot or "").startswith("pet:")):
        animals = {key for kind, key in a.concepts if kind == "animal"}
        if animals & (b.terms | {b.subject}) or any(name in b.text for name in a.names):
            return Verdict(Relation.CONTRADICT, "the animal that was kept has died")
    return None


def events(pair: Pair) -> Verdict | None:
    """Compare two tellings of something that happens at a time: moved, cancelled, again."""
    a, b = pair.a, pair.b
    topic = pair.solid or (pair.covers_new >= 0.6 and pair.shared)
    if topic and not a.polarity:
        if b.aspect is Aspect.CANCELLED and a.aspect is not Aspect.CANCELLED:
            return Verdict(Relation.CONTRADICT, "the new one calls it off")
        if b.aspect is Aspect.MOVED and a.aspect is not Aspect.DONE and not pair.apart - {"season"}:
            return Verdict(Relation.CONTRADICT, "the new one moves it")
    if pair.tense_differs:
        return Verdict(Relation.DIFFERENT, "one is past, the other ahead")
    one_planned = (a.aspect is Aspect.PLANNED) != (b.aspect is Aspect.PLANNED)
    unlike = a.dates and b.dates and _classes(a).isdisjoint(_classes(b))
    if one_planned and unlike and not a.polarity and not b.polarity:
        return Verdict(Relation.DIFFERENT, "one is planned for a time that the other does not name")
    if pair.dates_clash and not (a.polarity and b.polarity):
        once = pair.solid & _ONCE
        own = says("own_event", _said(a)) and says("own_event", _said(b))
        settled = (once or own) and not pair.solid & _AGAIN and not pair.apart
        if settled and pair.covers_new >= 0.5 and not b.additive:
            return Verdict(Relation.CONTRADICT, "one happening, another date")
        if not (a.habitual or b.habitual):
            return Verdict(Relation.DIFFERENT, "at different times")
    return None


def _classes(parsed: ParsedStatement) -> frozenset[str]:
    return frozenset(date.partition(":")[0] for date in parsed.dates)


def _said(parsed: ParsedStatement) -> str:
    return re.sub(r"^(?:使用者|用户|the user)", "", parsed.text)


def _stretch(term: str, pair: Pair) -> bool:
    """Whether a single unknown character begins the same three in both: a name the lexicon lacks."""
    at = pair.b.text.find(term)
    return at >= 0 and len(said := pair.b.text[at : at + 3]) == 3 and said in pair.a.text


def stopped(pair: Pair) -> Verdict | None:
    """Let what is no longer done overturn that it is done."""
    a, b = pair.a, pair.b
    over = b.aspect is Aspect.DONE or bool(b.terms & _PASSED) or says("over", b.text)
    if "ongoing" in a.markers and over and not b.negated and pair.solid and pair.same_subject:
        return Verdict(Relation.CONTRADICT, "what was going on is over")
    if says("parted", b.text) and (a.polarity or not says("has_it", a.text)):
        return None  # who sells a piano may still love playing one
    ended = b.aspect is Aspect.STOPPED or "stopped" in b.markers
    named = any(len(term) > 1 or known(term) or _stretch(term, pair) for term in pair.solid)
    if ended and "stopped" not in a.markers and not a.negated and named and not pair.apart:
        return Verdict(Relation.CONTRADICT, "the new one ends what the old one tells")
    return None
