"""``lily ground``: the dates in a text."""

from __future__ import annotations

from argparse import Namespace
from typing import Any
from zoneinfo import ZoneInfo

from bot.cli.env import Env
from bot.cli.values import in_zone
from memory.grounding import TimeExpression, resolve

_SHOWN = "%Y-%m-%d %H:%M"


async def run(arguments: Namespace, env: Env) -> int:
    """Print each time expression; finding none is no failure."""
    zone: ZoneInfo = arguments.zone or ZoneInfo(env.settings.persona.zone)
    said_at = in_zone(arguments.at or env.clock.now(), zone)
    found = resolve(" ".join(arguments.text), said_at, zone.key)
    if env.out.json:
        for expression in found:
            env.out.row(_row(expression))
    elif not found:
        env.out.say(env.catalog.text("cli.ground.none"))
    else:
        rows = [_cells(expression, env) for expression in found]
        env.out.table(env.catalog.get("cli.ground.columns"), rows)
    return 0


def _row(expression: TimeExpression) -> dict[str, Any]:
    return {
        "phrase": expression.phrase,
        "span": expression.span,
        "start": expression.start,
        "end": expression.end,
        "precision": expression.precision,
        "direction": expression.direction,
        "rule": expression.rule,
        "ambiguous": expression.ambiguous,
        "recurrence": expression.recurrence,
        "readings": expression.readings,
    }


def _cells(expression: TimeExpression, env: Env) -> tuple[str, ...]:
    note = env.catalog.text("cli.ground.ambiguous") if expression.ambiguous else ""
    if expression.start is None or expression.end is None:
        unresolved = expression.recurrence or env.catalog.text("cli.ground.unresolved")
        return expression.phrase, unresolved, "", "", expression.rule
    rule = f"{expression.rule} ({note})" if note else expression.rule
    start, end = expression.start.strftime(_SHOWN), expression.end.strftime(_SHOWN)
    return expression.phrase, start, end, str(expression.precision or ""), rule
