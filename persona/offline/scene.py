"""One message as the rules work on it: clauses, the character's words, what can be filled in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from memory.catalog import Catalog, load_catalog
from memory.model import USER_SUBJECT, Category, Memory, Phase
from memory.recollection import Recalled
from memory.statements import parse_statement
from memory.text import fold, single_line
from persona.character import Character
from persona.offline.clauses import Heard
from persona.offline.speech import as_written, event_words, in_past, second_person, with_when, without_when
from persona.offline.when import spoken_when
from persona.situation import Situation
from persona.variants import choose, fill

GRAMMAR_OF = {"zh-TW": "zh", "en": "en", "ja": "ja"}
MAX_NAME_SPOKEN = 24
# A clause this long that comes back whole is an echo, not an answer.
PARROT_LENGTH = 5
# 咖啡還是茶 asks; 還是很累 and 我還是去了 do not.
_CHOICE = re.compile(
    r"[^,我你他她还是]{1,6}还是(?!很|会|不|没|要|想|觉得|得|好|有|算|最|去|来|超|一)[^,了]{1,8}$"
)
# A date in figures stands apart from the Chinese before it: 你 9/15.
_DATE_AFTER_HAN = re.compile(r"(?<=[\u3400-\u9fff])(?=\d{1,2}(?:/\d| 月))")
# Where a filled-in English fact opens a sentence; after an ellipsis the sentence goes on.
_SENTENCE_START = re.compile(r"(?:^|(?<=[^.][.!?] ))[a-z]")
_NAME_TAIL = re.compile(
    r"(?:名字(?:現在|现在|目前)?(?:是|叫)|叫(?:做|作)?|稱呼(?:他|她)?為"
    r"|\bname is|\bis called|\bcalled|\bgoes by|名前は|呼び名は)\s*(?P<name>.+?)(?:です|だ)?[。.]?$"
)


@dataclass(frozen=True, slots=True)
class Scene:
    """The situation with everything the handlers share."""

    situation: Situation
    character: Character
    language: str
    clauses: tuple[str, ...]
    asks: tuple[Heard, ...]
    talk: tuple[Heard, ...]
    was_heavy: bool = False
    tone: tuple[Heard, ...] = ()

    @property
    def tone_keys(self) -> frozenset[str]:
        """What weighs on the message: ``bad``, ``good``, ``better``, ``loss.*``."""
        return frozenset(heard.key for heard in self.tone)

    @property
    def words(self) -> Catalog:
        """The locale of the reply."""
        return load_catalog("persona", self.language)

    @property
    def now(self) -> datetime:
        """The present moment in the person's zone."""
        return self.situation.now.astimezone(ZoneInfo(self.situation.recollection.zone))

    @property
    def you(self) -> str:
        """How she addresses the person in the second person."""
        own = self.character.variants("you", self.language)
        return own[0] if own else str(self.words.get("you"))

    @property
    def is_question(self) -> bool:
        """Whether any clause asks something."""
        return any(clause.endswith(("?", "吗", "呢")) or _CHOICE.search(clause) for clause in self.clauses)

    def say(self, *keys: str, salt: str = "", **values: str) -> str:
        """Return a variant of the first key she has words for; "" if there is none.

        Never a sentence of the person's own, never what she said last if there is another way.
        """
        filled = {**self.common(), **values}
        recent = self.situation.recent_replies
        seed = "\x1f".join((self.situation.text, salt, *keys, *recent[-3:]))
        for key in keys:
            options = fill(self.character.variants(key, self.language), filled)
            fresh = [option for option in options if not self.parrots(option)]
            chosen = choose(fresh, seed, recent)
            if chosen:
                return _SENTENCE_START.sub(lambda m: m[0].upper(), _DATE_AFTER_HAN.sub(" ", chosen))
        return ""

    def common(self) -> Mapping[str, str]:
        """Return the values any template may use."""
        return {"char": self.character.name_in(self.language), "you": self.you, "name": self.address()}

    def parrots(self, reply: str) -> bool:
        """Whether a reply gives the person's own sentence back."""
        said, answer = fold(self.situation.text).strip(" 。.!！?？~"), fold(reply).strip(" 。.!！?？~")
        return bool(said) and (said == answer or (len(said) >= PARROT_LENGTH and said in answer))

    def address(self) -> str:
        """Return the name to call the person by: the one told, else the display name, else ""."""
        told = self.known_name()
        return told or single_line(self.situation.display_name or "", MAX_NAME_SPOKEN)

    def known_name(self) -> str:
        """Return the name the person told, as written; "" if she was never told."""
        for memory in self.memories():
            if memory.category is Category.NAME and memory.subject == USER_SUBJECT:
                return name_in(memory.text)
        return ""

    def memories(self) -> tuple[Memory, ...]:
        """Return every memory of the recollection once, the profile first."""
        recollection = self.situation.recollection
        found = [*recollection.profile, *(one.memory for one in (*recollection.memories, *recollection.due))]
        return tuple({memory.id: memory for memory in found}.values())

    def known(self) -> tuple[Memory, ...]:
        """Return what is remembered whatever the message is about: the memories, then what is coming."""
        coming = (one.memory for one in self.situation.recollection.upcoming)
        return tuple({memory.id: memory for memory in (*self.memories(), *coming)}.values())

    def recalled(self) -> tuple[Recalled, ...]:
        """Return the relevant memories and what is due, each once."""
        recollection = self.situation.recollection
        return tuple({one.memory.id: one for one in (*recollection.memories, *recollection.due)}.values())

    def spoken(self, memory: Memory) -> str:
        """Return a memory as she tells it to the person, without tense."""
        return second_person(memory.text, self.language, self.you)

    def when(self, memory: Memory) -> str:
        """Return when it is or was, as one says it now."""
        return spoken_when(memory, self.situation.now, self.situation.recollection.zone, self.language)

    def event_values(self, memory: Memory) -> dict[str, str]:
        """Return what templates about an event may use: event, when, happening, recap."""
        when = self.when(memory)
        event, noun = event_words(memory, self.language, self.you)
        plain = second_person(without_when(memory), self.language, self.you)
        told = with_when(
            in_past(plain, self.language) if self.is_over(memory) else plain,
            when,
            self.language,
            "" if memory.subject == USER_SUBJECT else memory.subject,
        )
        join = "的" if noun and self.language == "zh-TW" else ""
        happening = f"{when}{join}{event}" if when and event and self.language == "zh-TW" else event
        return {
            "event": event,
            "when": when,
            "happening": happening,
            "recap": told,
            "noun": event if noun else "",
        }

    def is_over(self, memory: Memory) -> bool:
        """Whether an event is past: by its recalled phase, by what this message tells, else by its end."""
        for one in self.recalled():
            if one.memory.id == memory.id and (one.told_now or one.phase is Phase.PAST):
                return one.phase is Phase.PAST or one.told_now == "done"
        end = memory.valid_to or memory.valid_from
        return end is not None and end <= self.situation.now


def name_in(text: str) -> str:
    """Return the name a sentence gives, as it is written there."""
    match = _NAME_TAIL.search(single_line(text, 120))
    if match:
        return match["name"].strip(" 「」『』\"'")[:MAX_NAME_SPOKEN]
    value = parse_statement(text).value
    return (as_written(text, value) or value)[:MAX_NAME_SPOKEN] if value else ""


def capital(text: str) -> str:
    """Return ``text`` with its first letter large, where letters have cases."""
    return text[:1].upper() + text[1:]
