"""Questions about what she remembers, answered from the recollection: the right fact in the right tense."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from memory.model import USER_SUBJECT, Category, Flag, Kind, Memory
from memory.recollection import Recalled
from memory.statements import subject_key
from persona.offline.clauses import Heard
from persona.offline.events import topic_of
from persona.offline.line import Line
from persona.offline.scene import Scene, capital
from persona.offline.search import (
    by_slot,
    by_stance,
    by_words,
    content_terms,
    names_category,
    newest,
    polarity_of,
    strip_question,
)
from persona.offline.speech import second_person
from persona.offline.when import WIDE, distance_in_days
from persona.patterns import folded

# What a question narrows a liking down to, in folded text.
_VERBS = {
    **dict.fromkeys(("吃", "eat", "食べ"), "eat"),
    **dict.fromkeys(("喝", "drink", "飲", "饮"), "drink"),
    **dict.fromkeys(("看", "watch", "見", "见"), "watch"),
    **dict.fromkeys(("听", "listen", "聴", "聞", "闻"), "listen"),
    **dict.fromkeys(("玩", "play"), "play"),
}
MAX_FACTS = 3
MAX_EVERYTHING = 6


def answer_recall(scene: Scene, heard: Heard) -> Line | None:
    """Answer a question about the person's own memories; None where it turns out to be none."""
    handler = _HANDLERS.get(heard.key)
    return handler(scene, heard) if handler is not None else None


def _name(scene: Scene, heard: Heard) -> Line:
    known = scene.known_name()
    if known:
        return Line(scene.say("recall.name.known", name=known), "recall.name")
    display = scene.address()
    return Line(scene.say("recall.name.display" if display else "recall.name.unknown"), "recall.name.unknown")


def _slot(slot: str) -> Callable[[Scene, Heard], Line]:
    def handler(scene: Scene, heard: Heard) -> Line:
        return _facts(scene, by_slot(scene.memories(), slot, _tongue(scene)), slot)

    return handler


def _stance(polarity: int) -> Callable[[Scene, Heard], Line]:
    def handler(scene: Scene, heard: Heard) -> Line:
        verb = next((kind for word, kind in _VERBS.items() if word in (heard.topic or heard.clause)), "")
        found = by_stance(scene.memories(), polarity, verb, _tongue(scene))
        found = by_words(found, heard.clause, least=0.3) or found  # 最喜歡的顏色: the colour alone
        return _facts(scene, found, "like" if polarity > 0 else "dislike")

    return handler


def _hobby(scene: Scene, heard: Heard) -> Line:
    found = newest(m for m in scene.memories() if names_category(m, Category.HOBBY, Category.HABIT))
    return _facts(scene, found or by_stance(scene.memories(), 1, "", _tongue(scene)), "hobby")


def _family(scene: Scene, heard: Heard) -> Line | None:
    asked = subject_key(strip_question(heard.topic))
    found = newest(m for m in scene.memories() if subject_key(m.subject) == asked)
    stance = polarity_of(folded(heard.clause), _tongue(scene))
    if stance:  # 我弟喜歡什麼: when he joins the army is no answer
        found = [m for m in found if polarity_of(m.text, _tongue(scene)) == stance]
    return _facts(scene, found, "family")


def _when(scene: Scene, heard: Heard) -> Line | None:
    found = _about(scene, heard.topic)
    if not found:
        others = by_words([m for m in scene.memories() if m.kind is not Kind.EVENT], heard.topic)
        return (
            _facts(scene, others, "topic")
            if others
            else Line(scene.say("recall.unknown.when"), "recall.when.unknown")
        )
    return _event(scene, found[0])


def _outcome(scene: Scene, heard: Heard) -> Line | None:
    found = _about(scene, heard.topic)
    if not found:
        return Line(scene.say("recall.topic.no"), "recall.outcome.no")
    return _event(scene, found[0])


def _about(scene: Scene, topic: str) -> list[Memory]:
    """Return the events a topic means: by its words, else by its kind (考試: 期末考), the nearest first."""
    events = [m for m in scene.memories() if m.kind is Kind.EVENT]
    found = by_words(events, topic)
    kind = topic_of(scene, topic)
    if not found and kind != "default":
        found = [m for m in events if topic_of(scene, m.text) == kind]
    return _nearest(scene, found)


def _events(scene: Scene, heard: Heard) -> Line:
    """List what lies in the window asked about, else what is still to come."""
    events = newest(m for m in scene.memories() if _takes_place(m) and m.subject == USER_SUBJECT)
    windows = [t for t in scene.situation.recollection.reading.times if t.start and t.end]
    if windows:
        start, end = windows[0].start, windows[0].end
        inside = [m for m in events if start and end and _overlaps(m, start, end)]
    else:
        inside = [m for m in events if not scene.is_over(m)]
    inside.sort(key=lambda m: (m.valid_from is None, m.valid_from.timestamp() if m.valid_from else 0))
    if not inside:
        return Line(scene.say("recall.events.none"), "recall.events.none")
    told = [_event_fact(scene, m) for m in inside[:MAX_FACTS]]
    key = "recall.events.past" if all(scene.is_over(m) for m in inside) else "recall.events.known"
    return Line(scene.say(key, fact=_joined(scene, told)), "recall.events")


def _said(scene: Scene, heard: Heard) -> Line:
    """Tell what was said in the time asked about, else everything."""
    windows = [t for t in scene.situation.recollection.reading.times if t.start and t.end]
    if not windows:
        return _everything(scene, heard)
    start, end = windows[0].start, windows[0].end
    told = [m for m in scene.memories() if m.created_at and start and end and start <= m.created_at < end]
    if not told:
        return Line(scene.say("recall.topic.no"), "recall.said.nothing")
    facts = [_fact(scene, m) for m in told[:MAX_FACTS]]
    return Line(scene.say("recall.known", fact=_joined(scene, facts)), "recall.said")


def _everything(scene: Scene, heard: Heard) -> Line:
    """Tell the handful that says most: the name, the lasting facts, what is coming."""
    mine = [m for m in scene.known() if m.subject == USER_SUBJECT and not m.sensitive]
    lasting = [m for m in mine if m.kind is not Kind.EVENT and m.category is not Category.NAME]
    coming = [m for m in mine if _takes_place(m) and not scene.is_over(m)]
    chosen = _spread(lasting, MAX_EVERYTHING - min(len(coming), 2)) + coming[:2]
    facts = [_fact(scene, m) for m in chosen]
    known = scene.known_name()
    if known:
        facts.insert(0, scene.say("recall.fact.name", name=known))
    if not facts:
        return Line(scene.say("recall.everything.nothing"), "recall.everything.nothing")
    return Line(scene.say("recall.everything.known", fact=_joined(scene, facts)), "recall.everything")


def _takes_place(memory: Memory) -> bool:
    """Whether a memory is an event that was not called off."""
    return memory.kind is Kind.EVENT and Flag.CANCELLED not in memory.flags


def _spread(memories: Sequence[Memory], count: int) -> list[Memory]:
    """Return the newest few of every lasting category in turn, so that one doesn't crowd out the rest."""
    order = (Category.IDENTITY, Category.PREFERENCE, Category.HOBBY, Category.HABIT, Category.OTHER)
    shelves = [newest(m for m in memories if m.category is category) for category in order]
    turns = [shelf[turn] for turn in range(count) for shelf in shelves if turn < len(shelf)]
    chosen = turns[:count]
    return [m for category in order for m in chosen if m.category is category]


def _me(scene: Scene, heard: Heard) -> Line:
    key = "recall.me.known" if scene.known() else "recall.me.unknown"
    return Line(scene.say(key), key)


def _topic(scene: Scene, heard: Heard) -> Line | None:
    """Answer 「你還記得…嗎」: the closest memory by words, or an honest no."""
    if not content_terms(heard.topic):
        return _me(scene, heard)
    found = by_words(scene.memories(), heard.topic) or _about(scene, heard.topic)
    if not found:
        return Line(scene.say("recall.topic.no"), "recall.topic.no")
    return _remembered(scene, found[0])


def _maybe(scene: Scene, heard: Heard) -> Line | None:
    """Answer 「我喜歡…嗎」: the fact itself, whichever way it goes; self-reproach is no such question."""
    if "self_blame" in scene.tone_keys or any(h.key == "question.chance" for h in scene.talk):
        return None
    found = by_words(scene.memories(), heard.topic)
    if not found:
        if any(h.key.startswith(("mood.", "permission", "compliment")) for h in scene.talk):
            return None
        return Line(scene.say("recall.unknown.topic"), "recall.maybe.unknown")
    asked = polarity_of(folded(heard.clause), _tongue(scene))
    held = polarity_of(found[0].text, _tongue(scene))
    if asked and held and asked != held:
        return Line(
            scene.say("recall.opposite", "recall.known", fact=capital(_fact(scene, found[0]))),
            "recall.opposite",
        )
    if found[0].kind is Kind.EVENT:
        return _event(scene, found[0])
    return Line(scene.say("recall.known", fact=_fact(scene, found[0])), "recall.maybe")


def _remembered(scene: Scene, memory: Memory) -> Line:
    if memory.kind is Kind.EVENT:
        return _event(scene, memory)
    key = "recall.gentle" if memory.sensitive else "recall.topic.yes"
    return Line(scene.say(key, fact=_fact(scene, memory)), "recall.topic")


def _facts(scene: Scene, found: Sequence[Memory], slot: str) -> Line:
    if not found:
        return Line(scene.say(f"recall.unknown.{slot}", "recall.unknown.topic"), f"recall.{slot}.unknown")
    if found[0].kind is Kind.EVENT:
        return _event(scene, found[0])
    told = [_fact(scene, memory) for memory in found[:MAX_FACTS]]
    sensitive = any(memory.sensitive for memory in found[:MAX_FACTS])
    key = "recall.gentle" if sensitive else "recall.known"
    return Line(scene.say(key, fact=_joined(scene, told)), f"recall.{slot}")


def _event(scene: Scene, memory: Memory) -> Line:
    """Tell one event: to come, going on, over with or without an outcome, or without a date."""
    if Flag.CANCELLED in memory.flags:
        return Line(scene.say("recall.known", fact=scene.spoken(memory)), "recall.event.cancelled")
    values = scene.event_values(memory)
    fact = _event_fact(scene, memory)
    recalled = next((one for one in scene.recalled() if one.memory.id == memory.id), None)
    if memory.outcome:
        return Line(
            scene.say(
                "recall.event.outcome",
                fact=fact,
                outcome=second_person(memory.outcome, scene.language, scene.you),
            ),
            "recall.event.outcome",
        )
    if memory.valid_from is None:
        phrase = memory.when_text or ""
        key = "recall.event.undated_phrase" if phrase else "recall.event.undated"
        return Line(scene.say(key, "recall.event.undated", fact=fact, phrase=phrase), "recall.event.undated")
    phase = _phase_key(scene, memory, recalled)
    distance = distance_in_days(memory, scene.situation.now, scene.situation.recollection.zone)
    days = "" if distance is None or memory.precision in WIDE else str(abs(distance))
    gentle = "gentle_" if memory.sensitive else ""
    return Line(
        scene.say(
            f"recall.event.{gentle}{phase}",
            f"recall.event.{phase}",
            fact=fact,
            days=days,
            **_used(values),
        ),
        f"recall.event.{phase}",
    )


def _phase_key(scene: Scene, memory: Memory, recalled: Recalled | None) -> str:
    if scene.is_over(memory):
        return "past"
    if memory.valid_from is not None and memory.valid_from <= scene.situation.now:
        return "ongoing"
    days = distance_in_days(memory, scene.situation.now, scene.situation.recollection.zone)
    if memory.precision in WIDE:
        return "far"
    return "today" if days == 0 else "upcoming"


def _event_fact(scene: Scene, memory: Memory) -> str:
    return scene.event_values(memory)["recap"] or scene.spoken(memory)


def _fact(scene: Scene, memory: Memory) -> str:
    if memory.kind is Kind.EVENT:
        return _event_fact(scene, memory)
    return second_person(memory.text, scene.language, scene.you)


def _joined(scene: Scene, facts: Sequence[str]) -> str:
    """Join facts; in Chinese 你 is said once, in front."""
    unique = list(dict.fromkeys(facts))
    if scene.language == "zh-TW":
        unique = [
            unique[0],
            *(fact[1:] if fact.startswith("你") and fact[1:2] != "的" else fact for fact in unique[1:]),
        ]
        return "，".join(unique)
    return str(scene.words.get("list")).join(unique)


def _nearest(scene: Scene, events: Sequence[Memory]) -> list[Memory]:
    """Order events that fit equally: the next one to come first, then the one just over."""
    now = scene.situation.now
    return sorted(
        events,
        key=lambda m: (scene.is_over(m), abs((m.valid_from - now).total_seconds()) if m.valid_from else 1e12),
    )


def _overlaps(memory: Memory, start: datetime, end: datetime) -> bool:
    first = memory.valid_from
    return first is not None and first < end and (memory.valid_to or first) > start


def _used(values: Mapping[str, str]) -> dict[str, str]:
    return {key: value for key, value in values.items() if key not in {"recap"}}


def _tongue(scene: Scene) -> str:
    return {"zh-TW": "zh"}.get(scene.language, scene.language)


_HANDLERS: Mapping[str, Callable[[Scene, Heard], Line | None]] = {
    "recall.name": _name,
    **{
        f"recall.{slot}": _slot(slot)
        for slot in ("age", "birthday", "home", "school", "job", "pet", "allergy")
    },
    "recall.family": _family,
    "recall.dislike": _stance(-1),
    "recall.like": _stance(1),
    "recall.hobby": _hobby,
    "recall.events": _events,
    "recall.outcome": _outcome,
    "recall.when": _when,
    "recall.said": _said,
    "recall.everything": _everything,
    "recall.me": _me,
    "recall.topic": _topic,
    "recall.maybe": _maybe,
}
