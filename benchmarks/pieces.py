"""Lily's own computations one by one, and a whole command, timed by pyperf in processes of their own.

    python -m benchmarks.pieces [--fast] [-o ALL_VALUES.json]

No model, no database, no network: what is measured is pure functions over one message and one person.
pyperf calibrates the loops, throws warm-ups away and says where the machine was too restless.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pyperf

from benchmarks.lab import asked_of, keep, machine, on_what, said_ago, table, text_of
from llm.offline import OfflineEmbedder
from memory.context import render_context
from memory.extraction.rules import extract_by_rules
from memory.extraction.types import ExtractionRequest
from memory.grounding import resolve
from memory.lexical import scores_of_terms, terms_of_all
from memory.model import Category, Memory
from memory.places import DM
from memory.policy import DEFAULT_RULES, MemoryPolicy
from memory.profile import profile
from memory.ranking import Candidate, rank
from memory.reading import read_message
from memory.recollection import Reading, Recollection
from memory.relations.rules import decide
from memory.relations.types import Statement

NOW = datetime(2026, 3, 6, 12, tzinfo=UTC)
ZONE, LANGUAGE = "Asia/Taipei", "zh-TW"
SAID = "對了，下週三下午三點我要去台北面試，結束後想跟阿明吃火鍋，不過我現在不吃牛肉了"
HELD = 200
RANKED = 60
KINDS = (Category.PREFERENCE, Category.HOBBY, Category.HABIT, Category.OTHER)


def held(number: int) -> Memory:
    """Return one of a person's memories."""
    category, said = KINDS[number % len(KINDS)], NOW - said_ago(number)
    return Memory(
        id=f"m{number}", user_id="u1", persona_id="lily", places=("dm",), text=text_of(number), zone=ZONE,
        category=category, kind=DEFAULT_RULES[category].kind, created_at=said, updated_at=said,
    )  # fmt: skip


def pieces() -> dict[str, Callable[[], Any]]:
    """Return what is timed, by what it is called."""
    policy = MemoryPolicy()
    thresholds = policy.thresholds_for(OfflineEmbedder().identity.name)
    memories = [held(number) for number in range(HELD)]
    terms = terms_of_all([memory.text for memory in memories])
    candidates = [
        Candidate(memory, similarity=0.2 + number / 100, lexical=number % 3 / 3)
        for number, memory in enumerate(memories[:RANKED])
    ]
    request = ExtractionRequest(text=SAID, said_at=NOW, zone=ZONE, language=LANGUAGE)
    old, new = Statement("使用者喜歡吃牛肉火鍋", said_at=NOW), Statement("使用者不吃牛肉了", said_at=NOW)

    def ranked() -> Any:
        return rank(asked_of(1), Reading(), candidates, NOW, policy, thresholds, language=LANGUAGE, zone=ZONE)

    known = Recollection(
        now=NOW, zone=ZONE, language=LANGUAGE, place=DM, memories=ranked().kept,
        profile=profile(memories, NOW, policy),
    )  # fmt: skip
    return {
        "ground the times of a message": lambda: resolve(SAID, NOW, ZONE, language="zh"),
        "read a message before recall": lambda: read_message(SAID, NOW, ZONE),
        "extract its facts by rules": lambda: extract_by_rules(request),
        "judge two facts by rules": lambda: decide(old, new),
        f"score {HELD} memories by words": lambda: scores_of_terms(asked_of(1), terms),
        f"rank {RANKED} candidates": ranked,
        f"make a profile of {HELD} memories": lambda: profile(memories, NOW, policy),
        "render what a model reads": lambda: render_context(known, policy),
    }


def main() -> int:
    """Run it and keep the figures."""
    runner = pyperf.Runner(program_args=("-m", "benchmarks.pieces"), processes=6)
    runner.parse_args()
    found = [runner.bench_func(name, work) for name, work in pieces().items()]
    for name, command in (("lily --help", ("-m", "bot", "--help")), ("python -c pass", ("-c", "pass"))):
        found.append(runner.bench_command(name, [sys.executable, *command]))
    if runner.args.worker:
        return 0
    figures = {
        one.get_name(): {"median_ms": one.median() * 1000, "mad_ms": one.median_abs_dev() * 1000}
        for one in found
        if one is not None
    }
    rows = [[name, *(f"{value:.3g}" for value in one.values())] for name, one in figures.items()]
    where = machine("pyperf", "numpy", "pydantic")
    told = f"# Pieces\n\nMilliseconds.\n\n{table(('', 'median', 'median deviation'), rows)}\n{on_what(where)}"
    keep("pieces", {"machine": where, "pieces": figures}, told)
    return 0


if __name__ == "__main__":
    sys.exit(main())
