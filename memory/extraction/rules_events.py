"""Planned things and what became of them, in Chinese."""

from __future__ import annotations

from memory.extraction.changes import FUTURE_MARK, change_of
from memory.extraction.draft import Draft
from memory.extraction.lexicon import STRONG_PLAN_ZH, pattern
from memory.extraction.lexicon_events import Topic, outcome_span, topics_in
from memory.extraction.types import Change
from memory.extraction.view import View, third_person, trim_tone
from memory.grounding.types import Direction
from memory.model import Category
from memory.text import fold_same_length

_TRIVIAL = r"^(?:我?(?:還|就|又|也|先|再|得|要|會|想|打算|準備|必須|需要|應該|可能|都)*)?(?:去)?(?:睡(?!眠)|早睡|早起|起床|洗澡|洗頭|吃飯|吃早餐|吃午餐|吃晚餐|吃宵夜|吃什麼|上班|上課|加油|再說|再聊|聊|見|繼續|忙|休息|放空|耍廢|努力|努力一點|出門|回家|下班|放假|刷牙|減肥|廁所|上廁所|看看|試試|好好|振作|跟你|陪你|睡覺|補眠|早點)[^,]{0,4}$"
_WEATHER = r"(?:下雨|下雪|颱風|變冷|變熱|降溫|放晴|天氣|氣溫|寒流|地震|停電|停水)"
_NEGATED = r"沒有?(?=[^,]{0,4}(?:考|面試|約|課|班|行程|計畫|事))|不(?:用|必|需要)(?:去)?|沒(?:空|時間)"
_ACT = r"要(?!是|不|求|命)|打算|準備|預計|計畫|計劃|決定|約了|約好|約|報名|訂了|訂|排|得|會|想|去|跟|和|有|到|陪|參加|回|飛|考|交|看|開|搬|輪到|值班|加班|出|見|拿|領|接|送|面|截止|是|辦|帶|拍|試|面對|上台|比|演|動"
_MOOD = r"^(?:天氣|心情|好(?:累|熱|冷|煩|餓|睏|無聊|開心|忙)|很|超|真的|真|太|有點|也|又|被|覺得|感覺|睡|沒)"


def events(view: View) -> list[Draft]:
    """Find a plan, or what became of one; at most one a clause."""
    words = view.bare_folded
    if pattern(r"[你妳您](?!好)").search(view.folded):
        return []
    topics = topics_in(words)
    change = change_of(words, view.times)
    if change is Change.NEW:
        return _plan(view, topics)
    if _is_state(words, change, topics):
        return []
    if not topics and not (change is Change.MOVED and view.times):
        return []
    return [changed(view, change, topics)]


def _is_state(words: str, change: Change, topics: tuple[Topic, ...]) -> bool:
    """Whether something that is over says how things are now: 搬到台中了, 結婚了, 畢業了."""
    if change is not Change.DONE or not topics:
        return False
    return (
        pattern(r"搬(?:家)?[到去回來進]|考上公務員|(?:結婚|訂婚|離婚|畢業|退伍)了$").search(words) is not None
    )


def changed(view: View, change: Change, topics: tuple[Topic, ...]) -> Draft:
    """Build the draft of an event that was moved, called off or is over."""
    if change is Change.MOVED:
        text = f"{view.label}的{event_noun(view.bare, topics)}改期"
    elif change is Change.CANCELLED and not topics:
        text = f"{view.label}的行程取消"
    else:
        text = f"{view.label}{_joined(view.bare)}"
    span = outcome_span(view.bare_folded) if change is Change.DONE else None
    return Draft(
        text,
        view.quote,
        Category.SCHEDULE,
        subject=view.subject,
        attribute=f"event:{topics[0].key}" if topics else None,
        when_text=view.when_text,
        change=change,
        outcome=trim_tone(view.bare[slice(*span)]) if span else None,
    )


def event_noun(words: str, topics: tuple[Topic, ...]) -> str:
    """Return the event's own name in the words (期末考), else the family's, else 行程."""
    if not topics:
        return "行程"
    match = pattern(topics[0].source).search(fold_same_length(words))
    return words[match.start() : match.end()] if match and match.end() - match.start() > 1 else topics[0].name


def _plan(view: View, topics: tuple[Topic, ...]) -> list[Draft]:
    words = trim_tone(view.bare_folded)
    if len(words) < 2 or pattern(_TRIVIAL).match(words) or pattern(_WEATHER).search(words):
        return []
    if pattern(_NEGATED).search(words) or pattern(r"^想(?!要?[去跟找約])").match(words):
        return []
    dated = [t for t in view.times if t.recurrence is None]
    ahead = any(t.direction is Direction.FUTURE for t in dated)
    today = any(t.direction is Direction.PRESENT for t in dated)
    planned = pattern(FUTURE_MARK).search(words) is not None
    booked = pattern(r"報名|訂了|訂好|約了|約好|排了").search(words) is not None
    if any(t.direction is Direction.PAST for t in dated) and not ahead and not booked:
        return []
    if topics:
        keep = ahead or planned or (today and not pattern(_MOOD).match(words))
    elif ahead:
        keep = planned or (pattern(_ACT).search(words) is not None and not pattern(_MOOD).match(words))
    elif today:
        keep = planned and not pattern(_MOOD).match(words)
    else:
        keep = pattern(STRONG_PLAN_ZH).search(words) is not None and len(words) >= 4
    if not keep:
        return []
    return [
        Draft(
            f"{view.label}{_joined(view.bare)}",
            view.quote,
            Category.SCHEDULE,
            subject=view.subject,
            attribute=f"event:{topics[0].key}" if topics else None,
            when_text=view.when_text,
        )
    ]


def _joined(bare: str) -> str:
    """The sentence after its subject; a bare noun (期末考) gets the one verb that adds nothing."""
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
    if folded == "生日":
        return f"的{words}"
    if topics and pattern(rf"^(?:{topics[0].source})$").match(folded):
        return f"有{words}"
    return words
