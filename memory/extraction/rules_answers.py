"""Answers that only her last turn makes whole: 「你叫什麼？」「小明」."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from memory.extraction.clauses import Clause
from memory.extraction.draft import Draft
from memory.extraction.lexicon import found, pattern
from memory.extraction.lexicon_events import outcome_span, topics_in
from memory.extraction.put_right import PutRight, date_put_right
from memory.extraction.put_right_named import NamedRight, event_told, in_words_of, named_put_right
from memory.extraction.rules_en import english
from memory.extraction.rules_events import event_noun
from memory.extraction.rules_names import name_of
from memory.extraction.screens import is_small_talk, speech_of
from memory.extraction.tables import word
from memory.extraction.types import Change
from memory.extraction.view import trim_tone
from memory.grounding.types import TimeExpression
from memory.model import Category
from memory.text import fold_same_length

_LONGEST = 24


@dataclass(frozen=True, slots=True)
class _Ask:
    """A question of hers: how it looks, what an answer must look like, what it then says."""

    question: str
    answer: str
    category: Category
    attribute: str
    says: Mapping[str, str]


_WORD = r"^[^,。!?]{1,12}$"
# A whole clause names no thing that was asked for: 翻譯還有在接.
_NO_THING = (
    r"[了嗎呢吧]$|(?<=[\u4e00-\u9fff])\s|^(?:[這那]|今|昨|明)|請假|還有?在|倒是|[也都]還"
    r"|又開始|降下來|上來|起來"
)
_ASKS: tuple[_Ask, ...] = (
    _Ask(
        r"叫什麼|什麼名字|怎麼稱呼|名字是|貴姓|名字呢|your name|call you|名前",
        r"^[^,。!?\d]{1,12}$",
        Category.NAME,
        "name",
        {"zh": "使用者叫{a}", "en": "The user's name is {a}", "ja": "ユーザーの名前は{a}"},
    ),
    _Ask(
        r"幾歲|多大|年紀|年齡|how old|何歳|いくつ",
        r"^(?:\d{1,3}|[一二三四五六七八九十]{1,3})(?:歲|歳)?$",
        Category.IDENTITY,
        "age",
        {"zh": "使用者{a}歲", "en": "The user is {a} years old", "ja": "ユーザーは{a}歳"},
    ),
    _Ask(
        r"生日|birthday|誕生日",
        r"\d|[一二三四五六七八九十]+月|january|february|march|april|may|june|july|august|september|october|november|december",
        Category.IDENTITY,
        "birthday",
        {"zh": "使用者的生日是{a}", "en": "The user's birthday is {a}", "ja": "ユーザーの誕生日は{a}"},
    ),
    _Ask(
        r"住(?:在)?(?:哪|什麼地方)|where do you live|どこに住",
        _WORD,
        Category.IDENTITY,
        "home",
        {"zh": "使用者住在{a}", "en": "The user lives in {a}", "ja": "ユーザーは{a}に住んでいる"},
    ),
    _Ask(
        r"(?:哪裡|哪)人|老家|家鄉|where are you from|出身",
        _WORD,
        Category.IDENTITY,
        "hometown",
        {"zh": "使用者的老家是{a}", "en": "The user is from {a}", "ja": "ユーザーの出身は{a}"},
    ),
    _Ask(
        r"做什麼工作|什麼工作|職業|做什麼的|what do you do|your job|仕事",
        _WORD,
        Category.IDENTITY,
        "job",
        {"zh": "使用者的工作是{a}", "en": "The user's job is {a}", "ja": "ユーザーの仕事は{a}"},
    ),
    _Ask(
        r"(?:念|讀|什麼)(?:哪|什麼)?.{0,3}(?:學校|系|科)|主修|your major|専攻",
        _WORD,
        Category.IDENTITY,
        "school",
        {"zh": "使用者的學校或科系是{a}", "en": "The user studies {a}", "ja": "ユーザーの専攻は{a}"},
    ),
    _Ask(
        r"什麼星座|星座是|zodiac|星座",
        r"座$|^(?:aries|taurus|gemini|cancer|leo|virgo|libra|scorpio|sagittarius|capricorn|aquarius|pisces)$",
        Category.IDENTITY,
        "zodiac",
        {"zh": "使用者是{a}", "en": "The user is a {a}", "ja": "ユーザーは{a}"},
    ),
    _Ask(
        r"血型|blood type|血液型",
        r"^(?:ab|a|b|o)型?$",
        Category.IDENTITY,
        "blood_type",
        {"zh": "使用者的血型是{a}", "en": "The user's blood type is {a}", "ja": "ユーザーの血液型は{a}"},
    ),
    _Ask(
        r"對什麼過敏|allergic to|アレルギー",
        _WORD,
        Category.IDENTITY,
        "allergy",
        {"zh": "使用者對{a}過敏", "en": "The user is allergic to {a}", "ja": "ユーザーは{a}アレルギー"},
    ),
    _Ask(
        r"討厭吃|不吃|不敢吃",
        _WORD,
        Category.PREFERENCE,
        "food",
        {"zh": "使用者討厭吃{a}", "en": "The user dislikes {a}", "ja": "ユーザーは{a}が嫌い"},
    ),
    _Ask(
        r"討厭什麼|最討厭|hate|dislike|嫌い",
        _WORD,
        Category.PREFERENCE,
        "like",
        {"zh": "使用者討厭{a}", "en": "The user dislikes {a}", "ja": "ユーザーは{a}が嫌い"},
    ),
    _Ask(
        r"(?:喜歡|愛)吃什麼|喜歡什麼(?:食物|菜)|favou?rite food|好きな食べ物",
        _WORD,
        Category.PREFERENCE,
        "food",
        {"zh": "使用者喜歡吃{a}", "en": "The user likes {a}", "ja": "ユーザーは{a}が好き"},
    ),
    _Ask(
        r"(?:喜歡|愛)(?:聽|看|玩|喝|什麼|哪)|your favou?rite|what do you like|何が好き",
        _WORD,
        Category.PREFERENCE,
        "like",
        {"zh": "使用者喜歡{a}", "en": "The user likes {a}", "ja": "ユーザーは{a}が好き"},
    ),
    _Ask(
        r"興趣|嗜好|休閒|hobb(?:y|ies)|趣味",
        _WORD,
        Category.HOBBY,
        "hobby",
        {"zh": "使用者的興趣是{a}", "en": "The user's hobby is {a}", "ja": "ユーザーの趣味は{a}"},
    ),
    _Ask(
        r"養(?:了)?什麼|什麼寵物|what pets?|ペット",
        _WORD,
        Category.IDENTITY,
        "pet",
        {"zh": "使用者養{a}", "en": "The user has {a}", "ja": "ユーザーは{a}を飼っている"},
    ),
)
_LEAD = r"^(?:嗯+|就是|應該是|大概是|是|我是|我叫|叫|當然是|it'?s|i'?m|my name is|in|です)+[,\s]*"


def answers(text: str, her_turn: str | None, times: tuple[TimeExpression, ...]) -> list[Draft]:
    """Read a short message as the answer to what she asked last; nothing where she asked nothing."""
    asked = fold_same_length(her_turn or "")
    if not pattern(r"[?嗎呢]|什麼|幾|怎麼樣|如何").search(asked):
        return []
    said = trim_tone(text.strip().rstrip("。.!！~～"))
    folded = fold_same_length(said)
    if not said or len(said) > _LONGEST or "?" in fold_same_length(text) or "\n" in text:
        return []
    if is_small_talk(folded) or found("words", "evasive", folded):
        return []
    outcome = _told_outcome(said, her_turn or "", times)
    if outcome:
        return outcome
    last = _last_question(asked)
    for ask in _ASKS:
        if pattern(ask.question).search(last) is None:
            continue
        lead = pattern(_LEAD).match(folded)
        value = trim_tone(said[lead.end() :]) if lead and lead.end() < len(said) else said
        if ask.attribute == "food":
            value = pattern(r"^(?:吃|喝)(?=.)").sub("", value)
        value = _without_suffix(value, ask)
        if ask.answer == _WORD and pattern(_NO_THING).search(fold_same_length(value)):
            return []
        if not value or pattern(ask.answer).search(fold_same_length(value)) is None:
            return []
        if ask.attribute == "name" and not _nameable(value):
            return []
        return [
            Draft(
                ask.says[_speech(her_turn or "", said)].format(a=value),
                said,
                ask.category,
                attribute=ask.attribute,
            )
        ]
    return []


_CORRECTION = (
    r"^(?:欸|不對|啊|(?:說|講|打|記)錯(?:字|了)*|口誤|更正(?:一下)?|抱歉|不好意思|[,.。!~\s]|我(?:家)?(?:的|養的)?)*不是(?P<old>[^,是]{1,10}),?"
    r"(?:而?是|應該是|叫)(?P<new>[^,]{1,12})$"
)


def correction(text: str, her_turn: str | None, times: tuple[TimeExpression, ...]) -> list[Draft]:
    """Read 不是貓，是狗 as putting right what she said or believed; nothing where it stands on nothing."""
    said = trim_tone(text.strip().rstrip("。.!！~～"))
    right = date_put_right(text, her_turn, times)
    if right is not None:
        return [_date_draft(text.strip(), right, her_turn or "")]
    named = named_put_right(text, times)
    if named is not None:
        return [_named_draft(text.strip(), named)]
    match = pattern(_CORRECTION).match(fold_same_length(said))
    if match is None:
        return _english_correction(said)
    old, new = said[slice(*match.span("old"))], trim_tone(said[slice(*match.span("new"))])
    asked = fold_same_length(her_turn or "")
    dated = [t for t in times if t.phrase in new]
    topics = topics_in(asked)
    if dated and (topics or any(t.phrase in old for t in times)):
        slot, name = f"event:{topics[0].key}" if topics else None, event_noun(her_turn or "", topics)
        return [
            Draft(
                f"使用者的{name}改期", said, Category.SCHEDULE, attribute=slot,
                when_text=dated[-1].phrase, change=Change.MOVED,
            )
        ]  # fmt: skip
    if pattern(rf"^(?:.{{0,4}})(?:{word('animals')})$").match(match["new"]):
        return [Draft(f"使用者養的是{new}，不是{old}", said, Category.IDENTITY, attribute="pet")]
    if match["old"] not in asked:
        return []
    if name_of(new) and name_of(old):
        return [Draft(f"使用者叫{new}，不是{old}", said, Category.NAME, attribute="name")]
    for looks, says, category in _CORRECTED:
        if pattern(looks).search(asked):
            return [Draft(says.format(new=new, old=old), said, category)]
    return []


def _date_draft(said: str, right: PutRight, her_turn: str) -> Draft:
    name = event_noun(her_turn, right.topics)
    if speech_of(fold_same_length(said)) == "en":
        text = f"The user's {name if right.topics else 'plan'} was moved"
    else:
        text = f"使用者的{name}改期"
    return Draft(
        text,
        said,
        Category.SCHEDULE,
        attribute=f"event:{right.topics[0].key}" if right.topics else None,
        when_text=right.new.phrase,
        change=Change.MOVED,
    )


def _named_draft(said: str, right: NamedRight) -> Draft:
    named = replace(right, what=in_words_of(said, right.what))
    return Draft(
        event_told(named, speech_of(fold_same_length(said))),
        said,
        Category.SCHEDULE,
        subject=right.subject,
        attribute=f"event:{right.topics[0].key}" if right.topics else None,
        when_text=right.new.phrase,
        change=Change.MOVED,
    )


_ENGLISH_CORRECTION = (
    r"^(?:(?:sorry|oops|wait|no|my bad|correction|actually|i mean(?:t)?(?: to say)?)[,.!: ]+)+"
    r"(?P<new>(?:i|i'm|my)\b[^,]{2,40}),? not (?P<old>[^,.]{2,30})$"
)


def _english_correction(said: str) -> list[Draft]:
    """Read sorry, I meant I have a dog, not a cat: what is said instead, with what it is not."""
    match = pattern(_ENGLISH_CORRECTION).match(fold_same_length(said))
    if match is None:
        return []
    new, old = said[slice(*match.span("new"))], said[slice(*match.span("old"))]
    clause = Clause(new, fold_same_length(new), 0, len(new), 0, False)
    return [replace(draft, text=f"{draft.text}, not {old}", quote=said) for draft in english(clause, ())]


_CORRECTED = (
    (r"住", "使用者住在{new}，不是{old}", Category.IDENTITY),
    (r"歲", "使用者{new}，不是{old}", Category.IDENTITY),
    (r"生日", "使用者的生日是{new}，不是{old}", Category.IDENTITY),
    (r"工作|上班|職業", "使用者的工作是{new}，不是{old}", Category.IDENTITY),
    (r"討厭|不吃|怕", "使用者討厭的是{new}，不是{old}", Category.PREFERENCE),
    (r"喜歡|愛", "使用者喜歡的是{new}，不是{old}", Category.PREFERENCE),
    (r"叫|名字", "使用者叫{new}，不是{old}", Category.NAME),
)


def _last_question(asked: str) -> str:
    parts = [p for p in pattern(r"[。!\n]|(?<=\?)").split(asked) if p.strip()]
    questions = [p for p in parts if "?" in p]
    return (questions or parts or [asked])[-1]


def _speech(her_turn: str, said: str) -> str:
    spoken = speech_of(fold_same_length(said))
    return speech_of(fold_same_length(her_turn)) if spoken != "ja" else spoken


def _without_suffix(value: str, ask: _Ask) -> str:
    if ask.attribute == "age":
        return value.rstrip("歲岁歳了")
    return (
        value.removesuffix("です")
        if ask.attribute != "home"
        else value.removesuffix("です").removesuffix("に住んでいます")
    )


def _nameable(value: str) -> bool:
    folded = fold_same_length(value)
    if name_of(value):
        return True
    return pattern(r"^[\u3040-\u30ff\u4e00-\u9fff]{1,5}$|^[a-z][a-z .'-]{0,20}$").match(
        folded
    ) is not None and not pattern(r"[的了不嗎]|很|好|什麼|^(?:學生|老師|工程師|台.人)$").search(folded)


_OUTCOMES = {
    "zh": "使用者的{name}：{said}",
    "en": "The user's {name}: {said}",
    "ja": "ユーザーの{name}：{said}",
}


def _told_outcome(said: str, her_turn: str, times: tuple[TimeExpression, ...]) -> list[Draft]:
    asked = fold_same_length(her_turn)
    topics = topics_in(asked)
    span = outcome_span(fold_same_length(said))
    if (
        not topics
        or span is None
        or not pattern(r"怎麼樣|如何|還好嗎|順利|結果|考得|how|どうだった").search(asked)
    ):
        return []
    name = event_noun(her_turn, topics)
    return [
        Draft(
            _OUTCOMES[_speech(her_turn, said)].format(name=name, said=said),
            said,
            Category.SCHEDULE,
            attribute=f"event:{topics[0].key}",
            when_text=times[-1].phrase if times else None,
            change=Change.DONE,
            outcome=said[slice(*span)],
        )
    ]
