"""The words of a follow-up: hers by a model where one is there and behaves, else from her own lines."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from llm.errors import ModelError
from llm.protocols import ChatModel
from memory.catalog import closest_language, load_catalog
from memory.context import render_context
from memory.model import Memory, Phase, TemporalState
from memory.places import DM, Place
from memory.policy import MemoryPolicy
from memory.recollection import Recalled, Recollection
from persona.character import Character
from persona.follow_up.checks import fault_in
from persona.follow_up.watching import CATALOG
from persona.offline.engine import scene_of
from persona.offline.events import topic_of
from persona.offline.scene import Scene
from persona.prompt import build_system_prompt
from persona.script import to_taiwan
from persona.situation import Situation
from persona.variants import choose, fill

log = logging.getLogger(__name__)

MAX_FROM_EVENT = 40
"""Characters of an event's own words in a line of hers; longer ones are asked about without them."""


@dataclass(frozen=True, slots=True)
class Occasion:
    """One event to ask about, now, in a place; ``recent_replies`` are her last lines there, oldest first."""

    memory: Memory
    now: datetime
    zone: str
    language: str = "zh-TW"
    place: Place = DM
    recent_replies: tuple[str, ...] = ()


class FollowUpWriter:
    """Writes the one question of a follow-up. Never raises for a model: her own lines stand in."""

    def __init__(
        self, character: Character, model: ChatModel | None = None, policy: MemoryPolicy | None = None
    ) -> None:
        self._character = character
        self._model = model
        self._policy = policy or MemoryPolicy()

    async def compose(self, occasion: Occasion) -> str:
        """Return the message: in character, one question, nothing that was not told."""
        if self._model is not None:
            written = await self._by_model(self._model, occasion)
            if written is not None:
                return written
        return from_lines(self._character, occasion)

    async def _by_model(self, model: ChatModel, occasion: Occasion) -> str | None:
        context = render_context(_recollection(occasion), self._policy)
        system = follow_up_prompt(self._character, occasion, context)
        try:
            # nobody has said anything: a made-up line of the person's would only be answered
            written = await model.reply(system, ())
        except ModelError as error:
            log.warning("follow-up %s from her lines: %s", occasion.memory.id, type(error).__name__)
            return None
        if closest_language(occasion.language) == "zh-TW":
            written = to_taiwan(written)
        written = written.strip().strip('「」"“”').strip()
        fault = fault_in(written, occasion.memory, system=system, context=context, language=occasion.language)
        if fault is not None:
            log.warning("follow-up %s from her lines: the model's were %s", occasion.memory.id, fault)
            return None
        return written


def follow_up_prompt(character: Character, occasion: Occasion, context: str) -> str:
    """Return the system prompt: who she is, the one event with its times, and what to write."""
    words = load_catalog(CATALOG, occasion.language)
    system = build_system_prompt(
        character,
        language=occasion.language,
        context=context,
        place_is_dm=occasion.place.is_dm,
        gentle=occasion.memory.sensitive,
    )
    lines = [str(line) for line in words.get("task.lines")]
    if occasion.memory.sensitive:
        lines.append(words.text("task.gentle"))
    task = "\n".join(f"- {line}" for line in lines)
    return f"{system}\n\n# {words.text('task.title')}\n{task}"


def from_lines(character: Character, occasion: Occasion) -> str:
    """Return the message from the character's own lines, "" where there are none for it at all.

    Pure: the same occasion, the same words.
    """
    memory = occasion.memory
    scene = _scene(character, occasion)
    values = {**scene.common(), **_values(scene, memory)}
    for key in _keys(scene, memory):
        options = fill(character.variants(key, occasion.language), values)
        chosen = choose(options, f"{memory.id}\x1f{key}", occasion.recent_replies)
        if chosen:
            return chosen
    return ""


def _keys(scene: Scene, memory: Memory) -> tuple[str, ...]:
    """Return which lines fit, the best first: how painful it is, whether it surely took place, its topic."""
    if memory.sensitive:
        return ("check_in.gentle", "check_in.plain")
    if memory.valid_from is None and memory.valid_to is None:
        return ("check_in.undated", "check_in.plain")
    return (f"check_in.{topic_of(scene, memory.text)}", "check_in.default", "check_in.plain")


def _values(scene: Scene, memory: Memory) -> Mapping[str, str]:
    """Return what a line may be filled with; what is too long for a chat is left out."""
    return {
        name: value if len(value) <= MAX_FROM_EVENT else ""
        for name, value in scene.event_values(memory).items()
    }


def _scene(character: Character, occasion: Occasion) -> Scene:
    return scene_of(
        character,
        Situation(
            text="",
            recollection=_recollection(occasion),
            now=occasion.now,
            language=occasion.language,
            recent_replies=occasion.recent_replies,
        ),
    )


def _recollection(occasion: Occasion) -> Recollection:
    due = Recalled(
        memory=occasion.memory,
        state=TemporalState.VALID,
        phase=Phase.PAST,
        similarity=1.0,
        decay=1.0,
        score=1.0,
        why="",
    )
    return Recollection(
        now=occasion.now,
        zone=occasion.zone,
        language=occasion.language,
        place=occasion.place,
        due=(due,),
    )
