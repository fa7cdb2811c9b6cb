"""What stands above any character: heard in what people say, checked in what she answers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from memory.catalog import load_catalog
from persona.patterns import Patterns, folded, load_patterns
from persona.script import whole

_CLAUSE = re.compile(r"[。！!？?\n；;…]+|\.(?:\s|$)")
_KANA = re.compile(r"[ぁ-ゖァ-ヺー](?<!の)")
_HAN = re.compile(r"[\u3400-\u9fff]")
_LATIN = re.compile(r"[A-Za-z\uff21-\uff5a]")
_BLANK = "◦"
# 你是 AI 嗎 is often written with such spaces, and as often without.
_BETWEEN_SCRIPTS = re.compile(r"(?<=[\u3400-\u9fff]) +(?=[a-z0-9])|(?<=[a-z0-9]) +(?=[\u3400-\u9fff])")
MAX_CHECKED = 8_000
# For so many turns of the person she stays plain after a crisis; a turn carries no time of its own.
CRISIS_TURNS = 4


class Concern(StrEnum):
    """What a text asks for beyond conversation, gravest first."""

    SELF_HARM = "self_harm"
    DANGER = "danger"
    SEXUAL = "sexual"
    ASKS_IF_HUMAN = "asks_if_human"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Safety:
    """What was found in a text and which rule found it (for the audit; never the words)."""

    concern: Concern = Concern.NONE
    rule: str = ""

    @property
    def is_crisis(self) -> bool:
        """Whether somebody may come to harm: she drops the act."""
        return self.concern in {Concern.SELF_HARM, Concern.DANGER}


@dataclass(frozen=True, slots=True)
class HelpLine:
    """A number to call, and for what."""

    name: str
    number: str
    note: str
    concerns: tuple[str, ...]


class Flaw(StrEnum):
    """Why an answer of the model is not said."""

    SEXUAL = "sexual"
    CLAIMS_HUMAN = "claims_human"


def assess(text: str) -> Safety:
    """Return the gravest concern in what a person said, in any language of ours.

    Figures of speech (想死你了, 笑死, "this is killing me") are taken out first. Faint signs count
    unless the person laughs; a plot or the news counts only where the person speaks of themself.
    """
    clauses = [clause for clause in _CLAUSE.split(_visible(text)) if clause.strip()]
    for concern, check in (
        (Concern.SELF_HARM, _self_harm),
        (Concern.DANGER, _danger),
        (Concern.SEXUAL, _sexual),
    ):
        for language in _tongues(text):
            rules = load_patterns("safety", language)
            rule = check(clauses, rules)
            if rule:
                return Safety(concern, f"{language}.{rule}")
    for language in _tongues(text):
        rule = _first(load_patterns("safety", language)["asks_human"], [_visible(text)])
        if rule:
            return Safety(Concern.ASKS_IF_HUMAN, f"{language}.asks_human.{rule}")
    return Safety()


def flaw_in(answer: str) -> Flaw | None:
    """Return why an answer must not be said, or None."""
    visible = _visible(answer)
    for language in _tongues(answer):
        rules = load_patterns("safety", language)
        if _first(rules["sexual"], [_without(visible, rules["not_meant"])]):
            return Flaw.SEXUAL
    for language in _tongues(answer):
        if _first(load_patterns("safety", language)["claims_human"], [visible]):
            return Flaw.CLAIMS_HUMAN
    return None


def says_program(answer: str) -> bool:
    """Whether an answer says that she is a program."""
    visible = _visible(answer)
    return any(_first(load_patterns("safety", tag)["says_program"], [visible]) for tag in _tongues(answer))


def feels_better(text: str) -> bool:
    """Whether somebody says after a crisis that it has become better."""
    visible = _visible(text)
    return any(_first(load_patterns("safety", tag)["better"], [visible]) for tag in _tongues(text))


def crisis_lately(texts: Sequence[str], window: int = CRISIS_TURNS) -> Safety:
    """Return the newest crisis among the last things a person said; nothing once it became better."""
    for text in reversed(texts[-window:]):
        if feels_better(text):
            return Safety()
        found = assess(text)
        if found.is_crisis:
            return found
    return Safety()


def help_lines(language: str, concern: Concern) -> tuple[HelpLine, ...]:
    """Return the numbers of a locale for a concern, the best first."""
    entries = load_catalog("persona", language).get("help_lines")
    lines = [
        HelpLine(str(e["name"]), str(e["number"]), str(e.get("note", "")), tuple(e["for"])) for e in entries
    ]
    return tuple(line for line in lines if concern.value in line.concerns)


def names_help(answer: str, lines: Iterable[HelpLine]) -> bool:
    """Whether an answer names at least one of the numbers."""
    return any(re.search(rf"(?<!\d){re.escape(line.number)}(?!\d)", answer) for line in lines)


def _tongues(text: str) -> list[str]:
    """Return the languages whose rules apply, by script: one の does not make Chinese Japanese."""
    kana = len(_KANA.findall(text))
    spoken = {
        "zh": kana < 2 and _HAN.search(text) is not None,
        "en": _LATIN.search(text) is not None,
        "ja": kana > 0,
    }
    return [language for language, here in spoken.items() if here]


def _visible(text: str) -> str:
    seen = " ".join(folded(whole(text[:MAX_CHECKED])).replace("\u200b", "").split(" "))
    return _BETWEEN_SCRIPTS.sub("", seen)


def _first(patterns: Iterable[re.Pattern[str]], clauses: Iterable[str]) -> str:
    texts = list(clauses)
    return next((str(n) for n, p in enumerate(patterns, 1) if any(p.search(text) for text in texts)), "")


def _without(text: str, patterns: Iterable[re.Pattern[str]]) -> str:
    for pattern in patterns:
        text = pattern.sub(_BLANK, text)
    return text


def _earnest(clauses: Iterable[str], rules: Patterns) -> list[str]:
    """Return the clauses without figures of speech, and without those that tell of a story or the news."""
    kept = []
    for clause in clauses:
        bare = _without(clause, rules["not_meant"])
        story = _first(rules["fiction"], [bare]) and not _first(rules["first_person"], [bare])
        if not story:
            kept.append(bare)
    return kept


def _self_harm(clauses: Sequence[str], rules: Patterns) -> str:
    earnest = _earnest(clauses, rules)
    strong = _first(rules["self_harm"], earnest)
    if strong:
        return f"self_harm.{strong}"
    if _first(rules["laughing"], clauses):
        return ""
    weak = _first(rules["weak"], earnest)
    return f"weak.{weak}" if weak else ""


def _danger(clauses: Sequence[str], rules: Patterns) -> str:
    found = _first(rules["danger"], _earnest(clauses, rules))
    return f"danger.{found}" if found else ""


def _sexual(clauses: Sequence[str], rules: Patterns) -> str:
    found = _first(rules["sexual"], [_without(clause, rules["not_meant"]) for clause in clauses])
    return f"sexual.{found}" if found else ""
