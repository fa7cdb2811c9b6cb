"""Scores a relation judge on labelled pairs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from llm.protocols import Embedder
from memory.lexical import embedding_text
from memory.model import Category
from memory.relations.types import Relation, RelationJudge, Statement
from memory.text import has_cjk

_LABELS = {relation.value: relation for relation in Relation}
# Labels of the sets that mean the same as one of ours: both can stand side by side.
_AS_DIFFERENT = frozenset({"UNRELATED", "COMPATIBLE"})
_BATCH = 64


@dataclass(frozen=True, slots=True)
class RelationPrediction:
    """What was decided for one row; ``correct`` is None where the row has no label."""

    id: str
    relation: Relation
    why: str
    correct: bool | None = None


@dataclass(frozen=True, slots=True)
class SourceScore:
    """The figures of one part of the rows, shares in 0..1; None where there is nothing to share."""

    rows: int
    macro_f1: float | None
    accuracy: float | None
    false_retire: float | None
    missed_contradiction: float | None
    false_retired: int


@dataclass(frozen=True, slots=True)
class RelationsReport:
    """Figures over all labelled rows and by source, with a prediction per row.

    ``false_retire``: share of DIFFERENT rows called CONTRADICT (``false_retired`` how many).
    ``missed_contradiction``: share of CONTRADICT rows called something else. A row whose
    ``accept`` holds the answer counts as right.
    """

    rows: int
    macro_f1: float | None
    accuracy: float | None
    false_retire: float | None
    missed_contradiction: float | None
    false_retired: int
    by_src: Mapping[str, SourceScore]
    predictions: tuple[RelationPrediction, ...]


@dataclass(frozen=True, slots=True)
class _Row:
    id: str
    src: str
    old: Statement
    new: Statement
    label: Relation | None
    accept: frozenset[Relation]


async def evaluate_relations(
    rows: Iterable[Mapping[str, Any]], judge: RelationJudge, embedder: Embedder | None = None
) -> RelationsReport:
    """Judge every pair (keys ``a b`` or ``old new``; ``*_hant`` where present) and score it.

    Without an embedder the judge gets no distances. Raises ``ValueError`` naming the row and the
    field where one is missing or a label is unknown.
    """
    read = [_read(row, number) for number, row in enumerate(rows, start=1)]
    distances = await _distances(read, embedder)
    predictions: list[RelationPrediction] = []
    for row, distance in zip(read, distances, strict=True):
        known = Statement(
            row.old.text, category=row.old.category, language=row.old.language, distance=distance
        )
        (verdict,) = await judge.judge(row.new, [known])
        correct = None if row.label is None else verdict.relation in row.accept
        predictions.append(RelationPrediction(row.id, verdict.relation, verdict.reason, correct))
    pairs = list(zip(read, predictions, strict=True))
    total = _score(pairs)
    sources = sorted({row.src for row in read})
    return RelationsReport(
        rows=len(read),
        macro_f1=total.macro_f1,
        accuracy=total.accuracy,
        false_retire=total.false_retire,
        missed_contradiction=total.missed_contradiction,
        false_retired=total.false_retired,
        by_src={src: _score([p for p in pairs if p[0].src == src]) for src in sources},
        predictions=tuple(predictions),
    )


@dataclass(frozen=True, slots=True)
class LabelledDistance:
    """How far apart the sentences of a labelled row are; ``unrelated``: they speak of different things."""

    distance: float
    label: Relation
    unrelated: bool


async def labelled_distances(
    rows: Sequence[Mapping[str, Any]], embedder: Embedder
) -> tuple[LabelledDistance, ...]:
    """Measure labelled pairs in one embedder's space. ``ValueError`` names the row that has no label."""
    read = [_read(row, number) for number, row in enumerate(rows, start=1)]
    for row in read:
        if row.label is None:
            raise ValueError(f"row {row.id}: label is missing")
    distances = await _distances(read, embedder)
    return tuple(
        LabelledDistance(distance, one.label, row.get("label") == "UNRELATED")
        for row, one, distance in zip(rows, read, distances, strict=True)
        if distance is not None and one.label is not None
    )


def _read(row: Mapping[str, Any], number: int) -> _Row:
    first, second = ("a", "b") if "a" in row or "a_hant" in row else ("old", "new")
    old, new = _text(row, first, number), _text(row, second, number)
    given = row.get("label")
    label = None if given is None else _label(given, number)
    accept = frozenset(_label(value, number) for value in row.get("accept") or ())
    return _Row(
        id=str(row.get("id", number)),
        src=str(row.get("src", "")),
        old=_statement(old, row),
        new=_statement(new, row),
        label=label,
        accept=accept | ({label} if label else frozenset()),
    )


def _text(row: Mapping[str, Any], key: str, number: int) -> str:
    value = row.get(f"{key}_hant") or row.get(key)
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"row {number}: {key} must be a text")
    return value


def _label(value: object, number: int) -> Relation:
    name = "DIFFERENT" if value in _AS_DIFFERENT else str(value)
    if name not in _LABELS:
        raise ValueError(f"row {number}: label {value!r} is none of {', '.join(_LABELS)}")
    return _LABELS[name]


def _statement(text: str, row: Mapping[str, Any]) -> Statement:
    category = row.get("category")
    return Statement(
        text=text,
        category=Category(category) if category in set(Category) else Category.OTHER,
        language="zh-TW" if has_cjk(text) else "en",
    )


async def _distances(rows: Sequence[_Row], embedder: Embedder | None) -> list[float | None]:
    if embedder is None:
        return [None] * len(rows)
    texts = [embedding_text(statement.text) for row in rows for statement in (row.old, row.new)]
    vectors = []
    for start in range(0, len(texts), _BATCH):
        vectors += await embedder.embed_documents(texts[start : start + _BATCH])
    return [float(1.0 - vectors[i] @ vectors[i + 1]) for i in range(0, len(vectors), 2)]


def _score(pairs: Sequence[tuple[_Row, RelationPrediction]]) -> SourceScore:
    """Macro-F1 over the labels that occur; an accepted answer counts as the row's own label."""
    scored: list[tuple[Relation, Relation]] = []
    for row, prediction in pairs:
        if row.label is not None:
            scored.append((row.label, row.label if prediction.correct else prediction.relation))
    gold = {relation: [got for want, got in scored if want is relation] for relation in Relation}
    retired = sum(got is Relation.CONTRADICT for got in gold[Relation.DIFFERENT])
    missed = sum(got is not Relation.CONTRADICT for got in gold[Relation.CONTRADICT])
    return SourceScore(
        rows=len(pairs),
        macro_f1=_macro_f1(scored),
        accuracy=_share(sum(want is got for want, got in scored), len(scored)),
        false_retire=_share(retired, len(gold[Relation.DIFFERENT])),
        missed_contradiction=_share(missed, len(gold[Relation.CONTRADICT])),
        false_retired=retired,
    )


def _macro_f1(scored: Sequence[tuple[Relation, Relation]]) -> float | None:
    if not scored:
        return None
    values = []
    for relation in Relation:
        right = sum(want is got is relation for want, got in scored)
        wanted = sum(want is relation for want, _ in scored)
        given = sum(got is relation for _, got in scored)
        if wanted or given:
            values.append(2 * right / (wanted + given))
    return sum(values) / len(values)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
