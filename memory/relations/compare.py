"""Two parsed statements side by side: what they share, what only one of them says, where they clash."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import resources

import yaml

from memory.model import USER_SUBJECT
from memory.relations.types import Statement
from memory.relations.wording import says
from memory.statements import Aspect, ParsedStatement, parse_statement, subject_key
from memory.statements.lexicon import lexicon, wider_than
from memory.text import fold

# Words too general to make two facts the same by themselves.
LIGHT = frozenset(
    {
        "吃", "喝", "拥有", "养", "看", "听", "玩", "学", "说话", "买", "开", "骑", "搭", "念", "上班",
        "住", "参加", "工作", "公司", "名字", "课", "弹", "存在", "戴", "写", "考",
        "钱", "前", "旧", "二手", "教",
    }
)  # fmt: skip
# Two different words of one of these kinds name two different things.
EXCLUSIVE = frozenset(
    {
        "food", "drink", "animal", "instrument", "language", "color", "place", "job", "kin", "sport",
        "vehicle", "brand", "genre", "season", "meal", "exam", "health", "work",
    }
)  # fmt: skip
_LIGHT_WEIGHT = 0.25
_LOOSE_WEIGHT = 0.5  # a single character the lexicon doesn't know: rarely a word


@dataclass(frozen=True)
class Pair:
    """A known statement (``old``) and a new one, parsed and aligned."""

    old: Statement
    new: Statement

    @cached_property
    def a(self) -> ParsedStatement:
        """The known statement, parsed."""
        return parse_statement(self.old.text)

    @cached_property
    def b(self) -> ParsedStatement:
        """The new statement, parsed."""
        return parse_statement(self.new.text)

    @cached_property
    def subjects(self) -> tuple[str, str]:
        """Whom the two are about; a subject given with the statement wins over the parsed one."""
        return _subject(self.old, self.a), _subject(self.new, self.b)

    @property
    def same_subject(self) -> bool:
        """Whether both are about the same person."""
        a, b = self.subjects
        return a == b or a in wider_than(b) or b in wider_than(a)

    @cached_property
    def shared(self) -> frozenset[str]:
        """Terms of the new statement that the old one has too, or has a narrower word for."""
        known = set(_content(self.a))
        for term in _content(self.a):
            known.update(wider_than(term))
        return frozenset(t for t in _content(self.b) if t in known or any(_alike(t, k) for k in self.a.loose))

    @cached_property
    def only_new(self) -> frozenset[str]:
        """Terms that only the new statement has."""
        return _content(self.b) - self.shared

    @cached_property
    def only_old(self) -> frozenset[str]:
        """Terms that only the old statement has."""
        matched = set(_content(self.b))
        for term in _content(self.b):
            matched.update(wider_than(term))
        return frozenset(
            t
            for t in _content(self.a)
            if t not in matched
            and not matched & set(wider_than(t))
            and not any(_alike(t, k) for k in self.b.loose)
        )

    @property
    def solid(self) -> frozenset[str]:
        """Shared terms that are not too general; where there is nothing else on either side, all."""
        if self.covers_new >= 0.9 and self.covers_old >= 0.9:
            return self.shared
        return self.shared - LIGHT

    @cached_property
    def narrower(self) -> frozenset[str]:
        """Terms of the new statement that are a kind of something the old one names (酒: 威士忌)."""
        return frozenset(t for t in self.b.terms if set(wider_than(t)) & self.a.terms)

    @cached_property
    def one_owns_other(self) -> bool:
        """Whether one is about the user and names the person or animal that the other is about."""
        (first, second), (a, b) = self.subjects, (self.a, self.b)
        if first == USER_SUBJECT != second:
            return any(second == t or second in wider_than(t) for t in a.terms)
        if second == USER_SUBJECT != first:
            return any(first == t or t in wider_than(first) for t in b.terms)
        return False

    @cached_property
    def opposed(self) -> str | None:
        """A pair of words of which one excludes the other, one on each side, or None."""
        for one, other in antonyms():
            if {one, other} <= (self.a.terms | self.b.terms) and (
                (one in self.only_old and other in self.only_new)
                or (other in self.only_old and one in self.only_new)
            ):
                return f"{one} / {other}"
        return None

    @cached_property
    def covers_new(self) -> float:
        """Share of the new statement's content that the old one holds (1: it adds nothing)."""
        return _share(self.shared, self.only_new)

    @cached_property
    def covers_old(self) -> float:
        """Share of the old statement's content that the new one holds."""
        return _share(self.shared, self.only_old)

    @cached_property
    def apart(self) -> frozenset[str]:
        """Kinds of which the two name different things only (芹菜 / 香菜: food)."""
        kinds_a, kinds_b = _by_kind(self.a), _by_kind(self.b)
        return frozenset(
            kind
            for kind in kinds_a.keys() & kinds_b.keys() & EXCLUSIVE
            if not _related(kinds_a[kind], kinds_b[kind])
        )

    @cached_property
    def dates_clash(self) -> bool:
        """Whether both name a time of the same sort, and not the same one."""
        a, b = _date_classes(self.a), _date_classes(self.b)
        if any(a[c].isdisjoint(b[c]) for c in a.keys() & b.keys()):
            return True
        deictic_a, deictic_b = (
            (_PAST | _PRESENT | _FUTURE) & self.a.dates,
            (_PAST | _PRESENT | _FUTURE) & self.b.dates,
        )
        if deictic_a and deictic_b and deictic_a.isdisjoint(deictic_b):
            return True
        known = self.old.valid_from, self.new.valid_from
        return known[0] is not None and known[1] is not None and known[0].date() != known[1].date()

    @cached_property
    def numbers_clash(self) -> bool:
        """Whether both count the same unit differently."""
        a = {q.unit: q.value for q in self.a.numbers}
        b = {q.unit: q.value for q in self.b.numbers}
        return any(a[unit] != b[unit] for unit in a.keys() & b.keys())

    @property
    def counts_more(self) -> bool:
        """Whether the new one counts something that the old one doesn't."""
        return sum(q.value > 1 for q in self.b.numbers) > sum(q.value > 1 for q in self.a.numbers)

    @property
    def names_clash(self) -> bool:
        """Whether both name somebody or something, differently."""
        return bool(self.a.names and self.b.names) and self.a.names.isdisjoint(self.b.names)

    @property
    def parity_differs(self) -> bool:
        """Whether exactly one of them is negated."""
        return self.a.negated != self.b.negated

    @property
    def prepares(self) -> bool:
        """Whether the new one tells what is being done toward what the old one tells."""
        return bool(self.only_new) and says("prepares", self.b.text) and not says("prepares", self.a.text)

    @property
    def same_dislike(self) -> bool:
        """Whether one denies what the other is against: 不敢吃辣, 怕辣."""
        return (self.a.negated and self.b.polarity < 0) or (self.b.negated and self.a.polarity < 0)

    @property
    def distance(self) -> float | None:
        """Cosine distance of the two, where a vector is known."""
        return self.old.distance if self.old.distance is not None else self.new.distance

    @property
    def tense_differs(self) -> bool:
        """Whether one is over and the other still ahead."""
        return _time_side(self.a) * _time_side(self.b) < 0


def _content(parsed: ParsedStatement) -> frozenset[str]:
    return parsed.terms if parsed.subject == USER_SUBJECT else parsed.terms | {parsed.subject}


@lru_cache(maxsize=1)
def antonyms() -> tuple[tuple[str, str], ...]:
    """Return the pairs of words that exclude each other, folded."""
    text = (resources.files("memory.statements") / "antonyms.yaml").read_text(encoding="utf-8")
    pairs = (fold(line).split(" / ") for line in yaml.safe_load(text))
    return tuple((one, other) for one, other in pairs)


def _subject(statement: Statement, parsed: ParsedStatement) -> str:
    given = subject_key(statement.subject)
    return parsed.subject if given == USER_SUBJECT else given


def _alike(term: str, loose: str) -> bool:
    if term == loose:
        return True
    if term[0].isascii() or loose[0].isascii():
        return min(len(term), len(loose)) >= 5 and (term.startswith(loose) or loose.startswith(term))
    return any(term[i : i + 2] in loose for i in range(len(term) - 1))


def _share(shared: frozenset[str], missing: frozenset[str]) -> float:
    have, lack = _weight(shared), _weight(missing)
    return have / (have + lack) if have + lack else 0.0


def _weight(terms: frozenset[str]) -> float:
    return sum(map(_weight_of, terms))


def _weight_of(term: str) -> float:
    if term in LIGHT:
        return _LIGHT_WEIGHT
    return _LOOSE_WEIGHT if len(term) == 1 and not known(term) else 1.0


def known(term: str) -> bool:
    """Whether the lexicon has the word."""
    return lexicon().concept(term) is not None


def _by_kind(parsed: ParsedStatement) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for kind, key in parsed.concepts:
        found.setdefault(kind, set()).add(key)
    return found


def _related(a: set[str], b: set[str]) -> bool:
    wide_a = a.union(*(wider_than(k) for k in a))
    wide_b = b.union(*(wider_than(k) for k in b))
    return bool(wide_a & b or wide_b & a)


def _date_classes(parsed: ParsedStatement) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for key in parsed.dates:
        group, _, value = key.partition(":")
        group = {"y": "year", "holiday": "md"}.get(group, group)
        found.setdefault(group, set()).add(value)
        if group == "md":
            found.setdefault("m", set()).add(value.split("-")[0].lstrip("0"))
    return found


_PAST = frozenset({"day:-1", "day:-2", "week:-1", "month:-1", "year:-1"})
_PRESENT = frozenset({"day:0", "week:0", "month:0"})
_FUTURE = frozenset({"day:1", "day:2", "week:1", "month:1", "year:1"})


def _time_side(parsed: ParsedStatement) -> int:
    if parsed.dates & _PAST:
        return -1
    if parsed.dates & _FUTURE or parsed.aspect is Aspect.PLANNED:
        return 1
    if parsed.aspect is Aspect.DONE or "过" in parsed.text:
        return -1
    return -1 if says("happened", parsed.text) else 0
