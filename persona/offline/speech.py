"""A stored sentence as she says it to the person: third person into second, tense by the clock."""

from __future__ import annotations

import re

from memory.catalog import closest_language
from memory.model import Memory
from memory.text import fold_same_length, single_line

MAX_SPOKEN = 80
_ZH_USER = re.compile(r"使用者|用戶|用户")
_ZH_REPORT = re.compile(r"^你(?:說過?|提到|表示|覺得自己)(?:自己)?(?=.{2})")
# 你的媽媽 is 你媽媽 in speech; an 也 was true beside what was said then.
_ZH_YOUR_KIN = re.compile(
    r"你的(?=媽|妈|爸|哥|姊|姐|弟|妹|爺|爷|奶|外[婆公]|阿|老[公婆闆板師师]|[男女]?朋友|[男女]友|同|室友|家)"
)
_ZH_TOO = re.compile(r"^你也(?=喜歡|喜欢|愛|爱|討厭|讨厌|怕)")
# What is so by now ends in 了, also where the stored sentence has lost it: 你已經不喝珍奶了.
_ZH_ALREADY = re.compile(r"^你(?:們|也|都)?(?:已經|已经)[^了，,]*[^了啦囉嗎呢，,]$")
_ZH_MODAL = re.compile(
    r"^(?:準備要?|准备要?|打算要?|預計要?|预计要?|計畫要?|计划要?|計劃要?|即將要?|即将要?|預定要?|预定要?|要|會|会|將要?|得|想要?)(?=.)"
)
_ZH_HAS = re.compile(r"^(?:還|还)?(?:有|參加|参加)(?:一?[個场場次堂个])?(?=.)")
_EN_USER = re.compile(r"\b(?:the )?users?\b(?P<own>'s)?", re.IGNORECASE)
_JA_USER = re.compile(r"ユーザー(?:さん)?(?P<p>は|の|が|、)?")
_EN_VERBS = {"has": "have", "is": "are", "was": "were", "does": "do", "goes": "go", "isn't": "aren't",
             "doesn't": "don't", "wasn't": "weren't", "hasn't": "haven't", "studies": "study"}  # fmt: skip
_EN_ADVERBS = {
    "really",
    "also",
    "often",
    "usually",
    "always",
    "still",
    "now",
    "no",
    "never",
    "currently",
    "just",
}
_EN_VERBS_IN_LY = {"fly", "apply", "reply", "rely", "supply", "comply", "imply", "multiply"}
_EN_PAST = {"have": "had", "are": "were", "will": "were going to", "go": "went", "plan": "planned",
            "want": "wanted", "need": "needed", "take": "took", "see": "saw", "fly": "flew"}  # fmt: skip
_EN_BEFORE_WHEN = re.compile(r"\s*\b(?:on|at|in|by|this|during)\s*$", re.IGNORECASE)
_EN_EVENT = re.compile(
    r"\byou (?:have|had|are having|will have)(?: got)? (?:an? |the |your |their )?(?P<event>.+)$", re.I
)


def second_person(text: str, language: str, you: str) -> str:
    """Return a stored third-person sentence turned to the person: 使用者討厭吃香菜 -> 你討厭吃香菜."""
    line = single_line(text, MAX_SPOKEN).strip(" 。.!！")
    tongue = _tongue(line, language)
    if tongue == "ja":
        line = _JA_USER.sub(lambda m: f"{you}{m['p'] or ''}" if m["p"] == "の" else "", line)
        line = re.sub(r"(?:なんです|なんだ|なのです|なのだ|んです|んだ|のです|のだ)$", "", line)
        return re.sub(r"(?<=[てで])います$", "いる", re.sub(r"(?:です|である|だ)$", "", line))
    if tongue == "en":
        return _english(line)
    line = _ZH_USER.sub("你", line)
    line = re.sub(r"(?<!自)我(?!們|们)", "你", line) if not line.startswith("你") else line
    line = _ZH_YOUR_KIN.sub("你", line)
    line = _ZH_TOO.sub("你", _ZH_REPORT.sub("你", line))
    return f"{line}了" if _ZH_ALREADY.search(line) else line


def without_when(memory: Memory) -> str:
    """Return a memory's sentence without its date phrase, which was true only on the day it was said."""
    text = memory.text
    if not memory.when_text or memory.when_text not in text:
        return text
    before, _, after = text.partition(memory.when_text)
    if _is_latin(text):
        before = _EN_BEFORE_WHEN.sub(" ", before)
        return f"{before.rstrip()} {after.lstrip(' ,')}".strip()
    return (before.rstrip(" ,，在於于は、") + after.lstrip(" ,，、にの")).replace(" ", "")


def event_words(memory: Memory, language: str, you: str) -> tuple[str, bool]:
    """Return (what an event is called, whether that is a noun): 期末考, True · 看牙醫, False · "" unknown."""
    line = second_person(without_when(memory), language, you)
    if _tongue(line, language) == "ja":
        noun = re.sub(r"(?:が|の予定が)?(?:あります|ある|入っている)$", "", line)
        return noun.strip("、は "), noun != line
    if _tongue(line, language) == "en":
        match = _EN_EVENT.search(line)
        return (match["event"].strip(" ."), True) if match else ("", False)
    rest = line.removeprefix("你").lstrip("的在")
    plain = _ZH_MODAL.sub("", rest)
    noun = _ZH_HAS.sub("", plain)
    return noun, noun != plain


def in_past(sentence: str, language: str) -> str:
    """Return a second-person sentence about an event as over."""
    tongue = _tongue(sentence, language)
    if tongue == "zh":
        head, rest = ("你", sentence.removeprefix("你")) if sentence.startswith("你") else ("", sentence)
        return head + _ZH_MODAL.sub("", rest)
    if tongue == "en":
        words = sentence.split(" ")
        for place, word in enumerate(words[1:], 1):
            if not _is_adverb(word):
                words[place] = _EN_PAST.get(word.lower(), word)
                break
        return " ".join(words)
    return sentence


def with_when(sentence: str, when: str, language: str, subject: str = "") -> str:
    """Put a spoken time into a sentence where a speaker would: after you, or after whom it is about."""
    tongue = _tongue(sentence, language)
    if not when:
        return sentence
    if tongue == "en":
        return f"{sentence} {when}"
    if tongue == "ja":
        return f"{when}、{sentence}"
    whose = re.match(rf"(?:你的?)?{re.escape(subject)}", sentence) if subject else None
    if whose is not None:
        return f"{whose.group()}{when}{sentence[whose.end() :]}"
    return f"你{when}{sentence.removeprefix('你')}" if sentence.startswith("你") else f"{when}{sentence}"


def as_written(text: str, folded_part: str) -> str:
    """Return the stretch of ``text`` that folds to ``folded_part``, as written; "" if it is not there."""
    place = fold_same_length(text).find(fold_same_length(folded_part))
    return text[place : place + len(folded_part)] if folded_part and place >= 0 else ""


def _tongue(line: str, language: str) -> str:
    if _is_latin(line):
        return "en"
    return "ja" if re.search(r"[ぁ-ゖ]", line) or closest_language(language) == "ja" else "zh"


def _is_latin(text: str) -> bool:
    return not re.search(r"[\u3040-\u30ff\u3400-\u9fff]", text)


def _is_adverb(word: str) -> bool:
    lowered = word.lower()
    return lowered in _EN_ADVERBS or (lowered.endswith("ly") and lowered not in _EN_VERBS_IN_LY)


def _english(line: str) -> str:
    line = _EN_USER.sub(lambda m: "your" if m["own"] else "you", line)
    line = re.sub(r"\b(?:their|his|her)\b", "your", line)
    words = line.split(" ")
    for place, word in enumerate(words[:-1]):
        if word.lower() == "you":
            following = place + 1
            while following < len(words) - 1 and _is_adverb(words[following]):
                following += 1
            words[following] = _to_you(words[following])
    return " ".join(words)


def _to_you(verb: str) -> str:
    low = verb.lower()
    if low in _EN_VERBS:
        return _EN_VERBS[low]
    if not re.fullmatch(r"[a-z]+s", low) or low.endswith(("ss", "us", "is")):
        return verb
    if low.endswith("ies") and len(low) > 4:
        return low[:-3] + "y"
    return low[:-2] if low.endswith(("ches", "shes", "sses", "xes")) else low[:-1]
