"""Finds the atoms of a folded text: the longest match of any rule at each place."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from memory.grounding import lexicon_common
from memory.grounding.frame import Frame
from memory.grounding.lexicon import Lexicon, Rule

_KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30fa]")
_KANJI_JAPANESE = re.compile(
    r"[曜毎晩営]|午前|时间[前后]|大晦|元日|令和|平成|昭和|夕方|今朝|年末年始|[来先]周|"
    r"[来先]月|一昨|明后日"
)
_NOT_JAPANESE = re.compile(r"[的了吗吧呢啦喔哦嘛们这那个]")
_CJK = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")


Try = Callable[[str, int], "re.Match[str] | None"]
"""A compiled rule's match at a place, bound once: it is called some thousand times a message."""


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
        from memory.grounding import zh

        return zh.LEXICON
    if language == "ja":
        from memory.grounding import lexicon_ja

        return lexicon_ja.LEXICON
    from memory.grounding import en

    return en.LEXICON


@lru_cache(maxsize=32)
def _grammar(languages: tuple[str, ...]) -> tuple[re.Pattern[str], tuple[tuple[Try, Rule], ...]]:
    lexicons = [_lexicon(language) for language in languages]
    starts = "|".join([lexicon_common.TRIGGER, *(lexicon.trigger for lexicon in lexicons)])
    rules = tuple(rule for lexicon in lexicons for rule in lexicon.rules) + lexicon_common.RULES
    return re.compile(starts), tuple((rule.compiled.match, rule) for rule in rules)


def languages_of(folded: str, language: str | None) -> tuple[str, ...]:
    """Return whose rules read a text, the likeliest first."""
    hint = (language or "")[:2].lower()
    if not _CJK.search(folded):
        return ("en",)
    japanese = hint == "ja" or (hint != "zh" and _KANA.search(folded) and not _NOT_JAPANESE.search(folded))
    latin = re.search(r"[a-z]{3}", folded) is not None
    both = hint != "zh" and _KANJI_JAPANESE.search(folded) is not None
    main = ("ja",) if japanese else ("zh", "ja") if both else ("zh",)
    return (*main, "en") if latin else main


def atoms(folded: str, languages: tuple[str, ...]) -> list[Atom]:
    """Return the atoms of a text in order, without overlaps; of two as long, the one that is no date wins."""
    starts, tries = _grammar(languages)
    found: list[Atom] = []
    place, length = 0, len(folded)
    while place < length:
        spot = starts.search(folded, place)
        if spot is None:
            break
        place = spot.start()
        best: Atom | None = None
        for attempt, rule in tries:
            match = attempt(folded, place)
            if match is None:
                continue
            if match.end() <= place or (best is not None and match.end() < best.end):
                continue
            groups: dict[str, str | None] = {"0": match.group(), **match.groupdict()}
            frame = rule.build(groups)
            if frame is None or frame == _EMPTY:
                continue
            if best is None or match.end() > best.end or frame.block or frame.vague:
                best = Atom(frame, place, match.end(), (rule.name,))
        if best is None:
            place += 1
        else:
            found.append(best)
            place = best.end
    return found


_EMPTY = Frame()
