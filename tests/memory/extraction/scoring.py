"""Scores an extractor's rules on labelled sentences: precision, recall, causes."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml

from memory.extraction.rules import extract_by_rules
from memory.extraction.types import Change, Extraction, ExtractionRequest, Fact

SAID_AT = datetime(2026, 9, 12, 13, 30, tzinfo=UTC)


@dataclass
class Score:
    """Counts over a set of sentences, with the rows that went wrong."""

    right: int = 0
    found: int = 0
    wanted: int = 0
    causes_right: int = 0
    causes: int = 0
    wrong: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        """Right facts among those found."""
        return self.right / self.found

    @property
    def recall(self) -> float:
        """Right facts among those wanted."""
        return self.right / self.wanted


def ask(text: str, her: str | None = None, language: str = "zh-TW") -> Extraction:
    """Run the rules on one message said on a Saturday evening in Taipei."""
    return extract_by_rules(
        ExtractionRequest(
            text=text, said_at=SAID_AT, zone="Asia/Taipei", language=language, her_last_turn=her
        )
    )


def load(path: Path) -> list[dict[str, Any]]:
    """Read a file of labelled sentences."""
    rows: list[dict[str, Any]] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return rows


def matches(fact: Fact, wanted: dict[str, Any]) -> bool:
    """Whether a fact is the one a row asks for."""
    categories = wanted["category"] if isinstance(wanted["category"], list) else [wanted["category"]]
    return (
        fact.category.value in categories
        and all(str(word) in fact.text for word in wanted["has"])
        and fact.subject == wanted.get("subject", "user")
        and fact.change is Change(wanted.get("change", "new"))
        and ("when" not in wanted or fact.when_text == wanted["when"])
        and ("outcome" not in wanted or wanted["outcome"] in (fact.outcome or ""))
        and ("sensitive" not in wanted or fact.sensitive is wanted["sensitive"])
    )


def score(rows: list[dict[str, Any]]) -> Score:
    """Compare what the rules find with what the rows ask for."""
    total = Score()
    for row in rows:
        answer = ask(row["say"], row.get("her"), row.get("lang", "zh-TW"))
        wanted = list(row.get("facts", []))
        total.wanted += len(wanted)
        total.found += len(answer.facts)
        left = list(wanted)
        for fact in answer.facts:
            hit = next((w for w in left if matches(fact, w)), None)
            if hit is None:
                total.wrong.append(f"{row['say']} -> extra {fact!r}")
            else:
                left.remove(hit)
                total.right += 1
        total.wrong.extend(f"{row['say']} -> missing {w}" for w in left)
        if "none" in row:
            total.causes += 1
            cause = answer.cause.value if answer.cause else None
            total.causes_right += cause in row["none"]
            if cause not in row["none"]:
                total.wrong.append(f"{row['say']} -> cause {cause}")
    return total
