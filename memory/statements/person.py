"""Whose fact a sentence is, and the sentence with its first person turned into the third."""

from __future__ import annotations

import re

from memory.model import USER_SUBJECT
from memory.statements.lexicon import Token, lexicon
from memory.text import fold

# Written in the folded (Simplified, lower-case) form everything here works on.
_USER = r"(?:使用者|用户|\bthe user\b|\bthe users\b|ユーザー|ユーザ)"
_FIRST_PERSON = (
    (re.compile(r"\b(?:i am|i'm|im)\b"), "the user is"),
    (re.compile(r"\bi've\b"), "the user has"),
    (re.compile(r"\bi'd\b"), "the user would"),
    (re.compile(r"\bi'll\b"), "the user will"),
    (re.compile(r"\b(?:my|mine)\b"), "the user's"),
    (re.compile(r"\b(?:i|me|myself)\b"), "the user"),
    (re.compile(r"^user(?='s|\b)"), "the user"),
    (re.compile(r"我(妈|爸|哥|姐|弟|妹)(?!\1)"), r"使用者的\1\1"),
    (re.compile(r"我(?=妈|爸|哥|姐|弟|妹|老公|老婆|先生|太太|男友|女友|儿子|女儿|家人)"), "使用者的"),
    (re.compile(r"(?<!自)我(?!们)"), "使用者"),
    (re.compile(r"(?:私|僕|俺)(?=[はのもがを])"), "ユーザー"),
)
_SHORT = (
    (re.compile(r"\bcan't\b|\bcannot\b"), "can not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"(?<=\buser)'re\b"), " are"),
    (re.compile(r"\b(?:dont|doesnt|didnt)\b"), "do not"),
    (re.compile(r"[’‘]"), "'"),
)
# Said of the user, but about somebody of theirs.
_ABOUT_THEIRS = (
    (
        re.compile(
            r"^the user lost (?:their|his|her) "
            r"(dad|father|mom|mother|grand\w+|brother|sister|uncle|aunt|dog|cat)\b"
        ),
        r"the user's \1 passed away",
    ),
    (
        re.compile(r"^the user is (?:happily )?(?:married to|dating|engaged to) (an? \w+)$"),
        r"the user's partner is \1",
    ),
)
_REPORT = re.compile(
    r"^(?:再次|又|还|曾|曾经|也)?"
    r"(?:说过?(?!话|谎|得|[一-鿿]{1,3}[文语话])|提到|提及|表示|透露|告诉(?:莉莉|ai)?|分享|回忆)"
    r"(?:了|过)?(?:自己|他|她)?(?=\S)"
)
_EN_REPORT = re.compile(
    r"\b(?:said|says|mentioned|mentions|told (?:lily|the ai)|stated|shared|noted|revealed)"
    r"(?: again)?(?: that)?(?: they| he| she| the user)?\b"
)
_MIXED_SPACE = re.compile(r"(?<=[\u3400-\u9fff]) (?=[a-z0-9])|(?<=[a-z0-9]) (?=[\u3400-\u9fff])")
_SERVING = frozenset({"老师", "教授", "医生", "牙医", "教练", "心理师", "律师"})
_NO_SUBJECT = re.compile(
    r"^[,，]?\s*(?:很多|不多|多(?!年)|改(?!名)|延|取消|预约|约|提前|排在|门诊|毛|过敏"
    r"|is the user|是使用者|appointment)"
)
_LEAD = re.compile(r"^[\s,，。、:：]*(?:其实|不过|对了|嗯|啊|欸|然后|by the way|actually|so|well)[\s,，、]*")


def third_person(text: str) -> str:
    """Return the folded sentence with 我/I as 使用者/the user, short forms long, no reporting verb."""
    folded = fold(text.replace("’", "'"))
    folded = _MIXED_SPACE.sub("", folded)
    for pattern, replacement in _SHORT:
        folded = pattern.sub(replacement, folded)
    for pattern, replacement in _FIRST_PERSON:
        folded = pattern.sub(replacement, folded)
    folded = _LEAD.sub("", folded)
    folded = _EN_REPORT.sub("", folded, count=1) if folded.startswith("the user ") else folded
    for pattern, replacement in _ABOUT_THEIRS:
        folded = pattern.sub(replacement, folded)
    head = re.match(rf"^{_USER}", folded)
    if head:
        folded = folded[: head.end()] + _REPORT.sub("", folded[head.end() :], count=1)
    return re.sub(r"\s+", " ", folded).strip(" 。.!！~")


def subject_key(subject: str) -> str:
    """Return a subject in the form two are compared in: ``user``, a kinship word, or a folded name."""
    folded = fold(subject)
    if folded in {USER_SUBJECT, "使用者", "用户", "the user", "ユーザー", ""}:
        return USER_SUBJECT
    folded = re.sub(rf"^{_USER}(?:'s|的|の)?\s*|^(?:my|the user's)\s+", "", folded).strip()
    chain = [key for word in re.split(r"的|'s |の", folded) if (key := _kin(word.strip()))]
    return "/".join(chain) if chain else folded


def _kin(word: str) -> str | None:
    found = lexicon().concept(word)
    return found[1] if found and found[0] == "kin" else None


def split_subject(sentence: str) -> tuple[str, str]:
    """Split a :func:`third_person` sentence into whom it is about and what it says.

    「使用者的妈妈是老师」 -> ("妈妈", "是老师"); "sam is the user's partner" stays with the user.
    """
    head = re.match(rf"^(?P<user>{_USER})(?P<link>'s|的|の)?\s*", sentence)
    rest = sentence[head.end() :] if head else sentence
    chain, after = _leading_kin(rest, bool(head and head["link"]))
    if chain and (head or not re.search(_USER, sentence)) and _is_subject(rest, after):
        return "/".join(chain), after.strip()
    if not head:
        return USER_SUBJECT, sentence
    return USER_SUBJECT, rest.strip()


def _person(token: Token, owned: bool) -> str | None:
    known = token.kind == "kin" or (
        owned and (token.kind == "animal" or (token.kind == "job" and token.key in _SERVING))
    )
    return token.key if known else None


def _leading_kin(text: str, owned: bool) -> tuple[list[str], str]:
    chain: list[str] = []
    rest = text
    while True:
        tokens = lexicon().tokens(rest[:40])
        if not tokens or tokens[0].start != 0 or (key := _person(tokens[0], bool(chain) or owned)) is None:
            return chain, rest
        chain.append(key)
        rest = rest[tokens[0].end :]
        link = re.match(r"\s*(?:的|'s|の)\s*", rest)
        if not link:
            return chain, rest
        if not (more := lexicon().tokens(rest[link.end() :][:40])) or more[0].kind != "kin":
            return chain, rest
        rest = rest[link.end() :]


def _is_subject(rest: str, after: str) -> bool:
    """Whether the kin word really leads: not 「朋友很多」 of the user, not 「和妈妈一起」."""
    return bool(after.strip()) and not _NO_SUBJECT.match(after)
