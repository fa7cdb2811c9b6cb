"""What weighs on a message: losses met warmly, worries and joys heard whatever they are about."""

from __future__ import annotations

from memory.model import Kind
from persona.offline.events import topic_of
from persona.offline.line import Line
from persona.offline.scene import Scene

# Moods that weigh on what is said after them.
HEAVY_MOODS = frozenset({"mood.grief", "mood.sad", "mood.lonely", "mood.self_doubt"})
_LOSSES = ("loss.death", "loss.breakup", "loss.illness", "loss.job", "loss.hurt")

# What is talked of when the heavy thread is laid down.
_EVERYDAY = frozenset(
    {"food", "drink", "cooking", "music", "game", "anime", "reading", "film", "sport", "art", "plant"}
)


def weighs(key: str) -> bool:
    """Whether what was heard makes the messages after it no place for teasing."""
    return key in HEAVY_MOODS or key.startswith("loss.") or key == "self_blame"


def react_to_loss(scene: Scene) -> Line | None:
    """Meet a death, a parting, an illness, a lost job, an injury by others; None where there is none.

    What is planned or past with a date (回診, 開刀) is left to the events, an operation that went well too.
    """
    key = next((heard.key for heard in scene.tone if heard.key in _LOSSES or heard.key == "self_blame"), None)
    if key is None or (scene.is_question and key != "self_blame"):
        return None
    if key in {"loss.illness", "loss.death"} and _is_event(scene):
        return None
    if key == "loss.illness" and "good" in scene.tone_keys:
        return None
    if key == "loss.hurt" and "good" in scene.tone_keys:
        return None
    return Line(scene.say(key), key)


def answer_tone(scene: Scene) -> Line | None:
    """Answer what nothing else understood by how it sounds: sad, glad, or on after something heavy."""
    keys = scene.tone_keys
    if "better" in keys:
        return Line(scene.say("better"), "better")
    if scene.is_question:
        return None
    if "good" in keys and "bad" not in keys:
        return Line(scene.say("hear.glad"), "hear.glad")
    if scene.was_heavy and ("bad" in keys or topic_of(scene, scene.situation.text) not in _EVERYDAY):
        return Line(scene.say("hear.heavy"), "hear.heavy")
    if "bad" in keys:
        return Line(scene.say("hear.sad"), "hear.sad")
    return None


def _is_event(scene: Scene) -> bool:
    """Whether what is told is an event, planned or over (告別式是下週六), and no loss beside it."""
    told = scene.situation.told
    return any(f.kind is Kind.EVENT for f in told) and not any(
        f.sensitive and f.kind is not Kind.EVENT for f in told
    )
