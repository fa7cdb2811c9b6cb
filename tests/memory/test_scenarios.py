"""Four stale-answer scenarios: what the temporal layer removes, and what it lets lead.

Ten documents and their raw similarities to four questions, as measured with a TF-IDF embedder. Each
kind of source has its own half-life, and the newer finding overturns the older one.
"""

from __future__ import annotations

from datetime import timedelta

import pytest

from memory.model import Category, Kind, TemporalState
from memory.policy import MemoryPolicy, Thresholds
from memory.ranking import Candidate, Ranking, SourceRule, rank
from memory.recollection import Reading
from tests.memory.recall_builders import at, remember

NOW = at("2026-09-12 12:00")
POLICY = MemoryPolicy()
# Word overlap lies far lower than the cosine of embeddings.
WORD_OVERLAP = Thresholds(0.0, 1.0, 0.05, "the ten documents of the scenarios")
HALF_LIFE_DAYS = {"policy": 365, "research": 365, "news": 60, "tutorial": 60, "reference": 730}
# id, kind, created (days ago), expired (days ago), replaces, similarity to the four questions
DOCUMENTS = (
    ("policy_v1", Kind.VERSIONED, 540, 180, None, (0.447, 0, 0, 0.390)),
    ("policy_v2", Kind.VERSIONED, 175, None, "policy_v1", (0.292, 0, 0, 0.267)),
    ("research_2022", Kind.STATIC, 730, None, None, (0, 0.141, 0.063, 0)),
    ("research_2024", Kind.STATIC, 120, None, None, (0.073, 0.136, 0.122, 0)),
    ("news_old", Kind.STATIC, 400, None, None, (0.239, 0.112, 0.600, 0)),
    ("news_recent", Kind.STATIC, 30, None, None, (0.130, 0, 0.271, 0)),
    ("tutorial_old", Kind.VERSIONED, 600, 90, None, (0.303, 0.226, 0.304, 0.092)),
    ("tutorial_new", Kind.VERSIONED, 85, None, "tutorial_old", (0.197, 0, 0.385, 0)),
    ("reference_core", Kind.STATIC, 800, None, None, (0.058, 0, 0.145, 0)),
)
LIVE_EVENT = (0.329, 0, 0.165, 0.101)
OVERTURNED_BY = {"research_2022": "research_2024"}
QUESTIONS = (
    "What are the limits, will I get a 429?",
    "Do larger models keep improving?",
    "How are the team and the company now?",
    "Are there any outages or suspensions now?",
)


def scenario(number: int) -> Ranking:
    candidates = [
        Candidate(
            remember(
                name,
                name,
                category=Category.OTHER,
                kind=kind,
                created_at=NOW - timedelta(days=created),
                expires_at=NOW - timedelta(days=expired) if expired else None,
                supersedes_id=replaces,
            ),
            similarity[number],
            source_rule=SourceRule(half_life_days=HALF_LIFE_DAYS[name.split("_")[0]]),
            overturned_by=OVERTURNED_BY.get(name),
        )
        for name, kind, created, expired, replaces, similarity in DOCUMENTS
    ]
    announcement = remember(
        "announcement_today",
        kind=Kind.EVENT,
        created_at=NOW - timedelta(hours=6),
        valid_from=NOW - timedelta(hours=6),
        valid_to=NOW + timedelta(hours=42),
    )
    candidates.append(Candidate(announcement, LIVE_EVENT[number]))
    reading = Reading(about_now="now" in QUESTIONS[number])
    return rank(QUESTIONS[number], reading, candidates, NOW, POLICY, WORD_OVERLAP, language="en")


def removed(ranking: Ranking) -> set[str]:
    return {line.memory_id for line in ranking.audit if line.cause in {"expired", "superseded"}}


def kept(ranking: Ranking) -> list[str]:
    return [one.memory.id for one in ranking.kept]


@pytest.mark.parametrize("number", range(4))
def test_the_replaced_policy_and_the_old_tutorial_never_come_up(number: int) -> None:
    assert removed(scenario(number)) == {"policy_v1", "tutorial_old"}


def test_a_superseded_policy_gives_way_to_the_live_event_and_the_new_policy() -> None:
    ranking = scenario(0)
    assert kept(ranking)[:2] == ["announcement_today", "policy_v2"]
    assert ranking.kept[0].state is TemporalState.TEMPORAL


def test_an_overturned_finding_stands_behind_the_one_that_overturned_it_and_says_so() -> None:
    ranking = scenario(1)
    assert kept(ranking)[0] == "research_2024"
    marked = {one.memory.id: one.why for one in ranking.kept}
    assert "overturned" in marked["research_2022"]


def test_stale_news_stand_behind_fresh_news_and_an_unrelated_event_stays_out() -> None:
    ranking = scenario(2)
    assert kept(ranking)[0] == "news_recent"
    assert "announcement_today" not in kept(ranking)
    assert "said 400 days ago" in next(one.why for one in ranking.kept if one.memory.id == "news_old")


def test_a_live_event_buried_under_expired_text_leads_with_the_new_policy() -> None:
    assert kept(scenario(3))[:2] == ["announcement_today", "policy_v2"]
