"""Turns that end what was without naming it: another job, an illness that is over, a plan back on."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import resources

import yaml

from memory.relations.compare import Pair
from memory.relations.types import Relation, Verdict
from memory.relations.wording import says
from memory.statements import Aspect, is_single_valued
from memory.statements.slots import same_slot_value
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
    trade = turns["quit_trade"].search(new.text)
    if trade is not None and old.slot == "job" and f" {trade[1]}" in old.text and not old.negated:
        return Verdict(Relation.CONTRADICT, "the trade is given up")
    if not turns["job_turned"].search(new.text) or turns["job_turned"].search(old.text):
        return None
    at_work = (old.slot or "") in {"job", "employer", "work_place"} or turns["at_work"].search(old.text)
    if at_work and not old.negated and old.aspect is not Aspect.PLANNED:
        return Verdict(Relation.CONTRADICT, "the job has changed")
    return None


def back_home(pair: Pair) -> Verdict | None:
    """Let having gone back to live with the family end living elsewhere; a stay ends nothing."""
    old, new = pair.a, pair.b
    if old.slot != "home" or not pair.same_subject or new.aspect in {Aspect.PLANNED, Aspect.HYPOTHETICAL}:
        return None
    if (
        says("back_home", new.text)
        and not says("back_home", old.text)
        and not _turns()["stay"].search(new.text)
    ):
        return Verdict(Relation.CONTRADICT, "back at the family's home")
    return None


def left_the_dorm(pair: Pair) -> Verdict | None:
    """Let moving, or moving out of it, end living in a dormitory, which may lie in any district."""
    turns, old, new = _turns(), pair.a, pair.b
    if not pair.same_subject or new.aspect in {Aspect.PLANNED, Aspect.HYPOTHETICAL}:
        return None
    if not turns["dorm"].search(old.text) or old.negated:
        return None
    elsewhere = turns["moves"].search(new.text) and not turns["moves_in"].search(new.text)
    if turns["moves_out"].search(new.text) or elsewhere:
        return Verdict(Relation.CONTRADICT, "moved out of the dormitory")
    return None


def other_days(pair: Pair) -> Verdict | None:
    """Let 重訓改成二四六 put other days of the week in the place of the old ones."""
    old, new = pair.a, pair.b
    if not pair.same_subject or "change" not in new.markers or not pair.solid or pair.apart:
        return None
    days = [set(_turns()["days"].findall(parsed.text)) for parsed in (old, new)]
    if days[0] and days[1] and days[0] != days[1]:
        return Verdict(Relation.CONTRADICT, "on other days of the week")
    return None


def scrapped(pair: Pair) -> Verdict | None:
    """Let the car that is gone be the one that was told by its brand: 開一台 Mazda, 車子報廢了."""
    if not pair.same_subject or not says("parted", pair.b.text) or pair.a.negated:
        return None
    car = pair.b.terms & {"车", "汽车"} and says("drives", pair.a.text)
    branded = any(kind in {"brand", "vehicle"} for kind, _ in pair.a.concepts)
    if car and branded and pair.a.aspect is not Aspect.PLANNED:
        return Verdict(Relation.CONTRADICT, "the car is gone")
    return None


def left_school(pair: Pair) -> Verdict | None:
    """Let having graduated, or left, end being at school; a level that is named ends only that one."""
    turns, old, new = _turns(), pair.a, pair.b
    if not pair.same_subject or old.scope or new.aspect in {Aspect.PLANNED, Aspect.HYPOTHETICAL}:
        return None
    if not turns["left_school"].search(new.text) or turns["left_school"].search(old.text):
        return None
    if turns["plan"].search(f"{old.text} {new.text}") or new.negated or old.negated:
        return None
    levels = [set(turns["level"].findall(parsed.text)) for parsed in (old, new)]
    if levels[0] and levels[1] and levels[0].isdisjoint(levels[1]):
        return None
    if (old.slot or "") in {"school", "grade", "major"} or turns["at_school"].search(old.text):
        return Verdict(Relation.CONTRADICT, "at school no more")
    return None


def recovered(pair: Pair) -> Verdict | None:
    """Let being well again end an illness, of the same name where one is told."""
    turns = _turns()
    if not pair.same_subject or not turns["well"].search(pair.b.text) or turns["well"].search(pair.a.text):
        return None
    if pair.a.negated or not turns["ill"].search(pair.a.text):
        return None
    if turns["walks"].search(pair.b.text) and not turns["legs"].search(pair.a.text):
        return None
    parts = [set(turns["part"].findall(parsed.text)) for parsed in (pair.a, pair.b)]
    if parts[0] and parts[1] and parts[0].isdisjoint(parts[1]):
        return None
    named = turns["ill"].findall(pair.b.text)
    if named and not set(named) & set(turns["ill"].findall(pair.a.text)):
        return None
    return Verdict(Relation.CONTRADICT, "the illness is over")


def side_job(pair: Pair) -> Verdict | None:
    """Let a job beside the main one (週末在早餐店兼差) and the main one leave each other be."""
    slots = {pair.a.slot, pair.b.slot}
    if not slots & {"job", "employer", "work_place"} or not pair.same_subject or pair.b.changed:
        return None
    beside = [
        _turns()["side_job"].search(f"{fold_same_length(statement.quote)} {parsed.text}") is not None
        for statement, parsed in ((pair.old, pair.a), (pair.new, pair.b))
    ]
    works = all(_turns()["works"].search(parsed.text) for parsed in (pair.a, pair.b))
    if not works or beside[0] == beside[1] or (beside[0] and _turns()["by_now"].search(pair.b.text)):
        return None
    return Verdict(Relation.DIFFERENT, "one is a job beside the other")


def resumed(pair: Pair) -> Verdict | None:
    """Let what is done again overturn that it was given up: 戒了咖啡, 又開始喝咖啡."""
    turns, old, new = _turns(), pair.a, pair.b
    again = turns["again"].search(new.text) and not turns["again"].search(old.text)
    if not again or not pair.same_subject or new.negated or not turns["given_up"].search(old.text):
        return None
    if pair.solid and not pair.apart and new.aspect is not Aspect.PLANNED:
        return Verdict(Relation.CONTRADICT, "given up, and taken up again")
    return None


def fulfilled(pair: Pair) -> Verdict | None:
    """Let what has become so (住宜蘭) stand beside the plan it was (要搬去宜蘭): it says more than that."""
    if _come_true(pair):
        return Verdict(Relation.DIFFERENT, "what was wished for is so now")
    filled = pair.b.slot if pair.b.slot is not None and is_single_valued(pair.b.slot) else None
    if filled is None or pair.a.slot == filled or not pair.same_subject:
        return None
    if _turns()["plan"].search(pair.a.text) and not _turns()["plan"].search(pair.b.text):
        return Verdict(Relation.DIFFERENT, "what was planned is so now")
    return None


def _come_true(pair: Pair) -> bool:
    """Whether the old one only wishes for what the new one tells to have become so: 希望能畢業, 畢業了."""
    turns, so = _turns(), pair.b
    if not turns["plan"].search(pair.a.text) or turns["plan"].search(so.text) or so.negated:
        return False
    if not pair.same_subject or pair.dates_clash or not pair.solid:
        return False
    if so.aspect in {Aspect.CANCELLED, Aspect.MOVED}:
        return False
    return so.aspect in {Aspect.DONE, Aspect.STOPPED} or so.text.endswith("了")


def another_one(pair: Pair) -> Verdict | None:
    """Let a further one of what was counted (第三個小孩出生了) stand beside the count."""
    counted = _turns()["ordinal"].search(pair.b.text)
    if counted is not None and not _turns()["ordinal"].search(pair.a.text) and pair.a.numbers:
        return Verdict(Relation.DIFFERENT, "tells of one of them")
    return None


def another_place(pair: Pair) -> Verdict | None:
    """Keep two places of work apart: neither says the other again."""
    places = [_turns()["work_at"].search(parsed.text) for parsed in (pair.a, pair.b)]
    if places[0] is None or places[1] is None or not pair.same_subject:
        return None
    a, b = (match[1] for match in places if match)
    if a in b or b in a or same_slot_value("employer", a, b) is not False:
        return None
    return Verdict(Relation.DIFFERENT, "work at another place")


def back_on(pair: Pair) -> Verdict | None:
    """See that a plan made after one was called off is another plan, not the same told again."""
    if pair.a.aspect is Aspect.CANCELLED and pair.b.aspect is not Aspect.CANCELLED:
        return Verdict(Relation.DIFFERENT, "the old one is called off, this one is not")
    return None
