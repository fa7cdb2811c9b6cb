"""Events in a message: told, over, moved, called off, and how they went. And asking about what is due."""

from __future__ import annotations

from memory.extraction.put_right import generic_event
from memory.extraction.types import Change, Fact
from memory.model import USER_SUBJECT, Category, Kind, Memory, Phase
from memory.recollection import Recalled
from persona.offline.clauses import hear
from persona.offline.line import Line
from persona.offline.scene import GRAMMAR_OF, Scene
from persona.offline.search import by_words
from persona.patterns import folded

# What is never asked about lightly.
GENTLE_TOPICS = frozenset({"funeral", "surgery"})
# What one goes to for its own sake: it is enjoyed, not passed.
_FUN = frozenset({"concert", "trip", "party", "date", "wedding", "film", "game", "anime"})
_OUTCOMES = ("outcome.bad", "outcome.good", "outcome.so_so")


def react_to_event(scene: Scene) -> Line | None:
    """React to what the message does to an event, known or not; None where there is none."""
    if scene.is_question:
        return None
    changed, change = _changed(scene)
    fact = next((f for f in scene.situation.told if f.change is change), None)
    if change is Change.DONE:
        return _done(scene, changed, fact)
    if change in {Change.MOVED, Change.CANCELLED}:
        topic = _topic(scene, changed, fact)
        gentle = "gentle" if _painful(changed, fact) else topic
        key = "event.moved" if change is Change.MOVED else "event.cancelled"
        return Line(scene.say(f"{key}.{gentle}", f"{key}.default", **_values(scene, changed)), key)
    outcome = _outcome_told(scene)
    if outcome is not None:
        return outcome
    return _planned(scene)


def ask_due(scene: Scene) -> Line | None:
    """Ask once about an event that is due; None where nothing is, or where it was just asked or told."""
    for one in scene.situation.recollection.due:
        if one.told_now is not None or one.memory.outcome:
            continue
        values = scene.event_values(one.memory)
        if values["event"] and any(values["event"] in reply for reply in scene.situation.recent_replies[-2:]):
            continue
        topic = topic_of(scene, one.memory.text)
        gentle = one.memory.sensitive or topic in GENTLE_TOPICS
        key = "followup.gentle" if gentle else f"followup.{topic}"
        text = scene.say(key, "followup.default", **values)
        if text:
            return Line(text, "follow_up", asked=(one.memory.id,))
    return None


def topic_of(scene: Scene, text: str) -> str:
    """Return what a text is about, as the topic grammar names it; ``default`` where nothing fits."""
    found = hear("topics", GRAMMAR_OF[scene.language], [folded(text)])
    return found[0].key if found else "default"


def outcome_in(scene: Scene) -> str:
    """Return ``outcome.good``, ``.bad`` or ``.so_so`` as the message tells it; "" where it doesn't."""
    keys = {heard.key for heard in scene.talk}
    return next((key for key in _OUTCOMES if key in keys), "")


def _changed(scene: Scene) -> tuple[Memory | None, Change]:
    for one in scene.recalled():
        if one.told_now is not None and one.told_now is not Change.NEW:
            return one.memory, one.told_now
    unchanged = scene.situation.recollection.reading.change is Change.NEW
    for fact in scene.situation.told:
        if unchanged and generic_event(fact.text):
            continue  # a date put right that moves nothing
        if fact.change is not Change.NEW:
            known = by_words([m for m in scene.memories() if m.kind is Kind.EVENT], fact.text)
            return (known[0] if known else None), fact.change
    if any(heard.key == "done" for heard in scene.talk):
        over = _past_event(scene)
        return (over.memory if over is not None else None), Change.DONE
    if scene.situation.told:  # what was told is no change, whatever the bare words look like
        return None, Change.NEW
    return None, scene.situation.recollection.reading.change


def _done(scene: Scene, memory: Memory | None, fact: Fact | None) -> Line:
    """Believe that it is over; ask how it went only where that is not told."""
    topic = _topic(scene, memory, fact)
    asked = (memory.id,) if memory is not None else ()
    outcome = outcome_in(scene)
    if _painful(memory, fact) or topic in GENTLE_TOPICS:
        good = outcome == "outcome.good" or "good" in scene.tone_keys
        key = "better" if good and topic != "funeral" else "event.done.gentle"
        return Line(scene.say(key), key, asked=asked)
    if memory is not None and memory.subject != USER_SUBJECT and not outcome:
        return Line(scene.say("event.done.other"), "event.done.other", asked=asked)
    if outcome:
        return _outcome_line(scene, outcome, topic)
    if any(heard.key == "result" for heard in scene.talk):
        return Line(scene.say("event.done.result"), "event.done.result", asked=asked)
    fun = ("event.done.fun",) if topic in _FUN else ()
    return Line(
        scene.say(f"event.done.{topic}", *fun, "event.done.default", **_values(scene, memory)),
        "event.done",
        asked=asked,
    )


def _outcome_told(scene: Scene) -> Line | None:
    """React to how something went, where there is something past it can belong to."""
    outcome = "" if _looks_ahead(scene) else outcome_in(scene)
    told = next((f for f in scene.situation.told if f.outcome), None)
    past = _past_event(scene)
    asked = _asked_lately(scene) and outcome != "outcome.so_so"
    if not outcome or (past is None and told is None and not asked):
        return None
    if (past is not None and past.memory.sensitive) or (told is not None and told.sensitive):
        return Line(scene.say("event.done.gentle"), "outcome.gentle")
    return _outcome_line(scene, outcome, _topic(scene, past.memory if past is not None else None, told))


def _outcome_line(scene: Scene, outcome: str, topic: str) -> Line:
    kind = "fun" if topic in _FUN else topic
    return Line(scene.say(f"{outcome}.{kind}", f"{outcome}.default"), outcome)


def _past_event(scene: Scene) -> Recalled | None:
    """Return the event an outcome belongs to: the one named, the one she just asked about, the only one."""
    over = [
        one
        for one in scene.recalled()
        if one.memory.kind is Kind.EVENT and scene.is_over(one.memory) and not one.memory.outcome
    ]
    today = [one for one in scene.situation.recollection.upcoming if one.phase is Phase.ONGOING]
    if not over and len(today) == 1:  # 過了！ on the day of the exam
        return today[0]
    named = by_words([one.memory for one in over], scene.situation.text, least=0.2)
    last = "".join(scene.situation.recent_replies[-1:])
    for one in over:
        event = scene.event_values(one.memory)["event"]
        if one.memory in named or (event and event in last):
            return one
    return over[0] if len(over) == 1 else None


def _looks_ahead(scene: Scene) -> bool:
    times = scene.situation.recollection.reading.times
    return any(t.start is not None and t.start > scene.situation.now for t in times)


def _asked_lately(scene: Scene) -> bool:
    """Whether her last reply asked how something went."""
    last = scene.situation.recent_replies[-1:]
    return any("?" in reply or "？" in reply for reply in last)


def _planned(scene: Scene) -> Line | None:
    plan = next(
        (f for f in scene.situation.told if f.category is Category.SCHEDULE or f.kind is Kind.EVENT), None
    )
    if plan is None:
        return None
    if any(f.sensitive for f in scene.situation.told) or any(
        key.startswith("loss.") for key in scene.tone_keys
    ):
        return Line(scene.say("event.planned.gentle"), "event.planned.gentle")
    topic = topic_of(scene, plan.text)
    if topic in GENTLE_TOPICS:
        return Line(scene.say("event.planned.gentle"), "event.planned.gentle")
    key = "event.today" if _is_today(scene) else "event.planned"
    return Line(scene.say(f"{key}.{topic}", f"{key}.default"), key)


def _is_today(scene: Scene) -> bool:
    """Whether the dates of the message fall on the person's today."""
    now = scene.now
    starts = [t.start for t in scene.situation.recollection.reading.times if t.start is not None]
    return bool(starts) and all(start.astimezone(now.tzinfo).date() == now.date() for start in starts)


def _topic(scene: Scene, memory: Memory | None, fact: Fact | None) -> str:
    for text in (memory.text if memory else "", fact.text if fact else "", scene.situation.text):
        topic = topic_of(scene, text) if text else "default"
        if topic != "default":
            return topic
    return "default"


def _painful(memory: Memory | None, fact: Fact | None) -> bool:
    return (memory is not None and memory.sensitive) or (fact is not None and fact.sensitive)


def _values(scene: Scene, memory: Memory | None) -> dict[str, str]:
    return {k: v for k, v in scene.event_values(memory).items() if k == "noun"} if memory is not None else {}
