"""A clause as the Chinese rules look at it: whom it is about, what is said, when."""

from __future__ import annotations

from dataclasses import dataclass

from memory.extraction.clauses import Clause
from memory.extraction.lexicon import folded_speech, pattern
from memory.extraction.lexicon_events import topics_in
from memory.extraction.tables import expression, word
from memory.grounding.types import TimeExpression
from memory.model import USER_SUBJECT
from memory.text import fold_same_length

USER_ZH = "使用者"
_MARKS = '「」『』“”"'
_CJK = r"[\u4e00-\u9fff]"
_OWN = r"我們家的?|我家的?|我們的?|我的|我|本人|敝人|小弟我|人家"


def _subject_source() -> str:
    persons, animals = word("persons"), word("animals")
    return (
        rf"^(?:是(?=我(?:的)?(?:{persons})?的?生日))?(?P<own>{_OWN})?"
        rf"(?:(?P<kin>{persons})|(?<=.)(?:老|小|大|胖|那隻|黑|白|橘|的)*(?P<pet>貓(?=咪咪)|{animals}))?"
    )


@dataclass(frozen=True, slots=True)
class View:
    """A clause without fillers and subject.

    ``body`` keeps its dates, ``bare`` has those cut out that are surely dates; both come with a folded
    twin of the same length. ``about_other`` is set where the subject is somebody no rule may speak of.
    """

    quote: str
    subject: str
    explicit: bool
    about_other: bool
    body: str
    folded: str
    bare: str
    bare_folded: str
    times: tuple[TimeExpression, ...]
    named: bool = False
    greeted: bool = False

    @property
    def label(self) -> str:
        """The subject as a third-person sentence names it; who goes by a name alone keeps it bare."""
        if self.named:
            return self.subject
        return USER_ZH if self.subject == USER_SUBJECT else f"{USER_ZH}的{self.subject}"

    @property
    def dated(self) -> tuple[TimeExpression, ...]:
        """The time expressions that have a date."""
        return tuple(t for t in self.times if t.resolved)

    @property
    def when_text(self) -> str | None:
        """The last date phrase of the clause, as typed; one that names the event (尾牙) only if alone."""
        plain = [t for t in self.times if not _names_event(t)]
        return (plain or list(self.times))[-1].phrase if self.times else None


def look(clause: Clause, times: tuple[TimeExpression, ...], inherited: str) -> View:
    """Build the view of a clause; ``inherited`` is the subject an elided one stands for."""
    inside = tuple(t for t in times if t.span[0] >= clause.start and t.span[1] <= clause.end)
    text = _strip_fillers(strip_marks(clause.text))
    dated = tuple(t for t in inside if t.resolved and not t.ambiguous and not _names_event(t))
    subject, taken, explicit, other = _subject_of(
        _strip_fillers(strip_marks(_cut(clause, inside))), inherited
    )
    body = _without_subject(text, taken)
    bare = _without_subject(_strip_fillers(strip_marks(_cut(clause, dated))), taken)
    return View(
        quote=clause.text,
        subject=subject,
        explicit=explicit,
        about_other=other,
        body=body,
        folded=folded_speech(body),
        bare=bare,
        bare_folded=folded_speech(bare),
        times=inside,
        named=explicit and taken == subject and _named(taken) is not None,
    )


def _names_event(time: TimeExpression) -> bool:
    return bool(topics_in(fold_same_length(time.phrase)))


def _cut(clause: Clause, times: tuple[TimeExpression, ...]) -> str:
    """Return the clause without some of its time phrases."""
    spans = [(t.span[0] - clause.start, t.span[1] - clause.start) for t in times]
    return "".join(c for i, c in enumerate(clause.text) if not any(a <= i < b for a, b in spans))


def _without_subject(text: str, taken: str) -> str:
    position = text.find(taken) if taken else -1
    if position < 0:
        return text
    return _strip_fillers(text[:position] + text[position + len(taken) :])


def strip_marks(text: str) -> str:
    """Drop quotation marks, and spaces beside Chinese characters."""
    plain = pattern(r"(?<=了)\s+(?=\d)").sub("，", "".join(c for c in text if c not in _MARKS).strip())
    return pattern(rf"(?<={_CJK})\s+|\s+(?={_CJK})").sub("", plain)


def _strip_fillers(text: str) -> str:
    match = pattern(word("fillers")).match(folded_speech(text))
    return text[match.end() :] if match else text


def _subject_of(text: str, inherited: str) -> tuple[str, str, bool, bool]:
    """Return (subject, the words that name it, explicit, about somebody else)."""
    folded = folded_speech(text)
    if inherited != USER_SUBJECT and pattern(r"^[他她牠它](?!們|說)").match(folded):
        return inherited, text[:1], True, False
    if pattern(rf"^(?:{word('foreign_subjects')}|{expression('screens', 'bot_zh')})").match(folded):
        return inherited, "", False, True
    match = pattern(_subject_source()).match(folded)
    if match is not None and match["own"] is not None:
        named = match["kin"] or match["pet"]
        if named is None:
            return USER_SUBJECT, text[: match.end("own")], True, False
        start = match.start("kin") if match["kin"] else match.start("pet")
        return _whole(text[start : start + len(named)]), text[: match.end()], True, False
    name = _named(text)
    if name is not None:
        return name, name, True, False
    bare = pattern(rf"^(?P<kin>{word('bare_persons')})").match(folded)
    if bare is not None:
        return text[: bare.end()], text[: bare.end()], True, False
    return inherited, "", False, False


def last_person(words: str) -> str | None:
    """Return the near one a clause spoke of last, whom a pronoun after it means: 回老家看爺爺，他住院了."""
    found = list(pattern(rf"{word('persons')}|{word('animals')}").finditer(folded_speech(words)))
    return _whole(words[slice(*found[-1].span())]) if found else None


def _named(text: str) -> str | None:
    """Return the pet name a clause begins with (小樂對蛋過敏), where what follows says something of them."""
    match = pattern(rf"^{expression('words', 'pet_name')}(?={expression('words', 'after_name')}|$)").match(
        folded_speech(text)
    )
    return text[: match.end()] if match else None


def _whole(person: str) -> str:
    """Return a near one's short name in full, so that 我媽 and 我媽媽 are one person."""
    return person * 2 if pattern(r"^[媽爸哥姐姊弟妹]$").match(fold_same_length(person)) else person


def third_person(words: str) -> str:
    """Put a stretch of a Chinese message into the third person and drop what is only tone."""
    folded = folded_speech(words)
    out: list[str] = []
    index = 0
    for match in pattern(rf"我(?:們|的)?(?=(?P<kin>{word('persons')}|{word('animals')})?)").finditer(folded):
        out.append(words[index : match.start()])
        out.append(f"{USER_ZH}的" if match["kin"] or match.group().endswith("的") else USER_ZH)
        index = match.end()
    out.append(words[index:])
    return trim_tone("".join(out)).replace("喜翻", "喜歡")


def trim_tone(words: str) -> str:
    """Drop final particles, laughter and marks."""
    folded_particles = {fold_same_length(c) for c in word("particles")}
    end = len(words)
    while end and fold_same_length(words[end - 1]) in folded_particles:
        end -= 1
    return words[:end].strip()
