from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import numpy as np
import pytest

from llm.protocols import EmbedderIdentity, Vector
from memory.evaluation.retrieval import Arms, evaluate_retrieval, gold_of, measure, row_text, with_neighbours
from memory.grounding.types import TimeExpression
from memory.lexical import content_terms
from memory.model import Precision
from memory.recollection import Reading


class WordEmbedder:
    """A small real embedder: content terms hashed into dimensions."""

    identity = EmbedderIdentity("words", 997)

    async def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        return [await self.embed_query(text) for text in texts]

    async def embed_query(self, text: str) -> Vector:
        vector = np.full(997, 1e-3, dtype=np.float32)
        for term in content_terms(text):
            vector[sum(map(ord, term)) % 997] += 1
        return vector / np.linalg.norm(vector)


def read(text: str, said_at: datetime, zone: str) -> Reading:
    """Read 昨天 and nothing else."""
    if "昨天" not in text:
        return Reading()
    start = said_at.replace(hour=0) - timedelta(days=1)
    end = start + timedelta(days=1)
    return Reading(times=(TimeExpression("昨天", (0, 2), start, end, Precision.DAY, None, "test"),))


FACTS = [
    {"conv": "c1", "id": "a", "kind": "obs", "text": "Ann adopted a grey parrot", "speaker": "Ann"},
    {"conv": "c1", "id": "b", "kind": "obs", "text": "Bob paints landscapes", "speaker": "Bob"},
    {"conv": "c2", "id": "c", "kind": "obs", "text": "Cem adopted a grey parrot", "speaker": "Cem"},
]
for number, fact in enumerate(FACTS):
    fact |= {"session": 1, "time": "2026-05-01T10:00", "covers": [f"D1:{number}"]}


def question(qid: str, text: str, gold: list[str], **more: object) -> dict[str, object]:
    row: dict[str, object] = {"conv": "c1", "qid": qid, "question": text, "ask_time": "2026-05-09T10:00"}
    return {**row, "category": "single-hop", "gold": gold, "gold_in_obs": gold, **more}


async def test_a_question_is_searched_inside_its_own_conversation_only() -> None:
    rows = [question("q", "Who has a grey parrot?", ["D1:0"])]
    report = await evaluate_retrieval(FACTS, rows, WordEmbedder())
    assert report.predictions == [{"qid": "q", "ranked": ["a", "b"]}]
    assert report.measures["hit@1"] == 100.0


async def test_adversarial_questions_are_measured_apart() -> None:
    rows = [
        question("q1", "Who has a grey parrot?", ["D1:0"]),
        question("q2", "Who paints?", ["D1:0"], category="adversarial"),
        question("q3", "Who sings?", []),
    ]
    report = await evaluate_retrieval(FACTS, rows, WordEmbedder())
    figures = report.as_dict()
    assert (figures["queries"], figures["hit@1"]) == (1, 100.0)
    assert figures["by"]["category"]["adversarial"]["hit@1"] == 0.0
    assert figures["by"]["kind"]["obs"]["queries"] == 1


async def test_the_named_person_settles_a_tie() -> None:
    facts = [{**FACTS[0], "id": "x", "text": "adopted a grey parrot", "speaker": "Bob"}, FACTS[0]]
    rows = [question("q", "What kind of parrot did Ann adopt?", ["D1:0"])]
    report = await evaluate_retrieval(facts, rows, WordEmbedder(), arms=Arms(lexical=False))
    assert report.predictions[0]["ranked"] == ["a", "x"]


TALK = [
    {"user": "u", "id": f"{day}/{n}", "time": f"2026-05-0{day}", "user_text": said, "reply": "好喔。"}
    for day, n, said in [
        (6, 0, "我煮了咖哩飯"),
        (7, 0, "我畫了一張速寫"),
        (8, 0, "我煮了味噌湯"),
        (8, 1, "晚點再說"),
    ]
]
DATED = [
    {
        "user": "u",
        "qid": "q",
        "question": "昨天我煮了什麼？",
        "ask_time": "2026-05-09",
        "gold": ["8/0"],
        "dated": 1,
    }
]


async def test_a_named_day_pulls_what_was_said_on_it() -> None:
    without = await evaluate_retrieval(TALK, DATED, WordEmbedder(), read, Arms(time=False, neighbours=False))
    assert without.predictions[0]["ranked"][0] == "6/0"
    pulled = await evaluate_retrieval(
        TALK, DATED, WordEmbedder(), read, Arms(lexical=False, neighbours=False)
    )
    assert pulled.predictions[0]["ranked"][0] == "8/0"
    assert pulled.by["dated"]["yes"]["hit@1"] == 100.0


async def test_a_turn_helps_the_one_that_answers_it() -> None:
    rows = [{**DATED[0], "question": "味噌湯"}]
    alone = await evaluate_retrieval(TALK, rows, WordEmbedder(), arms=Arms(neighbours=False))
    together = await evaluate_retrieval(TALK, rows, WordEmbedder())
    assert together.predictions[0]["ranked"][:2] == ["8/0", "8/1"]
    assert alone.predictions[0]["ranked"][:2] != ["8/0", "8/1"]


async def test_no_questions_give_no_figures() -> None:
    report = await evaluate_retrieval(FACTS, [], WordEmbedder())
    assert (report.queries, report.measures["recall@5"], report.predictions) == (0, 0.0, [])


def test_a_row_counts_once_for_each_gold_id_it_is_the_first_to_cover() -> None:
    ranked = [{"id": "x", "covers": ["1", "2"]}, {"id": "y", "covers": ["2"]}, {"id": "z"}]
    figures = measure(ranked, frozenset({"1", "2", "z", "never"}))
    assert figures["recall@5"] == pytest.approx(3 / 4)
    assert figures["hit@1"] == 1.0
    # Gains 2, 0, 1 at ranks 1, 2, 3 against four ideal ones.
    ideal = sum(1 / np.log2(rank + 1) for rank in (1, 2, 3, 4))
    assert figures["ndcg@10"] == pytest.approx((2 + 1 / np.log2(4)) / ideal)


def test_recall_is_cut_at_five_and_ten() -> None:
    ranked = [{"id": str(n)} for n in range(12)]
    figures = measure(ranked, frozenset({"0", "7", "11"}))
    assert (figures["recall@5"], figures["recall@10"]) == (pytest.approx(1 / 3), pytest.approx(2 / 3))


def test_texts_are_read_in_traditional_script_with_their_speaker_named_once() -> None:
    assert (
        row_text({"user_text": "养猫", "user_text_hant": "養貓", "reply": "好", "reply_hant": "好"})
        == "養貓好"
    )
    assert row_text({"text": "I paint", "speaker": "Bob"}) == "Bob: I paint"
    assert row_text({"text": "Bob paints", "speaker": "Bob"}) == "Bob paints"


def test_observations_have_gold_ids_of_their_own() -> None:
    query = {"gold": ["1", "2"], "gold_in_obs": ["1"]}
    assert gold_of(query, "obs") == {"1"}
    assert gold_of(query, "turn") == {"1", "2"}


async def test_dates_may_be_written_without_leading_zeros_and_rows_may_lack_a_time() -> None:
    talk = [{**row, "time": row["time"].replace("-0", "-")} for row in TALK] + [{**TALK[0], "time": None}]
    rows = [{**DATED[0], "ask_time": "2026-5-9"}]
    report = await evaluate_retrieval(talk, rows, WordEmbedder(), read, Arms(neighbours=False))
    assert report.predictions[0]["ranked"][0] == "8/0"


def test_turns_help_their_neighbours_of_the_same_session_only() -> None:
    before, hit, after, elsewhere = with_neighbours([0.0, 1.0, 0.0, 0.0], ["a", "a", "a", "b"])
    assert hit == 1.0
    assert 0 < before < after < 1
    assert elsewhere == 0.0
