"""Drafts of what became of an event that the words do not name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memory.extraction.clauses import Clause
from memory.extraction.draft import Draft
from memory.extraction.lexicon import pattern
from memory.extraction.lexicon_events import topics_in
from memory.extraction.screens import speech_of
from memory.extraction.tables import word
from memory.extraction.types import Change, ZeroCause
from memory.extraction.unnamed import Unnamed, generic_sentence, unnamed, unnamed_of
from memory.extraction.view import look, trim_tone
from memory.grounding.types import Direction, TimeExpression
from memory.model import USER_SUBJECT, Category

_LONGEST_VERDICT = 24
_VERDICT = (
    r"^(?:然後|結果|所以)?(?:獸?醫[生師]?|護理師|老師|教授|口委|主管|老闆|面試官|評審|對方)(?:們)?(?:也|只|就|都)?(?:說|講|覺得|認為)"
    r"(?:[是我牠他她](?=[^,]{2}))?(?P<told>[^,?嗎]{2,})$"
)
_BIDS = r"^(?:要|叫|請|下[次週周]|明天|再|改|如果|等|可能|會|得|不能|不可以)"
_A_DAY = r"今天|昨天|剛剛|\b(?:today|yesterday)\b|今日|昨日"


def told_without_name(
    clause: Clause, times: tuple[TimeExpression, ...]
) -> tuple[Unnamed, str, tuple[TimeExpression, ...]] | None:
    """Return what a clause tells of an event without its name, whose it is, and the dates it names."""
    inside = tuple(t for t in times if t.span[0] >= clause.start and t.span[1] <= clause.end)
    speech = speech_of(clause.folded)
    whole = "".join(
        c
        for i, c in enumerate(clause.folded)
        if not any(t.span[0] <= clause.start + i < t.span[1] for t in inside)
    )
    told, subject = unnamed(whole, speech), USER_SUBJECT
    if speech == "zh" and (told is None or not told.near):
        view = look(clause, times, USER_SUBJECT)
        words = "" if view.about_other else view.bare_folded
        told, subject = unnamed(words, speech) or unnamed_of(words, speech), view.subject
    told = told or (unnamed_of(whole, speech) if speech == "ja" else None)
    if told is not None and found_official(clause):
        told = replace(told, sure=True)
    if told is not None and told.alone and (inside or pattern(_A_DAY).search(clause.folded)):
        return None
    if told is None or (told.change is Change.DONE and topics_in(whole) and not told.tells_how):
        return None
    if told.change is Change.DONE and any(t.direction is Direction.FUTURE for t in inside):
        return None
    return told, subject, tuple(t for t in inside if t.names_day)


def with_verdict(draft: Draft, text: str, previous: Clause, clause: Clause) -> Draft | None:
    """Let what they said there be how it went: 看完了，醫生說只是吃太快. What they bid is no outcome."""
    if draft.change is not Change.DONE or draft.outcome is not None or draft.quote != previous.text:
        return None
    verdict = pattern(_VERDICT).match(clause.folded)
    if verdict is None or len(verdict["told"]) > _LONGEST_VERDICT or pattern(_BIDS).match(verdict["told"]):
        return None
    told = trim_tone(clause.text[slice(*verdict.span("told"))])
    said = trim_tone(clause.text)
    return replace(draft, text=f"{draft.text}，{said}", quote=text[previous.start : clause.end], outcome=told)


def says_more(clause: Clause, pieces: Sequence[tuple[Clause, ZeroCause | None]]) -> bool:
    """Whether a message holds anything beside a clause but interjections."""
    return any(c.start != clause.start and cause is not ZeroCause.SMALL_TALK for c, cause in pieces)


def found_official(clause: Clause) -> bool:
    """Whether somebody who holds the event says so: 公司說不面了."""
    return pattern(word("official")).search(clause.folded) is not None


def without_name(
    clause: Clause,
    times: tuple[TimeExpression, ...],
    pieces: Sequence[tuple[Clause, ZeroCause | None]],
) -> list[Draft]:
    """Find what a clause tells of an event it does not name: kept only where a known one is meant."""
    told = told_without_name(clause, times)
    if told is None or (told[0].alone and says_more(clause, pieces)):
        return []
    what, subject, _ = told
    said = trim_tone(clause.text)
    return [
        Draft(
            generic_sentence(said, None if subject == USER_SUBJECT else subject, speech_of(clause.folded)),
            clause.text,
            Category.SCHEDULE,
            subject=subject,
            change=what.change,
            outcome=said if what.tells_how else None,
        )
    ]
