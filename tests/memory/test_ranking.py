from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.grounding.types import TimeExpression
from memory.model import ArchivedReason, Category, Precision, TemporalState
from memory.policy import MemoryPolicy, Thresholds
from memory.ranking import Candidate, Ranking, SourceRule, rank
from memory.recollection import Reading
from memory.why import explain_cause
from tests.memory.recall_builders import at, event, exam, remember

POLICY = MemoryPolicy()
FLOOR = Thresholds(0.0, 0.65, 0.37, "test")
NOW = at("2026-09-12 21:30")


def ranked(*candidates: Candidate, query: str = "考試", now: datetime = NOW, **options: object) -> Ranking:
    reading = options.pop("reading", Reading())
    return rank(query, reading, candidates, now, POLICY, FLOOR, **options)


def kept_ids(ranking: Ranking) -> list[str]:
    return [one.memory.id for one in ranking.kept]


def causes(ranking: Ranking) -> dict[str, str]:
    return {line.memory_id: line.cause for line in ranking.audit}


def expression(phrase: str, start: str, end: str, precision: Precision = Precision.DAY) -> TimeExpression:
    return TimeExpression(phrase, (0, len(phrase)), at(start), at(end), precision, None, "test")


def test_the_score_is_seven_tenths_relevance_and_three_tenths_freshness() -> None:
    fresh = remember("p", category=Category.HOBBY, created_at=NOW - timedelta(days=180))
    (one,) = ranked(Candidate(fresh, 0.5)).kept
    assert one.score == pytest.approx(0.7 * 0.5 + 0.3 * 0.5)


def test_a_question_about_now_weighs_freshness_more() -> None:
    fresh = remember("p", category=Category.HOBBY, created_at=NOW - timedelta(days=180))
    (one,) = ranked(Candidate(fresh, 0.5), reading=Reading(about_now=True)).kept
    assert one.score == pytest.approx(0.6 * 0.5 + 0.4 * 0.5)


def test_an_event_inside_its_window_is_boosted() -> None:
    (one,) = ranked(Candidate(exam(), 0.5), now=at("2026-09-15 10:00")).kept
    assert one.state is TemporalState.TEMPORAL
    assert one.score == pytest.approx((0.7 * 0.5 + 0.3) * 1.2)


def test_an_event_under_the_floor_is_not_lifted_over_it() -> None:
    ranking = ranked(Candidate(exam(), 0.36), now=at("2026-09-15 10:00"))
    assert kept_ids(ranking) == []
    assert causes(ranking) == {"exam": "below_floor"}


def test_the_archived_expired_and_superseded_are_removed_each_with_its_cause() -> None:
    ranking = ranked(
        Candidate(remember("a", archived=True, archived_reason=ArchivedReason.CONTRADICTED), 0.9),
        Candidate(remember("b", expires_at=NOW), 0.9),
        Candidate(remember("c1"), 0.9),
        Candidate(remember("c2", supersedes_id="c1"), 0.5),
        Candidate(remember("d"), 0.9, superseded_by="elsewhere"),
    )
    assert kept_ids(ranking) == ["c2"]
    assert causes(ranking) == {
        "a": "archived",
        "b": "expired",
        "c1": "superseded",
        "c2": "kept",
        "d": "superseded",
    }


def test_a_version_chain_collapses_to_its_newest() -> None:
    chain = [Candidate(remember("v1"), 0.9)]
    chain += [Candidate(remember(f"v{n}", supersedes_id=f"v{n - 1}"), 0.9 - n / 10) for n in (2, 3, 4)]
    assert kept_ids(ranked(*chain)) == ["v4"]


def test_an_archived_successor_supersedes_nothing_after_a_restore() -> None:
    ranking = ranked(
        Candidate(remember("v1"), 0.6), Candidate(remember("v2", supersedes_id="v1", archived=True), 0.9)
    )
    assert kept_ids(ranking) == ["v1"]


def test_what_is_removed_does_not_raise_the_floor_of_the_living() -> None:
    archived = Candidate(remember("a", archived=True), 1.0, lexical=1.0)
    assert kept_ids(ranked(archived, Candidate(remember("b"), 0.4))) == ["b"]


def test_what_lies_far_behind_the_best_is_dropped() -> None:
    ranking = ranked(Candidate(remember("a"), 0.95, lexical=1.0), Candidate(remember("b"), 0.40))
    assert causes(ranking) == {"a": "kept", "b": "below_best"}


def test_of_two_equals_the_fresher_leads() -> None:
    old = remember("a", category=Category.HOBBY, created_at=NOW - timedelta(days=400))
    new = remember("b", category=Category.HOBBY, created_at=NOW - timedelta(days=2))
    assert kept_ids(ranked(Candidate(old, 0.6), Candidate(new, 0.6))) == ["b", "a"]


def test_shared_words_lift_a_memory() -> None:
    ranking = ranked(Candidate(remember("a"), 0.5), Candidate(remember("b"), 0.5, lexical=1.0))
    assert kept_ids(ranking) == ["b", "a"]


def test_a_memory_about_the_named_one_comes_first() -> None:
    mother = remember("m", "媽媽怕狗", subject="媽媽")
    own = remember("a", "使用者怕狗")
    ranking = ranked(Candidate(own, 0.6), Candidate(mother, 0.6), query="我媽媽怕什麼")
    assert kept_ids(ranking) == ["m", "a"]


def test_a_named_time_pulls_but_never_filters() -> None:
    last_week = remember("a", created_at=at("2026-09-02 20:00"))
    this_week = remember("b", created_at=at("2026-09-08 20:00"))
    reading = Reading(times=(expression("上週", "2026-08-31 00:00", "2026-09-07 00:00", Precision.WEEK),))
    ranking = ranked(
        Candidate(last_week, 0.5), Candidate(this_week, 0.6), query="上週的比賽", reading=reading
    )
    assert kept_ids(ranking) == ["a", "b"]


def test_a_named_time_pulls_events_that_happen_in_it() -> None:
    other = event("o", "使用者要考多益", "2026-10-03", "2026-10-04")
    reading = Reading(times=(expression("九月", "2026-09-01 00:00", "2026-10-01 00:00", Precision.MONTH),))
    ranking = ranked(Candidate(exam(), 0.5), Candidate(other, 0.55), query="九月的考試", reading=reading)
    assert kept_ids(ranking) == ["exam", "o"]


def test_a_question_about_a_time_alone_recalls_what_lies_in_it_under_the_floor() -> None:
    reading = Reading(times=(expression("下週", "2026-09-14 00:00", "2026-09-21 00:00", Precision.WEEK),))
    tea = Candidate(remember("tea", created_at=at("2026-09-01 10:00")), 0.3)
    ranking = ranked(Candidate(exam(), 0.1), tea, query="下週我有什麼事", reading=reading)
    assert kept_ids(ranking) == ["exam"]


def test_a_named_time_with_a_topic_does_not_lift_the_unrelated_over_the_floor() -> None:
    reading = Reading(times=(expression("下週", "2026-09-14 00:00", "2026-09-21 00:00", Precision.WEEK),))
    assert kept_ids(ranked(Candidate(exam(), 0.1), query="下週天氣", reading=reading)) == []


def test_an_overturned_finding_never_leads() -> None:
    old = Candidate(remember("a"), 0.9, lexical=1.0, overturned_by="b")
    new = Candidate(remember("b"), 0.5)
    ranking = ranked(old, new)
    assert kept_ids(ranking) == ["b", "a"]
    assert "推翻" in ranking.kept[1].why
    assert causes(ranking)["a"] == "kept_overturned"
    assert causes(ranked(old)) == {"a": "overturned"}


def test_what_the_message_surely_means_needs_no_floor() -> None:
    assert kept_ids(ranked(Candidate(exam(), 0.05, meant=True))) == ["exam"]


def test_without_vectors_shared_words_decide() -> None:
    ranking = ranked(Candidate(remember("a"), None, lexical=1.0), Candidate(remember("b"), None, lexical=0.2))
    assert kept_ids(ranking) == ["a"]


def test_a_source_has_its_own_half_life_and_expiry() -> None:
    news = remember("n", created_at=NOW - timedelta(days=30))
    (one,) = ranked(Candidate(news, 0.6, source_rule=SourceRule(half_life_days=30))).kept
    assert one.decay == pytest.approx(0.5)
    gone = ranked(Candidate(news, 0.6, source_rule=SourceRule(expires_after_days=30)))
    assert causes(gone) == {"n": "source_expired"}


def test_a_handful_is_kept_and_the_rest_is_accounted_for() -> None:
    many = [Candidate(remember(f"m{n:02}"), 0.9 - n / 100) for n in range(30)]
    ranking = ranked(*many)
    assert len(ranking.kept) == POLICY.recall_kept
    assert len(ranking.audit) == 30
    assert causes(ranking)["m07"] == "not_needed"
    assert causes(ranking)["m29"] == "outside_top"
    assert [line.memory_id for line in ranking.audit][:6] == kept_ids(ranking)


def test_a_candidate_handed_in_twice_counts_once() -> None:
    ranking = ranked(Candidate(remember("a"), 0.4), Candidate(remember("a"), 0.6))
    assert [line.similarity for line in ranking.audit] == [0.6]


@pytest.mark.parametrize(
    ("language", "reason"),
    [
        ("zh-TW", "和這句話意思接近；還沒發生；3 天前說的"),
        ("en", "close in meaning to this message; has not happened yet; said 3 days ago"),
        ("ja", "この発言と意味が近い；まだ起きていない；3日前に聞いた"),
    ],
)
def test_every_kept_memory_says_why_in_the_persons_language(language: str, reason: str) -> None:
    (one,) = ranked(Candidate(exam(), 0.6), language=language).kept
    assert one.why == reason


def test_what_is_only_tied_by_time_is_not_called_close_in_meaning() -> None:
    reading = Reading(times=(expression("下週", "2026-09-14 00:00", "2026-09-21 00:00", Precision.WEEK),))
    (one,) = ranked(Candidate(exam(), 0.1), query="下週我有什麼事", reading=reading).kept
    assert one.why == "就在提到的那段時間；還沒發生；3 天前說的"


def test_what_is_due_without_a_message_is_what_it_is_about() -> None:
    (one,) = ranked(Candidate(exam(), None, meant=True), now=at("2026-09-16 10:00")).kept
    assert one.why.startswith("正要說到這件事；已經過了")


def test_every_cause_reads_as_a_sentence_in_every_language() -> None:
    lines = [
        *ranked(
            *(Candidate(remember(f"m{n:02}"), 0.9 - n / 100) for n in range(30)),
            Candidate(remember("v2", supersedes_id="v1"), 0.2),
            Candidate(remember("v1"), 0.9),
            Candidate(remember("x", archived=True), 0.9),
            Candidate(remember("y", expires_at=NOW), 0.9),
            Candidate(remember("z"), 0.9, source_rule=SourceRule(expires_after_days=1)),
        ).audit,
        *ranked(Candidate(remember("a"), 0.9, overturned_by="b")).audit,
    ]
    assert len({line.cause for line in lines}) == 9
    for language in ("zh-TW", "en", "ja"):
        assert len({explain_cause(line, language) for line in lines}) == 9


def some_memory(number: int) -> st.SearchStrategy[Candidate]:
    return st.builds(
        lambda days, similarity, lexical, category, archived, replaces: Candidate(
            remember(
                f"m{number}",
                category=category,
                archived=archived,
                created_at=NOW - timedelta(days=days),
                supersedes_id=replaces,
            ),
            similarity,
            lexical,
        ),
        st.integers(0, 3),
        st.sampled_from([0.3, 0.4, 0.4000001, 0.5, None]),
        st.sampled_from([0.0, 0.5, 1.0]),
        st.sampled_from([Category.HOBBY, Category.NAME]),
        st.booleans(),
        st.sampled_from([None, "m0", "m1", "m2"]),
    )


candidate_sets = st.tuples(*(some_memory(number) for number in range(8)))


@given(candidate_sets, st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_the_order_of_insertion_never_changes_the_ranking(candidates: tuple, random: object) -> None:
    shuffled = list(candidates)
    random.shuffle(shuffled)
    assert ranked(*shuffled) == ranked(*candidates)


@given(candidate_sets)
@settings(max_examples=60)
def test_nothing_archived_or_replaced_is_ever_kept_and_all_are_accounted_for(candidates: tuple) -> None:
    ranking = ranked(*candidates)
    live = {c.memory.id: c.memory for c in candidates if not c.memory.archived}
    replaced = {memory.supersedes_id for memory in live.values()}
    assert all(one.memory.id in live and one.memory.id not in replaced for one in ranking.kept)
    assert sorted(line.memory_id for line in ranking.audit) == [f"m{n}" for n in range(8)]
