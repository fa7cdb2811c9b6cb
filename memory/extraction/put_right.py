"""A message that only puts a date right: 不對，是星期五. What it dates was said before."""

from __future__ import annotations

from dataclasses import dataclass

from memory.extraction.lexicon import pattern
from memory.extraction.lexicon_events import Topic, topics_in
from memory.grounding.types import TimeExpression
from memory.shift import BY_AN_AMOUNT
from memory.text import fold_same_length

_DATE = "@"
_GONE = r"cancell?ed|called off"
_SHIFTED = r"moved|pushed|postponed|rescheduled|delayed|brought forward"
_TONE = r"[啦喔哦啊呀欸唷的了吧~,.!\s]"
_MARK_ZH = (
    r"(?:不對|不是|(?:說|講|打|記|看|搞|弄)錯|口誤|更正|抱歉|不好意思|其實|等等|等一下"
    r"|(?:是|在)@(?:才對|才是))"
)
_LEAD_ZH = (
    r"(?:不對|不是(?!@)|(?:說|講|打|記|看|搞|弄)錯(?:字|時間|日期)?|口誤|更正(?:一下)?|抱歉|不好意思|其實|等等|等一下"
    r"|我|剛剛?才?|那個|欸|誒|啊|喔|哦|噢|嗯|呃|啦|了|,|[.!~\s])"
)
_ZH = rf"^{_LEAD_ZH}*(?:不是(?P<old>@),?)?(?:應該|其實|而)*(?:要?是|在|是在)?@(?:才對|才是)?{_TONE}*$"
_MARK_EN = r"\b(?:actually|sorry|oops|wait|no|nope|my bad|correction|i meant?|meant|make that|scratch that)\b"
_LEAD_EN = (
    r"(?:(?:oh|ah|actually|sorry|oops|wait|no|nope|my bad|correction|scratch that|hmm|um"
    r"|i got (?:it|that) wrong)[,.! ]+)"
)
_EN = (
    rf"^{_LEAD_EN}*(?:(?:it'?s|it is|it'll be|it will be|that'?s|i meant?(?: to say)?|make (?:that|it)"
    r"|it should be) ?)*(?:(?:on|for|at) )?@"
    r"(?:,? not (?:on )?(?P<old>@))?(?:,? (?:actually|instead|sorry|i mean))*[.! ]*$"
)
_MARK_JA = r"違っ|違う|違い|間違|ごめん|すみません|やっぱり|本当は|実は|訂正|じゃなくて"
_JA = (
    r"^(?:(?:あ|いや|ごめん(?:なさい)?|すみません|違った|違う|違います|間違え(?:た|ました|てた)|訂正|実は|本当は|やっぱり)[、,。.!\s]*)*"
    r"(?:(?P<old>@)じゃなくて[、,]?)?(?:やっぱり|本当は|実は)?@(?:だった|でした|です|だ|だよ|の|ん|よ|ね|わ)*[。.!~\s]*$"
)
_DAY_WORDS = (
    r"生日|星期|禮拜|[週周][一二三四五六日天幾末]|幾[號月點]|[0-9]+[號日月點]|今天|明天|後天|"
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|birthday|what day|what date|today|tomorrow"
)


@dataclass(frozen=True, slots=True)
class PutRight:
    """The date that is right; the one said to be wrong, where it is named; what she just asked about."""

    new: TimeExpression
    old: TimeExpression | None
    topics: tuple[Topic, ...]


def date_put_right(text: str, her_turn: str | None, times: tuple[TimeExpression, ...]) -> PutRight | None:
    """Read a message that is a correction and a date and nothing else; None for any other.

    Where her last turn spoke of a day, that is what is put right: of an event she named, or of
    something that is no event (今天星期四吧？), which then moves none.
    """
    if not 1 <= len(times) <= 2 or any(t.recurrence is not None for t in times):
        return None
    words = changed_dates(text, times)
    zh, en, ja = (pattern(source).match(words) for source in (_ZH, _EN, _JA))
    if zh is not None and pattern(_MARK_ZH).search(words):
        named_old, new = zh["old"] is not None, times[-1]
        old = times[0] if named_old else None
    elif en is not None and (pattern(_MARK_EN).search(words) or en["old"] is not None):
        named_old, new = en["old"] is not None, times[0]
        old = times[-1] if named_old else None
    elif ja is not None and pattern(_MARK_JA).search(words):
        named_old, new = ja["old"] is not None, times[-1]
        old = times[0] if named_old else None
    else:
        return None
    if (len(times) == 2) != named_old:
        return None
    asked = fold_same_length(her_turn or "")
    topics = topics_in(asked) if pattern(_DAY_WORDS).search(asked) else ()
    if pattern(_DAY_WORDS).search(asked) and not topics:
        return None
    return PutRight(new, old, topics)


def changed_dates(text: str, times: tuple[TimeExpression, ...]) -> str:
    """Return the folded words of a text, each date put as one sign."""
    words = fold_same_length(text.strip().replace("’", "'"))
    shift = len(text) - len(text.lstrip())
    for time in reversed(times):
        words = f"{words[: time.span[0] - shift]}{_DATE}{words[time.span[1] - shift :]}"
    return words


def generic_event(sentence: str) -> bool:
    """Whether a sentence speaks of an event without any word of which one: 使用者的行程改期."""
    bare = rf"(?:^|的)行程(?:改期|取消)$|^the user's plan was (?:{_GONE}|{_SHIFTED})"
    return pattern(bare).search(fold_same_length(sentence)) is not None


def only_moves(sentence: str) -> bool:
    """Whether a sentence says of an event nothing but that it has another date: 使用者的面試改期."""
    return pattern(r"改期$| was moved$").search(fold_same_length(sentence)) is not None


def changed_it(folded: str) -> str | None:
    """Return what an English clause says became of what was talked of: it got cancelled, it was moved."""
    match = pattern(
        r"^(?:turns out |apparently |actually |so |well |ok(?:ay)? )*"
        rf"(?:it|that)(?:'s| is| was| got| has| just| been| now| all)* (?P<what>{_GONE}|{_SHIFTED})"
        r"(?: (?:now|again|after all|though))?(?: (?:back|up|forward|out|off))?"
        rf"(?: (?:to|until|till)|{BY_AN_AMOUNT})?[.! ]*$"
    ).match(folded)
    return match["what"] if match else None
