"""What words do to a planned event: moved, called off, over. Shared by the extractor and the reading."""

from __future__ import annotations

from memory.extraction.lexicon import STRONG_PLAN_ZH, pattern
from memory.extraction.lexicon_events import outcome_span, topics_in
from memory.extraction.types import Change
from memory.grounding.types import Direction, TimeExpression

MOVED_MARK = (
    r"(?:延後|延|改|挪|順延|提前|提早|推遲|換|調)(?:到|成|在|為|至)|改約|延期|延後|往後延|順延|往後挪|改期|改時間|提[前早]了|"
    r"\b(?:moved|pushed(?: back)?|postponed|rescheduled|delayed|brought forward)\b|延期に|に変更|変更になっ|ずれ(?:た|ました|て)|延びた"
)
CANCELLED = (
    r"(?:被|都|臨時|突然)?取消(?!不了)|不(?:去|考|辦|面試|參加|搬|結|飛|比|回去|約|開|聚|出國|動|用去|用考)(?:看|考|辦|玩)?[^,。]{0,6}了|吹了|泡湯|告吹|作罷|停辦|停課|沒有?要(?:去|考|辦|搬|結婚)|決定不(?:去|考|辦|參加|搬|結)|退出(?:了)?比賽|"
    r"\bcancel(?:l?ed|ing|s)?\b|\bcalled off\b|\bnot going (?:to|anymore)\b|\bfell through\b|\bdropped out of\b|キャンセル|中止|取りやめ|なくなっ(?:た|ました)|行かないことに"
)
DONE = (
    r"(?<!沒)(?<!快)(?:考|試|報告|面|談|手術|開|搬|辦|比|交|看|做|聚|演|拔|洗|補|打|上|結|演唱會|婚禮|旅行|差|面試|展|診|課|會|賽)完(?:了|囉|啦|$|牙|刀|家|會|婚|試|診|醫生|牙醫)(?!之?後|以後|再|就|要)|"
    r"(?<!還沒)(?<!快)(?<!沒)結束(?:了|囉|啦|$)(?!之?後|再|就)|終於.{0,8}(?:完|結束|過去|搞定|解脫|考過|交)了?|(?<!沒)(?:考|看|開|交|做|搬|比|參加|聚|辦|見|演|上)完[^,完]{1,6}了|(?:結果|成績)出來了|放榜了|搞定了|交出去了|交了|回來了|(?:考|去|看|面試|打|比|做|聚|見|參加|報告|演|開)過了|剛(?:剛|才)?(?:考|面試|看|開|報告|比|搬|打)完?|順利(?:結束|完成|落幕)|"
    r"\b(?:is|are|was|were) (?:finally )?over\b|\bfinished\b|\bdone with\b|\bis done\b|\bgot back from\b|\bjust (?:had|took|finished)\b|\bfinally (?:over|done)\b|\bi (?:passed|failed|aced|bombed)\b|"
    r"終わ(?:った|りました|って)|済ん(?:だ|で)|帰ってき(?:た|ました)|行ってき(?:た|ました)"
)
_NOT_YET = r"還沒|還沒有|等[^,]{0,8}完|快(?:要)?(?:考|結束)|完(?:之?後|以後|再|就|要)|\bnot (?:over|done) yet\b|\bwhen .* is over\b|\bafter\b.*\bover\b|まだ"
PAST_MARK = r"昨|上(?:週|禮拜|星期|個月)|剛|過了|已經|\byesterday\b|\blast\b|ました|だった|でした"
FUTURE_MARK = rf"{STRONG_PLAN_ZH}|(?:^|[^想需只])要(?!是|不)|快要|即將|會(?=去|考|有)|\bwill\b|\bgoing to\b|\bgonna\b|\bplan(?:ning)?\b|つもり|予定|する予定"


def change_of(folded: str, times: tuple[TimeExpression, ...]) -> Change:
    """Return what a folded clause does to the event it speaks of.

    A date that lies ahead keeps a plan a plan (明天就考完了); one that lies behind makes a named
    event done even without a particle (昨天面試).
    """
    if pattern(MOVED_MARK).search(folded):
        return Change.MOVED
    if pattern(CANCELLED).search(folded):
        return Change.CANCELLED
    ahead = any(t.direction is Direction.FUTURE for t in times)
    if ahead or pattern(_NOT_YET).search(folded):
        return Change.NEW
    if pattern(DONE).search(folded):
        return Change.DONE
    behind = any(t.direction is Direction.PAST for t in times)
    if (
        topics_in(folded)
        and (behind or outcome_span(folded) is not None)
        and not pattern(FUTURE_MARK).search(folded)
    ):
        return Change.DONE
    return Change.NEW
