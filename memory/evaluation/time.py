"""Scores the date resolver on labelled rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from memory.grounding import TimeExpression, ground_phrase, resolve

ZONE = "Asia/Taipei"
"""The zone the rows' local times are read in; it has had no change of clocks since 1979."""
DAYPART_SLACK = timedelta(hours=3)
"""A part of a day is right within this of the gold start: nobody agrees when an evening begins."""
_FORMAT = "%Y-%m-%dT%H:%M"
_CLOCK_GRAINS = {"minute", "hour"}


@dataclass(frozen=True, slots=True)
class TimePrediction:
    """What was found for one row; local times, half-open, None where unresolved."""

    id: str
    start: str | None
    end: str | None
    precision: str | None
    rule: str | None
    correct: bool | None = None


@dataclass(frozen=True, slots=True)
class TimeReport:
    """Shares in 0..1 over the rows that have gold (None where there is none).

    ``exact`` and ``day`` are over rows that have a date, ``unresolved_kept`` over rows that must stay
    unresolved; ``overall`` is exact and kept together over all.
    """

    rows: int
    exact: float | None
    day: float | None
    unresolved_kept: float | None
    overall: float | None
    wrong_on_unresolved: int
    predictions: tuple[TimePrediction, ...]


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(ZONE))


def _local(moment: datetime | None) -> datetime | None:
    return None if moment is None else moment.astimezone(ZoneInfo(ZONE)).replace(tzinfo=None)


def _find(row: Mapping[str, Any], text_key: str, span_key: str) -> TimeExpression | None:
    text, said_at = str(row[text_key]), _moment(str(row["ref"]))
    span = row.get(span_key)
    if span:
        return ground_phrase(text, str(span), said_at, ZONE)
    found = resolve(text, said_at, ZONE)
    dated = [item for item in found if item.resolved]
    return dated[0] if dated else found[0] if found else None


def _day_right(found: TimeExpression, reading: Mapping[str, Any]) -> bool:
    start, end = _local(found.start), _local(found.end)
    gold = datetime.fromisoformat(reading["s"])
    if start is None or end is None:
        return False
    if reading["g"] == "contains":
        return start <= gold < end
    return start.date() == gold.date()


def _exactly_right(found: TimeExpression, reading: Mapping[str, Any]) -> bool:
    start, end = _local(found.start), _local(found.end)
    if start is None or end is None:
        return False
    gold = datetime.fromisoformat(reading["s"])
    gold_end = datetime.fromisoformat(reading["e"]) if reading.get("e") else None
    if reading["g"] == "contains":
        return start <= gold and (gold_end is None or gold_end <= end)
    if start.date() != gold.date():
        return False
    if reading["g"] in _CLOCK_GRAINS or gold_end is None:
        return start == gold
    if reading["g"] == "daypart":
        return abs(start - gold) <= DAYPART_SLACK
    return end == gold_end


def evaluate_time(
    rows: Iterable[Mapping[str, Any]], *, text_key: str = "text", span_key: str = "span"
) -> TimeReport:
    """Resolve every row; score those with gold (``accept``: the readings that count, empty = unresolved)."""
    predictions: list[TimePrediction] = []
    dated = exact = day = kept = undated = 0
    for row in rows:
        found = _find(row, text_key, span_key)
        correct: bool | None = None
        gold = row.get("accept")
        if gold is not None:
            if gold:
                dated += 1
                correct = found is not None and any(_exactly_right(found, item) for item in gold)
                exact += correct
                day += found is not None and any(_day_right(found, item) for item in gold)
            else:
                undated += 1
                correct = found is None or not found.resolved
                kept += correct
        predictions.append(_prediction(str(row.get("id", len(predictions))), found, correct))
    scored = dated + undated
    return TimeReport(
        rows=len(predictions),
        exact=exact / dated if dated else None,
        day=day / dated if dated else None,
        unresolved_kept=kept / undated if undated else None,
        overall=(exact + kept) / scored if scored else None,
        wrong_on_unresolved=undated - kept,
        predictions=tuple(predictions),
    )


def _prediction(row_id: str, found: TimeExpression | None, correct: bool | None) -> TimePrediction:
    start = _local(found.start) if found else None
    end = _local(found.end) if found else None
    return TimePrediction(
        id=row_id,
        start=start.strftime(_FORMAT) if start else None,
        end=end.strftime(_FORMAT) if end else None,
        precision=found.precision.value if found and found.precision else None,
        rule=found.rule if found else None,
        correct=correct,
    )
