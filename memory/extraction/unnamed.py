"""What is said of an event without its name: 我錄取了, 看完了, 公司說不面了; which one, the memory tells.

A clause is read so only where nothing else stands in it: 公車過了一站 speaks of no exam.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from functools import lru_cache

from memory.extraction.lexicon import pattern
from memory.extraction.lexicon_events import Topic, outcome_span
from memory.extraction.tables import table
from memory.extraction.types import Change
from memory.text import fold_same_length

_LONGEST = {"zh": 18, "ja": 20, "en": 60}
_LONGEST_WORD = 6
_ALWAYS = timedelta(days=1)
# 不考了 may be said of anything; that one need not, or was told so, is said of what was planned.
_STRONG = r"不用|不必|不需要|不能|沒(?:有)?(?:要|辦法)|說|通知|宣布|講|不去|去不"
_GENERIC = {
    "zh": "使用者{whose}的行程：{said}",
    "en": "The user's {whose}plan: {said}",
    "ja": "ユーザーの{whose}予定：{said}",
}
_IS_GENERIC = r"^使用者(?:的.{1,6})?的行程:|^the user's (?:.{1,12} )?plan: |^ユーザーの(?:.{1,6}の)?予定:"


@dataclass(frozen=True, slots=True)
class Unnamed:
    """What became of an event that is not named.

    ``families`` are the keys of those it may be of, ``within`` how long after its end people still
    say so. ``verdict``: it settles what an impression had told before. ``near``: the event is of these
    hours. ``alone``: nothing else may stand in the message. ``word``: one the event was told by.
    ``sure``: the words say that something planned is meant; without it only what was told just now.
    """

    change: Change
    families: frozenset[str]
    within: timedelta
    tells_how: bool = False
    verdict: bool = False
    near: bool = False
    sure: bool = True
    alone: bool = False
    word: str = ""


@dataclass(frozen=True, slots=True)
class _Entry:
    families: frozenset[str]
    source: str
    within: timedelta
    verdict: bool
    near: bool
    alone: bool


def unnamed(folded: str, speech: str) -> Unnamed | None:
    """Read a folded clause, its dates cut out, as what became of some event; None where it says more."""
    words = folded.strip(" ,.!~。")
    if not 2 <= len(words) <= _LONGEST[speech]:
        return None
    for kind, change in (("how", Change.DONE), ("over", Change.DONE), ("called_off", Change.CANCELLED)):
        met = [one for one in _entries(kind, speech) if pattern(one.source).fullmatch(words)]
        if met:
            return Unnamed(
                change,
                frozenset().union(*(one.families for one in met)),
                max(one.within for one in met),
                tells_how=kind == "how",
                verdict=any(one.verdict for one in met),
                near=any(one.near for one in met),
                alone=all(one.alone for one in met),
                sure=kind != "called_off" or met[0].near or pattern(_STRONG).search(words) is not None,
            )
    return None


def unnamed_of(folded: str, speech: str) -> Unnamed | None:
    """Read how something went whose name is no word of its family: 會計被當了, 台積電上了.

    The word before must be one the event was told by.
    """
    words = folded.strip(" ,.!~。")
    if speech == "en" or len(words) > _LONGEST[speech]:
        return None
    for at in range(2, min(len(words) - 1, _LONGEST_WORD) + 1):
        told = unnamed(words[at:].lstrip(",、はも"), speech)
        if told is not None and told.tells_how and not told.alone:
            return replace(told, word=words[:at])
    return None


def told_of(topics: tuple[Topic, ...], folded: str, speech: str) -> bool:
    """Whether a clause is the name of an event and how it went, and nothing else: 面試上了."""
    rest = folded
    for topic in topics:
        rest = pattern(topic.source).sub("", rest)
    rest = pattern(r"^(?:我們?的?|那[個場次]|這[個場次]|的|my|the|our)\s*|的(?=.)").sub(
        "", rest.strip(" ,.!~")
    )
    read = unnamed(rest, speech) if rest != folded else None
    return read is not None and read.tells_how and any(_key(t.key) in read.families for t in topics)


def how_it_went(topics: tuple[Topic, ...], folded: str, speech: str) -> tuple[int, int] | None:
    """Return where a clause says how the event it names went: known words, or all beside the name."""
    span = outcome_span(folded)
    if span is not None or not told_of(topics, folded, speech):
        return span
    name = pattern("|".join(topic.source for topic in topics)).search(folded)
    return (name.end(), len(folded)) if name is not None and name.end() < len(folded) else None


def generic_sentence(said: str, subject: str | None, speech: str) -> str:
    """Return the sentence of a draft that names no event; ``subject`` where it is somebody near's."""
    whose = (
        "" if subject is None else {"zh": f"的{subject}", "en": f"{subject}'s ", "ja": f"{subject}の"}[speech]
    )
    return _GENERIC[speech].format(whose=whose, said=said)


def names_no_event(sentence: str) -> bool:
    """Whether a sentence was made of words that name no event."""
    return pattern(_IS_GENERIC).search(fold_same_length(sentence)) is not None


def _key(key: str) -> str:
    return key.replace(" ", "_")


@lru_cache(maxsize=16)
def _entries(kind: str, speech: str) -> tuple[_Entry, ...]:
    rows = table("unnamed")
    suffix = "" if speech == "zh" else f"_{speech}"
    lead, tail = _joined(rows[f"lead{suffix}"]), rows[f"tail{suffix}"]
    return tuple(
        _Entry(
            frozenset(row["of"]),
            f"{lead}(?:{_source(row[speech], rows)}){tail}",
            timedelta(days=row["within"]) if "within" in row else _ALWAYS,
            row.get("verdict", False),
            row.get("near", False),
            row.get("alone", False),
        )
        for row in rows[kind]
        if speech in row
    )


def _joined(value: str | list[str]) -> str:
    return value if isinstance(value, str) else "|".join(value)


def _source(source: str, rows: dict[str, str]) -> str:
    """Fill in what stands before a verb: 不用考了 where it is not done, 考不成了 where it can't be."""
    if not source.startswith("@off@"):
        return source
    verb = source.removeprefix("@off@")
    return f"{rows['negations']}(?:{verb})了?|(?:{verb})不(?:成|了)了?"
