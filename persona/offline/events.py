"""Events in a message: told, over, moved, called off, and how they went. And asking about what is due."""

from __future__ import annotations

from memory.extraction.types import Change, Fact
from memory.model import Category, Kind, Memory
from memory.recollection import Recalled
from persona.offline.clauses import hear
from persona.offline.line import Line
from persona.offline.scene import GRAMMAR_OF, Scene
from persona.offline.search import by_words
from persona.patterns import folded

_OUTCOMES = ("outcome.bad", "outcome.so_so", "outcome.good")


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
        key = "followup.gentle" if one.memory.sensitive else f"followup.{topic_of(scene, one.memory.text)}"
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
    for fact in scene.situation.told:
        if fact.change is not Change.NEW:
            known = by_words([m for m in scene.memories() if m.kind is Kind.EVENT], fact.text)
            return (known[0] if known else None), fact.change
    reading = scene.situation.recollection.reading
    return None, reading.change


def _done(scene: Scene, memory: Memory | None, fact: Fact | None) -> Line:
    """Believe that it is over; ask how it went only where that is not told."""
    topic = _topic(scene, memory, fact)
    asked = (memory.id,) if memory is not None else ()
    if _painful(memory, fact):
        return Line(scene.say("event.done.gentle"), "event.done.gentle", asked=asked)
    outcome = outcome_in(scene)
    if outcome:
        return Line(scene.say(f"{outcome}.{topic}", outcome, f"{outcome}.default"), outcome, open=False)
    return Line(
        scene.say(f"event.done.{topic}", "event.done.default", **_values(scene, memory)),
        "event.done",
        asked=asked,
    )


def _outcome_told(scene: Scene) -> Line | None:
    """React to how something went, where there is something past it can belong to."""
    outcome = outcome_in(scene)
    told = next((f for f in scene.situation.told if f.outcome), None)
    past = _past_event(scene)
    if not outcome or (past is None and told is None and not _asked_lately(scene)):
        return None
    if (past is not None and past.memory.sensitive) or (told is not None and told.sensitive):
        return Line(scene.say("event.done.gentle"), "outcome.gentle")
    topic = topic_of(scene, past.memory.text) if past is not None else _topic(scene, None, told)
    return Line(scene.say(f"{outcome}.{topic}", f"{outcome}.default"), outcome)


def _past_event(scene: Scene) -> Recalled | None:
    due = scene.situation.recollection.due
    if due:
        return due[0]
    return next(
        (
            one
            for one in scene.recalled()
            if one.memory.kind is Kind.EVENT and scene.is_over(one.memory) and not one.memory.outcome
        ),
        None,
    )


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
    if plan.sensitive:
        return Line(scene.say("event.planned.gentle"), "event.planned.gentle")
    topic = topic_of(scene, plan.text)
    return Line(scene.say(f"event.planned.{topic}", "event.planned.default"), "event.planned")


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
