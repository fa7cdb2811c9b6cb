"""One row a case of good manners: what stands there, what is decided, why, and until when."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from memory.people import Person
from memory.places import DM, Place
from scheduler.manners import Action, Circumstances, Customs, Reason

SEND, WAIT, DROP = Action.SEND, Action.WAIT, Action.DROP
HOUSE = Customs(spread=timedelta(0))
OPEN_CHANNEL = Place("g1", "c1")
OTHER_CHANNEL = Place("g1", "c2")
PRIVATE_CHANNEL = Place("g1", "c9", private=True)
WILLING = Person("u1", zone="Asia/Taipei", check_ins=True, check_ins_chosen=True)


def at(text: str, zone: str = "Asia/Taipei") -> datetime:
    """Return a moment by a clock on somebody's wall."""
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


DUE = at("2026-09-15T18:00")
NOW = at("2026-09-15T18:30")


@dataclass(frozen=True)
class Row:
    """``about`` and ``person`` are what differs from a follow-up that may go out."""

    name: str
    action: Action
    reason: Reason
    now: datetime = NOW
    again: datetime | None = None
    place: Place | None = None
    about: dict[str, Any] = field(default_factory=dict)
    person: dict[str, Any] = field(default_factory=dict)
    house: Customs = HOUSE

    @property
    def circumstances(self) -> Circumstances:
        base = Circumstances(memory_id="m1", due_at=DUE, person=replace(WILLING, **self.person))
        return replace(base, **self.about)


def send(name: str, place: Place = DM, **fields: Any) -> Row:
    return Row(name, SEND, Reason.ALL_WELL, place=place, **fields)


def wait(name: str, reason: Reason, again: datetime | None = None, **fields: Any) -> Row:
    return Row(name, WAIT, reason, again=again, **fields)


def drop(name: str, reason: Reason, **fields: Any) -> Row:
    return Row(name, DROP, reason, **fields)


LAST_CALL = DUE + timedelta(days=7)
NIGHT_OWL = {"quiet_from": "03:00", "quiet_to": "20:00"}
BERLIN, NEW_YORK, LORD_HOWE = "Europe/Berlin", "America/New_York", "Australia/Lord_Howe"


def local(day: str, clock: str, zone: str, **fields: Any) -> dict[str, Any]:
    """Return a case on a clock in a zone, due an hour before."""
    now = at(f"{day}T{clock}", zone)
    about = {"due_at": now - timedelta(hours=1)} | fields.pop("about", {})
    return {"now": now, "about": about, "person": {"zone": zone} | fields.pop("person", {})} | fields


ROWS = [
    # what is over
    send("nothing speaks against it"),
    drop("its outcome is known", Reason.OUTCOME_TOLD, about={"told": True}),
    drop("its event is archived", Reason.EVENT_GONE, about={"gone": True}),
    drop("told and archived", Reason.OUTCOME_TOLD, about={"told": True, "gone": True}),
    drop("a week late", Reason.STALE, now=LAST_CALL),
    drop("a year late", Reason.STALE, now=DUE + timedelta(days=365)),
    drop("late, and they never opted in", Reason.STALE, now=LAST_CALL, person={"check_ins": False}),
    drop("told before it was due", Reason.OUTCOME_TOLD, now=DUE - timedelta(days=1), about={"told": True}),
    send("almost a week late", now=LAST_CALL - timedelta(minutes=30)),
    drop("late by the house's own measure", Reason.STALE, now=at("2026-09-17T18:00"),
         house=replace(HOUSE, dropped_after=timedelta(days=2))),
    # not yet
    wait("a second early", Reason.NOT_DUE, DUE, now=DUE - timedelta(seconds=1)),
    wait("days early", Reason.NOT_DUE, DUE, now=DUE - timedelta(days=3)),
    send("on the second", now=DUE),
    # what the person wished
    wait("they said no", Reason.NOT_OPTED_IN, LAST_CALL, person={"check_ins": False}),
    wait("they said no in a house that says yes", Reason.NOT_OPTED_IN, LAST_CALL,
         person={"check_ins": False}, house=replace(HOUSE, default_check_ins=True)),
    wait("they never chose", Reason.NOT_OPTED_IN, LAST_CALL,
         person={"check_ins": False, "check_ins_chosen": False}),
    send("they never chose in a house that says yes",
         person={"check_ins": False, "check_ins_chosen": False},
         house=replace(HOUSE, default_check_ins=True)),
    send("they said yes before choices were noted", person={"check_ins_chosen": False}),
    wait("paused", Reason.PAUSED, LAST_CALL, person={"paused": True}),
    wait("snoozed until tomorrow", Reason.SNOOZED, at("2026-09-16T18:30"),
         person={"snooze_until": at("2026-09-16T18:30")}),
    send("the snooze ends this second", person={"snooze_until": NOW}),
    send("snoozed long ago", person={"snooze_until": at("2026-09-01T00:00")}),
    wait("snoozed for ever", Reason.SNOOZED, LAST_CALL, person={"snooze_until": at("2027-09-01T00:00")}),
    wait("they can't be written to", Reason.UNDELIVERABLE, LAST_CALL, about={"closed": True}),
    # waking hours
    wait("before nine", Reason.QUIET_HOURS, at("2026-09-16T09:00"), now=at("2026-09-16T08:59")),
    send("nine sharp", now=at("2026-09-16T09:00")),
    send("just before ten in the evening", now=at("2026-09-15T21:59")),
    wait("ten in the evening", Reason.QUIET_HOURS, at("2026-09-16T09:00"), now=at("2026-09-15T22:00")),
    wait("four in the morning", Reason.QUIET_HOURS, at("2026-09-16T09:00"), now=at("2026-09-16T04:00")),
    wait("midnight", Reason.QUIET_HOURS, at("2026-09-16T09:00"), now=at("2026-09-16T00:00")),
    wait("quiet from midnight on, hour 0", Reason.QUIET_HOURS, at("2026-09-16T07:00"),
         now=at("2026-09-16T00:00"), person={"quiet_from": "00:00", "quiet_to": "07:00"}),
    send("quiet from midnight on, a minute before", now=at("2026-09-15T23:59"),
         person={"quiet_from": "00:00", "quiet_to": "07:00"}),
    send("quiet until midnight, hour 0", now=at("2026-09-16T00:00"),
         person={"quiet_from": "12:00", "quiet_to": "00:00"}),
    wait("quiet until midnight, a minute before", Reason.QUIET_HOURS, at("2026-09-16T00:00"),
         now=at("2026-09-15T23:59"), person={"quiet_from": "12:00", "quiet_to": "00:00"}),
    send("a night owl before midnight", now=at("2026-09-15T23:30"), person=NIGHT_OWL),
    send("a night owl after midnight", now=at("2026-09-16T02:59"), person=NIGHT_OWL),
    wait("a night owl's night", Reason.QUIET_HOURS, at("2026-09-16T20:00"), now=at("2026-09-16T03:00"),
         person=NIGHT_OWL),
    wait("a night owl's noon", Reason.QUIET_HOURS, at("2026-09-16T20:00"), now=at("2026-09-16T12:00"),
         person=NIGHT_OWL),
    wait("the house's own hours", Reason.QUIET_HOURS, at("2026-09-16T10:30"), now=at("2026-09-16T10:29"),
         house=replace(HOUSE, waking_from=time(10, 30))),
    wait("hours that nobody can read", Reason.NO_ZONE, LAST_CALL,
         person={"quiet_from": "25:00", "quiet_to": "07:00"}),
    wait("the end of the quiet hours is missing", Reason.NO_ZONE, LAST_CALL, person={"quiet_from": "23:00"}),
    wait("their beginning is missing", Reason.NO_ZONE, LAST_CALL, person={"quiet_to": "07:00"}),
    wait("hours with an offset", Reason.NO_ZONE, LAST_CALL,
         person={"quiet_from": "23:00+08:00", "quiet_to": "07:00+08:00"}),
    wait("no waking hours at all", Reason.QUIET_HOURS, LAST_CALL,
         person={"quiet_from": "08:00", "quiet_to": "08:00"}),
    # zones
    send("night in Taipei, day in New York", now=at("2026-09-15T10:30", NEW_YORK), person={"zone": NEW_YORK}),
    wait("day in Taipei, night in New York", Reason.QUIET_HOURS, at("2026-09-15T09:00", NEW_YORK),
         person={"zone": NEW_YORK}),
    send("an unset zone is the default", person={"zone": None}),
    wait("an unset zone in another house", Reason.QUIET_HOURS, at("2026-09-15T09:00", NEW_YORK),
         person={"zone": None}, house=replace(HOUSE, default_zone=NEW_YORK)),
    wait("a zone that isn't there", Reason.NO_ZONE, LAST_CALL, person={"zone": "Asia/Tapei"}),
    wait("an empty zone", Reason.NO_ZONE, LAST_CALL, person={"zone": ""}),
    wait("a zone that is a path", Reason.NO_ZONE, LAST_CALL, person={"zone": "../etc/passwd"}),
    # changes of the clock
    send("the morning after the clocks went forward", **local("2026-03-29", "09:00:00", BERLIN)),
    wait("eight in the old time is nine in the new", Reason.QUIET_HOURS, at("2026-03-29T09:00", BERLIN),
         **local("2026-03-29", "08:59:59", BERLIN)),
    send("the morning after the clocks went back", **local("2026-10-25", "09:00:00", BERLIN)),
    wait("nine in the old time is eight in the new", Reason.QUIET_HOURS, at("2026-10-25T09:00", BERLIN),
         **local("2026-10-25", "08:00:00", BERLIN)),
    wait("hours that begin in the hour left out", Reason.QUIET_HOURS, at("2026-03-29T01:30", "UTC"),
         now=at("2026-03-29T00:30", "UTC"), about={"due_at": at("2026-03-28T20:00", "UTC")},
         person={"zone": BERLIN, "quiet_from": "22:00", "quiet_to": "02:30"}),
    send("half an hour's change", **local("2026-10-04", "09:00:00", LORD_HOWE)),
    wait("the hour that comes twice, the second time", Reason.QUIET_HOURS, at("2026-10-25T09:00", BERLIN),
         now=at("2026-10-25T01:30", "UTC"), about={"due_at": at("2026-10-24T20:00", "UTC")},
         person={"zone": BERLIN}),
    # a running chat
    wait("a chat a minute ago", Reason.CHATTING, NOW + timedelta(minutes=59),
         about={"last_words": NOW - timedelta(minutes=1)}),
    wait("a chat 59 minutes ago", Reason.CHATTING, NOW + timedelta(minutes=1),
         about={"last_words": NOW - timedelta(minutes=59)}),
    send("a chat an hour ago", about={"last_words": NOW - timedelta(minutes=60)}),
    send("they never spoke", about={"last_words": None}),
    wait("their words lie ahead: the clock went back", Reason.CHATTING, NOW + timedelta(hours=3),
         about={"last_words": NOW + timedelta(hours=2)}),
    wait("she is answering them", Reason.CHATTING, NOW + timedelta(minutes=5),
         about={"being_answered": True}, house=replace(HOUSE, chat_gap=timedelta(0))),
    send("a house without a gap", about={"last_words": NOW}, house=replace(HOUSE, chat_gap=timedelta(0))),
    # not too much
    wait("another one is on its way", Reason.ANOTHER_ONE, NOW + timedelta(minutes=5),
         about={"on_their_way": 1}),
    send("one unanswered", about={"unanswered": 1}),
    wait("two unanswered", Reason.UNANSWERED, LAST_CALL, about={"unanswered": 2}),
    wait("five unanswered", Reason.UNANSWERED, LAST_CALL, about={"unanswered": 5}),
    wait("one unanswered where one is enough", Reason.UNANSWERED, LAST_CALL,
         about={"unanswered": 1}, house=replace(HOUSE, unanswered_limit=1)),
    wait("one this morning", Reason.ENOUGH_TODAY, at("2026-09-16T00:00"),
         about={"sent": (at("2026-09-15T09:10"),)}),
    wait("one just after midnight", Reason.ENOUGH_TODAY, at("2026-09-16T00:00"),
         about={"sent": (at("2026-09-15T00:01"),)}),
    send("one just before midnight", about={"sent": (at("2026-09-14T23:59"),)}),
    send("one yesterday, less than a day ago", about={"sent": (at("2026-09-14T19:00"),)}),
    wait("one today by their calendar, yesterday by UTC", Reason.ENOUGH_TODAY, at("2026-09-16T00:00"),
         about={"sent": (at("2026-09-15T07:00"),)}),
    send("one today where two are allowed", about={"sent": (at("2026-09-15T09:10"),)},
         house=replace(HOUSE, per_day=2)),
    wait("two today where two are allowed", Reason.ENOUGH_TODAY, at("2026-09-16T00:00"),
         about={"sent": (at("2026-09-15T09:10"), at("2026-09-15T12:10"))}, house=replace(HOUSE, per_day=2)),
    # where
    send("said in the DM", DM, about={"places": (DM,)}),
    send("said openly", OPEN_CHANNEL, about={"places": (OPEN_CHANNEL,)}),
    send("said openly twice, the last place", OTHER_CHANNEL, about={"places": (OPEN_CHANNEL, OTHER_CHANNEL)}),
    send("said in a private channel", DM, about={"places": (PRIVATE_CHANNEL,)}),
    send("said openly and in the DM", DM, about={"places": (DM, OPEN_CHANNEL)}),
    send("said in a private channel, then openly", DM, about={"places": (PRIVATE_CHANNEL, OPEN_CHANNEL)}),
    send("said openly, then in a private channel", DM, about={"places": (OPEN_CHANNEL, PRIVATE_CHANNEL)}),
    send("painful, said openly", DM, about={"places": (OPEN_CHANNEL,), "sensitive": True}),
    send("painful, said in the DM", DM, about={"sensitive": True}),
    send("nobody knows where it was said", DM, about={"places": ()}),
    # the order of objections
    wait("a wish comes before the hour", Reason.PAUSED, LAST_CALL, now=at("2026-09-16T04:00"),
         person={"paused": True}),
    wait("the hour comes before a chat", Reason.QUIET_HOURS, at("2026-09-16T09:00"),
         now=at("2026-09-16T04:00"), about={"last_words": at("2026-09-16T03:50")}),
]  # fmt: skip
