"""The long run of the fuzzing: ``python -m tests.faults.fuzz --minutes 15``; its report is kept as JSON."""

from __future__ import annotations

import argparse
import json
import logging
import platform
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.faults.live import Live
from tests.faults.targets import TARGETS, Target

GATEWAY = "gateway events, gateway frames"
"""What only she herself reads, online: a name or a part of one brings her online."""


@dataclass
class Tally:
    """What a target came through, and each kind of fault found in it with its smallest example."""

    examples: int = 0
    faults: dict[str, str] = field(default_factory=dict)


def kind_of(error: BaseException) -> str:
    """Return where an error comes from: its kind and the innermost line of ours."""
    ours = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if "site-packages" not in frame.filename and "/lib/python" not in frame.filename
    ]
    where = f"{Path(ours[-1].filename).name}:{ours[-1].name}" if ours else "?"
    return f"{type(error).__name__} in {where}"


def run(target: Target, examples: int, number: int, tally: Tally) -> None:
    """Give a target so many inputs; a fault ends the round and is kept."""
    last: list[Any] = [None]

    def hold(value: Any) -> None:
        tally.examples += 1
        last[0] = value
        target.holds(value)

    test: Callable[[], None] = seed(number)(
        settings(
            max_examples=examples,
            deadline=None,
            database=None,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
        )(given(target.given)(hold))
    )
    try:
        test()
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        inner = error
        while isinstance(inner, BaseExceptionGroup):
            inner = inner.exceptions[0]
        kind = kind_of(inner)
        if kind not in tally.faults:
            shown = f"{str(inner)[:300]} <- {str(last[0])[:300]!r}"
            tally.faults[kind] = shown.replace(tempfile.gettempdir(), "")
            sys.stderr.write(f"{target.name}: {kind}: {tally.faults[kind]}\n")
            sys.stderr.flush()


def main() -> int:
    """Go round all targets until the time is over; 1 where anything was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=15.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--report", type=Path)
    arguments = parser.parse_args()
    logging.disable(logging.CRITICAL)
    with ExitStack() as stack:
        live = stack.enter_context(Live()).targets if arguments.only in GATEWAY else ()
        targets = [target for target in (*TARGETS, *live) if arguments.only in target.name]
        tallies = {target.name: Tally() for target in targets}
        began, number = time.perf_counter(), arguments.seed
        while time.perf_counter() - began < arguments.minutes * 60:
            for target in targets:
                if time.perf_counter() - began < arguments.minutes * 60:
                    run(target, 10 if target.costly else 300, number, tallies[target.name])
            number += 1
    report = {
        "minutes": round((time.perf_counter() - began) / 60, 1),
        "seeds": [arguments.seed, number - 1],
        "python": platform.python_version(),
        "examples": sum(tally.examples for tally in tallies.values()),
        "targets": {name: {"examples": t.examples, "faults": t.faults} for name, t in tallies.items()},
    }
    text = json.dumps(report, ensure_ascii=False, indent=2) + "\n"
    if arguments.report is not None:
        arguments.report.write_text(text, encoding="utf-8")
    sys.stdout.write(text)
    return 1 if any(tally.faults for tally in tallies.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
