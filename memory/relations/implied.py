"""What one fact rules out without naming it: who fears heights does not go skydiving every month."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib import resources

import yaml

from memory.relations.compare import Pair
from memory.relations.types import Relation, Verdict
from memory.relations.wording import says
from memory.statements import Aspect, ParsedStatement
from memory.text import fold


@lru_cache(maxsize=1)
def _ruled_out() -> Mapping[str, frozenset[str]]:
    text = (resources.files("memory.relations") / "implied.yaml").read_text(encoding="utf-8")
    found: dict[str, frozenset[str]] = {}
    for line in yaml.safe_load(text):
        first, _, others = fold(line).partition(":")
        found[first.strip()] = frozenset(word.strip() for word in others.split(","))
    return found


def ruled_out(pair: Pair) -> Verdict | None:
    """Find that the new one has the user at what the old one rules out."""
    a, b = pair.a, pair.b
    if not pair.same_subject or not _at_it(b) or a.scope or b.scope:
        return None
    states = {key for kind, key in a.concepts if kind in {"health", "things"} and not a.negated}
    against = a.polarity < 0 or (a.negated and not a.polarity)
    for first, others in _ruled_out().items():
        if first not in a.terms or not (against or first in states & _BELIEFS):
            continue
        if clash := others & b.terms:
            return Verdict(Relation.CONTRADICT, f"{first} rules out {min(clash)}")
    return None


# What is a state by itself, without a word of fear or denial beside it.
_BELIEFS = frozenset({"惧高", "无神论", "乳糖不耐"})


def _at_it(parsed: ParsedStatement) -> bool:
    if parsed.negated or parsed.polarity < 0 or parsed.aspect in {Aspect.PLANNED, Aspect.HYPOTHETICAL}:
        return False
    if "rare" in parsed.markers or says("tries", parsed.text):
        return False
    job = any(kind == "job" for kind, _ in parsed.concepts)
    return parsed.habitual or parsed.polarity > 0 or job or says("finished", parsed.text)


def ruled_out_words() -> frozenset[str]:
    """Return every word of the file, folded."""
    return frozenset(_ruled_out()).union(*_ruled_out().values())
