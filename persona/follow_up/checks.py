"""What the model wrote for a follow-up is said only if nothing is wrong with it."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache

from memory.catalog import LANGUAGES, closest_language, load_catalog
from memory.model import Memory
from memory.text import fold_same_length
from persona.follow_up.watching import CATALOG, asks_about, is_question, sentences
from persona.patterns import compile_folded, folded
from persona.safety import flaw_in
from persona.script import to_taiwan

# A chat message of one or two sentences; a wide character counts two.
MAX_WIDTH = 240
# So long a stretch of the instructions comes back by recital, not by chance.
RECITED = 20
_WIDE = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")
_KANA = re.compile(r"[ぁ-ゖァ-ヺ]")
_HAN = re.compile(r"[\u3400-\u9fff]")
_LATIN = re.compile(r"[A-Za-z]")
_NUMBER = re.compile(r"\d+")
_MARKUP = re.compile(r"https?://|<[@#/!a-z]|@everyone|@here|```|^\s*(?:[-*#>]|\d+[.)])\s", re.MULTILINE)
_QUESTION_MARKS = re.compile(r"[?？]+")
_DAYS = ("一二三四五六日", "月火水木金土日")


class Fault(StrEnum):
    """Why words are not said."""

    EMPTY = "empty"
    TOO_LONG = "too long"
    LEAK = "instructions leak"
    UNSAFE = "unsafe"
    MARKUP = "markup"
    LANGUAGE = "another language"
    NOT_ONE_QUESTION = "not one question"
    OFF_TOPIC = "off topic"
    MADE_UP = "made up"


def fault_in(text: str, memory: Memory, *, system: str, context: str, language: str) -> Fault | None:
    """Return what is wrong with words that ask about an event, or None.

    ``system`` is the prompt they were written for: no stretch of it may come back, but for what the
    person said. ``context`` is the event with its dates as the prompt gave it: every figure is there.
    """
    checks = (
        (not text.strip(), Fault.EMPTY),
        (_width(text) > MAX_WIDTH or len(text.splitlines()) > 3, Fault.TOO_LONG),
        (_leaks(text, memory, system), Fault.LEAK),
        (flaw_in(text) is not None, Fault.UNSAFE),
        (_MARKUP.search(text) is not None, Fault.MARKUP),
        (not _is_in(text, language), Fault.LANGUAGE),
        (_questions(text, language) != 1, Fault.NOT_ONE_QUESTION),
        (not asks_about(text, memory, language), Fault.OFF_TOPIC),
        (_makes_up(text, f"{context} {memory.quote} {memory.when_text or ''}"), Fault.MADE_UP),
    )
    return next((fault for wrong, fault in checks if wrong), None)


def _width(text: str) -> int:
    return len(text) + len(_WIDE.findall(text))


def _leaks(text: str, memory: Memory, system: str) -> bool:
    seen = folded(text)
    if any(_pattern("leaks", tag).search(seen) for tag in LANGUAGES):
        return True
    given = fold_same_length(system).replace(fold_same_length(memory.text), "\0")
    return any(seen[start : start + RECITED] in given for start in range(len(seen) - RECITED + 1))


def _is_in(text: str, language: str) -> bool:
    han, kana, latin = (len(found.findall(text)) for found in (_HAN, _KANA, _LATIN))
    match closest_language(language):
        case "en":
            return latin > 2 * (han + kana)
        case "ja":
            return kana > 0
        case _:
            return han > kana and 2 * han >= latin and to_taiwan(text) == text


def _questions(text: str, language: str) -> int:
    marks = len(_QUESTION_MARKS.findall(text))
    return marks or sum(is_question(sentence, language) for sentence in sentences(text))


def _makes_up(text: str, known: str) -> bool:
    """Whether there are figures or weekdays in the words that are not known."""
    numbers = {int(n) for n in _NUMBER.findall(known)}
    if any(int(n) not in numbers for n in _NUMBER.findall(text)):
        return True
    return bool(_weekdays(text) - _weekdays(known))


def _weekdays(text: str) -> set[int]:
    found = set()
    for tag in LANGUAGES:
        for match in _pattern("weekdays", tag).finditer(folded(text)):
            day = match["day"].replace("天", "日")
            english = [str(name).lower() for name in load_catalog("persona", "en").get("when.weekdays")]
            for names in (*map(list, _DAYS), english):
                if day in names:
                    found.add(names.index(day))
    return found


@lru_cache(maxsize=16)
def _pattern(key: str, language: str) -> re.Pattern[str]:
    return compile_folded(str(load_catalog(CATALOG, language).get(key)))
