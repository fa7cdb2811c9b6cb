"""How well the arms of recall find what was said: recall, hits and nDCG over question sets.

Takes the rows of the retrieval sets as dictionaries and uses the fusion of production. Freshness
and expiry stay out: the sets ask about everything that was ever said.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import numpy as np

from llm.protocols import Embedder, Vector
from memory.fusion import Span, named_spans, relevance, subject_matches, time_match
from memory.lexical import LexicalIndex, embedding_text
from memory.model import USER_SUBJECT
from memory.reading import read_message
from memory.recollection import Reading

Row = Mapping[str, Any]
Reader = Callable[[str, datetime, str], Reading]

# The sets give local times without a zone; one zone for all of them keeps the distances.
_ZONE = "UTC"
_ONE_DIGIT = re.compile(r"(?<!\d)(\d)(?!\d)")
_BATCH = 256
# Raw turns of a talk lean on each other: an answer rarely repeats the words of its question. What the turn
# before and the turn after add. Set on LoCoMo turns and MemoryBank-zh; facts that stand alone gain nothing.
BEFORE_SHARE = 0.3
AFTER_SHARE = 0.1
_LEFT_OUT = "adversarial"
_MEASURES = ("recall@5", "recall@10", "hit@1", "hit@3", "ndcg@10")
_PREDICTED = 20


@dataclass(frozen=True, slots=True)
class Arms:
    """Which arms take part; the dense one always does."""

    lexical: bool = True
    time: bool = True
    subject: bool = True
    neighbours: bool = True


@dataclass(frozen=True, slots=True)
class RetrievalReport:
    """The measures over all scored questions, and by group. ``predictions``: ids best first, by question."""

    queries: int
    measures: Mapping[str, float]
    by: Mapping[str, Mapping[str, Mapping[str, float]]]
    predictions: Sequence[Mapping[str, Any]]

    def as_dict(self) -> dict[str, Any]:
        """Return the report as one JSON object, measures in per cent."""
        return {"queries": self.queries, **self.measures, "by": self.by}


@dataclass(slots=True)
class _Pool:
    """What one question may search: the rows of one person or conversation, of one kind."""

    rows: list[Row] = field(default_factory=list)
    vectors: list[Vector] = field(default_factory=list)

    def prepare(self) -> tuple[Vector, LexicalIndex]:
        return np.stack(self.vectors), LexicalIndex(row_text(row) for row in self.rows)


async def evaluate_retrieval(
    memory_rows: Sequence[Row],
    query_rows: Sequence[Row],
    embedder: Embedder,
    read: Reader = read_message,
    arms: Arms = Arms(),
) -> RetrievalReport:
    """Search every question inside its own person's rows and measure what comes first.

    ``read`` finds the times a question names. Adversarial questions are measured apart and left out
    of the main figures.
    """
    pools = await _pools(memory_rows, embedder)
    scored: list[tuple[Row, str, dict[str, float]]] = []
    ranked_by_question: dict[str, list[str]] = {str(query["qid"]): [] for query in query_rows}
    queries = defaultdict(list)
    for query in query_rows:
        queries[_owner(query)].append(query)
    for (owner, kind), pool in pools.items():
        matrix, index = pool.prepare()
        for query in queries[owner]:
            order = await _search(query, pool.rows, matrix, index, embedder, read, arms)
            ranked = [pool.rows[i] for i in order]
            ranked_by_question[str(query["qid"])] += [str(row["id"]) for row in ranked[:_PREDICTED]]
            gold = gold_of(query, kind)
            if gold:
                scored.append((query, kind, measure(ranked, gold)))
    main = [values for query, _, values in scored if query.get("category") != _LEFT_OUT]
    return RetrievalReport(
        queries=len(main),
        measures=_mean(main),
        by=_groups(scored),
        predictions=[{"qid": qid, "ranked": ids} for qid, ids in ranked_by_question.items()],
    )


async def question_similarities(
    memory_rows: Sequence[Row], query_rows: Sequence[Row], embedder: Embedder
) -> tuple[list[float], list[float]]:
    """Return how similar questions are to the nearest row that answers them, and to all rows that don't."""
    pools = await _pools(memory_rows, embedder)
    related: list[float] = []
    unrelated: list[float] = []
    for query in query_rows:
        vector = await embedder.embed_query(_variant(query, "question"))
        for (owner, kind), pool in pools.items():
            gold = gold_of(query, kind)
            if owner != _owner(query) or not gold:
                continue
            answers = [not gold.isdisjoint(map(str, row.get("covers") or (row["id"],))) for row in pool.rows]
            near = [float(one @ vector) for one in pool.vectors]
            right = [similarity for similarity, answer in zip(near, answers, strict=True) if answer]
            related += [max(right)] if right else []
            unrelated += [similarity for similarity, answer in zip(near, answers, strict=True) if not answer]
    return related, unrelated


def row_text(row: Row) -> str:
    """Return the text of a memory row, Traditional where the set has it; a speaker is named once."""
    if "user_text" in row:
        return f"{_variant(row, 'user_text')}{_variant(row, 'reply')}"
    text = _variant(row, "text")
    speaker = row.get("speaker")
    return f"{speaker}: {text}" if speaker and str(speaker) not in text else text


def gold_of(query: Row, kind: str) -> frozenset[str]:
    """Return the ids a question must find among the rows of a kind; empty where it is not scored there."""
    key = "gold_in_obs" if kind == "obs" and "gold_in_obs" in query else "gold"
    return frozenset(str(one) for one in query.get(key) or ())


def measure(ranked: Sequence[Row], gold: frozenset[str]) -> dict[str, float]:
    """Return the measures of one ranking. A row counts once for every gold id it is the first to cover."""
    found: set[str] = set()
    gained: list[int] = []
    for row in ranked[:10]:
        new = gold.intersection(map(str, row.get("covers") or (row["id"],))) - found
        found |= new
        gained.append(len(new))
    ideal = sum(1 / math.log2(i + 2) for i in range(min(len(gold), 10)))
    gain = sum(new / math.log2(i + 2) for i, new in enumerate(gained))
    return {
        "recall@5": sum(gained[:5]) / len(gold),
        "recall@10": sum(gained) / len(gold),
        "hit@1": float(sum(gained[:1]) > 0),
        "hit@3": float(sum(gained[:3]) > 0),
        "ndcg@10": min(gain / ideal, 1.0),
    }


def with_neighbours(scores: Sequence[float], sessions: Sequence[object]) -> list[float]:
    """Return the scores of turns in order, each helped by its neighbours of the same session."""
    helped = list(scores)
    for i in range(1, len(scores)):
        if sessions[i] == sessions[i - 1]:
            helped[i] += BEFORE_SHARE * scores[i - 1]
            helped[i - 1] += AFTER_SHARE * scores[i]
    return helped


async def _pools(rows: Sequence[Row], embedder: Embedder) -> dict[tuple[str, str], _Pool]:
    pools: dict[tuple[str, str], _Pool] = defaultdict(_Pool)
    for start in range(0, len(rows), _BATCH):
        batch = rows[start : start + _BATCH]
        vectors = await embedder.embed_documents([embedding_text(row_text(row)) for row in batch])
        for row, vector in zip(batch, vectors, strict=True):
            pool = pools[_owner(row), str(row.get("kind", ""))]
            pool.rows.append(row)
            pool.vectors.append(vector)
    return pools


async def _search(
    query: Row,
    rows: Sequence[Row],
    matrix: Vector,
    index: LexicalIndex,
    embedder: Embedder,
    read: Reader,
    arms: Arms,
) -> list[int]:
    question = _variant(query, "question")
    similarities = matrix @ await embedder.embed_query(question)
    words = index.scores(question) if arms.lexical else [0.0] * len(rows)
    spans: Sequence[Span] = ()
    if arms.time and query.get("ask_time"):
        asked_at = _moment(query["ask_time"])
        spans = named_spans(read(question, asked_at, _ZONE).times, asked_at)
    named = subject_matches(question, map(_subject, rows)) if arms.subject else {}
    subjects = [named.get(_subject(row), 0.0) for row in rows]
    plain = [
        relevance(float(similarity), word, 0.0, subject)
        for similarity, word, subject in zip(similarities, words, subjects, strict=True)
    ]
    if arms.neighbours and rows and _is_talk(rows[0]):
        plain = with_neighbours(plain, [row.get("session", row.get("time")) for row in rows])
    matches = [
        time_match(spans, (_moment(row["time"]),)) if spans and row.get("time") else 0.0 for row in rows
    ]
    scores = [score + relevance(0.0, 0.0, matched) for score, matched in zip(plain, matches, strict=True)]
    return sorted(range(len(rows)), key=lambda i: (-round(scores[i], 6), str(rows[i]["id"])))


def _groups(scored: Iterable[tuple[Row, str, dict[str, float]]]) -> dict[str, dict[str, dict[str, float]]]:
    members: dict[tuple[str, str], list[dict[str, float]]] = defaultdict(list)
    for query, kind, values in scored:
        adversarial = query.get("category") == _LEFT_OUT
        if query.get("category"):
            members["category", str(query["category"])].append(values)
        if kind and not adversarial:
            members["kind", kind].append(values)
        if query.get("dated") is not None and not adversarial:
            members["dated", "yes" if query["dated"] else "no"].append(values)
    groups: dict[str, dict[str, dict[str, float]]] = defaultdict(dict)
    for (group, name), values_of in sorted(members.items(), key=lambda item: item[0]):
        groups[group][name] = {"queries": len(values_of), **_mean(values_of)}
    return dict(groups)


def _mean(values: Sequence[Mapping[str, float]]) -> dict[str, float]:
    count = len(values) or 1
    return {name: round(100 * sum(one[name] for one in values) / count, 1) for name in _MEASURES}


def _owner(row: Row) -> str:
    return str(row.get("user") or row.get("conv") or "")


def _subject(row: Row) -> str:
    return str(row.get("speaker") or USER_SUBJECT)


def _is_talk(row: Row) -> bool:
    return "user_text" in row or row.get("kind") == "turn"


def _variant(row: Row, key: str) -> str:
    return str(row.get(f"{key}_hant") or row[key])


def _moment(text: str) -> datetime:
    padded = _ONE_DIGIT.sub(r"0\1", text)  # one set writes 2024-6-5
    return datetime.fromisoformat(padded).replace(tzinfo=UTC)
