from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from memory.evaluation.conversation import read_conversations
from memory.evaluation.ledger import Counts, Ledger
from memory.model import ArchivedReason, Category, Flag, Memory
from memory.observe import Observation

START = datetime(2026, 9, 1, 12, tzinfo=UTC)
HOME = {"key": "home", "has": ["新竹"], "category": "identity"}
MOVED = {"key": "moved", "has": ["台中"], "category": "identity", "replaces": "home"}
EXAM = {"key": "exam", "has": ["考"], "category": "schedule"}


def memory(text: str, quote: str, category: str = "identity", **fields: Any) -> Memory:
    values = {"id": text, "user_id": "c", "persona_id": "lily", "places": ("dm",)}
    return Memory(text=text, quote=quote, category=Category(category), **{**values, **fields})


def gone(one: Memory, reason: ArchivedReason = ArchivedReason.CONTRADICTED) -> Memory:
    return one.model_copy(update={"archived": True, "archived_reason": reason})


def play(*steps: tuple[dict[str, Any], Observation]) -> tuple[Counts, list[tuple[str, ...]]]:
    """Play lines (gold beside what happened) and return the counts and what was wrong with each line."""
    rows: list[dict[str, Any]] = [{"conversation": "c"}]
    for day, (gold, _) in enumerate(steps):
        rows.append({"at": (START + timedelta(days=day)).isoformat(), **gold})
    (conversation,) = read_conversations(rows)
    ledger = Ledger(conversation)
    wrong = [ledger.take(line, seen).wrong for line, (_, seen) in zip(conversation.lines, steps, strict=True)]
    return ledger.close(), wrong


def wrote(*memories: Memory, archived: Sequence[Memory] = ()) -> Observation:
    return Observation(written=memories, archived=tuple(archived))


OLD = memory("使用者住新竹", "我住新竹")
NEW = memory("使用者搬到台中", "我搬到台中了")
SAID_HOME = {"say": "我住新竹", "store": [HOME]}
SAID_MOVED = {"say": "我搬到台中了", "store": [MOVED]}


def test_a_replacement_with_both_halves_is_a_right_update() -> None:
    counts, wrong = play((SAID_HOME, wrote(OLD)), (SAID_MOVED, wrote(NEW, archived=[gone(OLD)])))
    assert (counts.facts, counts.found, counts.updates, counts.updated) == (2, 2, 1, 1)
    assert (counts.missed, counts.retired, counts.held_at_end, counts.stale_at_end) == (0, 0, 1, 0)
    assert wrong == [(), ()]


def test_an_old_fact_that_stays_is_a_missed_contradiction() -> None:
    counts, wrong = play((SAID_HOME, wrote(OLD)), (SAID_MOVED, wrote(NEW)))
    assert (counts.updated, counts.missed, counts.stale_at_end) == (0, 1, 1)
    assert wrong[1] == ("still live: home",)


def test_an_old_fact_that_leaves_without_a_new_one_is_no_right_update() -> None:
    counts, _ = play((SAID_HOME, wrote(OLD)), (SAID_MOVED, wrote(archived=[gone(OLD)])))
    assert (counts.updates, counts.updated, counts.missed, counts.missing_at_end) == (1, 0, 0, 1)


def test_a_fact_that_was_never_kept_can_not_be_overturned() -> None:
    counts, _ = play((SAID_HOME, wrote()), (SAID_MOVED, wrote(NEW)))
    assert (counts.facts, counts.found, counts.updates, counts.contradictions) == (2, 1, 0, 0)


def test_what_nothing_supports_is_invented() -> None:
    counts, wrong = play(({"say": "今天好熱"}, wrote(memory("使用者怕熱", "今天好熱"))))
    assert counts.invented == 1
    assert wrong[0][0].startswith("invented: ")


def test_what_rests_on_words_nobody_said_is_invented_however_well_it_fits() -> None:
    counts, wrong = play((SAID_HOME, wrote(memory("使用者住新竹", "我住台北"))))
    assert (counts.found, counts.invented) == (0, 1)
    assert "its quote was not said" in wrong[0][1]


def test_what_may_be_kept_is_neither_missed_nor_invented() -> None:
    gold = {"say": "我住新竹", "may": [HOME]}
    for seen in (wrote(), wrote(OLD)):
        counts, wrong = play((gold, seen))
        assert (counts.facts, counts.invented, wrong) == (0, 0, [()])


def test_the_same_kept_twice_is_a_duplicate() -> None:
    again = memory("使用者家住新竹", "我家在新竹")
    counts, _ = play((SAID_HOME, wrote(OLD)), ({"say": "我家在新竹", "skip": ["home"]}, wrote(again)))
    assert (counts.repeats, counts.duplicates, counts.invented) == (1, 1, 0)


def test_the_same_kept_late_is_found_after_all() -> None:
    again = memory("使用者家住新竹", "我家在新竹")
    counts, _ = play((SAID_HOME, wrote()), ({"say": "我家在新竹", "skip": ["home"]}, wrote(again)))
    assert (counts.found, counts.late, counts.duplicates, counts.repeats) == (1, 1, 0, 0)


def test_other_words_in_the_place_of_the_old_ones_lose_nothing() -> None:
    again = memory("使用者家住新竹", "我家在新竹")
    seen = wrote(again, archived=[gone(OLD)])
    counts, wrong = play((SAID_HOME, wrote(OLD)), ({"say": "我家在新竹", "skip": ["home"]}, seen))
    assert (counts.retired, counts.duplicates, counts.held_at_end, wrong[1]) == (0, 0, 1, ())


def test_a_fact_that_is_still_so_and_leaves_is_a_false_retirement() -> None:
    counts, wrong = play((SAID_HOME, wrote(OLD)), ({"say": "好熱"}, wrote(archived=[gone(OLD)])))
    assert (counts.retired, counts.missing_at_end) == (1, 1)
    assert wrong[1] == ("retired though still so: home",)


def test_the_reason_something_leaves_for_must_be_the_right_one() -> None:
    tick = {"tick": True, "archive": {"home": "expired"}}
    right, _ = play((SAID_HOME, wrote(OLD)), (tick, wrote(archived=[gone(OLD, ArchivedReason.EXPIRED)])))
    other, wrong = play((SAID_HOME, wrote(OLD)), (tick, wrote(archived=[gone(OLD)])))
    assert (right.updated, other.updated) == (1, 0)
    assert right.contradictions == 0
    assert "instead of expired" in wrong[1][0]


def test_an_event_called_off_leaves_a_version_that_is_no_new_fact() -> None:
    planned = memory("使用者要考試", "我要考試", "schedule")
    off = memory(
        "使用者考試取消", "考試取消了", "schedule", supersedes_id=planned.id, flags=(Flag.CANCELLED,)
    )
    seen = wrote(off, archived=[gone(planned)])
    gold = {"say": "考試取消了", "cancelled": ["exam"]}
    counts, wrong = play(({"say": "我要考試", "store": [EXAM]}, wrote(planned)), (gold, seen))
    assert (counts.updates, counts.updated, counts.stored, counts.invented) == (1, 1, 1, 0)
    assert wrong[1] == ()


def test_an_event_is_over_once_its_outcome_or_its_end_is_known() -> None:
    planned = memory("使用者要考試", "我要考試", "schedule")
    told = planned.model_copy(update={"outcome": "考得不錯"})
    ended = planned.model_copy(update={"valid_to": START})
    gold = {"say": "考完了", "done": ["exam"]}
    for after, right in ((told, 1), (ended, 1), (planned, 0)):
        counts, _ = play(({"say": "我要考試", "store": [EXAM]}, wrote(planned)), (gold, wrote(after)))
        assert (counts.updates, counts.updated) == (1, right)


def test_a_wrong_date_is_counted_beside_the_fact() -> None:
    gold = {"say": "我要考試", "store": [{**EXAM, "when": "2026-09-08"}]}
    right = memory("使用者要考試", "我要考試", "schedule", valid_from=datetime(2026, 9, 8, 2, tzinfo=UTC))
    for after, expected in ((right, 1), (right.model_copy(update={"valid_from": None}), 0)):
        counts, _ = play((gold, wrote(after)))
        assert (counts.found, counts.dated, counts.dated_right) == (1, 1, expected)


def test_a_message_that_waits_for_its_model_is_counted() -> None:
    counts, wrong = play((SAID_HOME, Observation(waiting="ModelDown")))
    assert (counts.waiting, counts.found) == (1, 0)
    assert wrong[0][0] == "waits for the model: ModelDown"
