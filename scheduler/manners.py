"""Good manners: whether a follow-up may go out now, and why. One pure function."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from enum import StrEnum

from memory.follow_ups import CLOSED, UNANSWERED
from memory.people import Person
from memory.places import DM, Place
from scheduler.hours import WakingHours, hours_of

# How soon to look again at what will have changed in a moment.
ALMOST = timedelta(minutes=5)


class Action(StrEnum):
    """What to do with a follow-up now."""

    SEND = "send"
    WAIT = "wait"
    DROP = "drop"


class Reason(StrEnum):
    """Why. Kept with the follow-up, shown to its owner, counted for the host."""

    ALL_WELL = "all well"
    OUTCOME_TOLD = "outcome told"
    EVENT_GONE = "archived or cancelled"
    NOT_DUE = "not due"
    STALE = "stale"
    UNDELIVERABLE = CLOSED
    NOT_OPTED_IN = "not opted in"
    PAUSED = "paused"
    SNOOZED = "snoozed"
    NO_ZONE = "hours unknown"
    QUIET_HOURS = "quiet hours"
    SPREAD = "spread out"
    CHATTING = "a chat is running"
    UNANSWERED = UNANSWERED
    ENOUGH_TODAY = "enough for today"
    ANOTHER_ONE = "another one is on its way"


@dataclass(frozen=True, slots=True)
class Customs:
    """The rules of the house; ``default_*`` count for people who have not chosen.

    ``chat_gap``: a chat is running this long after their last words. ``spread``: what waited for
    the morning goes out over this long. ``dropped_after`` is counted from when it was due.
    """

    waking_from: time = time(9)
    waking_until: time = time(22)
    per_day: int = 1
    unanswered_limit: int = 2
    chat_gap: timedelta = timedelta(minutes=60)
    dropped_after: timedelta = timedelta(days=7)
    spread: timedelta = timedelta(minutes=30)
    default_check_ins: bool = False
    default_zone: str = "Asia/Taipei"


@dataclass(frozen=True, slots=True)
class Circumstances:
    """Everything the decision rests on.

    ``places`` are where the event was told, the last one last. ``told``: its outcome is known.
    ``gone``: archived or called off. ``closed``: the person can't be written to. ``last_words``:
    when they last spoke to her anywhere; ``being_answered``: a message of theirs is not answered
    yet. ``sent``: when she last wrote by herself; ``unanswered``: how many of these in a row they
    have not reacted to; ``on_their_way``: how many are claimed for them and not yet settled.
    """

    memory_id: str
    due_at: datetime
    person: Person
    places: tuple[Place, ...] = (DM,)
    sensitive: bool = False
    told: bool = False
    gone: bool = False
    closed: bool = False
    last_words: datetime | None = None
    being_answered: bool = False
    sent: tuple[datetime, ...] = ()
    unanswered: int = 0
    on_their_way: int = 0


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do and why. ``again``: when to look again at what waits; ``place``: where to say it."""

    action: Action
    reason: Reason
    again: datetime | None = None
    place: Place | None = None


def decide(now: datetime, about: Circumstances, customs: Customs) -> Decision:
    """Say whether a follow-up goes out now, waits or is dropped, and why.

    The first rule that objects speaks: what is over is dropped, what the person wished comes
    before what the hour says, and that before what would merely be too much.
    """
    over = _over(now, about, customs)
    if over is not None:
        return Decision(Action.DROP, over)
    last_call = about.due_at + customs.dropped_after
    if now < about.due_at:
        return Decision(Action.WAIT, Reason.NOT_DUE, about.due_at)
    wish = _wish(now, about, customs)
    if wish is not None:
        reason, until = wish
        return Decision(Action.WAIT, reason, min(until or last_call, last_call))
    hours = hours_of(about.person, customs.waking_from, customs.waking_until, customs.default_zone)
    if hours is None:
        return Decision(Action.WAIT, Reason.NO_ZONE, last_call)
    objection = _hour(now, about, customs, hours) or _too_much(now, about, customs, hours)
    if objection is not None:
        reason, until = objection
        return Decision(Action.WAIT, reason, min(until or last_call, last_call))
    return Decision(Action.SEND, Reason.ALL_WELL, place=place_for(about.places, about.sensitive))


def place_for(places: Sequence[Place], sensitive: bool) -> Place:
    """Return where to ask: in the DM, or in the channel it was said in if it was said only openly.

    Painful things, and anything that was ever said in private, stay in the DM.
    """
    private = any(place.is_dm or place.private for place in places)
    if sensitive or private or not places:
        return DM
    return places[-1]


def offset(memory_id: str, user_id: str, spread: timedelta) -> timedelta:
    """Return how long after the morning begins one goes out: the same for the same one, even over all."""
    digest = hashlib.sha256(f"{user_id}\x1f{memory_id}".encode()).digest()
    return spread * (int.from_bytes(digest[:4], "big") / 2**32)


Objection = tuple[Reason, datetime | None]


def _over(now: datetime, about: Circumstances, customs: Customs) -> Reason | None:
    if about.told:
        return Reason.OUTCOME_TOLD
    if about.gone:
        return Reason.EVENT_GONE
    return Reason.STALE if now >= about.due_at + customs.dropped_after else None


def _wish(now: datetime, about: Circumstances, customs: Customs) -> Objection | None:
    person = about.person
    if about.closed:
        return Reason.UNDELIVERABLE, None
    if not person.wants_check_ins(customs.default_check_ins):
        return Reason.NOT_OPTED_IN, None
    if person.paused:
        return Reason.PAUSED, None
    if person.snooze_until is not None and now < person.snooze_until:
        return Reason.SNOOZED, person.snooze_until
    return None


def _hour(now: datetime, about: Circumstances, customs: Customs, hours: WakingHours) -> Objection | None:
    later = offset(about.memory_id, about.person.user_id, min(customs.spread, hours.length / 2))
    if not hours.include(now):
        opening = hours.next_opening(now)
        return Reason.QUIET_HOURS, opening + later if opening is not None else None
    opened = hours.opened(now)
    if about.due_at <= opened and now < opened + later:
        return Reason.SPREAD, opened + later
    return None


def _too_much(now: datetime, about: Circumstances, customs: Customs, hours: WakingHours) -> Objection | None:
    if about.being_answered:
        return Reason.CHATTING, now + ALMOST
    if about.last_words is not None and now < about.last_words + customs.chat_gap:
        return Reason.CHATTING, about.last_words + customs.chat_gap
    if about.on_their_way:
        return Reason.ANOTHER_ONE, now + ALMOST
    if about.unanswered >= customs.unanswered_limit:
        return Reason.UNANSWERED, None
    if _on_this_day(now, about.sent, hours) >= customs.per_day:
        return Reason.ENOUGH_TODAY, hours.midnight_after(now)
    return None


def _on_this_day(now: datetime, sent: Iterable[datetime], hours: WakingHours) -> int:
    return sum(hours.same_day(now, moment) for moment in sent)
