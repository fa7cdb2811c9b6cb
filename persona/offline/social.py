"""Everything else a conversation is made of: greetings, moods, teasing, herself, the clock, honest limits."""

from __future__ import annotations

import re
from datetime import timedelta
from zoneinfo import ZoneInfo

from memory.model import USER_SUBJECT, Kind, Phase
from persona.offline.clauses import Heard
from persona.offline.comfort import HEAVY_MOODS
from persona.offline.events import topic_of
from persona.offline.line import Line
from persona.offline.scene import Scene
from persona.offline.search import by_words
from persona.offline.when import WIDE, spoken_clock

_GREETINGS = ("morning", "noon", "evening", "hello")
_OPEN = frozenset(
    {"morning", "noon", "evening", "hello", "home", "ate", "ack", "yes", "no", "laugh", "surprise"}
)
# Short answers that are not teased about when something heavy was just said.
_AFTER_HEAVY = frozenset({"thanks", "ack", "yes", "no", "compliment"})
_ELSEWHERE = frozenset({"mood", "outcome", "question", "request", "news", "done", "result"})
_YOU = re.compile(r"(?:你|妳|您|you|are you|あなた|あんた|君)")
# How near an event must be to be what one worries about, where nothing in the message points to it.
_NEAR = timedelta(days=2)
# 老公都說我太緊張: what others say of somebody is not how they feel.
_SAID_OF_ME = re.compile(r"^(?!我).{1,5}(?:说|嫌|骂|笑|觉得)我")
_SOON = timedelta(days=7)
_WORN = frozenset({"mood.stressed", "mood.nervous", "mood.tired"})


def answer_herself(scene: Scene, heard: Heard) -> Line | None:
    """Answer a question about herself or the clock, or a small request; None for any other."""
    if heard.key.startswith("clock."):
        return _clock(scene, heard.key)
    if heard.key.startswith(("self.", "request.")):
        return Line(
            scene.say(heard.key, "self.unknown"), heard.key, open=heard.key in {"self.feeling", "self.doing"}
        )
    return None


def answer_mood(scene: Scene, *, plainly: bool = False) -> Line | None:
    """Answer how somebody feels; where a known event lies ahead, see the connection.

    ``plainly``: what it is about has been answered already.
    """
    moods = (heard for heard in scene.talk if heard.key.startswith("mood."))
    found = next((heard for heard in moods if not _SAID_OF_ME.search(heard.clause)), None)
    if found is None or _YOU.match(found.clause):
        return None
    mood = found.key
    if mood in _WORN and not plainly:
        near = _near_event(scene)
        if near:
            because = scene.say("mood.because", happening=near)
            if because and not any(because in reply for reply in scene.situation.recent_replies[-3:]):
                return Line(because, f"{mood}.because")
    return Line(scene.say(mood), mood)


def answer_news(scene: Scene) -> Line | None:
    """Answer good or bad news for what it is; painful news is left to the gentle words."""
    news = next((heard.key for heard in scene.talk if heard.key.startswith("news.")), None)
    if news is None or scene.is_question or any(fact.sensitive for fact in scene.situation.told):
        return None
    if news == "news.bad" and any(heard.key in HEAVY_MOODS for heard in scene.talk):
        return None  # how the person feels comes first
    return Line(scene.say(news), news)


def answer_talk(scene: Scene) -> Line | None:
    """Answer small talk."""
    heard = next((h for h in scene.talk if h.key.split(".")[0] not in _ELSEWHERE), None)
    if heard is None:
        return None
    key = heard.key
    if key in {*_GREETINGS, "good_night"} and _goes_on(scene, heard):
        return None
    if key in _AFTER_HEAVY and scene.was_heavy:
        return Line(scene.say("heavy"), "heavy")
    if key in _GREETINGS and not scene.memories() and not scene.situation.recent_replies:
        return Line(scene.character.greeting(scene.language), "first")
    if key in _GREETINGS:
        key = _greeting(scene, key)
    elif key == "good_night":
        hour = scene.now.hour
        key = "good_night.day" if 6 <= hour < 18 else "good_night.late" if hour < 6 else "good_night.night"
    clock = spoken_clock(scene.now.replace(minute=0), scene.language)
    return Line(scene.say(key, time=clock), key, open=heard.key in _OPEN)


def _goes_on(scene: Scene, greeting: Heard) -> bool:
    """Whether a greeting only opens what is really said: 晚安啊 今天好一點了."""
    return any(
        heard.clause != greeting.clause and heard.key in {"good", "bad", "better"} for heard in scene.tone
    )


def answer_limits(scene: Scene) -> Line | None:
    """Say honestly what rules can't do: questions about the world, requests."""
    for heard in scene.talk:
        if heard.key.startswith(("question.", "request")):
            key = "request.any" if heard.key == "request" else heard.key
            return Line(scene.say(key, "question.any"), key)
    return None


def listen(scene: Scene) -> Line:
    """Answer a statement nothing else understood: tie it to a memory, or listen and ask on."""
    held = [one.memory for one in scene.recalled() if not one.memory.sensitive and one.told_now is None]
    found = by_words(held, scene.situation.text, least=0.3)
    if found and not scene.is_question:
        memory = found[0]
        if memory.kind is Kind.EVENT:
            key = "callback.past" if scene.is_over(memory) else "callback.upcoming"
            fact = scene.event_values(memory)["recap"]
        else:
            key, fact = "callback.known", scene.spoken(memory)
        if fact and not any(fact in reply for reply in scene.situation.recent_replies[-4:]):
            return Line(scene.say(key, fact=fact), key)
    topic = topic_of(scene, scene.situation.text)
    if topic != "default":
        about = scene.say(f"about.{topic}")
        if about:
            return Line(about, f"about.{topic}")
    return Line(scene.say("listen"), "listen")


def _clock(scene: Scene, key: str) -> Line | None:
    now = scene.now
    if key == "clock.other":
        said = [t.start for t in scene.situation.recollection.reading.times if t.start is not None]
        if not said:
            return None
        now = said[0].astimezone(ZoneInfo(scene.situation.recollection.zone))
    weekday = scene.words.get("when.weekdays")[now.weekday()]
    return Line(
        scene.say(
            key,
            time=spoken_clock(now, scene.language),
            date=scene.words.text("when.full", year=now.year, month=now.month, day=now.day),
            weekday=scene.words.text("when.full_weekday", weekday=weekday),
        ),
        key,
    )


def _greeting(scene: Scene, said: str) -> str:
    """Return the greeting that fits the hour where the person is; 早安 said in the afternoon is noticed."""
    hour = scene.now.hour
    part = (
        "late"
        if hour < 5
        else "morning"
        if hour < 11
        else "noon"
        if hour < 14
        else "afternoon"
        if hour < 18
        else "evening"
    )
    if said == "morning" and part in {"noon", "afternoon", "evening"}:
        return "greeting.late_riser"
    if said == "morning" and part == "late":
        return "greeting.up_early"
    return f"greeting.{part}"


def _near_event(scene: Scene) -> str:
    """Return the nearest event of the coming days as a phrase; "" where there is none or it is painful."""
    now = scene.situation.now
    recalled = [(one, _SOON) for one in scene.recalled()]
    upcoming = [(one, _NEAR) for one in scene.situation.recollection.upcoming]
    near = [
        one.memory
        for one, within in (*recalled, *upcoming)
        if one.phase in {Phase.UPCOMING, Phase.ONGOING}
        and not one.memory.sensitive
        and one.told_now is None
        and one.memory.subject == USER_SUBJECT
        and one.memory.valid_from is not None
        and one.memory.valid_from - now <= within
        and one.memory.precision not in WIDE
    ]
    near.sort(key=lambda m: m.valid_from or now)
    return scene.event_values(near[0])["happening"] if near else ""
