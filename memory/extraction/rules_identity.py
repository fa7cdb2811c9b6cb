"""Home, work, school, age, family, pets, health: who somebody is, in Chinese."""

from __future__ import annotations

import re

from memory.extraction.draft import Draft
from memory.extraction.lexicon import folded_speech, is_sensitive, pattern
from memory.extraction.tables import rules, word
from memory.extraction.view import USER_ZH, View, third_person, trim_tone
from memory.model import USER_SUBJECT, Category
from memory.text import fold_same_length

_AT_HOME = (
    r"^(?:其實|那個|對了|啊|喔|嗯)*(?:我們?家)(?:現在|目前|就)?(?:住)?在"
    r"(?P<v>[^,]{2,10}?)(?:那邊|這邊)?[啦喔哦啊]?$"
)
_NO_TOWN = (
    r"[旁邊近面裡上下樓口站路街號間隔]$|附近|隔壁|對面|旁|樓|學校|公司|醫院|夜市|公園"
    r"|辦|吃|開|裝|整|找|搬|幫|很|哪|忙"
)
_NO_PLACE = r"^(?:院|不|得|了|過|手|嘴|在一起|哪|這裡?$|那裡?$|一起)"
# 煩死了, 吵死人: how much, of a mood or a complaint; nobody has died.
_UNBEARABLY = (
    "煩吵笑累熱冷餓渴睏氣急嚇醜懶忙痛臭髒貴慢悶愛帥美想恨怕虧擠瘋"
    "厭聊尬臉蠢笨難慕嗨爽香酸辣甜苦癢重雷扯誇囉嗦唆"
)
_DEATH = (
    rf"(?:過世|去世|離世|離開人世|往生|死掉|(?<![{_UNBEARABLY}])死|走|不在|離開我們?|上天堂)了|(?:去)?當(?:小)?天使|"
    r"[去到上了]彩虹橋|過世|去世|離世|安樂死"
)
# Words of a death that only say that somebody left, where nobody is known to be meant.
_LEFT = r"走了|不在了|死了"
_COMES_AND_GOES = frozenset({"室友", "同事", "朋友", "老闆", "主管", "客戶"})
_NOBODY = r"我|你|妳|他|她|牠|它|這|那|誰|有人|大家|手機|電腦|網路|車|角色|主角"
_NAMED = rf"^(?P<who>(?!{_NOBODY})[\u4e00-\u9fffa-z]{{2,4}}?){word('adverbs_of_time')}$"


def identity(view: View) -> list[Draft]:
    """Find who somebody is; at most one fact a clause."""
    grief = _grief(view)
    if grief:
        return grief
    household = _household(view)
    if household:
        return household
    for rule in rules("identity_zh"):
        words = view.folded if rule.attribute == "birthday" else view.bare_folded
        match = pattern(rule.source).search(words)
        if match is None or (rule.only_user and view.subject != USER_SUBJECT):
            continue
        if rule.unless and pattern(rule.unless).search(words):
            continue
        if rule.attribute == "home" and (pattern(_NO_PLACE).search(match["v"]) or _still_planned(words)):
            continue
        body = view.body if rule.attribute == "birthday" else view.bare
        return [
            Draft(
                _sentence(view.label, body, rule.attribute),
                view.quote,
                rule.category,
                subject=view.subject,
                attribute=rule.attribute,
                when_text=None if rule.attribute == "birthday" else view.when_text,
                painful=is_sensitive(words),
            )
        ]
    return []


def _household(view: View) -> list[Draft]:
    """Read 我家在基隆 as where somebody lives (我家在車站旁邊 names no place), 我家有五個人 as how many."""
    said = trim_tone(view.quote)
    many = pattern(r"^我們?家(?:裡)?(?:總共|一共|現在)?(?=有[0-9一二三四五六七八九十]{1,2}個?人$)").match(
        folded_speech(said)
    )
    if many is not None:
        return [Draft(f"{USER_ZH}家{said[many.end() :]}", view.quote, Category.IDENTITY)]
    match = pattern(_AT_HOME).match(folded_speech(said))
    if match is None or pattern(_NO_TOWN).search(match["v"]):
        return []
    place = trim_tone(said[slice(*match.span("v"))])
    return [Draft(f"{USER_ZH}家在{place}", view.quote, Category.IDENTITY, attribute="home")]


def _still_planned(words: str) -> bool:
    return pattern(r"^(?:就|也)?(?:要|打算|準備|預計|想|即將|考慮|可能|快)").search(words) is not None


def _sentence(label: str, body: str, attribute: str | None) -> str:
    words = third_person(body)
    if attribute == "their_pet":  # 我媽那邊還有養一隻貓
        words = re.sub("^那?[邊裡]", "", words)
    if attribute == "home":
        words = words.removesuffix("的")
    folded = fold_same_length(words)
    if attribute == "birthday" and pattern(r"^的?生日").match(folded) and not words.startswith("的"):
        return f"{label}的{words}"
    if pattern(r"^(?:老家|家鄉|故鄉|工作|職業|血型|主修|mbti|身高|體重|代名詞)").match(folded):
        return f"{label}的{words}"
    return f"{label}{words}"


def _grief(view: View) -> list[Draft]:
    """Somebody near has died, or an animal: by whom they are to the person, or by their name alone."""
    words = view.bare_folded
    died = pattern(_DEATH).search(words)
    if died is None or pattern(r"[?嗎]$|差點|以為|怕|如果|夢[到見]").search(words):
        return []
    if view.subject != USER_SUBJECT:
        if pattern(r"^(?:先|就|就先)?走了").match(words) and view.subject in _COMES_AND_GOES:
            return []
        label, subject, text = view.label, view.subject, third_person(view.bare)
    else:
        named = pattern(_NAMED).match(words[: died.start()])
        if named is None:
            return []
        subject, text = view.bare[: named.end("who")], third_person(view.bare)
        near = view.explicit or _pet_name(subject)
        if not near and pattern(_LEFT).search(died.group()):
            return []
        label = f"{USER_ZH}的" if near else ""
    return [
        Draft(
            f"{label}{text}",
            view.quote,
            Category.IDENTITY,
            subject=subject,
            when_text=view.when_text,
            painful=True,
        )
    ]


def _pet_name(name: str) -> bool:
    """Whether a bare name is one that is given to animals: 咪咪, 小黑."""
    folded = fold_same_length(name)
    return pattern(r"^(.)\1$|^小[黑白花橘灰虎咪胖乖]$").match(folded) is not None
