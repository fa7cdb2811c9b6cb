from __future__ import annotations

import numpy as np

from memory.relations.classifier import fitted
from memory.relations.compare import Pair
from memory.relations.features import FEATURES, NEARNESS, features_of
from memory.relations.fit import cross_validate, fit, own_pairs
from memory.relations.types import Relation, Statement


def test_features_have_one_value_per_name_with_and_without_a_distance() -> None:
    old, new = "使用者喜歡茶", Statement("使用者愛喝茶")
    assert len(features_of(Pair(Statement(old), new))) == len(FEATURES)
    assert len(features_of(Pair(Statement(old, distance=0.3), new))) == len(FEATURES) + len(NEARNESS)


def test_the_shipped_weights_fit_the_features() -> None:
    assert fitted().plain.shape == (3, len(FEATURES))
    assert fitted().near.shape == (3, len(FEATURES) + len(NEARNESS))
    assert "pairs.tsv" in fitted().source


def test_the_own_pairs_hold_every_relation_in_two_languages() -> None:
    pairs = own_pairs()
    assert {pair.relation for pair in pairs} == set(Relation)
    assert sum(pair.old.isascii() for pair in pairs) > 50
    assert len({(pair.old, pair.new) for pair in pairs}) == len(pairs)


def test_fitting_the_plain_weights_again_gives_the_shipped_ones() -> None:
    pairs = own_pairs()
    again = fit(pairs, [0.5] * len(pairs))
    assert np.allclose(again.plain, fitted().plain, atol=1e-3)


def test_on_pairs_not_fitted_on_few_are_wrong_and_hardly_any_is_retired() -> None:
    pairs = own_pairs()
    accuracy, retired = cross_validate(pairs, [0.5] * len(pairs), folds=3)
    assert accuracy > 0.85
    assert retired <= 2
