"""Which way the words around a date look: 考完了 back, 要考 ahead."""

from __future__ import annotations

import re
from functools import lru_cache

from memory.grounding.types import Night, Tense
from memory.text import fold_same_length

# Tables are written in folded text (Simplified, lower case, half width).
_ZH_FUTURE = (
    r"(?<![重主需只须不首次简概大])(?<!什么)(?<!干[嘛吗])(?<!何必)(?<!何苦)要(?![是不]|素|点|命|好的|求|害)|"
    r"打算|快要|就要|即将|"
    r"将要|将会|将于|准备|预计|预定|计划|记得|别忘|提醒|希望|"
    r"期待|约好|约了|改到|改成|延到|延期到|延后到|提前到|安排在|排在|等到|轮到|截止|"
    r"到期|以前要|之前要|得(?:去|交|考|赶|早)|"
    r"(?<![完开个场次议机聚社约唱协晚宴音酒舞教工学集商公班宴误领体绘大年尾展运商博庙])会"
    r"(?![议员场馆计长客]|儿|话)|应该会|想要|想去|想约|"
    r"要不要|可以.{0,6}吗|下次|(?<!不)见面?(?=[。!~]|$)|快(?=.{1,6}了)|还没(?!有?说)|再去"
)
_ZH_PAST = (
    r"了(?![解不])|(?<![不难超通经越])过(?![年几来去节后敏程期往头分于渡])|"
    r"刚(?!好|毅|强|刚?才?[说讲聊问听发])|才(?=[回到睡吃起走醒])|终于|已经?(?!婚)|曾经?|完(?=[，,。!?的]|$)|"
    r"结束|(?<!还)没(?=[去来吃睡看考写做交有赶])|竟然|居然|果然|原来|那时|当时|后来|"
    r"是在.{0,12}的|以来|(?:到|来|去|买|走|起床|出门|下班|回家|回来|睡|醒|考|寄|拿|搬)的(?=[。!?,，]|$)"
)
_ZH_NOT_PAST = (
    r"(?:太|快|就要|快要|要|该|好).{0,8}了(?=[，,。!！~吧啦哦喔]|$)|(?:别|不要|不会|"
    r"别再|不能).{0,4}了|"
    r"约了|订了|定了|买了.{0,8}票|忘了|为了|除了|算了|好了|对了|得了|不了|罢了|极了"
)
_ZH_CALLED_OFF = (
    r"(?<! )(?<! [我你他她])(?<! 我们)(?<! 他们)(?<! 老师)(?:又|突然|临时|也|就|被|都|已经?|要|全部?|先)?"
    r"(?:取消|延期|延后|延|改期|改天|顺延|停办|停课|停开|停|中止|推迟|喊卡|泡汤|作废|不办|告吹|没|提前)了"
    r"|(?:报名|登记|预约|预订|预定|订|约|抢|申请|挂|排)(?:好|到|上|完)?了 "
)
"""Called off, put off or booked: the words look back, what they speak of lies ahead. The gap is where the
expression stood: 9/30的考試取消了 and 報名了十二月的, but 九月三十號取消了 and 三月報名了 look back."""
_ZH_CALLED_OFF_NEXT = (
    r"的[^,，。!?！？的]{1,12}(?:改天|改日|下次|之后)再[说约讲看]"
    r"|的?[^,，。!?！？的]{1,12}[,，](?:结果|后来|突然|临时|先|又|就|但是?|可是)?(?:被|也)?"
    r"(?:取消|延期|延后|延|改期|顺延|停办|停课|中止|推迟)了"
)
_EN_CALLED_OFF = (
    r"(?:\w {3}|(?:^|\s)'s (?:\w+ ){1,3}|\b(?:the|my|our) {3}(?:\w+ ){1,3})"
    r"(?:was|were|is|are|got|gets|has been|have been|'s been)\s+(?:just\s+|also\s+)?"
    r"(?:cancell?ed|called off|postponed|rescheduled|pushed back|put off|delayed|moved)\b"
    r"|\b(?:cancell?ed|called off|postponed|rescheduled)(?: the| my| our)? {2}(?='s|\w)"
    r"|\b(?:booked|reserved|signed up|registered|got tickets)\b[\w' ]{0,30}\b(?:for|the|an?) {2}"
)
_JA_CALLED_OFF = (
    r"^[^、。]* の[^、。]{1,8}?[はがも]?(?:中止|延期|キャンセル|休讲|休講|取り?消|お流れ|なくな[っり])"
    r"|(?<= )の[^、。]{1,8}[をに](?:予約|予约|申し込)"
)
_EN_FUTURE = (
    r"\b(?:will|won't|shall|going to|gonna|plan(?:s|ning)? (?:to|on)|about to|need"
    r"(?:s)? to|ha(?:ve|s) to|"
    r"(?:ha(?:ve|s)|'ve got|got) (?:an?|my|the|to)\b|want(?:s)? to|hope(?:s)? to|should|"
    r"must|let's|remind|due|"
    r"(?:is|am|are|'m|'s|'re)\s+(?:\w+\s+)?\w{2,}ing|upcoming|tomorrow|scheduled|"
    r"starts?|begins?|leaves?|opens?|"
    r"(?:is|are)(?=\s*$)|(?:is|are) (?:on|at|due|next|this|coming|scheduled)|free|available|can you|could "
    r"(?:you|we)|shall we|see you|until)\b|\w'll\b|\b(?:i'm|you're|we're|they're|he's|"
    r"she's|it's) \w+ing\b"
)
_EN_PAST = (
    r"\b(?:was|were|wasn't|weren't|did|didn't|had|went|saw|got|came|took|made|met|ate|"
    r"said|told|bought|thought|"
    r"felt|left|found|gave|knew|ran|sat|slept|spent|spoke|stood|taught|wore|won|wrote|"
    r"lost|began|broke|brought|"
    r"built|caught|chose|drank|drove|fell|flew|forgot|grew|heard|held|kept|paid|rode|"
    r"sang|sent|swam|threw|woke|"
    r"finally|already|just|ago|been|(?!need|feed|speed|bleed|weed|seed|exceed|proceed|"
    r"hundred|naked|red|bed|"
    r"wed|shed|scheduled|indeed|embed|sacred|breed|supposed|married)[a-z]{2,}ed)\b"
)
_JA_FUTURE = (
    r"予定|つもり|ます(?!か)|でしょう|だろう|(?<![うまおこえ])たい(?:な|と|です|[。!]|$)"
    r"|行く|来る|する(?!と)|ある(?=[。!のん]|$)|"
    r"始まる|しよう|行こう|までに|約束|これから|もうすぐ|締め?切"
)
_JA_PAST = (
    r"ました|でした|だった|(?<=[っいんしえけせてれべめきりち见来着寝出居])[ただ]"
    r"(?=[。!？?\sよねけのんが、]|$)|たばかり|やっと|ついに|もう終"
)
_NIGHT_ON = re.compile(
    r"睡不[着著]|还没睡|还不想睡|没睡[着著]|失眠|熬夜|还醒[着著]|还在(?:忙|赶|加班|读书|念书|追剧)|(?:要|该|准备|先)(?:去)?睡"
    r"|去睡|晚安|\bcan(?:'t|not) (?:fall a)?sleep\b|\bstill (?:up|awake)\b|\b(?:going|off) to (?:bed|sleep)\b"
    r"|\bgood ?night\b"
    r"|眠れな|寝られな|まだ起き|もう寝|そろそろ寝|おやすみ"
)
_NIGHT_OVER = re.compile(
    r"早安|刚(?:刚)?(?:起床|睡醒|醒)|起床了|睡醒|被(?:闹钟|.{0,4})?吵醒|\bgood morning\b"
    r"|\bjust (?:woke|got) up\b|おはよう|起きた|目が覚め"
)
_CLAUSE = re.compile(
    r"[,，。.!！?？;；\n、…~～]|但是?|不过|可是|然后|所以|\b(?:but|and|so|because)\b|"
    r"けど|から、"
)
_KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30fa]")
_CJK = re.compile(r"[\u4e00-\u9fff]")


@lru_cache(maxsize=1)
def _compiled() -> dict[str, re.Pattern[str]]:
    return {
        "zh_future": re.compile(_ZH_FUTURE),
        "zh_past": re.compile(_ZH_PAST),
        "zh_not_past": re.compile(_ZH_NOT_PAST),
        "en_future": re.compile(_EN_FUTURE),
        "en_past": re.compile(_EN_PAST),
        "ja_future": re.compile(_JA_FUTURE),
        "ja_past": re.compile(_JA_PAST),
        "zh_called_off": re.compile(_ZH_CALLED_OFF),
        "zh_called_off_next": re.compile(_ZH_CALLED_OFF_NEXT),
        "en_called_off": re.compile(_EN_CALLED_OFF),
        "ja_called_off": re.compile(_JA_CALLED_OFF),
    }


def _strip(cues: re.Pattern[str], text: str) -> str:
    return cues.sub(lambda found: found.group().replace("了", " "), text)


def _tense_of_folded(text: str) -> Tense:
    cues = _compiled()
    if _KANA.search(text):
        past, future = cues["ja_past"].search(text), cues["ja_future"].search(text)
        if past and future:
            return Tense.PAST if past.end() > future.end() else Tense.FUTURE
    elif _CJK.search(text):
        future = cues["zh_future"].search(text)
        past = cues["zh_past"].search(_strip(cues["zh_not_past"], text))
        if future and past:
            return Tense.PAST if re.search(r"完了|终于|刚|已经", text) else Tense.FUTURE
        if not past and not future and cues["zh_not_past"].search(text):
            return Tense.FUTURE if re.search(r"快|要|约了|订了", text) else Tense.NONE
    else:
        future, past = cues["en_future"].search(text), cues["en_past"].search(text)
        if future and past:
            return Tense.PAST if past.start() <= future.start() else Tense.FUTURE
    if future:
        return Tense.FUTURE
    return Tense.PAST if past else Tense.NONE


def tense_of(text: str) -> Tense:
    """Return which way a text looks, ``NONE`` where no word tells."""
    return _tense_of_folded(fold_same_length(text))


def tense_around(folded: str, start: int, end: int) -> Tense:
    """Return the tense of the clause around an expression of a folded text, else of the whole text.

    The expression itself is left out, so that its own words tell nothing.
    """
    left, right = _clause_around(folded, start, end)
    clause = folded[left:start] + " " + folded[end:right]
    tense = _tense_of_folded(clause)
    if tense is Tense.NONE and (left > 0 or right < len(folded)):
        tense = _tense_of_folded(folded[:start] + " " + folded[end:])
    return tense


def is_called_off(folded: str, start: int, end: int) -> bool:
    """Whether what a date speaks of was called off, put off or booked: the words look back, it lies ahead."""
    left, right = _clause_around(folded, start, end)
    clause = folded[left:start] + " " + folded[end:right]
    cues = _compiled()
    language = "ja" if _KANA.search(clause) else "zh" if _CJK.search(clause) else "en"
    if cues[f"{language}_called_off"].search(clause):
        return True
    return language == "zh" and cues["zh_called_off_next"].match(folded, end) is not None


def night_of(folded: str) -> Night:
    """Return whether the words tell that the speaker has not slept yet, or has got up."""
    if _NIGHT_ON.search(folded):
        return Night.ON
    return Night.OVER if _NIGHT_OVER.search(folded) else Night.UNTOLD


def _clause_around(folded: str, start: int, end: int) -> tuple[int, int]:
    left, right = 0, len(folded)
    for found in _CLAUSE.finditer(folded):
        if found.end() <= start:
            left = found.end()
        elif found.start() >= end:
            right = found.start()
            break
    return left, right
