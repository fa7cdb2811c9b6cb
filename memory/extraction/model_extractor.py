"""The extractor that asks a model, and believes nothing it can't find in the message."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from llm.protocols import StructuredModel
from memory.extraction.draft import kind_of, slot_of
from memory.extraction.lexicon import is_sensitive, pattern
from memory.extraction.lexicon_events import topics_in
from memory.extraction.prompts import FoundFact, FoundFacts, build_prompt
from memory.extraction.rules import extract_by_rules, language_of
from memory.extraction.screens import screened, without_quotes, worth_a_model_call, zero_cause
from memory.extraction.script import in_script_of, same_language
from memory.extraction.tables import expression
from memory.extraction.types import Change, Extraction, ExtractionRequest, Fact, Offset, ZeroCause
from memory.model import USER_SUBJECT, Category
from memory.statements import attribute_of, subject_key
from memory.text import fold, fold_same_length, single_line

_LOG = logging.getLogger(__name__)
MOST_FACTS = 8
LONGEST_TEXT = 300
LONGEST_SUBJECT = 40
LONGEST_OUTCOME = 80
_EDGES = " \t\n「」『』“”\"'…。，、.,"
_NAMES = frozenset({"name", "nickname"})
_CORE = frozenset(
    {
        "hometown", "birthday", "age", "job", "school", "grade", "major", "pronouns", "blood_type",
        "zodiac", "chinese_zodiac", "marital", "nationality", "children",
    }
)  # fmt: skip
_TASTES = frozenset({"like", "food", "drink", "favorite"})
_SAID = {"zh": "使用者說「{quote}」", "ja": "ユーザーは「{quote}」と言った", "en": 'The user said "{quote}"'}
_FROM_MODEL = frozenset(
    {
        ZeroCause.SMALL_TALK, ZeroCause.QUESTION, ZeroCause.HYPOTHETICAL, ZeroCause.QUOTED, ZeroCause.JOKE,
        ZeroCause.COMMAND, ZeroCause.CRISIS, ZeroCause.NOTHING_TO_KEEP,
    }
)  # fmt: skip


class ModelExtractor:
    """Asks a structured model once a message; small talk and pure questions cost no call."""

    def __init__(self, model: StructuredModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    async def extract(self, request: ExtractionRequest) -> Extraction:
        """Return the facts whose quote is in the message.

        Raises :class:`llm.errors.ModelError` whatever its kind: a broken answer is no empty one.
        """
        if not worth_a_model_call(request):
            return Extraction(cause=zero_cause(request.text), extractor=self.name)
        system, prompt = build_prompt(request)
        answer = await self._model.answer(system, prompt, FoundFacts)
        facts = accepted(answer.facts, request)
        dropped = len(answer.facts) - len(facts)
        if dropped:
            _LOG.warning("extraction: %d of %d facts of the model dropped", dropped, len(answer.facts))
        if facts:
            return Extraction(facts=facts, extractor=self.name)
        return Extraction(cause=_cause(answer, request), extractor=self.name)


def accepted(found: Sequence[FoundFact], request: ExtractionRequest) -> tuple[Fact, ...]:
    """Return what holds of a model's facts, put right by code; at most :data:`MOST_FACTS`."""
    by_rules = extract_by_rules(request).facts
    kept: dict[str, Fact] = {}
    for item in found:
        fact = _checked(item, request, by_rules)
        if fact is not None:
            kept.setdefault(fold(fact.text), fact)
    return tuple(kept.values())[:MOST_FACTS]


def words_in(message: str, words: str | None) -> str | None:
    """Return the stretch of a message a model's quote means, as typed; script, case and spaces aside."""
    wanted = "".join(fold_same_length((words or "").strip(_EDGES)).split())
    if not wanted:
        return None
    folded = fold_same_length(message)
    places = [i for i, c in enumerate(folded) if not c.isspace()]
    start = "".join(folded[i] for i in places).find(wanted)
    if start < 0:
        return None
    return message[places[start] : places[start + len(wanted) - 1] + 1]


def _checked(item: FoundFact, request: ExtractionRequest, by_rules: Sequence[Fact]) -> Fact | None:
    message = request.text
    quote = words_in(without_quotes(message), item.quote)
    if quote is None or _taken_back(quote, message):
        return None
    subject = single_line(item.subject, LONGEST_SUBJECT)
    if pattern(rf"^(?:{expression('screens', 'bot_zh')}|you|character|角色)$").match(fold(subject)):
        return None
    subject = (
        USER_SUBJECT
        if subject_key(subject) == USER_SUBJECT or fold(subject) in {"我", "me", "i"}
        else subject
    )
    category, change = item.category, item.change
    text = _sentence(item.text, quote, request, by_rules)
    if change is not Change.NEW and category is not Category.SCHEDULE:
        if topics_in(fold_same_length(quote)):
            category = Category.SCHEDULE
        else:
            change = Change.NEW
    category = _shelf(category, attribute_of(text, category), subject)
    attribute = slot_of(text, category)
    when = words_in(message, item.when_text)
    topics = topics_in(fold_same_length(text)) if category is Category.SCHEDULE else ()
    if attribute is None and topics:
        attribute = f"event:{topics[0].key}"
    return Fact(
        text=text,
        language=language_of(message, request.language),
        quote=quote,
        subject=subject,
        category=category,
        kind=kind_of(category, attribute),
        attribute=attribute,
        when_text=when,
        offset=Offset(amount=item.offset.amount, unit=item.offset.unit) if item.offset and when else None,
        change=change,
        outcome=words_in(message, item.outcome[:LONGEST_OUTCOME]) if item.outcome else None,
        sensitive=item.sensitive or is_sensitive(fold_same_length(quote)),
    )


def _sentence(text: str, quote: str, request: ExtractionRequest, by_rules: Sequence[Fact]) -> str:
    """Return the model's sentence in the person's language; else the rules' one, else the quote itself."""
    sentence = single_line(text, LONGEST_TEXT)
    if sentence and same_language(sentence, request.text):
        return in_script_of(sentence, request.text, request.language)
    folded = fold_same_length(quote)
    for fact in by_rules:
        known = fold_same_length(fact.quote)
        if known in folded or folded in known:
            return fact.text
    speech = {"zh": "zh", "ja": "ja"}.get(language_of(request.text, request.language).split("-")[0], "en")
    return single_line(_SAID[speech].format(quote=quote), LONGEST_TEXT)


def _shelf(category: Category, attribute: str | None, subject: str) -> Category:
    """Return the category the slot belongs to: a name on the name shelf, a home with who somebody is."""
    if category is Category.SCHEDULE:
        return category
    if attribute in _NAMES:
        return Category.NAME if subject == USER_SUBJECT else Category.IDENTITY
    if category is Category.NAME and attribute and attribute.partition(":")[0] in _TASTES:
        return Category.PREFERENCE
    if category is Category.NAME:
        return Category.OTHER if subject == USER_SUBJECT and attribute is None else Category.IDENTITY
    if attribute in _CORE and category is not Category.PREFERENCE:
        return Category.IDENTITY
    return category


def _taken_back(quote: str, message: str) -> bool:
    """Whether the words are part of what the message itself calls a joke."""
    jokes = [clause.text for clause, cause in screened(message) if cause is ZeroCause.JOKE]
    return any(quote in joke or joke in quote for joke in jokes)


def _cause(answer: FoundFacts, request: ExtractionRequest) -> ZeroCause:
    if answer.facts:
        return ZeroCause.NO_QUOTE
    try:
        cause = ZeroCause((answer.nothing_because or "").strip().lower())
    except ValueError:
        return zero_cause(request.text)
    return cause if cause in _FROM_MODEL else zero_cause(request.text)
