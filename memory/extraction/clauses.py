"""A message cut into clauses, each with the words as typed and the form they are matched in."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from memory.extraction.lexicon import folded_speech, pattern
from memory.extraction.tables import expression

LONGEST_CLAUSE = 200
"""Characters of the longest clause that rules read."""
JUST_BEFORE = 40
"""Characters before a mark that tell what it stands for; a long message is not read anew at each mark."""
_ENDERS = "。!?;\n…"
_BREAKS = ",、~,:"
# Emoji with their skin tones, selectors and joiners.
_PICTURES = frozenset({"So", "Sk", "Cf", "Cn"})
_SELECTOR = "\ufe0f"
_CJK = r"[\u3040-\u30ff\u3400-\u9fff]"
# Chinese chat writes a space for a comma; Latin words inside a clause keep theirs.
_SPACE_BREAK = re.compile(rf"(?<={_CJK})[ \u3000]+(?={_CJK})|(?<=[a-z])[ \u3000]+(?=我|(?!的){_CJK}{{4}})")
# 幫我記一下：我的血型是 O 型. Any other colon stands in a time, or before what somebody else said.
_ASKED_TO_NOTE = r"(?:記(?:一下|住|得|著)|更正(?:一下)?|補充(?:一下)?)\s*$"
_CONJUNCTION = (
    r"(?<=..)(?:但是|可是|不過|而且|然後|所以(?!然)|因為|後來|另外|結果(?=[我被還沒是考今就都])|但(?!願|書)|還有(?=我|很|也)|並且|順便(?=去|要)|"
    r"(?=今年[0-9一二三四五六七八九十]+歲)|(?<=歲)(?=住|在|是|讀|念)|(?<=歲了)(?=住|在|是|讀|念)|"
    r"(?<![是跟和幫給陪對讓叫被問說把為替於比與我起])(?!我(?:最|超|很|真的)*(?:喜歡|愛|討厭|怕)[了的啦喔哦啊]{0,2}$)(?!我(?:現在|已經|終於|後來|其實|也)*敢(?:吃|喝|看|碰|坐|搭|摸)了[啦喔哦欸]?$)(?=我(?:的名字|媽|爸|今年|現在|最近|是|在|住|很|最|超|討厭|喜歡|養|有|對|會|每天|叫)))"
)
_ENGLISH_BREAK = re.compile(
    # my girlfriend and I are one subject
    r"(?:,|(?<!\s)(?<!\bmy girlfriend)(?<!\bmy boyfriend)(?<!\bmy partner)(?<!\bmy husband)(?<!\bmy wife))"
    r"\s++(?:and|but|so|because|then|also)\s+(?=(?:i|i'm|i've|i'll|my|we)\b)|,\s*(?=(?:i|i'm|i've|my|but|so)\b)"
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of a message: ``message[start:end] == text``; ``folded`` has the same length.

    ``sentence`` numbers the sentence it belongs to; ``asks`` is set where that sentence ends in a
    question mark and this is its last clause.
    """

    text: str
    folded: str
    start: int
    end: int
    sentence: int
    asks: bool = False

    @property
    def readable(self) -> bool:
        """Whether rules read it at all: nobody speaks in longer clauses, pastes do."""
        return len(self.text) <= LONGEST_CLAUSE


def split_clauses(message: str) -> tuple[Clause, ...]:
    """Cut a message at marks, at spaces between Chinese words and before some conjunctions."""
    folded = folded_speech(message)
    clauses: list[Clause] = []
    sentence = 0
    start = 0
    for index in range(len(folded) + 1):
        mark = folded[index] if index < len(folded) else "\n"
        if mark == "." and _ends_english(folded, index):
            mark = "。"
        if mark in _ENDERS or mark in _BREAKS:
            if mark == "," and _inside_number(folded, index):
                continue
            if mark == "、" and not _enumeration_break(folded, index):
                continue
            if mark == ":" and not pattern(_ASKED_TO_NOTE).search(
                folded[max(start, index - JUST_BEFORE) : index]
            ):
                continue
            for left, right in _inner_cuts(folded, start, index):
                clauses.append(Clause(message[left:right], folded[left:right], left, right, sentence))
            if mark == "?" and clauses and clauses[-1].sentence == sentence:
                last = clauses[-1]
                clauses[-1] = Clause(last.text, last.folded, last.start, last.end, sentence, asks=True)
            start = index + 1
            if mark in _ENDERS:
                sentence += 1
    return tuple(clauses)


def _ends_english(folded: str, index: int) -> bool:
    following = folded[index + 1] if index + 1 < len(folded) else " "
    return following in " \n" or following == "."


def _inside_number(folded: str, index: int) -> bool:
    return 0 < index < len(folded) - 1 and folded[index - 1].isdigit() and folded[index + 1].isdigit()


def _enumeration_break(folded: str, index: int) -> bool:
    """Whether 、 starts a new clause of its own (我…、我…) and is no list of things."""
    return folded[index + 1 : index + 2] in {"我", ""}


def _inner_cuts(folded: str, start: int, end: int) -> list[tuple[int, int]]:
    part = folded[start:end]
    cuts: set[tuple[int, int]] = set()
    for match in _SPACE_BREAK.finditer(part):
        cuts.add(match.span())
    for match in pattern(_CONJUNCTION).finditer(part):
        cuts.add((match.start(), match.start()))
    for match in _ENGLISH_BREAK.finditer(part):
        cuts.add(match.span())
    spans: list[tuple[int, int]] = []
    left = 0
    for cut_start, cut_end in sorted(cuts):
        if cut_start >= left:
            spans.append((left, cut_start))
            left = cut_end
    spans.append((left, len(part)))
    return [trimmed for a, b in spans if (trimmed := _trim(folded, start + a, start + b)) is not None]


def _trim(folded: str, left: int, right: int) -> tuple[int, int] | None:
    """Cut blanks, stray marks and laughter off both ends; a clause of nothing else stays whole."""
    span = _bare(folded, left, right)
    if span is None:
        return None
    noise = expression("slang", "noise")
    words = folded[span[0] : span[1]]
    lead, tail = pattern(rf"^{noise}++").match(words), pattern(rf"{noise}++$").search(words)
    if tail and pattern(r"[打玩]\s*$").search(words[: tail.start()]):
        tail = None  # 打 LOL is a game
    inner = _bare(
        folded, span[0] + (lead.end() if lead else 0), span[0] + (tail.start() if tail else len(words))
    )
    return _without_pictures(folded, *(inner or span))


def _without_pictures(folded: str, left: int, right: int) -> tuple[int, int]:
    """Cut emoji off the end of a clause (畢業啦🎓); one of nothing else stays whole."""
    end = right
    while end > left and (
        folded[end - 1] in {" ", _SELECTOR} or unicodedata.category(folded[end - 1]) in _PICTURES
    ):
        end -= 1
    return (left, end) if end > left else (left, right)


def _bare(folded: str, left: int, right: int) -> tuple[int, int] | None:
    while left < right and folded[left] in " \t\u3000,.>":
        left += 1
    while right > left and folded[right - 1] in " \t\u3000,.":
        right -= 1
    return (left, right) if left < right else None
