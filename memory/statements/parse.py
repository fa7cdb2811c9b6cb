"""Takes a fact sentence apart. Pure; knows Chinese (both scripts), English and some Japanese."""

from __future__ import annotations

from functools import lru_cache

from memory.statements.dates import dates_in, numbers_in
from memory.statements.lexicon import Token, lexicon
from memory.statements.multi import multi_slot
from memory.statements.occupation import job_of, school_of
from memory.statements.person import split_subject, third_person
from memory.statements.slots import Slot, slot_of
from memory.statements.structure import Aspect, ParsedStatement
from memory.statements.values import with_digits

GRAMMAR = frozenset(
    {
        "like", "dislike", "negation", "hypothetical", "planned", "done", "stopped", "change",
        "moved_event", "cancelled", "additive", "scope", "correction", "function", "pronoun_user",
    }
)  # fmt: skip


@lru_cache(maxsize=2048)
def parse_statement(text: str) -> ParsedStatement:
    """Take one sentence apart; unknown words are kept as they are."""
    sentence = third_person(text)
    subject, said = split_subject(sentence)
    said = with_digits(said)
    tokens = lexicon().tokens(said)
    kinds = frozenset(token.kind for token in tokens if token.kind)
    content = [token for token in tokens if token.kind not in GRAMMAR and token.kind]
    polarity = _polarity(tokens)
    aspect = _aspect(kinds)
    scope = next((token.key for token in tokens if token.kind == "scope"), None)
    slot = None
    if aspect is not Aspect.HYPOTHETICAL and scope is None:
        slot = slot_of(said) or job_of(said) or school_of(said) or multi_slot(said, tokens, polarity)
    return ParsedStatement(
        text=sentence,
        subject=subject,
        predicate=_predicate(tokens, polarity),
        terms=frozenset(token.key for token in content if token.key),
        objects=frozenset(token.key for token in content if token.key and token.kind not in {"verb", "kin"}),
        kinds=kinds,
        polarity=polarity,
        negated=sum(1 for t in tokens if t.kind == "negation") % 2 == 1,
        numbers=numbers_in(said),
        dates=dates_in(said),
        names=_names(slot),
        slot=slot.attribute if slot else None,
        value=slot.value if slot else None,
        aspect=aspect,
        changed=bool(kinds & {"change", "stopped", "moved_event", "cancelled"}),
        additive="additive" in kinds,
        corrected="correction" in kinds,
        scope=scope,
    )


def _names(slot: Slot | None) -> frozenset[str]:
    naming = slot is not None and slot.attribute in {"name", "nickname", "bot_name"}
    return frozenset({slot.value}) if slot is not None and naming else frozenset()


def _polarity(tokens: list[Token]) -> int:
    stance = 0
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


def _aspect(kinds: frozenset[str]) -> Aspect:
    return next((aspect for kind, aspect in _ASPECTS if kind in kinds), Aspect.STATE)
