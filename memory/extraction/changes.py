"""What words do to a planned event: moved, called off, over. Shared by the extractor and the reading."""

from __future__ import annotations

import re

from memory.extraction.lexicon import found, pattern
from memory.extraction.lexicon_events import outcome_span, topics_in
from memory.extraction.put_right import generic_event
from memory.extraction.screens import speech_of
from memory.extraction.tables import table
from memory.extraction.types import Change, Fact
from memory.extraction.unnamed import names_no_event, told_of
from memory.grounding.types import Direction, TimeExpression
from memory.model import Memory
from memory.text import fold_same_length


def moved_mark(folded: str) -> re.Match[str] | None:
    """Return where a text says that something is moved: the old date stands before it, the new one after."""
    return found("changes", "moved", folded)


def change_of(folded: str, times: tuple[TimeExpression, ...]) -> Change:
    """Return what a folded clause does to the event it speaks of.

    A date that lies ahead keeps a plan a plan (明天就考完了); one that lies behind makes a named
    event done even without a particle (昨天面試).
    """
    unsure = found("changes", "unsure", folded) is not None
    if moved_mark(folded):
        return Change.NEW if unsure else Change.MOVED
    if found("changes", "cancelled", folded) or named_off(folded):
        return Change.NEW if unsure else Change.CANCELLED
    ahead = any(t.direction is Direction.FUTURE for t in times)
    if ahead or found("changes", "not_yet", folded):
        return Change.NEW
    if found("changes", "done", folded):
        return Change.DONE
    behind = any(t.direction is Direction.PAST and not t.ambiguous for t in times)
    if (
        topics_in(folded)
        and (
            behind
            or outcome_span(folded) is not None
            or told_of(topics_in(folded), folded, speech_of(folded))
        )
        and not found("changes", "future", folded)
    ):
        return Change.DONE
    return Change.NEW


def named_off(folded: str) -> bool:
    """Whether a clause says of an event it names that it does not take place: 聚餐沒了, 課不用上了."""
    families = topics_in(folded)
    if not families:
        return False
    name = "|".join(topic.source for topic in families)
    shapes = "|".join(table("changes")["named_off"]).replace("@event@", f"(?:{name})")
    return pattern(shapes).search(folded) is not None


def stands_alone(fact: Fact) -> bool:
    """Whether a change is worth keeping where no known event is meant: it must say of itself which one.

    「考完了」 speaks of an exam she has to know already; 「多益考完了」 names it.
    """
    if names_no_event(fact.text):
        return False
    if fact.when_text is None and found("changes", "back_on", fold_same_length(fact.quote)):
        return fact.change is not Change.NEW
    if fact.change is Change.NEW or fact.when_text is not None:
        return True
    words = fold_same_length(fact.text)
    for subject in ("使用者的", "使用者", "ユーザーは", "the user's ", "the user "):
        words = words.removeprefix(fold_same_length(subject))
    if fact.outcome:
        words = words.replace(fold_same_length(fact.outcome), "")
    return found("changes", "bare_change", words) is None


_CALLED_OFF = {"en": "{sentence} (called off)", "ja": "{sentence}（中止）"}


def called_off(sentence: str, language: str) -> str:
    """Return the sentence of a known event as one that was called off."""
    shape = _CALLED_OFF.get(language.split("-", maxsplit=1)[0].lower(), "{sentence}，後來取消了")
    plan = pattern(r"^使用者(?:的[^要會有]{1,6})?(?=要)").match(fold_same_length(sentence))
    if plan is not None:
        sentence = f"{sentence[: plan.end()]}原本{sentence[plan.end() :]}"
    return shape.format(sentence=sentence)


def lacks_its_event(fact: Fact, known: Memory) -> bool:
    """Whether a fact that calls an event off has none of the words its family was told by: 取消了."""
    said, told = fold_same_length(fact.text), fold_same_length(known.text)
    words = {match.group() for topic in topics_in(told) for match in pattern(topic.source).finditer(told)}
    if not words:
        return generic_event(fact.text)
    return not any(word in said for word in words)
