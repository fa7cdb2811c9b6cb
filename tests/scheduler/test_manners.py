"""Good manners, case by case; and no condition is there without a case that needs it."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import ModuleType
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler import hours, manners
from scheduler.manners import Action, Circumstances, Reason, decide, offset
from tests.scheduler.manners_table import DUE, HOUSE, NOW, ROWS, WILLING, Row, at

SPREAD = replace(HOUSE, spread=timedelta(minutes=30))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_manners(row: Row) -> None:
    decision = decide(row.now, row.circumstances, row.house)
    assert (decision.action, decision.reason, decision.place) == (row.action, row.reason, row.place)
    if row.again is not None:
        assert decision.again == row.again


def test_there_are_enough_cases_and_every_reason_has_one() -> None:
    assert len(ROWS) >= 60
    assert {row.reason for row in ROWS} == set(Reason) - {Reason.SPREAD}


def test_what_waits_is_always_looked_at_again_later_and_never_after_it_is_stale() -> None:
    for row in ROWS:
        decision = decide(row.now, row.circumstances, row.house)
        assert (decision.again is not None) == (decision.action is Action.WAIT), row.name
        if decision.again is not None:
            last_call = row.circumstances.due_at + row.house.dropped_after
            assert row.now < decision.again <= max(last_call, row.circumstances.due_at), row.name


class TestSpread:
    def waiting_for_the_morning(
        self, memory_id: str = "m1", clock: str = "09:00"
    ) -> tuple[datetime, Circumstances]:
        now = at(f"2026-09-16T{clock}")
        return now, Circumstances(memory_id, at("2026-09-15T23:00"), WILLING)

    def test_a_hundred_that_waited_for_nine_go_out_over_half_an_hour(self) -> None:
        moments = []
        for n in range(100):
            now, about = self.waiting_for_the_morning(f"m{n}")
            decision = decide(now, about, SPREAD)
            moments.append(decision.again or now)
        assert len({moment.replace(second=0, microsecond=0) for moment in moments}) > 20
        assert max(moments) < at("2026-09-16T09:30")
        assert sum(moment < at("2026-09-16T09:01") for moment in moments) < 12

    def test_the_moment_is_the_same_whenever_it_is_asked_for(self) -> None:
        night, about = self.waiting_for_the_morning(clock="03:00")
        morning, _ = self.waiting_for_the_morning(clock="09:00")
        promised = decide(night, about, SPREAD)
        assert promised.reason is Reason.QUIET_HOURS
        again = decide(morning, about, SPREAD)
        assert (again.action, again.reason) == (Action.WAIT, Reason.SPREAD)
        assert again.again == promised.again == morning + offset("m1", "u1", SPREAD.spread)
        assert decide(promised.again, about, SPREAD).action is Action.SEND

    def test_what_falls_due_in_the_day_goes_out_on_time(self) -> None:
        assert decide(DUE, Circumstances("m1", DUE, WILLING), SPREAD).action is Action.SEND

    def test_hours_shorter_than_the_spread_still_have_room(self) -> None:
        short = replace(WILLING, quiet_from="09:10", quiet_to="09:00")
        for n in range(50):
            about = Circumstances(f"m{n}", at("2026-09-15T23:00"), short)
            again = decide(at("2026-09-16T08:00"), about, replace(HOUSE, spread=timedelta(hours=4))).again
            assert again is not None
            assert at("2026-09-16T09:00") <= again < at("2026-09-16T09:05")


ZONES = sorted(
    zone
    for zone in available_timezones()
    if "/" in zone and not zone.startswith(("Etc/", "posix/", "right/"))
)
MOMENTS = st.integers(0, 2 * 365 * 24 * 60).map(
    lambda minutes: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
)
CLOCKS = st.times().map(lambda clock: f"{clock:%H:%M}")


@given(
    zone=st.sampled_from(ZONES),
    now=MOMENTS,
    quiet=st.tuples(CLOCKS, CLOCKS) | st.none(),
    late=st.timedeltas(timedelta(0), timedelta(days=8)),
    spread=st.timedeltas(timedelta(0), timedelta(hours=4)),
)
@settings(max_examples=400, deadline=None)
def test_nothing_ever_goes_out_early_late_or_in_quiet_hours(zone, now, quiet, late, spread) -> None:
    ends = {"quiet_from": quiet[0], "quiet_to": quiet[1]} if quiet else {}
    person = replace(WILLING, zone=zone, **ends)
    about = Circumstances("m1", now - late, person)
    decision = decide(now, about, replace(HOUSE, spread=spread))
    if decision.action is Action.SEND:
        clock = f"{now.astimezone(ZoneInfo(zone)):%H:%M}"
        start, end = (quiet[1], quiet[0]) if quiet else ("09:00", "22:00")
        assert start <= clock < end if start <= end else clock >= start or clock < end
        assert late < timedelta(days=7)
    if decision.action is Action.WAIT:
        assert decision.again is not None
        assert now < decision.again <= about.due_at + timedelta(days=7)


@given(
    zone=st.sampled_from(ZONES),
    now=MOMENTS,
    quiet=st.tuples(CLOCKS, CLOCKS),
)
@settings(max_examples=300, deadline=None)
def test_whoever_is_awake_some_time_is_asked_within_two_days(zone, now, quiet) -> None:
    ends = sorted(quiet)
    if ends[0][:2] == ends[1][:2]:
        return  # an hour that the clocks may leave out
    about = Circumstances("m1", now, replace(WILLING, zone=zone, quiet_from=ends[0], quiet_to=ends[1]))
    for _ in range(6):
        decision = decide(now, about, SPREAD)
        if decision.action is Action.SEND:
            break
        assert decision.again is not None
        now = decision.again
    assert decision.action is Action.SEND
    assert now - about.due_at < timedelta(days=2)


# --- no condition without a case -----------------------------------------------------------------


class Ignore(ast.NodeTransformer):
    """Replaces the n-th condition of a module by a constant, or drops the n-th operand of and/or."""

    def __init__(self, number: int, value: bool) -> None:
        self.left = number
        self.value = value
        self.done = ""

    def _mine(self, node: ast.AST) -> bool:
        self.left -= 1
        if self.left == -1:
            self.done = ast.unparse(node)
            return True
        return False

    def visit_If(self, node: ast.If) -> ast.AST:
        if self._mine(node.test):
            node.test = ast.copy_location(ast.Constant(self.value), node.test)
        self.generic_visit(node)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        if self._mine(node.test):
            node.test = ast.copy_location(ast.Constant(self.value), node.test)
        self.generic_visit(node)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        for place in range(len(node.values)):
            if self._mine(node.values[place]):
                node.values = node.values[:place] + node.values[place + 1 :]
                break
        if len(node.values) == 1:
            return self.visit(node.values[0])
        self.generic_visit(node)
        return node


def mutants(module: ModuleType) -> Iterator[tuple[str, ModuleType]]:
    """Yield the module with one condition ignored at a time."""
    source = Path(str(module.__file__)).read_text(encoding="utf-8")
    for value in (False, True):
        number = 0
        while True:
            change = Ignore(number, value)
            tree = change.visit(ast.parse(source))
            if not change.done:
                break
            number += 1
            mutant = ModuleType(f"{module.__name__}_mutant")
            sys.modules[mutant.__name__] = mutant
            exec(compile(ast.fix_missing_locations(tree), str(module.__file__), "exec"), mutant.__dict__)
            yield f"{change.done} -> {value}", mutant


def agrees(mutant: ModuleType) -> bool:
    """Whether a mutant decides like the table says in every case, and spreads the morning."""
    waited = Circumstances("m1", at("2026-09-15T23:00"), WILLING)
    cases = [(row.now, row.circumstances, row.house) for row in ROWS]
    cases += [(at(f"2026-09-16T{clock}"), waited, SPREAD) for clock in ("03:00", "09:00", "09:29", "12:00")]
    cases += [(DUE, Circumstances("m1", DUE, WILLING), SPREAD), (NOW, waited, SPREAD)]
    early = at("2026-09-16T09:05")
    cases += [(early, Circumstances("m7", early, WILLING), SPREAD)]
    for now, about, house in cases:
        wanted = decide(now, about, house)
        try:
            found = mutant.decide(now, about, house)
        except (TypeError, ValueError, AttributeError, LookupError):
            return False
        same = (str(found.action), str(found.reason), found.again, found.place)
        if same != (str(wanted.action), str(wanted.reason), wanted.again, wanted.place):
            return False
    return True


def test_ignoring_any_single_condition_breaks_a_case() -> None:
    survived, tried = [], 0
    for name, mutant in mutants(manners):
        tried += 1
        if agrees(mutant):
            survived.append(name)
    assert tried > 50
    assert survived == []


def test_ignoring_any_single_condition_of_the_hours_breaks_a_case(monkeypatch: pytest.MonkeyPatch) -> None:
    survived = []
    for name, mutant in mutants(hours):
        copy = ModuleType("manners_on_mutant")
        sys.modules[copy.__name__] = copy
        source = Path(str(manners.__file__)).read_text(encoding="utf-8")
        exec(compile(source, str(manners.__file__), "exec"), copy.__dict__)
        copy.__dict__["hours_of"] = mutant.hours_of
        if agrees(copy):
            survived.append(name)
    assert survived == []
