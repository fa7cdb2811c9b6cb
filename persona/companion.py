"""The one who answers: a character, with a model or without."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from llm.errors import ModelEmpty, ModelError
from llm.protocols import ChatModel, Speaker, Turn
from memory.catalog import closest_language, load_catalog
from memory.text import readable
from persona.character import Character
from persona.failures import Failure, failure_of
from persona.follow_up.watching import asked_in
from persona.offline.engine import offline_reply
from persona.prompt import build_system_prompt
from persona.safety import (
    Concern,
    Flaw,
    HelpLine,
    Safety,
    assess,
    crisis_lately,
    feels_better,
    flaw_in,
    help_lines,
    names_help,
    says_program,
)
from persona.script import to_taiwan, whole
from persona.situation import Reply, Situation, Source
from persona.variants import choose, fill

log = logging.getLogger(__name__)

CRISIS_FOR = timedelta(hours=12)
"""After such a rest a message is answered for itself again, plainly and without a question about plans."""

MOST_SAID = 6000
"""Characters of one answer: three messages. A model that does not end is not read out."""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_ENDS = "。！？!?\n"


class Companion:
    """Turns a message into a reply. Never silent: a failure has words too.

    Without a model she answers by rules and says so where asked. The only I/O is the model's.
    """

    def __init__(self, character: Character, model: ChatModel | None = None) -> None:
        self._character = character
        self._model = model

    @property
    def character(self) -> Character:
        """Who is talking."""
        return self._character

    @property
    def sees(self) -> bool:
        """Whether pictures are of use to her."""
        return self._model is not None and self._model.sees

    @property
    def is_rules(self) -> bool:
        """Whether replies come from rules instead of a model."""
        return self._model is None

    async def reply(self, situation: Situation) -> Reply:
        """Answer one message. Raises nothing a model may raise."""
        situation = replace(situation, text=whole(situation.text))
        concern = assess(situation.text)
        lately = crisis_lately(_said_before(situation))
        if self._model is None:
            return self._by_rules(situation, concern, lately)
        try:
            return await self._by_model(self._model, situation, concern, lately)
        except ModelError as error:
            log.warning("the model gave no answer: %s (%s)", type(error).__name__, error)
            if concern.is_crisis:
                return self._help(situation, concern, failure_of(error))
            return self.failure(
                failure_of(error), situation.language, situation.text, situation.recent_replies
            )

    def failure(self, failure: Failure, language: str, seed: str = "", recent: Sequence[str] = ()) -> Reply:
        """Return her words for a failure, the model's or the house's own (budget, queue, length)."""
        options = self._options(f"failure.{failure.value}", language)
        text = choose(options, f"{seed}\x1f{failure}\x1f{len(recent)}", recent) or ""
        return Reply(text, Source.FAILURE, error=failure, why=f"failure.{failure.value}")

    def unable(self, failure: Failure, text: str, language: str, seed: str = "") -> Reply:
        """Return her words where the house keeps her from answering ``text`` at all.

        Whatever the cause, somebody in need gets the numbers.
        """
        concern = assess(text)
        if not concern.is_crisis:
            return self.failure(failure, language, seed)
        return self._crisis(text, language, (), concern, failure)

    def _by_rules(self, situation: Situation, concern: Safety, lately: Safety) -> Reply:
        if concern.is_crisis:
            return self._help(situation, concern)
        if concern.concern is Concern.SEXUAL:
            return self._line("safety.sexual", situation)
        if concern.concern is Concern.ASKS_IF_HUMAN:
            return self._line("safety.program", situation)
        if lately.is_crisis:
            return self._after_crisis(situation, lately)
        return offline_reply(self._character, situation)

    async def _by_model(
        self, model: ChatModel, situation: Situation, concern: Safety, lately: Safety
    ) -> Reply:
        if concern.concern is Concern.SEXUAL:
            return self._line("safety.sexual", situation)
        try:
            return await self._shown(model, situation, concern, lately)
        except ModelError as error:
            if error.transient or not situation.beside.pictures:
                raise
            # a picture may be what was refused: her answer without it is better than none
            unseen = replace(situation, beside=situation.beside.unseen())
            return await self._shown(model, unseen, concern, lately)

    async def _shown(self, model: ChatModel, situation: Situation, concern: Safety, lately: Safety) -> Reply:
        system = build_system_prompt(
            self._character,
            language=situation.language,
            context=situation.context,
            lore=situation.lore,
            display_name=situation.display_name,
            place_is_dm=situation.recollection.place.is_dm,
            concern=concern,
            gentle=lately.is_crisis,
            beside=situation.beside,
        )
        turns = _with_pictures(situation)
        answer = self._cleaned(await model.reply(system, turns), situation)
        if not answer:
            raise ModelEmpty("the answer held nothing but her name")
        return self._guarded(answer, situation, concern)

    def _guarded(self, answer: str, situation: Situation, concern: Safety) -> Reply:
        """Let an answer out only if nothing that stands above the character forbids it."""
        flaw = flaw_in(answer)
        if concern.is_crisis:
            lines = help_lines(situation.language, concern.concern)
            if flaw is not None:
                return self._help(situation, concern)
            if not names_help(answer, lines):
                answer = f"{answer}\n\n{_listed(situation.language, lines)}"
            return Reply(answer, Source.MODEL, why="crisis")
        asked = concern.concern is Concern.ASKS_IF_HUMAN
        if flaw is Flaw.CLAIMS_HUMAN or (asked and not says_program(answer)):
            return self._line("safety.program", situation)
        if flaw is Flaw.SEXUAL:
            return self._line("safety.sexual", situation)
        due = [one.memory for one in situation.recollection.due]
        return Reply(answer, Source.MODEL, asked=asked_in(answer, due, situation.language), why="model")

    def _cleaned(self, answer: str, situation: Situation) -> str:
        """Return an answer as it can be said: no control characters, no endless one, no name in front.

        In zh-TW it is in Taiwan's script.
        """
        answer = _CONTROL.sub("", readable(answer))
        if len(answer) > MOST_SAID:
            answer = f"{answer[: max(map(answer[:MOST_SAID].rfind, _ENDS)) + 1 or MOST_SAID]}…"
        names = "|".join(re.escape(name) for name in self._character.names)
        answer = re.sub(rf"^\s*(?:\*\*)?(?:{names})(?:\*\*)?\s*[:：]\s*", "", answer).strip()
        if closest_language(situation.language) != "zh-TW":
            return answer
        people = {turn.name for turn in situation.turns if turn.name} | {situation.display_name or ""}
        return to_taiwan(answer, [*self._character.names, *people])

    def _line(self, key: str, situation: Situation) -> Reply:
        options = self._options(key, situation.language)
        seed = f"{situation.text}\x1f{len(situation.recent_replies)}"
        return Reply(choose(options, seed, situation.recent_replies) or "", Source.SAFETY, why=key)

    def _help(self, situation: Situation, concern: Safety, error: Failure | None = None) -> Reply:
        return self._crisis(situation.text, situation.language, situation.recent_replies, concern, error)

    def _crisis(
        self, seed: str, language: str, recent: Sequence[str], concern: Safety, error: Failure | None
    ) -> Reply:
        """Return the plain words for a crisis: no act, a question about safety, numbers, an open ear."""
        words = load_catalog("persona", language)
        opening = choose(list(words.get(f"crisis.{concern.concern.value}")), seed, recent) or ""
        closing = choose(list(words.get("crisis.closing")), seed, recent) or ""
        numbers = _listed(language, help_lines(language, concern.concern))
        text = "\n\n".join((opening, numbers, closing))
        return Reply(text, Source.SAFETY, error=error, why=f"crisis.{concern.rule}")

    def _after_crisis(self, situation: Situation, lately: Safety) -> Reply:
        """Stay plain and warm for a while; plain questions are still answered."""
        reply = offline_reply(self._character.plainly(), situation, gentle=True)
        if reply.why.startswith(("recall.", "clock.")) or self._went_on(situation):
            return reply
        words = load_catalog("persona", situation.language)
        seed = "\x1f".join((situation.text, *situation.recent_replies[-3:]))
        key = "crisis.better" if feels_better(situation.text) else "crisis.after"
        text = choose(list(words.get(key)), seed, situation.recent_replies) or ""
        return Reply(text, Source.SAFETY, why=f"after.{lately.rule}")

    def _went_on(self, situation: Situation) -> bool:
        """Whether the talk has gone on since: it rested for long, or her last line was small talk again."""
        if situation.since_last is not None and situation.since_last >= CRISIS_FOR:
            return True
        plain = self._character.plainly().replies.get(closest_language(situation.language), {})
        return any(last in said for last in situation.recent_replies[-1:] for said in plain.values())

    def _options(self, key: str, language: str) -> list[str]:
        values = {"char": self._character.name_in(language)}
        return fill(self._character.variants(key, language), values)


def _said_before(situation: Situation) -> list[str]:
    turns = [turn.text for turn in situation.turns if turn.speaker is Speaker.PERSON]
    return turns[:-1] if turns and turns[-1] == situation.text else turns


def _with_pictures(situation: Situation) -> tuple[Turn, ...]:
    """Return the turns to answer; the pictures of the message stand with the newest."""
    *earlier, newest = situation.turns or (Turn(Speaker.PERSON, situation.text),)
    return (*earlier, replace(newest, pictures=situation.beside.pictures))


def _listed(language: str, lines: Sequence[HelpLine]) -> str:
    words = load_catalog("persona", language)
    rows = [
        words.text("line" if x.note else "line_bare", name=x.name, number=x.number, note=x.note)
        for x in lines
    ]
    return "\n".join((words.text("crisis.lines_intro"), *rows))
