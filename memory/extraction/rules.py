"""The extractor without a model: rules for what people say in companion chat."""

from __future__ import annotations

from dataclasses import replace

from memory.dating import without_date
from memory.extraction.ahead import times_told
from memory.extraction.changes import change_of
from memory.extraction.clauses import Clause
from memory.extraction.draft import Draft, dangles, finish
from memory.extraction.fronted import said_of_what_stands_first
from memory.extraction.lexicon import folded_speech, found, pattern
from memory.extraction.lexicon_events import Topic, outcome_span, topics_in
from memory.extraction.moved_away import where_to
from memory.extraction.rules_answers import answers, correction
from memory.extraction.rules_en import english
from memory.extraction.rules_ended import ended
from memory.extraction.rules_events import events, having, prepared
from memory.extraction.rules_identity import identity
from memory.extraction.rules_ja import japanese
from memory.extraction.rules_names import (
    introduces,
    names,
    names_one_of_several,
    names_what_was_introduced,
    renamed,
)
from memory.extraction.rules_tastes import tastes
from memory.extraction.rules_unnamed import with_verdict, without_name
from memory.extraction.screens import greets, is_crisis, screened, speech_of, zero_cause
from memory.extraction.still_so import no_longer
from memory.extraction.types import Change, Extraction, ExtractionRequest, ZeroCause
from memory.extraction.unnamed import names_no_event
from memory.extraction.view import USER_ZH, View, last_person, look, third_person, trim_tone
from memory.grounding import Direction, TimeExpression, dates_memory
from memory.model import USER_SUBJECT, Category
from memory.text import fold, fold_same_length

NAME = "offline-rules"
_MOST_FACTS = 8
_LONGEST_OUTCOME = 16


class OfflineExtractor:
    """Finds facts by rules: nothing leaves the machine, nothing is invented."""

    @property
    def name(self) -> str:
        """Which extractor this is."""
        return NAME

    async def extract(self, request: ExtractionRequest) -> Extraction:
        """Return the facts of the message, or the cause why there are none."""
        return extract_by_rules(request)


def extract_by_rules(request: ExtractionRequest) -> Extraction:
    """Read one message by the rules (pure; the model's extractor falls back on it)."""
    text = request.text
    if not text.strip():
        return Extraction(cause=ZeroCause.EMPTY, extractor=NAME)
    if is_crisis(text):
        return Extraction(cause=ZeroCause.CRISIS, extractor=NAME)
    times = times_told(text, request.said_at, request.zone, speech_of(fold_same_length(text)))
    drafts = correction(text, request.her_last_turn, times) or _clause_drafts(text, times)
    drafts = drafts or no_longer(text, request.her_last_turn)
    if all(names_no_event(draft.text) for draft in drafts):
        drafts = answers(text, request.her_last_turn, times) or drafts
    undated = [replace(d, text=without_date(d.text, d.when_text, times)) for d in drafts]
    drafts = [cut if not dangles(cut.text) else d for cut, d in zip(undated, drafts, strict=True)]
    drafts = [d for d in drafts if d.category is not Category.SCHEDULE or not dangles(d.text)]
    drafts = _distinct(drafts)[:_MOST_FACTS]
    if not drafts:
        return Extraction(cause=zero_cause(text), extractor=NAME)
    language = language_of(text, request.language)
    return Extraction(facts=tuple(finish(draft, language) for draft in drafts), extractor=NAME)


def language_of(text: str, preferred: str) -> str:
    """Return the language a message is in; short Latin words keep the person's own."""
    speech = speech_of(fold_same_length(text))
    primary = preferred.split("-", maxsplit=1)[0].lower()
    if speech == "zh":
        return preferred if primary in {"zh", "ja"} else "zh-TW"
    if speech == "ja":
        return preferred if primary == "ja" else "ja"
    if primary == "en" or pattern(r"\b(?:i|i'm|my|me|the|is|have|and)\b").search(fold_same_length(text)):
        return preferred if primary == "en" else "en"
    return preferred


def _clause_drafts(text: str, times: tuple[TimeExpression, ...]) -> list[Draft]:
    drafts: list[Draft] = []
    subject = USER_SUBJECT
    previous: Clause | None = None
    sentence = -1
    greeted = greets(text)
    pieces = _with_dates_joined(text, times)
    for clause, cause in pieces:
        if clause.sentence != sentence:
            sentence, subject = clause.sentence, USER_SUBJECT
        if cause is not None or not clause.readable:
            if drafts and previous and cause is ZeroCause.QUOTED:
                drafts[-1] = with_verdict(drafts[-1], text, previous, clause) or drafts[-1]
            previous = None
            continue
        speech = speech_of(clause.folded)
        if speech == "zh":
            if subject == USER_SUBJECT and previous is not None and _begins_with_pronoun(clause):
                subject = last_person(previous.text) or subject
            view = replace(look(clause, times, subject), greeted=greeted)
            subject = view.subject
            found = _chinese(view) or said_of_what_stands_first(text, clause, times, drafts)
        else:
            found = (english if speech == "en" else japanese)(clause, times)
            if not found and speech == "ja":
                found = said_of_what_stands_first(text, clause, times, drafts, japanese)
        if not found and previous is not None and speech == "zh":
            found = _of_what_was_named(drafts, text, previous, clause, times)
        found = found or without_name(clause, times, pieces)
        if drafts and previous and _same_parting(drafts[-1], found):
            found = []
        dated = _with_date(drafts[-1], text, previous, clause, times) if drafts and previous else None
        joined = dated or _with_outcome(drafts[-1], text, previous, clause) if drafts and previous else None
        if drafts and previous and drafts[-1].ends_known and found and _instead(drafts[-1], previous, clause):
            drafts.pop()
        turned = _second_thought(text, previous, clause, times, subject) if previous else None
        turned = turned or (_left_out(text, previous, clause, subject) if previous else None)
        turned = turned or (where_to(text, previous, clause, speech) if previous else None)
        named = _with_name(drafts, text, previous, clause) if previous and speech == "zh" else None
        if joined is not None:
            drafts[-1] = joined
        elif named is not None:
            drafts = [d for d in drafts if previous is None or d.quote != previous.text]
            drafts.append(named)
        elif turned is not None:
            drafts = [d for d in drafts if previous is None or d.quote != previous.text]
            drafts.append(turned)
        else:
            drafts.extend(found)
        previous = clause
    return drafts


def _of_what_was_named(
    drafts: list[Draft], text: str, previous: Clause, clause: Clause, times: tuple[TimeExpression, ...]
) -> list[Draft]:
    """Read 演唱會，因為颱風停辦了 as one: the event stands in the clause before, and nothing else."""
    if clause.sentence != previous.sentence or (drafts and drafts[-1].quote == previous.text):
        return []
    if topics_in(clause.folded) or not topics_in(previous.folded):
        return []
    inside = tuple(t for t in times if clause.start <= t.span[0] and t.span[1] <= clause.end)
    if change_of(clause.folded, inside) not in {Change.CANCELLED, Change.MOVED}:
        return []
    said = text[previous.start : clause.end]
    joined = Clause(said, folded_speech(said), previous.start, clause.end, clause.sentence)
    return events(look(joined, times, USER_SUBJECT)) if joined.readable else []


def _instead(draft: Draft, previous: Clause, clause: Clause) -> bool:
    """Whether a clause tells what takes the place of what has just gone: 車賣了，換電動機車."""
    takes = pattern(r"^(?:我|就|後來|直接|現在|所以|都)*(?:換|改)").match(clause.folded)
    return draft.quote == previous.text and takes is not None


def _begins_with_pronoun(clause: Clause) -> bool:
    return pattern(r"^[他她牠](?!們|說|叫我|問我)").match(clause.folded) is not None


def _with_dates_joined(text: str, times: tuple[TimeExpression, ...]) -> list[tuple[Clause, ZeroCause | None]]:
    """Join a clause that is only a date (下週三，我要…) to the one it dates."""
    pieces: list[tuple[Clause, ZeroCause | None]] = []
    waiting: Clause | None = None
    for clause, cause in screened(text):
        current = clause
        if waiting is not None and waiting.sentence == clause.sentence and cause is None:
            said = text[waiting.start : clause.end]
            current = Clause(
                said, fold_same_length(said), waiting.start, clause.end, clause.sentence, clause.asks
            )
        waiting = None
        if cause is None and any(t.span[0] <= current.start and t.span[1] >= current.end for t in times):
            waiting = current
        pieces.append((current, cause))
    return pieces


def _same_parting(last: Draft, found: list[Draft]) -> bool:
    """Whether a clause only tells how long it had lasted what has just ended: 分手了，交往三年."""
    if not (last.painful and last.attribute == "relationship"):
        return False
    return any(draft.attribute == "relationship" and not draft.painful for draft in found)


def _with_date(
    draft: Draft, text: str, previous: Clause, clause: Clause, times: tuple[TimeExpression, ...]
) -> Draft | None:
    """Let the clause after an event's name date it: 在準備多益，下下週六考."""
    told = draft.change is not Change.NEW or draft.painful
    told = told or any(t.phrase == draft.when_text and dates_memory(t) for t in times)
    if told or draft.quote != previous.text or draft.subject != USER_SUBJECT:
        return None
    inside = [t for t in times if clause.start <= t.span[0] and t.span[1] <= clause.end and t.resolved]
    families = topics_in(previous.folded)
    worked_on = prepared(previous, clause)
    if not inside or not (families or worked_on) or inside[-1].direction is Direction.PAST:
        return None
    rest = clause.folded
    for time in inside:
        rest = rest.replace(fold_same_length(time.phrase), "")
    if found("changes", "only_a_date", rest.strip(" ,")) is None:
        return None
    speech = speech_of(previous.folded)
    said = text[previous.start : previous.end]
    return Draft(
        {"zh": f"{USER_ZH}{worked_on or having(said, families)}", "en": _has_en(said, families)}.get(
            speech, draft.text
        ),
        text[previous.start : clause.end],
        Category.SCHEDULE,
        subject=draft.subject,
        attribute=f"event:{families[0].key}" if families else None,
        when_text=inside[-1].phrase,
    )


def _has_en(said: str, families: tuple[Topic, ...]) -> str:
    if not families:
        return said
    match = pattern(rf"(?:(?:an?|the|my) )?(?:\w+ )?(?:{families[0].source})").search(fold_same_length(said))
    thing = said[slice(*match.span())].removeprefix("for ") if match else families[0].name
    return f"The user has {thing}"


def _second_thought(
    text: str, previous: Clause, clause: Clause, times: tuple[TimeExpression, ...], subject: str
) -> Draft | None:
    """Read 吃了香菜，發現其實蠻香的 as one: what it is about stands in the clause before."""
    if not found("tastes", "turned_without_object", clause.folded):
        return None
    if not pattern(r"吃|喝|試|嘗|嚐|看|玩|聽|買|去|做").search(previous.folded):
        return None
    before = look(previous, times, subject)
    if before.about_other:
        return None
    return Draft(
        f"{before.label}{third_person(before.bare)}，{third_person(clause.text)}",
        text[previous.start : clause.end],
        Category.PREFERENCE,
        subject=before.subject,
    )


_LEFT_OUT = (
    r"^(?:所以|因此|我|就|也|都|從來|完全|根本|一直|還是|真的|其實)*"
    r"(?P<verb>不(?:太)?(?:敢|能|想|愛|會)(?P<act>[吃喝看聽碰玩去]))(?:了|啦|喔|的)*$"
)


def _left_out(text: str, previous: Clause, clause: Clause, subject: str) -> Draft | None:
    """Read 看恐怖片會睡不著，所以不敢看 as one: what is not dared stands in the clause before."""
    left = pattern(_LEFT_OUT).match(clause.folded)
    if left is None or clause.sentence != previous.sentence:
        return None
    before = look(previous, (), subject)
    thing = pattern(rf"{left['act']}(?P<thing>[^,會就都很容易不到了完我]{{2,8}})").search(before.folded)
    if before.about_other or thing is None:
        return None
    said = f"{clause.text[slice(*left.span('verb'))]}{before.body[slice(*thing.span('thing'))]}"
    quote = text[previous.start : clause.end]
    return Draft(f"{before.label}{said}", quote, Category.PREFERENCE, subject=before.subject)


def _chinese(view: View) -> list[Draft]:
    if found("changes", "unsure", view.bare_folded) and topics_in(view.bare_folded):
        return []  # 怕考試被取消 is a worry about a plan, nothing that lasts
    if view.about_other:
        return names(view) if pattern(r"叫我").search(view.folded) else []
    if view.subject == USER_SUBJECT or view.explicit:
        named = names(view)
        if named:
            return named
    recurring = any(t.recurrence is not None for t in view.times)
    for find in (
        (identity, tastes, events, ended)
        if recurring or not _eventful(view)
        else (events, identity, tastes, ended)
    ):
        drafts = find(view)
        if drafts:
            return drafts
    return []


def _eventful(view: View) -> bool:
    """Whether a date or a change makes the clause an event before anything lasting."""
    if pattern(r"生日|歲|出生|[過对對].{1,6}過敏").search(view.bare_folded) and not view.times:
        return False
    if pattern(r"^的?生日(?:是|在)|^的?最(?:喜歡|愛|討厭|怕)的").search(view.folded):
        return False
    return not found("changes", "again_and_again", view.folded)


def _with_outcome(draft: Draft, text: str, previous: Clause, clause: Clause) -> Draft | None:
    """Let the clause after an event that is over tell how it went."""
    if draft.change is not Change.DONE or draft.outcome is not None or draft.quote != previous.text:
        return None
    span = outcome_span(clause.folded)
    if span is None or len(clause.text) > (
        _LONGEST_OUTCOME if speech_of(clause.folded) == "zh" else 3 * _LONGEST_OUTCOME
    ):
        return None
    told = trim_tone(clause.text)
    return replace(
        draft,
        text=f"{draft.text}，{told}" if speech_of(clause.folded) == "zh" else f"{draft.text}, {told}",
        quote=text[previous.start : clause.end],
        outcome=clause.text[slice(*span)],
    )


def _with_name(drafts: list[Draft], text: str, previous: Clause, clause: Clause) -> Draft | None:
    """Let the clause after somebody or an animal was brought up name them: 養了一隻貓，叫麻糬.

    Across a full stop only a pronoun does (牠叫麻糬): a bare 叫… there may be the person's own name.
    """
    told = names_what_was_introduced(clause.text, clause.folded) if introduces(previous.folded) else None
    if (who := renamed(previous.folded)) and (given := names_what_was_introduced(clause.text, clause.folded)):
        whose = text[previous.start + previous.folded.index(who) :][: len(who)]
        said = text[previous.start : clause.end]
        return Draft(f"{USER_ZH}的{whose}{given[0]}", said, Category.IDENTITY, subject=whose)
    if told is None:
        return _with_another_name(drafts, text, previous, clause)
    named, pronoun = told
    if not pronoun and clause.sentence != previous.sentence:
        return None
    before = look(previous, (), USER_SUBJECT)
    sentence = f"{before.label}{third_person(before.bare)}"
    if drafts and drafts[-1].quote == previous.text:
        sentence = drafts[-1].text
    return Draft(f"{sentence}，{named}", text[previous.start : clause.end], Category.IDENTITY)


def _with_another_name(drafts: list[Draft], text: str, previous: Clause, clause: Clause) -> Draft | None:
    """Let one clause more name the next of several: 一隻叫布丁，一隻叫奶茶."""
    if not drafts or clause.sentence != previous.sentence or not names_one_of_several(clause.folded):
        return None
    last = drafts[-1]
    if last.category is not Category.IDENTITY or not last.quote.endswith(previous.text):
        return None
    if not names_one_of_several(previous.folded):
        return None
    quote = text[clause.start - len(last.quote) - (clause.start - previous.end) : clause.end]
    drafts.pop()
    return replace(last, text=f"{last.text}，{trim_tone(clause.text)}", quote=quote)


def _distinct(drafts: list[Draft]) -> list[Draft]:
    kept: dict[tuple[str, str | None], Draft] = {}
    for draft in drafts:
        kept.setdefault((fold(draft.text), draft.when_text), draft)
    return list(kept.values())
