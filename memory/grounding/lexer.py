"""Finds the atoms of a folded text: the longest match of any rule at each place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from memory.grounding import lexicon_common
from memory.grounding.frame import Frame
from memory.grounding.lexicon import Lexicon, Rule

_KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30fa]")
_NOT_JAPANESE = re.compile(r"[的了吗吧呢啦喔哦嘛们这那个]")
_CJK = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class Atom:
    """One match: its slots and where it stands."""

    frame: Frame
    start: int
    end: int
    rules: tuple[str, ...]


@lru_cache(maxsize=8)
def _lexicon(language: str) -> Lexicon:
    if language == "zh":
        from memory.grounding.lexicon_zh import LEXICON as found
    elif language == "ja":
        from memory.grounding.lexicon_ja import LEXICON as found
    else:
        from memory.grounding.lexicon_en import LEXICON as found
    return found


@lru_cache(maxsize=32)
def _grammar(languages: tuple[str, ...]) -> tuple[re.Pattern[str], tuple[Rule, ...]]:
    lexicons = [_lexicon(language) for language in languages]
    starts = "|".join([lexicon_common.TRIGGER, *(lexicon.trigger for lexicon in lexicons)])
    rules = tuple(rule for lexicon in lexicons for rule in lexicon.rules) + lexicon_common.RULES
    return re.compile(starts), rules


@lru_cache(maxsize=4096)
def _rules_for(languages: tuple[str, ...], start: str) -> tuple[Rule, ...]:
    """Return the rules that can begin with a character."""
    return tuple(rule for rule in _grammar(languages)[1] if rule.may_start_with(start))


def languages_of(folded: str, language: str | None) -> tuple[str, ...]:
    """Return whose rules read a text, the likeliest first."""
    hint = (language or "")[:2].lower()
    if not _CJK.search(folded):
        return ("en",)
    japanese = hint == "ja" or (hint != "zh" and _KANA.search(folded) and not _NOT_JAPANESE.search(folded))
    latin = re.search(r"[a-z]{3}", folded) is not None
    main = ("ja",) if japanese else ("zh",) if hint == "zh" or _NOT_JAPANESE.search(folded) else ("zh", "ja")
    return (*main, "en") if latin else main


def atoms(folded: str, languages: tuple[str, ...]) -> list[Atom]:
    """Return the atoms of a text in order, without overlaps."""
    starts = _grammar(languages)[0]
    found: list[Atom] = []
    place, length = 0, len(folded)
    while place < length:
        spot = starts.search(folded, place)
        if spot is None:
            break
        place = spot.start()
        best: Atom | None = None
        for rule in _rules_for(languages, folded[place]):
            match = rule.compiled.match(folded, place)
            if match is None or match.end() <= place or (best is not None and match.end() <= best.end):
                continue
            groups: dict[str, str | None] = {"0": match.group(), **match.groupdict()}
            frame = rule.build(groups)
            if frame is not None and frame != _EMPTY:
                best = Atom(frame, place, match.end(), (rule.name,))
        if best is None:
            place += 1
        else:
            found.append(best)
            place = best.end
    return found


_EMPTY = Frame()
