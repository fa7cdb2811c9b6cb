"""Dates of what one has ahead: 我禮拜五有面試 is the coming Friday, though no word of it looks ahead."""

from __future__ import annotations

from datetime import datetime

from memory.extraction.lexicon import pattern
from memory.extraction.lexicon_events import topics_in
from memory.extraction.screens import speech_of
from memory.grounding import TimeExpression, dates_memory, resolve
from memory.grounding.types import Direction
from memory.text import fold_same_length

_DATE = "@"
_NEAR = 60
_ENDS = r"[,。!?;\n、…~]"
# What one has is ahead (有面試), what one did is not (有去面試).
_HAS = (
    r"有(?:一?[個場次堂節]|兩[個場次堂節])?(?:重要的|很重要的|另外?一?[個場次])?"
    r"(?![去來過在跟和被把到點說人]|看到|吃到|做了)[^,@]{0,8}$"
)
_AGAIN = r"又(?:有|要)[^,@]{1,8}了$"
_IS_ON = r"(?<!不)(?:是|在|訂在|排在|約在|定在)@$"
_BESIDE = r"我們?的?|那個|這個|就|也|還|的|要|去|而且|然後|另外|還有|一起|跟[^,@]{1,4}"
_JA_IS_ON = r"は@(?:です|だよ?|から|に|ね|なんだ|なんです)*$"
_TONE = r"[啦喔哦啊呀欸唷吧呢~.!\s]+$"


def times_told(
    text: str, said_at: datetime, zone: str, language: str | None = None
) -> tuple[TimeExpression, ...]:
    """Return the dates of a text, those of what one has ahead read as the coming ones."""
    found = resolve(text, said_at, zone, language=language)
    return tuple(as_had_ahead(text, time, said_at, zone) for time in found)


def as_had_ahead(text: str, time: TimeExpression, said_at: datetime, zone: str) -> TimeExpression:
    """Read an open date as the coming one, where its clause tells of an event as something one has.

    Only a date that could lie on either side of now is open. The words must say that the event is
    had (有面試, 又有面試了), that it is on that day (面試是星期四), or be nothing but its name: what
    one did says so in Chinese.
    """
    again = time.direction is Direction.PAST and not time.ambiguous
    if not (time.ambiguous or again) or time.recurrence is not None:
        return time
    left, right = _clause(text, time.span)
    words = (
        f"{fold_same_length(text[left : time.span[0]])}{_DATE}{fold_same_length(text[time.span[1] : right])}"
    )
    if not _is_had(words, again=again):
        return time
    return as_coming(time, said_at, zone)


def as_coming(time: TimeExpression, said_at: datetime, zone: str) -> TimeExpression:
    """Return a date that may lie behind as the next to come; itself where it can't (昨天)."""
    if time.direction is not Direction.PAST and not time.ambiguous:
        return time
    coming = resolve(f"{time.phrase}要", said_at, zone)
    if len(coming) != 1 or not dates_memory(coming[0]) or coming[0].direction is Direction.PAST:
        return time
    (one,) = coming
    return TimeExpression(
        time.phrase, time.span, one.start, one.end, one.precision, one.direction, time.rule,
        readings=one.readings, names_day=time.names_day,
    )  # fmt: skip


def _clause(text: str, span: tuple[int, int]) -> tuple[int, int]:
    """Return the bounds of the clause around a span; no clause people say reaches farther than ``_NEAR``."""
    before = fold_same_length(text[max(span[0] - _NEAR, 0) : span[0]])
    after = fold_same_length(text[span[1] : span[1] + _NEAR])
    left = max((match.end() for match in pattern(_ENDS).finditer(before)), default=0)
    end = pattern(_ENDS).search(after)
    return span[0] - len(before) + left, span[1] + (end.start() if end else len(after))


def _is_had(words: str, *, again: bool) -> bool:
    """Whether a folded clause, its date as a sign, tells of an event as something one has ahead."""
    plain = pattern(_TONE).sub("", words.strip())
    families = topics_in(plain)
    if not families:
        return False
    if again:
        return pattern(_AGAIN).search(plain) is not None
    if speech_of(plain) == "ja":
        return pattern(_JA_IS_ON).search(plain) is not None
    if speech_of(plain) != "zh" or pattern(r"[了過]$|沒").search(plain):
        return False
    if pattern(_HAS).search(plain) or pattern(_IS_ON).search(plain):
        return True
    rest = pattern("|".join(topic.source for topic in families)).sub("", plain)
    return pattern(_BESIDE).sub("", rest.replace(_DATE, "")) == ""
