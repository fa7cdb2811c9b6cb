"""Facts a person tells: a fitting reaction, a changed mind noticed, one question that shows interest."""

from __future__ import annotations

from collections.abc import Sequence

from memory.extraction.types import Fact
from memory.model import USER_SUBJECT, Category, Kind, Memory
from memory.statements import attribute_of
from persona.offline.events import topic_of
from persona.offline.line import Line
from persona.offline.scene import GRAMMAR_OF, Scene, name_in
from persona.offline.search import attribute, by_words, polarity_of
from persona.offline.speech import as_written, second_person

_LIKE_SLOTS = {"study": "school", "work": "job"}
_IDENTITY = ("birthday", "home", "job", "school", "pet", "allergy", "pronouns", "age")


def react_to_facts(scene: Scene) -> Line | None:
    """React to the first telling fact of the message; None where nothing lasting was told."""
    if scene.is_question:
        return None
    facts = [
        f for f in scene.situation.told if f.kind is not Kind.EVENT and f.category is not Category.SCHEDULE
    ]
    for fact in sorted(facts, key=_weight):
        line = _react(scene, fact)
        if line is not None and line.text:
            return line
    return None


def _weight(fact: Fact) -> int:
    order: Sequence[Category] = (
        Category.NAME,
        Category.IDENTITY,
        Category.PREFERENCE,
        Category.HOBBY,
        Category.HABIT,
    )
    return order.index(fact.category) if fact.category in order else len(order)


def _react(scene: Scene, fact: Fact) -> Line | None:
    if fact.sensitive:
        return Line(scene.say("told.gentle"), "told.gentle")
    if fact.subject != USER_SUBJECT:
        key = topic_of(scene, fact.text)
        key = key if key in {"pet", "love", "friend"} else "family"
        return Line(scene.say(f"told.{key}", "told.family"), f"told.{key}")
    if fact.category is Category.NAME:
        return _name(scene, fact)
    if fact.category is Category.PREFERENCE:
        return _preference(scene, fact)
    if fact.category is Category.IDENTITY:
        return _identity(scene, fact)
    if fact.category in {Category.HOBBY, Category.HABIT}:
        topic = topic_of(scene, fact.text)
        base = fact.category.value
        text = (
            scene.say(f"told.{base}")
            + _space(scene)
            + scene.say(f"ask.{topic}", f"ask.{base}", "ask.default")
        )
        return Line(text.strip(), f"told.{base}")
    return Line(scene.say("told.other"), "told.other")


def _name(scene: Scene, fact: Fact) -> Line:
    new, old = name_in(fact.text), scene.known_name()
    if old and new and old != new:
        return Line(scene.say("told.name.changed", name=new, old=old), "told.name.changed")
    if old and old == new:
        return Line(scene.say("told.again"), "told.name.again")
    return Line(scene.say("told.name.new", name=new), "told.name")


def _identity(scene: Scene, fact: Fact) -> Line:
    slot = (fact.attribute or attribute_of(fact.text, fact.category) or "").split(":")[0]
    topic = topic_of(scene, fact.text)
    key = slot if slot in _IDENTITY else _LIKE_SLOTS.get(topic, topic)
    if slot:
        old = next(
            (
                m
                for m in scene.memories()
                if m.subject == USER_SUBJECT and (attribute(m) or "").split(":")[0] == slot
            ),
            None,
        )
        if old is not None and slot in {"home", "job", "school"} and old.text != fact.text:
            before = second_person(old.text, scene.language, scene.you)
            was = before.removeprefix("你")
            text = scene.say(f"told.{slot}.changed", "told.changed", before=before, was=was)
            return Line(text, "told.changed")
    return Line(scene.say(f"told.{key}.new", f"told.{key}", "told.identity"), f"told.{key}")


def _preference(scene: Scene, fact: Fact) -> Line:
    tongue = GRAMMAR_OF[scene.language]
    stance = polarity_of(fact.text, tongue)
    old = _same_thing(scene, fact)
    before = polarity_of(old.text, tongue) if old is not None else 0
    values = {"thing": _thing(scene, fact)}
    if old is not None and stance and before and stance != before:
        values["before"] = second_person(old.text, scene.language, scene.you)
        values["was"] = values["before"].removeprefix("你")
        return Line(scene.say("told.changed_mind", "told.changed", **values), "told.changed_mind")
    if old is not None and stance and stance == before:
        return Line(scene.say("told.again"), "told.again", open=True)
    key = {1: "told.like", -1: "told.dislike", 0: "told.opinion"}[stance]
    return Line(scene.say(f"{key}.{topic_of(scene, fact.text)}", f"{key}.default", **values), key)


def _same_thing(scene: Scene, fact: Fact) -> Memory | None:
    """Return the remembered preference about the same thing, by slot, else by words."""
    slot = fact.attribute or attribute_of(fact.text, fact.category)
    held = [m for m in scene.memories() if m.subject == USER_SUBJECT and m.category is Category.PREFERENCE]
    if slot:
        return next((m for m in held if attribute(m) == slot), None)
    found = by_words(held, fact.text, least=0.6)
    return found[0] if found else None


def _thing(scene: Scene, fact: Fact) -> str:
    """Return the thing a preference is about, as the person wrote it; "" where it isn't clear."""
    slot = fact.attribute or attribute_of(fact.text, fact.category) or ""
    value = slot.partition(":")[2]
    return as_written(scene.situation.text, value) if value else ""


def _space(scene: Scene) -> str:
    return " " if scene.language == "en" else ""
