"""What belongs to the user: jobs, partners, and things that are told to be this or that."""

from __future__ import annotations

from memory.relations.compare import Pair
from memory.relations.types import Relation, Verdict
from memory.relations.wording import says, wording
from memory.statements import ParsedStatement
from memory.statements.lexicon import lexicon

_LINKS = {"换成": "是", "改成": "是", "换": "是"}
# Things of which one has several: another one adds to them.
_MANY = frozenset(
    {"兴趣", "嗜好", "专长", "朋友", "优点", "缺点", "习惯", "偶像", "爱好", "梦想", "强项", "拿手菜", "同事"}
    | {"hobby", "strength", "dream", "friend", "goal"}
)


def changed_value(pair: Pair) -> Verdict | None:
    """Let 「轉行」「換成」 put another thing of the same kind in the place of the old one."""
    if pair.a.slot == "job" and says("promoted", pair.b.text) and pair.same_subject:
        return Verdict(Relation.CONTRADICT, "the new one changes the job")
    if "change" in pair.b.markers and pair.apart & {"job", "vehicle", "brand", "color", "work"}:
        return Verdict(Relation.CONTRADICT, "the new one changes it")
    return None


def other_amount(pair: Pair) -> Verdict | None:
    """Let 「漲到一萬五」 put a new amount in the place of the old one."""
    amounts = [{q.value for q in parsed.numbers} for parsed in (pair.a, pair.b)]
    settled = amounts[0] and amounts[1] and amounts[0].isdisjoint(amounts[1])
    if settled and says("risen", pair.b.text) and pair.solid and pair.same_subject and not pair.apart:
        return Verdict(Relation.CONTRADICT, "the amount has changed")
    return None


def partner(pair: Pair) -> Verdict | None:
    """Find the same person told as partner in two ways."""
    a, b = (partner_name(p) for p in (pair.a, pair.b))
    if a and a == b and "stopped" not in pair.a.markers | pair.b.markers and not pair.parity_differs:
        return Verdict(Relation.DUPLICATE, "the same partner")
    return None


def partner_name(parsed: ParsedStatement) -> str | None:
    """Return the name of the user's partner, where the sentence tells just that."""
    return next((m["v"] for p in wording("partner") if (m := p.search(parsed.text))), None)


def same_possession(pair: Pair) -> Verdict | None:
    """Find one thing of the user's told to be something else (房租是…, 猫叫…)."""
    a, b = _possession(pair.a), _possession(pair.b)
    if a is None or b is None or a[0] != b[0] or pair.b.additive:
        return None
    values = [lexicon_terms(v) for v in (a[1], b[1])]
    if (values[0] & values[1] and not pair.apart) or pair.dates_clash:
        return None
    if any(w in a[1] or w in b[1] for w in ("不", "没", "很", "not")) or _other_respect(a[1], b[1]):
        return None
    return Verdict(Relation.CONTRADICT, "one thing of theirs, told to be something else")


def _other_respect(one: str, other: str) -> bool:
    """Whether two values tell of different respects of a thing: a white car may be a Toyota."""
    kinds = [
        {token.kind for token in lexicon().tokens(value) if token.kind and token.kind != "function"}
        for value in (one, other)
    ]
    if "color" in kinds[0] ^ kinds[1]:
        return True
    return bool(kinds[0] and kinds[1]) and kinds[0].isdisjoint(kinds[1])


def _possession(parsed: ParsedStatement) -> tuple[str, str] | None:
    for pattern in wording("possession"):
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
