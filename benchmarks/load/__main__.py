"""Five hundred people at once, and what she does when what she stands on goes away.

    python -m benchmarks.load [--people 500] [--latency 1] [--at-once 16] [--steady 60] [--outage 60] ...

The real ``lily run`` with the real Discord client as a process of its own, a stand-in Discord with the
people in this one, a stand-in model with a latency as a third, all over loopback. Everybody talks in their
direct messages: writes, waits for the answer, thinks, writes again. First on the embedded defaults
(SQLite, Chroma in a process of hers), then on PostgreSQL and a Chroma server, which are started for it. The
model is switched off for ``--outage`` seconds, Chroma is killed for as long, PostgreSQL is restarted, then
crashed and away for ``--restart`` seconds. The ideal is what the model can give: ``--at-once`` (the setting
``models.at_once``) divided by its latency. A fault ends the run with 1.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
from dataclasses import fields

from benchmarks.load.report import write
from benchmarks.load.trial import Choices, Report, Trial


def main() -> int:
    """Run it and write the report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for one in fields(Choices):
        kind = int if isinstance(one.default, int) else float
        parser.add_argument(f"--{one.name.replace('_', '-')}", type=kind, default=one.default)
    parser.add_argument("--stores", choices=("embedded", "servers", "both"), default="both")
    parser.add_argument("--no-report", action="store_true", help="print the numbers, write no file")
    given = parser.parse_args()
    choices = Choices(**{one.name: getattr(given, one.name) for one in fields(Choices)})
    logging.disable(logging.WARNING)
    kinds = ("embedded", "servers") if given.stores == "both" else (given.stores,)
    reports: list[Report] = [asyncio.run(Trial(choices, kind).run()) for kind in kinds]
    if not given.no_report:
        write(choices, reports)
    for report in reports:
        for fault in report.faults:
            print(f"{report.stores}: {fault}", file=sys.stderr)  # noqa: T201
    return int(any(report.faults for report in reports))


if __name__ == "__main__":
    sys.exit(main())
