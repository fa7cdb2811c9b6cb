"""What the classifier looks at: a fixed list of named numbers, each about 0..1."""

from __future__ import annotations

from memory.relations.compare import LIGHT, Pair, known
from memory.relations.traits import traits_of
from memory.relations.wording import says
from memory.text import lexical_terms

# Cosine distance (packaged embedder) under which the own pairs mostly say the same, if nothing else shows.
_CLOSE = 0.35

FEATURES: tuple[str, ...] = (
    "bias",
    "covers_new",
    "covers_old",
    "covers_both",
    "shares_something",
    "shares_nothing",
    "only_new",
    "only_old",
    "names_other_things",
    "negated_once",
    "numbers_clash",
    "dates_clash",
    "same_stance",
    "other_stance",
    "change_words",
    "comes_on_top",
    "same_verb",
    "other_subject",
    "characters_shared",
    "characters_kept",
    "length_gap",
    "more_numbers",
    "trait_agrees",
    "new_things",
    "new_wish",
    "one_stance",
    "dated_more",
    "denied_dislike",
)
NEARNESS: tuple[str, ...] = (
    "near",
    "near_and_covered",
    "near_and_unmarked",
    "far",
    "close",
    "close_and_denied",
    "close_and_other_things",
)
"""Added where there is a vector distance."""


def features_of(pair: Pair) -> list[float]:
    """Return the values of :data:`FEATURES`, and of :data:`NEARNESS` where a distance is known."""
    a, b = pair.a, pair.b
    terms_a, terms_b = set(lexical_terms(a.text)), set(lexical_terms(b.text))
    common = len(terms_a & terms_b)
    longest = max(len(a.text), len(b.text), 1)
    stance = a.polarity * b.polarity
    old_traits, new_traits = traits_of(a), traits_of(b)
    values = [
        1.0,
        pair.covers_new,
        pair.covers_old,
        min(pair.covers_new, pair.covers_old),
        float(bool(pair.solid)),
        float(not pair.shared),
        min(len(pair.only_new), 4) / 4,
        min(len(pair.only_old), 4) / 4,
        float(bool(pair.apart)),
        float(pair.parity_differs),
        float(pair.numbers_clash),
        float(pair.dates_clash),
        float(stance > 0),
        float(stance < 0),
        float(b.changed),
        float(b.additive),
        float(a.predicate == b.predicate is not None),
        float(not pair.same_subject),
        common / max(len(terms_a | terms_b), 1),
        common / max(len(terms_b), 1),
        abs(len(a.text) - len(b.text)) / longest,
        float(pair.counts_more),
        float(any(old_traits[n].value == new_traits[n].value for n in old_traits.keys() & new_traits.keys())),
        min(sum(known(term) and term not in LIGHT for term in pair.only_new), 3) / 3,
        float(says("wish", b.text) and not says("wish", a.text)),
        float(bool(a.polarity) != bool(b.polarity)),
        float(bool(b.dates - a.dates)),
        float(pair.same_dislike),
    ]
    if (distance := pair.distance) is not None:
        near = max(0.0, 1.0 - distance)
        marked = pair.parity_differs or pair.numbers_clash or pair.dates_clash or pair.apart or b.changed
        covered = min(pair.covers_new, pair.covers_old)
        values += [near, near * covered, near * (not (marked or b.additive)), float(distance > 0.65)]
        close = max(0.0, 1.0 - distance / _CLOSE)
        values += [close, close * pair.parity_differs, close * bool(pair.only_new and pair.only_old)]
    return values
