"""Planned things and what became of them, in Chinese."""

from __future__ import annotations

from memory.extraction.changes import change_of
from memory.extraction.clauses import Clause
from memory.extraction.draft import Draft, dangles
from memory.extraction.lexicon import found, pattern
from memory.extraction.lexicon_events import Topic, topics_in
from memory.extraction.tables import expression, word
from memory.extraction.types import Change
from memory.extraction.unnamed import how_it_went
from memory.extraction.view import View, third_person, trim_tone
from memory.grounding.types import Direction, TimeExpression
from memory.model import USER_SUBJECT, Category, Precision
from memory.shift import shift_in
from memory.text import fold_same_length

_A_DATE = r"[0-9]|星期|禮拜|[週周][一二三四五六日末]|[今明後昨前大]|[上下這本]"
ONLY_OFF = (
    r"^(?:[這那整]?[個趟次]?(?:行程|計畫|計劃|安排|旅行))?(?:都|也|就|全|被|臨時|突然|又|直接)*"
    r"(?:取消|吹|泡湯|告吹|停辦|停課|喊卡|作罷|流局|流會)了?$"
)
"""A clause that is nothing but that something is off: what was told just now."""
_CLOCK = frozenset({Precision.MINUTE, Precision.HOUR, Precision.DAYPART})
_A_DAY = frozenset({Precision.MINUTE, Precision.HOUR, Precision.DAYPART, Precision.DAY})
# Event words that are things one has ahead; the others are done (到職, 回診) and take 要.
_THINGS = (
    r"[考試會宴禮賽展課典約演牙酒飯趴檢跑松戲劇祭片案臨式]$|(?<![回看複])診$|測驗|報告|發表|截止|死線|牙醫|手術|派對|旅行|旅遊|"
    r"[a-z]$|生日|高鐵|飛機|航班|班機|預約|成發|工作坊|同學會|下午茶|電影|複試|二面|根管|預約|實習|聚餐"
)


def events(view: View) -> list[Draft]:
    """Find a plan, or what became of one; at most one a clause."""
    words = view.bare_folded
    if pattern(r"[你妳您](?!好)").search(view.folded):
        return []
    topics = topics_in(words)
    change = change_of(words, view.times)
    if pattern(r"(?:記|看|聽|說|寫|搞)(?:成|錯|混)").search(words):
        return []  # 我把看牙記成… is a mistake, no event
    if topics and found("changes", "back_on", words):
        return [_back_on(view, topics)]
    if change is Change.NEW:
        return _plan(view, topics)
    if pattern(r"^[這那](?:部|首|本|齣|款|家|支|集)").match(words):
        return []  # a work that is judged, no event of the person's
    if _is_state(words, change, topics):
        return []
    if not topics and not _names_itself(change, view):
        return []
    return [changed(view, change, topics)]


def _back_on(view: View, topics: tuple[Topic, ...]) -> Draft:
    """Build the draft of an event that takes place after all: 演唱會又恢復了, 面試照常."""
    return Draft(
        f"{view.label}{having(view.bare, topics)}",
        view.quote,
        Category.SCHEDULE,
        subject=view.subject,
        attribute=f"event:{topics[0].key}",
        when_text=view.when_text,
    )


def _names_itself(change: Change, view: View) -> bool:
    """Whether a change of no known family still is one: 改到下週五了, 延後一週, 不去日本了, 取消了."""
    if change is Change.MOVED:
        return bool(view.times) or shift_in(view.folded) is not None
    if change is not Change.CANCELLED:
        return False
    words = trim_tone(view.bare_folded)
    return (
        pattern(
            ONLY_OFF + r"|不去[^,了]{1,8}了|決定不[^,]{2,}"
            r"|^[^,我不]{2,8}?(?:的?(?:行程|計畫|計劃|安排)|之[旅行]|行)(?:就|也|都|被|臨時|只好|全)*(?:取消|泡湯|吹|作罷|告吹)掉?了?$"
            r"|^[^,我不]{2,8}?(?:我們?)?(?:就|也|先|決定|都)?(?:不(?:去|辦|參加)了|[去辦看玩飛回](?:不成|不了)了?)$"
        ).search(words)
        is not None
    )


def _is_state(words: str, change: Change, topics: tuple[Topic, ...]) -> bool:
    """Whether something that is over says how things are now: 搬到台中了, 結婚了, 畢業了."""
    if change is not Change.DONE or not topics:
        return False
    return (
        pattern(r"搬(?:家)?[到去回來進]|考上(?!榜|了)..|(?:結婚|訂婚|離婚|畢業|退伍)了$").search(words)
        is not None
    )


def changed(view: View, change: Change, topics: tuple[Topic, ...]) -> Draft:
    """Build the draft of an event that was moved, called off or is over."""
    if change is Change.MOVED:
        text = f"{view.label}的{event_noun(view.bare, topics)}改期"
    elif pattern(ONLY_OFF).search(trim_tone(view.bare_folded)):
        text = f"{view.label}的行程取消"
    else:
        text = f"{view.label}{_judged(view, topics)}{third_person(view.bare)}"
    span = how_it_went(topics, view.bare_folded, "zh") if change is Change.DONE else None
    return Draft(
        text,
        view.quote,
        Category.SCHEDULE,
        subject=view.subject,
        attribute=f"event:{topics[0].key}" if topics else None,
        when_text=_told_date(change, view),
        change=change,
        outcome=trim_tone(view.bare[slice(*span)]) or None if span else None,
    )


def _judged(view: View, topics: tuple[Topic, ...]) -> str:
    """Return the verb a judgement needs that is only a noun and how it was: 覺得 in 演唱會超好看."""
    if not topics or view.subject != USER_SUBJECT:
        return ""
    judged = pattern(rf"^(?:{topics[0].source})(?:真的|都|也|也太)*(?:{expression('outcomes', 'felt_zh')})")
    return "覺得" if judged.match(view.bare_folded) else ""


def _told_date(change: Change, view: View) -> str | None:
    """Return the date phrase; none where 取消了 makes a coming day look like a past one."""
    if change is Change.CANCELLED and any(t.direction is Direction.PAST for t in view.dated):
        return None
    return view.when_text


def event_noun(words: str, topics: tuple[Topic, ...]) -> str:
    """Return the event's own name in the words (期末考), else the family's, else 行程."""
    if not topics:
        return "行程"
    match = pattern(topics[0].source).search(fold_same_length(words))
    return words[match.start() : match.end()] if match and match.end() - match.start() > 1 else topics[0].name


_WORKED_ON = r"(?:準備|[寫做趕弄練讀])(?:著)?(?P<thing>[^,我你了著的去]{2,10}?)(?:中|ing)?$"
_AT_HOME = r"[餐飯菜湯]$|便當|宵夜|行李|禮物|作業簿|功課表|家事|東西|衣服"
_COMES = r"(?:要|會|就要|得)(?P<verb>考試?|交|報告|比賽?|上台|發表|表演|演|口試)$"


def prepared(before: Clause, clause: Clause) -> str | None:
    """Read 在寫論文，月底要交 as one: what is to come of what one is working on; None where it isn't told."""
    comes, thing = pattern(_COMES).search(clause.folded), pattern(_WORKED_ON).search(before.folded)
    if comes is None or thing is None or pattern(_AT_HOME).search(thing["thing"]):
        return None
    name, verb = before.text[slice(*thing.span("thing"))], comes["verb"]
    if verb[0] in {"交", "考"}:
        return f"要{verb[0]}{name}"
    return f"有{name}"


def having(words: str, topics: tuple[Topic, ...]) -> str:
    """Return an event named in words as something one has ahead: 有期末考, 要考多益."""
    noun = event_noun(words, topics)
    takes = topics[0].key == "exam" and not pattern(r"[考試測驗]$").search(fold_same_length(noun))
    return f"要考{noun}" if takes else f"有{noun}"


def _plan(view: View, topics: tuple[Topic, ...]) -> list[Draft]:
    words = trim_tone(view.bare_folded)
    if len(words) < 2 or found("changes", "trivial", words) or found("changes", "weather", words):
        return []
    if _only_then(view) or _lasted_until(view):
        return []
    if found("changes", "negated", words) or pattern(r"^想(?!要?[去跟找約])").match(words):
        return []
    dated = [t for t in view.times if t.recurrence is None]
    ahead = any(t.direction is Direction.FUTURE or t.ambiguous for t in dated)
    today = any(t.direction is Direction.PRESENT for t in dated)
    planned = found("changes", "future", words) is not None
    booked = pattern(r"報名|訂了|訂好|約了|約好|排了").search(words) is not None
    if any(t.direction is Direction.PAST for t in dated) and not ahead and not booked:
        return []
    if topics:
        keep = ahead or planned or (today and not found("changes", "mood", words))
    elif ahead:
        keep = planned or (found("changes", "act", words) is not None and not found("changes", "mood", words))
    elif today:
        keep = planned and not found("changes", "mood", words)
    else:
        keep = found("words", "strong_plan", words) is not None and len(words) >= 4
    if not keep:
        return []
    named = pattern(rf"(?:(?<=^是)|^)(?P<who>{word('pet_name')})(?=的)").search(view.bare_folded)
    whens = [t.phrase for t in dated if t.direction is Direction.FUTURE and t.precision is Precision.DAY]
    several = len(whens) > 1 and len(dated) == len(whens)
    return [
        Draft(
            f"{'' if named else view.label}{_joined(_said(view))}",
            view.quote,
            Category.SCHEDULE,
            subject=named.group("who") if named else view.subject,
            attribute=f"event:{topics[0].key}" if topics else None,
            when_text=when,
        )
        for when in (whens if several else [view.when_text])
    ]


def _only_then(view: View) -> bool:
    """Whether a clause says when something happens at all (過年才會回去): how it always is, no plan."""
    return any(
        (t.precision not in _A_DAY or not pattern(_A_DATE).search(fold_same_length(t.phrase)))
        and pattern(r"^才(?:[會有要能回去是]|可以)").match(_after(view, t))
        for t in view.times
    )


_STILL_TO_COME = (
    r"(?:^|[^想需只不])要(?!是|不)|(?<![開聚約宴晚學機社])會(?!議|面)|(?<![覺懂記獲值])得"
    r"|打算|預計|預定|準備|計畫|決定|必須|需要|應該|可能|到時"
)


def _lasted_until(view: View) -> bool:
    """Whether a clause tells how long something went on (一直加班到十點, 等到天亮): what was, no plan."""
    ends = [t for t in view.times if pattern(r"[^達遲趕改延挪搬回輪達排]到$").search(_before(view, t))]
    if not ends or pattern(_STILL_TO_COME).search(view.bare_folded):
        return False
    always = pattern(r"一直|(?P<verb>[^,我一到])[^,到]{0,6}(?P=verb)到").search(view.folded)
    return always is not None or all(t.precision in _CLOCK for t in ends)


def _before(view: View, time: TimeExpression) -> str:
    return view.folded.partition(fold_same_length(time.phrase))[0].rstrip()


def _after(view: View, time: TimeExpression) -> str:
    phrase = fold_same_length(time.phrase)
    return view.folded.partition(phrase)[2].lstrip("都我也 ")


def _said(view: View) -> str:
    """Return what is planned without its date, whole: 約了搬家公司 for 搬家公司約 12/28."""
    words, folded = view.bare, trim_tone(view.bare_folded)
    if not dangles(folded):
        return words
    if folded.endswith("到"):
        return view.body[_relative_day(view.folded) :]
    if met := pattern(r"^(?:已經|就|也|要|[跟和與])*(?P<whom>[^,約跟和與]{1,8})約好?在?$").match(folded):
        return f"約了{words[slice(*met.span('whom'))]}"
    rest = pattern(r"(?:就)?(?:[訂定排約]|安排)?(?:[在於從跟和與])$").sub("", folded)
    return words[: len(rest)]


def _relative_day(folded: str) -> int:
    """Return how much of a clause's beginning is a day that is another tomorrow."""
    day = pattern(
        r"^(?:今天|今[晚早]|明天|明[晚早]|後天|[這下]?(?:[週周]|星期|禮拜)[一二三四五六日天末])+"
    ).match(folded)
    return day.end() if day else 0


def _joined(bare: str) -> str:
    """Return the sentence after its subject; a bare noun (期末考) gets the one verb that adds nothing."""
    words = third_person(bare)
    while (
        words.endswith("了")
        and len(words) > 2
        and not pattern(r"[完過束消來去吹]了$").search(fold_same_length(words))
    ):
        words = trim_tone(words[:-1])
    folded = fold_same_length(words)
    if folded.startswith("是"):
        words, folded = words[1:], folded[1:]
    topics = topics_in(folded)
    if pattern(r"^預產期(?:就)?(?:是|在)?$").match(folded):
        return f"家寶寶的{words[:3]}"
    if pattern(r".(?:就)?[是在]$").search(folded) and topics_in(folded):
        words, folded = words[:-1], folded[:-1]  # 告別式是下週六, its date cut out
    if several := pattern(r"^(?:[跟和與、及]|還有(?=一?[場個次堂]))+(?=.)").match(folded):
        rest = folded[several.end() :]
        # 跟牙醫 goes on with a list; 跟小安吃火鍋 says whom it is with
        if folded[0] not in fold_same_length("跟和與") or any(
            pattern(rf"^(?:{t.source})[^,]{{0,2}}$").match(rest) for t in topics
        ):
            words, folded = words[several.end() :], rest
    if pattern(r"^(?:也|還)要.").match(folded):
        words, folded = words[1:], folded[1:]
    if folded == "生日":
        return f"的{words}"
    if pattern(r"^(?:就|快|馬上|終於|總算)*要考(?:試)?$").match(folded):
        return "要考試"
    if topics and pattern(rf"^(?:{topics[0].source})$").match(folded):
        return f"{'有' if pattern(_THINGS).search(folded) else '要'}{words}"
    return words
