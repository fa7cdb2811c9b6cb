from __future__ import annotations

from collections.abc import Sequence

import pytest

from llm.offline import OfflineEmbedder
from memory.evaluation.relations import evaluate_relations
from memory.relations.types import Relation, Statement, Verdict


class Told:
    """A judge that says what the new statement's text ends in, and keeps what it saw."""

    def __init__(self) -> None:
        self.seen: list[Statement] = []

    @property
    def name(self) -> str:
        return "told"

    async def judge(self, new: Statement, candidates: Sequence[Statement]) -> tuple[Verdict, ...]:
        self.seen += [new, *candidates]
        return tuple(Verdict(Relation(new.text.split()[-1]), "told") for _ in candidates)


def row(number: int, told: str, label: str | None, **more: object) -> dict[str, object]:
    return {"id": f"r{number}", "a": "old", "b": f"new {told}", "src": "one", "label": label, **more}


async def test_figures_are_computed_over_the_three_labels() -> None:
    report = await evaluate_relations(
        [
            row(1, "CONTRADICT", "CONTRADICT"),
            row(2, "DIFFERENT", "CONTRADICT"),
            row(3, "DUPLICATE", "DUPLICATE"),
            row(4, "CONTRADICT", "DIFFERENT"),
            row(5, "DIFFERENT", "DIFFERENT"),
        ],
        Told(),
    )
    assert report.rows == 5
    assert report.accuracy == pytest.approx(3 / 5)
    assert report.macro_f1 == pytest.approx((0.5 + 1.0 + 0.5) / 3)
    assert report.false_retire == pytest.approx(1 / 2)
    assert report.missed_contradiction == pytest.approx(1 / 2)
    assert report.false_retired == 1


async def test_an_accepted_answer_counts_as_right() -> None:
    rows = [row(1, "DUPLICATE", "DIFFERENT", accept=["DIFFERENT", "DUPLICATE"])]
    assert (await evaluate_relations(rows, Told())).accuracy == 1.0


async def test_compatible_and_unrelated_count_as_different() -> None:
    rows = [
        row(1, "DIFFERENT", "COMPATIBLE", accept=["DIFFERENT", "DUPLICATE"]),
        {"id": "d1", "old": "x", "new": "y DIFFERENT", "label": "UNRELATED", "category": "hobby"},
    ]
    report = await evaluate_relations(rows, Told())
    assert report.accuracy == 1.0
    assert set(report.by_src) == {"one", ""}


async def test_rows_without_labels_give_predictions_only() -> None:
    report = await evaluate_relations([row(1, "DUPLICATE", None)], Told())
    assert report.macro_f1 is None
    assert report.predictions[0].relation is Relation.DUPLICATE
    assert report.predictions[0].correct is None


async def test_the_traditional_text_is_judged_where_there_is_one() -> None:
    judge = Told()
    await evaluate_relations(
        [row(1, "DUPLICATE", None, a_hant="舊", b_hant="新 DIFFERENT")],
        judge,
    )
    assert [statement.text for statement in judge.seen] == ["新 DIFFERENT", "舊"]


async def test_an_embedder_gives_each_candidate_its_distance() -> None:
    judge = Told()
    await evaluate_relations([row(1, "DUPLICATE", None)], judge, OfflineEmbedder())
    new, old = judge.seen
    assert new.distance is None
    assert old.distance is not None
    assert 0 <= old.distance <= 2


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        ({"id": "x", "a": "old", "label": "DUPLICATE"}, "row 1: b"),
        ({"id": "x", "a": "old", "b": "new", "label": "MAYBE"}, "row 1: label"),
    ],
)
async def test_a_broken_row_is_named(broken: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        await evaluate_relations([broken], Told())
