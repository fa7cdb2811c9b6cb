"""A correction that names its event: 不對，面試是星期四. The date is right, the event was told before."""

from __future__ import annotations

from dataclasses import dataclass

from memory.extraction.clauses import Clause
from memory.extraction.lexicon import pattern
from memory.extraction.lexicon_events import Topic, topics_in
from memory.extraction.put_right import changed_dates
from memory.extraction.screens import screened, speech_of
from memory.extraction.tables import word
from memory.extraction.types import ZeroCause
from memory.extraction.view import look
from memory.grounding.types import TimeExpression
from memory.model import USER_SUBJECT
from memory.text import fold_same_length

_LONGEST = 120
_WRONG = r"(?:說|講|打|記|看|搞|弄|聽|寫|排)錯"
_MARK_ZH = (
    rf"不對|不是(?!@)|{_WRONG}|搞混|記混|口誤|更正|修正|抱歉|不好意思|其實|原來|等等|等一下|應該是|才對|才是"
    r"|(?:說|記|看|聽|寫)成@|以為|不是@"
)
_JUST_NOW = r"^(?:剛剛?|剛才|剛剛才|現在|just now|right now|now|さっき|今)$"
_TONE = r"[啦喔哦啊呀欸唷的了吧~.!。\s]*$"
_HEDGE = r"(?:應該|其實|正確|原來|好像|而|才|都|就)*"
_WHAT = r"(?P<what>[^,@]{2,14}?)(?:的)?(?:時間|日期|日子|那天)?"
_RIGHT = r"(?:要|去|才|開始|出發|舉行|[考交飛走開比搬去辦演面看拔洗約吃見])*(?:才對|才是)?"
_FREE = r"(?:[^,@]{0,20},){0,3}"
# Each shape of a correction, the dates as signs: (its expression, whether it is a correction by itself).
_SHAPES_ZH = (
    (rf"^{_FREE}{_WHAT}不(?:是|在)(?P<old>@),?{_HEDGE}(?:是|在|改成)@{_RIGHT}{_TONE}", True),
    (
        rf"^{_FREE}(?:我|我們|還|一直|本來|剛剛?)*以為{_WHAT}(?:是|在)(?P<old>@),?"
        rf"(?:結果|其實|原來|沒想到)+(?:是|在)@{_TONE}",
        True,
    ),
    (
        rf"^{_FREE}(?:我)?(?:把)?{_WHAT}(?:說|記|看|聽|寫)成(?P<old>@)了?,{_HEDGE}(?:是|在)@{_RIGHT}{_TONE}",
        True,
    ),
    (rf"^{_FREE}{_WHAT}{_HEDGE}(?:要)?(?:是|在)@,?(?:而|並|才)?不(?:是|在)(?P<old>@){_TONE}", True),
    (
        rf"^{_FREE}(?:我(?:把)?)?{_WHAT}(?:我|是我)?(?:剛剛?|好像)?(?:{_WRONG}|搞混|記混)了?,"
        rf"{_HEDGE}(?:是|在)?@{_RIGHT}{_TONE}",
        True,
    ),
    (rf"^{_FREE}{_WHAT}{_HEDGE}要?(?:是|在|是在)@{_RIGHT}{_TONE}", False),
)
_LEAD_ZH = (
    rf"^(?:不對|不是啦?|(?:我)?(?:剛剛?才?)?(?:{_WRONG}|搞混|記混)(?:字|時間|日期|日子)?了?"
    r"|口誤|更正(?:一下)?|抱歉|不好意思|其實|等等|等一下|剛剛?才?|我?(?:剛剛?|剛才|後來)?[^,]{0,6}(?:發現|看到|才知道|想起來|確認過?)|那個|這個|欸|誒|啊|喔|哦|噢|嗯|呃|啦|:|,|\s|正確的?)+(?=..)"
)
# Another one, or somebody's of long ago, is not the one that was told.
_ANOTHER = (
    r"另|還有|也|第[二三四五]|下一|別的|其他|上次|上[週個]|以前|之前|去年|別人"
    r"|\b(?:another|other|second|last)\b"
)
_OLD_LAST = r"不(?:是|在)@[^@]*$|not (?:on )?@[^@]*$"
_MARK_EN = (
    r"\b(?:actually|sorry|oops|wait|no|nope|my bad|correction|meant|scratch that|wrong|mixed up|turns out)\b"
)
_EN = (
    r"^(?:(?:oh|ah|ok|actually|sorry|oops|wait|no|nope|my bad|correction|scratch that|hmm|um"
    r"|i meant?|turns out|so|but"
    r"|i (?:got|had|have|mixed|said|told)[^,.@]{0,30}(?:wrong|mixed up|up))[,.!:; ]+(?:that )?)*"
    r"(?:(?:my|the|our|that) )?(?:(?P<kin>@kin@)'s )?(?P<what>[a-z][a-z' -]{2,30}?)"
    r"(?:'s| is| was| will be| should be| starts| isn't (?:on )?(?P<wrong>@),? (?:it's|it is|but))"
    r"(?: actually| really| supposed to be| in fact)*(?: (?:on|at|for|in))? ?@"
    r"(?:,? not (?:on )?(?P<old>@))?(?:,? (?:actually|instead|sorry|i mean|though))*[.! ]*$"
)
_MARK_JA = r"違っ|違う|違い|間違|ごめん|すみません|やっぱり|実は|本当は|訂正|じゃなくて|じゃない"
_JA = (
    r"^(?:(?:あ|ごめん(?:なさい)?|すみません|違った|違う|違います|間違え(?:た|ました|てた)|訂正|実は|本当は|やっぱり|いや)[、,。!\s]*)*"
    r"(?:(?:私|僕|俺)の)?(?P<what>[^@、,は]{2,10}?)(?:は|って)(?:(?P<old>@)じゃなく?て?[、,]?)?(?:やっぱり|本当は|実は)?@"
    r"(?:だった|でした|です|だ|だよ|の|ん|よ|ね|わ)*[。.!~\s]*$"
)


@dataclass(frozen=True, slots=True)
class NamedRight:
    """What a correction says: whose event, the words that name it, its right date, the wrong one if told."""

    new: TimeExpression
    old: TimeExpression | None
    subject: str
    what: str
    topics: tuple[Topic, ...]


def named_put_right(text: str, times: tuple[TimeExpression, ...]) -> NamedRight | None:
    """Read a message that puts right the date of an event it names; None for any other.

    A bare clock time of a named event (面試是下午三點) says more of it and needs no word of regret.
    """
    times = tuple(t for t in times if not pattern(_JUST_NOW).search(fold_same_length(t.phrase)))
    if not 1 <= len(times) <= 2 or any(t.recurrence is not None for t in times):
        return None
    if not _plainly_said(text):
        return None
    words = changed_dates(text, times)
    if len(words) > _LONGEST or "?" in words or pattern(_ANOTHER).search(words):
        return None
    speech = speech_of(words)
    read = {"zh": _chinese, "ja": _japanese, "en": _english}[speech](words, times)
    if read is None:
        return None
    what, old, subject = read
    if (len(times) == 2) != old:
        return None
    families = topics_in(what)
    if not families and (speech != "zh" or len(what) < 2):
        return None
    first, last = times[0], times[-1]
    new = first if old and pattern(_OLD_LAST).search(words) else last
    wrong = (last if new is first else first) if old else None
    return NamedRight(new, wrong, subject, what, families)


def _plainly_said(text: str) -> bool:
    """Whether nothing of a message is a question, a joke or a wish; 剛剛說錯 quotes nobody."""
    pieces = screened(text)
    own = any(pattern(_WRONG).search(clause.folded) for clause, _ in pieces)
    fine = {None, ZeroCause.SMALL_TALK} | ({ZeroCause.QUOTED} if own else set())
    return all(cause in fine for _, cause in pieces)


def _chinese(words: str, times: tuple[TimeExpression, ...]) -> tuple[str, bool, str] | None:
    clock = len(times) == 1 and not times[0].names_day
    marked = pattern(_MARK_ZH).search(words) is not None or clock
    for shape, alone in _SHAPES_ZH:
        match = pattern(shape).match(words)
        if match is None or not (marked or alone):
            continue
        said = pattern(_LEAD_ZH).sub("", match["what"])
        view = look(Clause(said, said, 0, len(said), 0), (), USER_SUBJECT)
        what = pattern(rf"(?:{_HEDGE}|要|的)$").sub("", view.bare_folded)
        if view.about_other or not what or pattern(r"[不沒嗎你妳]|生日").search(what):
            return None
        return what, "old" in match.re.groupindex and match["old"] is not None, view.subject
    return None


def _english(words: str, _: tuple[TimeExpression, ...]) -> tuple[str, bool, str] | None:
    match = pattern(_EN.replace("@kin@", word("kin_en"))).match(words)
    if match is None:
        return None
    named_old = match["old"] is not None or match["wrong"] is not None
    if not (named_old or pattern(_MARK_EN).search(words)):
        return None
    return match["what"], named_old, match["kin"] or USER_SUBJECT


def _japanese(words: str, _: tuple[TimeExpression, ...]) -> tuple[str, bool, str] | None:
    match = pattern(_JA).match(words)
    if match is None or not pattern(_MARK_JA).search(words):
        return None
    kin = pattern(rf"^(?P<kin>{word('kin_ja')})の(?P<what>.+)$").match(match["what"])
    what, subject = (kin["what"], kin["kin"]) if kin else (match["what"], USER_SUBJECT)
    return what, match["old"] is not None, subject


def event_told(right: NamedRight, speech: str) -> str:
    """Return the sentence of a plan made of the correction alone, where no known event is meant."""
    if speech == "en":
        owner = "The user" if right.subject == USER_SUBJECT else f"The user's {right.subject}"
        return f"{owner} has {'an' if right.what[:1] in 'aeiou' else 'a'} {right.what}"
    if speech == "ja":
        owner = "ユーザー" if right.subject == USER_SUBJECT else f"ユーザーの{right.subject}"
        return f"{owner}は{right.what}がある"
    owner = "使用者" if right.subject == USER_SUBJECT else f"使用者的{right.subject}"
    return f"{owner}的{right.what}" if right.topics else f"{owner}{right.what}"


def in_words_of(text: str, folded: str) -> str:
    """Return a folded stretch as it was typed in the text, itself where it stands nowhere."""
    position = fold_same_length(text).find(folded)
    return text[position : position + len(folded)] if position >= 0 else folded
