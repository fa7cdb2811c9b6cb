"""Slots that hold many values at once: what is liked, eaten, owned, known, and what is coming up."""

from __future__ import annotations

from collections.abc import Sequence

from memory.statements.lexicon import Token, wider_than
from memory.statements.patterns import search
from memory.statements.slots import Slot

_FILE = "phrases.yaml"
_PETS = frozenset({"宠物", "动物"})
_NOT_THE_THING = frozenset({"like", "dislike", "negation", "verb", "function", "habitual"})


def kind_of_pet(animal: str) -> str:
    """Return the plain animal of a breed (柴犬 -> 狗)."""
    wider = [name for name in wider_than(animal) if name not in _PETS]
    return wider[-1] if wider else animal


def multi_slot(said: str, tokens: Sequence[Token], polarity: int) -> Slot | None:
    """Return the many-valued slot of the words after the subject, its value in the key."""
    if match := search(_FILE, "allergy", said):
        return _keyed("allergy", match["v"].strip(), tokens)
    things: dict[str, str] = {t.kind: t.key for t in reversed(tokens) if t.kind and t.key}
    if "animal" in things and search(_FILE, "owns_pet", said):
        animal = kind_of_pet(things["animal"])
        return Slot(f"pet:{animal}", animal)
    for kind in ("food", "drink"):
        if kind in things and (polarity or search(_FILE, "consumes", said)):
            return Slot(f"{kind}:{things[kind]}", things[kind])
    if polarity and (match := search(_FILE, "attitude_object", said)):
        return _keyed("like", match["v"].strip(), tokens)
    if search(_FILE, "skill", said):
        for kind in ("instrument", "language"):
            if kind in things:
                return Slot(f"skill:{things[kind]}", things[kind])
    return None


def event_slot(said: str) -> Slot | None:
    """Return ``event:<topic>`` for something on the calendar."""
    match = search(_FILE, "event", said)
    return Slot(f"event:{match['v']}", match["v"]) if match else None


def _keyed(prefix: str, value: str, tokens: Sequence[Token]) -> Slot | None:
    inside = [
        t.key for t in tokens if t.key and t.kind not in _NOT_THE_THING and t.surface and t.surface in value
    ]
    key = inside[0] if inside and len(inside[0]) >= len(value) - 2 else value
    return Slot(f"{prefix}:{key}", key) if key else None
