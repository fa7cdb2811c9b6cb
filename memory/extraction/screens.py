"""What is no fact, and why: questions, jokes, quotes, hypotheticals, commands, small talk, crises."""

from __future__ import annotations

import re
import unicodedata

from memory.extraction.clauses import JUST_BEFORE, Clause, split_clauses
from memory.extraction.lexicon import found, pattern
from memory.extraction.lexicon_events import topics_in
from memory.extraction.tables import expression, word
from memory.extraction.types import ExtractionRequest, ZeroCause
from memory.text import fold_same_length

# Greetings repeat themselves (對啊對啊, good morning lily), but never for long.
_LONGEST_SMALL_TALK = 40
_KANA = re.compile(r"[\u3040-\u30ff]")
_HAN = re.compile(r"[\u3400-\u9fff]")
_NAMING = re.compile(r"(?:叫做?|名字是|叫我|是|暱称是|昵称是|call me|name is|on|呼んで)\s*$")


def speech_of(folded: str) -> str:
    """Return which grammar reads a stretch of text: ``ja`` where there is kana, ``zh``, else ``en``."""
    if _KANA.search(folded):
        return "ja"
    return "zh" if _HAN.search(folded) else "en"


def is_crisis(text: str) -> bool:
    """Whether somebody speaks in earnest of ending or harming their life."""
    folded = fold_same_length(text)
    softened = pattern(expression("screens", "hyperbole")).sub(" ", folded)
    return found("screens", "crisis", softened) is not None


def is_small_talk(folded: str) -> bool:
    """Whether a folded clause is only a greeting, a reaction or an interjection."""
    bare = "".join(c for c in folded if unicodedata.category(c)[0] in "LN" or c in " '").strip()
    if not bare:
        return True
    bare = re.sub(r"(.)\1{2,}", r"\1\1", bare)
    if len(bare) > _LONGEST_SMALL_TALK:
        return False
    words = expression("screens", "small_talk")
    whole = rf"(?:(?:{words})(?:[啊呀喔哦啦欸耶呢嘛吧了唷哈]|\s|lily|莉莉)*){{1,3}}"
    return pattern(whole).fullmatch(bare) is not None


def greets(message: str) -> bool:
    """Whether a message begins with a greeting: who goes on with 我是… then tells a name."""
    return found("screens", "greeting", fold_same_length(message)) is not None


_SCREENS = (
    ("hypothetical", ZeroCause.HYPOTHETICAL),
    ("command", ZeroCause.COMMAND),
    ("reported", ZeroCause.QUOTED),
)


def clause_cause(clause: Clause) -> ZeroCause | None:
    """Return why a clause by itself holds no fact, or None."""
    if not clause.readable:
        return None
    folded = clause.folded
    speech = speech_of(folded)
    if is_small_talk(folded):
        return ZeroCause.SMALL_TALK
    if clause.asks or found("screens", f"question_{speech}", folded):
        return ZeroCause.QUESTION
    for kind, cause in _SCREENS:
        if found("screens", f"{kind}_{speech}", folded):
            if cause is ZeroCause.QUOTED and pattern(rf"^{word('official')}").match(folded):
                continue  # what those who hold it say of a plan is so: 公司說面試取消了
            return cause
    return None


def without_quotes(message: str) -> str:
    """Blank out quoted lines, code and words in quotation marks that are not a name being given."""
    lines = [
        " " * len(line) if line.lstrip().startswith((">", "```")) else line for line in message.split("\n")
    ]
    text = "\n".join(lines)
    folded = fold_same_length(text)

    def blank(match: re.Match[str]) -> str:
        before = folded[max(0, match.start() - JUST_BEFORE) : match.start()]
        if len(match.group()) <= 12 and _NAMING.search(before):
            return match.group()
        if len(match.group()) <= 8 and not re.search(r"[说讲唱写问:]\s*$", before):
            return match.group()
        return " " * len(match.group())

    return re.sub(expression("screens", "quote_marks"), blank, text)


def screened(message: str) -> list[tuple[Clause, ZeroCause | None]]:
    """Cut a message into clauses and say for each why it holds no fact, if so.

    A hypothetical or somebody else's words colour the rest of their sentence; a joke takes back
    everything before it.
    """
    visible = without_quotes(message)
    result: list[tuple[Clause, ZeroCause | None]] = []
    carried: tuple[int, ZeroCause] | None = None
    for clause in split_clauses(visible):
        cause = clause_cause(clause)
        if carried is not None and carried[0] == clause.sentence and cause is None and not _own_voice(clause):
            cause = None if _calls_off(clause, carried[1]) else carried[1]
        if cause in {ZeroCause.HYPOTHETICAL, ZeroCause.QUOTED}:
            carried = (clause.sentence, cause)
        result.append((clause, cause))
        if _is_joke(clause.folded):
            result = [(c, ZeroCause.JOKE) for c, _ in result]
            carried = None
    if visible != message and not any(cause is None for _, cause in result):
        result = [(c, ZeroCause.QUOTED if cause is ZeroCause.SMALL_TALK else cause) for c, cause in result]
    return result


def _calls_off(clause: Clause, cause: ZeroCause) -> bool:
    """Whether a clause after somebody's words says what that means: 她說不能來，約會取消了."""
    return (
        cause is ZeroCause.QUOTED
        and bool(topics_in(clause.folded))
        and pattern(r"取消$|(?:取消|吹|泡湯|沒|告吹|作罷)了$").search(clause.folded) is not None
    )


def _own_voice(clause: Clause) -> bool:
    """Whether a clause after somebody else's words is the person's own again (但我…)."""
    return (
        pattern(r"^(?:但是?|可是|不過|其實)我|^but i\b|^でも(?:私|僕|俺)").search(clause.folded) is not None
    )


def _is_joke(folded: str) -> bool:
    if found("screens", "no_joke", folded):
        return False
    return any(found("screens", key, folded) for key in ("joke_zh", "joke_en", "joke_ja"))


_CAUSE_ORDER = (
    ZeroCause.JOKE,
    ZeroCause.HYPOTHETICAL,
    ZeroCause.QUOTED,
    ZeroCause.QUESTION,
    ZeroCause.COMMAND,
)


def zero_cause(message: str) -> ZeroCause:
    """Return why a message gave no fact, given that it gave none."""
    if not message.strip():
        return ZeroCause.EMPTY
    if is_crisis(message):
        return ZeroCause.CRISIS
    causes = [cause for _, cause in screened(message)]
    for cause in _CAUSE_ORDER:
        if cause in causes:
            return cause
    if not causes:
        return ZeroCause.QUOTED if message != without_quotes(message) else ZeroCause.SMALL_TALK
    if all(cause is ZeroCause.SMALL_TALK for cause in causes):
        return ZeroCause.SMALL_TALK
    return ZeroCause.NOTHING_TO_KEEP


def worth_a_model_call(request: ExtractionRequest) -> bool:
    """Whether a message could hold a fact at all: small talk and pure questions cost no call."""
    if not request.text.strip() or is_crisis(request.text):
        return False
    for clause, cause in screened(request.text):
        if cause is None:
            return True
        if (
            cause is ZeroCause.QUESTION
            and topics_in(clause.folded)
            and pattern(r"我|\bmy\b|\bi\b").search(clause.folded)
        ):
            return True
    return False
