"""Turns that end what was without naming it: another job, an illness that is over, a plan back on."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import resources

import yaml

from memory.relations.compare import Pair
from memory.relations.types import Relation, Verdict
from memory.statements import Aspect
from memory.text import fold_same_length


@lru_cache(maxsize=1)
def _turns() -> dict[str, re.Pattern[str]]:
    text = (resources.files("memory.relations") / "turns.yaml").read_text(encoding="utf-8")
    return {key: re.compile(fold_same_length(source)) for key, source in yaml.safe_load(text).items()}


def another_job(pair: Pair) -> Verdict | None:
    """Let a new job, or none, end the work that was told before."""
    turns, old, new = _turns(), pair.a, pair.b
    if not pair.same_subject or old.scope or new.aspect in {Aspect.PLANNED, Aspect.HYPOTHETICAL}:
        return None
    if not turns["job_turned"].search(new.text) or turns["job_turned"].search(old.text):
        return None
    at_work = (old.slot or "") in {"job", "employer", "work_place"} or turns["at_work"].search(old.text)
    if at_work and not old.negated and old.aspect is not Aspect.PLANNED:
        return Verdict(Relation.CONTRADICT, "the job has changed")
    return None


def recovered(pair: Pair) -> Verdict | None:
    """Let being well again end an illness, of the same name where one is told."""
    turns = _turns()
    if not pair.same_subject or not turns["well"].search(pair.b.text) or turns["well"].search(pair.a.text):
        return None
    if pair.a.negated or not turns["ill"].search(pair.a.text):
        return None
    named = turns["ill"].findall(pair.b.text)
    if named and not set(named) & set(turns["ill"].findall(pair.a.text)):
        return None
    return Verdict(Relation.CONTRADICT, "the illness is over")


def back_on(pair: Pair) -> Verdict | None:
    """See that a plan made after one was called off is another plan, not the same told again."""
    if pair.a.aspect is Aspect.CANCELLED and pair.b.aspect is not Aspect.CANCELLED:
        return Verdict(Relation.DIFFERENT, "the old one is called off, this one is not")
    return None
