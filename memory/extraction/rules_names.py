"""Names and what to be called, in Chinese."""

from __future__ import annotations

from memory.extraction.draft import Draft
from memory.extraction.lexicon import folded_source, folded_speech, pattern
from memory.extraction.tables import word
from memory.extraction.view import View, strip_marks, trim_tone
from memory.model import USER_SUBJECT, Category
from memory.text import fold_same_length

_LAZY = r"(?:[\u3040-\u30ff\u4e00-\u9fff·]{1,6}?|[a-z][a-z.'-]*(?: [a-z][a-z.'-]*){0,2})"
_NAME = r"(?:[\u3040-\u30ff\u4e00-\u9fff·]{1,6}|[a-z][a-z.'-]*(?: [a-z][a-z.'-]*){0,2})"
_TAIL = r"(?:就好了?|就可以了?|就行了?|即可|了)?[啦喔哦吧呀啊囉唷哈~]*$"
_NAME_IS = rf"^(?:的?(?:名字|本名|全名|真名|中文名字?|英文名字?))(?:就)?(?:是|叫做?|為)(?P<v>{_NAME}){_TAIL}"
_CALLED = rf"^(?:就)?(?:名叫|叫做?)(?P<v>{_NAME}){_TAIL}"
_CALL_ME = rf"(?:^|[你妳以後都請可以就平常])(?:叫|稱呼|喊)我(?:做|作|為)?(?P<v>{_LAZY}){_TAIL}"
_NICKNAME = rf"^(?:的?(?:綽號|暱稱|小名|外號|筆名|藝名))(?:就)?(?:是|叫做?)(?P<v>{_NAME}){_TAIL}"
_RENAMED = rf"^(?:已經|剛)?(?:改名(?:叫|成|為|字?叫)?|名字改(?:成|叫))(?P<v>{_LAZY}){_TAIL}"
_NOW_CALLED = rf"(?:^|[^,]{{0,8}})改叫(?P<v>{_LAZY})(?:了)?{_TAIL}"
_IS_NAMED = rf"^(?:就)?是(?P<v>{_NAME}){_TAIL}"
_NO_NAME = (
    r"^(?:我|聲|什麼|甚麼|啥|誰|外賣|外送|計程車|車|uber|了|不|得|他|她|你|妳|它|醒|救護車|起|來|去|做(?!$)|多|別|要|滾|幫|早|先|回|趕|快|吃|喝|寫|讀|念|睡|買|加油|聽|看|說|小心|自己|過|一|這|那|好|人|客服|警)|"
    r"[的了嗎呢]$|什麼|名字|很"
)
_SURNAMES = (
    "王李張劉陳楊黃趙吳周徐孫馬朱胡郭何林高羅鄭梁謝宋唐許韓馮鄧曹彭曾蕭田董潘袁蔡蔣余于杜葉程魏蘇呂丁任盧姚沈鍾姜崔譚陸范汪廖石金韋賈夏"
    "傅方鄒熊白孟秦邱侯江尹薛閻段雷龍黎史陶賀毛郝顧龔邵萬錢嚴洪賴莊簡游詹施柯翁涂藍連溫卓古童歐倪紀"
)
# Characters that given names are made of and few other words.
_GIVEN = (
    "芷晴怡君雅婷佳穎欣彤柏宇承恩冠廷宥翔涵語品妍宸睿婉萱詩思妤凱俊傑志豪淑芬惠雯玲芳秀英麗家建宏文彥哲瑋育誠宗翰佩珊珮瑜郁筠"
    "靖孟潔昕妘芸蓁沛若琳奕昱祐瑄宣羽庭瑀綺依姿瑩湘琪瑞霖霆鈞浩軒恆裕偉倫銘澤慧曦瑤筑嘉薇蕙蓉嵐韻韋紹逸辰妮娜莉茜嫻媛晏容蕓"
)
_NO_PERSON = (
    r"[生師人座族派癡控粉員家者手長工的組型系班子友女男貓狗腦狂性迷宅鬼]$|[的不很在來要去會想有沒說最超到真被過得]|"
    r"^(?:單身|獨生|老大|老么|素食|左撇|高三|高二|高一|國三|大[一二三四]|認真|故意|白癡|白目|路|方向|金牛|白羊|黃種|萬用|古代|何|石|連|高手|小孩|小白|小資|小編|小氣|小人|阿宅)$"
)


def _clean(view: View, start: int, length_source: str) -> str:
    return trim_tone(view.body[start : start + len(length_source)])


def name_of(words: str) -> bool:
    """Whether a word, as typed, looks like a person's name and not like a trade or a mood."""
    folded = fold_same_length(words)
    if pattern(_NO_PERSON).search(folded) or pattern(_NO_NAME).search(folded):
        return False
    if pattern(rf"^(?:{word('persons')}|{word('animals')})$").match(folded):
        return False
    if pattern(r"^[a-z]{2,}(?: [a-z]+)?$").match(folded):
        return words[:1].isupper() and not words.isupper()
    if pattern(r"^[阿小][\u4e00-\u9fff]$").match(folded):
        return True
    if len(folded) == 2 and folded[0] == folded[1]:
        return True
    return len(folded) in {2, 3} and folded[0] in folded_source(_SURNAMES)


def _given_name(words: str) -> bool:
    """Whether two characters that follow a greeting (妳好～我是芷晴) are such as given names are made of."""
    folded = fold_same_length(words)
    return len(folded) == 2 and all(character in folded_source(_GIVEN) for character in folded)


def names(view: View) -> list[Draft]:
    """Find the person's name, a new name, what they want to be called; and the names of others."""
    if view.subject != USER_SUBJECT:
        return _others_name(view)
    for source in (_CALL_ME, _NICKNAME):
        match = pattern(source).search(_call_frame(view))
        if match and match["v"] and not pattern(_NO_NAME).search(match["v"]):
            name = _typed(view, match["v"])
            return [Draft(f"{view.label}希望被叫做{name}", view.quote, Category.NAME)]
    for source in (_NAME_IS, _RENAMED, _NOW_CALLED, _CALLED):
        match = pattern(source).search(view.folded)
        if match and match["v"] and not pattern(_NO_NAME).search(match["v"]):
            name = _typed(view, match["v"])
            return [Draft(f"{view.label}叫{name}", view.quote, Category.NAME)]
    match = pattern(_IS_NAMED).search(view.folded)
    if match and view.explicit:
        name = _typed(view, match["v"])
        if name_of(name) or (view.greeted and _given_name(name)):
            return [Draft(f"{view.label}叫{name}", view.quote, Category.NAME)]
    return []


_BEING = rf"(?:養|有|領養|收養|認養|撿|生)[^,]{{0,8}}(?:{word('persons')}|{word('animals')}|朋友)[^,]{{0,2}}$"
_RENAMES = (
    rf"^(?:我們?家)?的?(?P<who>{word('persons')}|{word('animals')})(?:已經|剛)?"
    r"(?:改名|換名字|改名字|取名)[了啦]*$"
)
_NAMES_IT = rf"^(?P<who>[他她牠它])?的?(?:名字)?(?:就)?(?:是)?(?:叫做?|名叫|取名叫?做?)(?P<v>{_NAME}){_TAIL}"
_NO_BEING_NAME = r"[很超我]|^得"
_VERB = r"(?:就)?(?:是)?(?:叫做?|名叫|取名叫?做?)"
_EACH = rf"(?:一|另(?:外)?(?:一)?|還有一|第[一二三四])(?:隻|個|條|頭|位|尾|匹)(?:名字)?{_VERB}"
_ALL = rf"(?:分別|各|名字|都)?{_VERB}"
_SHORT = r"(?:[\u3040-\u30ff\u4e00-\u9fff]{1,4}?|[a-z][a-z.'-]*)"
_SEVERAL = (
    rf"^(?:{_EACH}{_SHORT}[,、\s]*){{1,4}}{_TAIL}"
    rf"|^{_ALL}{_SHORT}(?:[、跟和與及,]{_SHORT}){{1,3}}{_TAIL}"
)


def introduces(folded: str) -> bool:
    """Whether a clause brings up somebody or an animal: 養了一隻貓, 有個妹妹."""
    return pattern(_BEING).search(folded) is not None


def names_what_was_introduced(clause: str, folded: str) -> tuple[str, bool] | None:
    """Return what a clause says of the name of somebody just brought up, and whether it has a pronoun."""
    several = pattern(_SEVERAL).match(folded)
    if several is not None and not pattern(r"什麼|[很超我嗎呢?]").search(folded):
        return trim_tone(clause), False
    match = pattern(_NAMES_IT).search(folded)
    if match is None or pattern(f"{_NO_NAME}|{_NO_BEING_NAME}").search(match["v"]):
        return None
    return trim_tone(clause[len(match["who"] or "") :]), match["who"] is not None


def renamed(folded: str) -> str | None:
    """Return whom a clause says to have another name now, where it leaves the name to the next: 貓改名了."""
    match = pattern(_RENAMES).match(folded)
    return match["who"] if match else None


def names_one_of_several(folded: str) -> bool:
    """Whether a clause names one of several that were brought up: 一隻叫布丁."""
    return pattern(rf"^{_EACH}{_NAME}").match(folded) is not None


def _call_frame(view: View) -> str:
    """Return the clause with its 我 (叫我…), which a view takes for the subject and cuts away."""
    return folded_speech(strip_marks(view.quote))


def _typed(view: View, folded_name: str) -> str:
    """Return a matched name as it was typed."""
    plain = strip_marks(view.quote)
    position = folded_speech(plain).rfind(folded_name)
    return trim_tone(plain[position : position + len(folded_name)])


def _others_name(view: View) -> list[Draft]:
    match = pattern(
        rf"^(?:的名字)?(?:叫做?|名叫|是叫|是|(?:已經|剛)?(?:改名(?:叫|成|為)?|改叫))(?P<v>{_LAZY}){_TAIL}"
    ).search(view.folded)
    if match is None or pattern(_NO_NAME).search(match["v"]):
        return []
    name = _typed(view, match["v"])
    if "叫" not in view.folded and not name_of(name):
        return []
    return [
        Draft(
            f"{view.label}叫{name}",
            view.quote,
            Category.IDENTITY,
            subject=view.subject,
        )
    ]
