"""What a run asked of models, by role: calls, tokens, cost, each also per message."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from llm.usage import Price, Purpose, Spending, Usage, spending_of
from memory.extraction.prompts import FoundFacts
from memory.relations.prompts import Judgement

ROLES = ("chat", "extract", "judge", "embed")
_BY_SHAPE = {FoundFacts.__name__: "extract", Judgement.__name__: "judge"}


def role_of(usage: Usage) -> str:
    """Return what a request was for; an answer in another shape belongs to the talk."""
    if usage.purpose in {Purpose.EMBED_DOCUMENTS, Purpose.EMBED_QUERY}:
        return "embed"
    return _BY_SHAPE.get(usage.shape or "", "chat")


def spending_report(usages: Sequence[Usage], prices: Mapping[str, Price], messages: int) -> dict[str, Any]:
    """Return the figures of a run over ``messages`` messages; a cost nobody knows is None.

    ``calls`` left the machine; ``computed`` did not and costs nothing. ``failed`` calls are among the calls.
    """
    by_role = {role: [one for one in usages if role_of(one) == role] for role in ROLES}
    return {
        "messages": messages,
        **_figures(usages, prices, messages),
        "by_role": {role: _figures(mine, prices, messages) for role, mine in by_role.items()},
    }


def _figures(usages: Iterable[Usage], prices: Mapping[str, Price], messages: int) -> dict[str, Any]:
    mine = list(usages)
    spent: Spending = spending_of(mine, prices)
    return {
        "calls": spent.calls,
        "calls_per_message": _per(spent.calls, messages),
        "failed": sum(one.failure is not None for one in mine if not one.local),
        "computed": sum(one.local for one in mine),
        "input_tokens": spent.input_tokens,
        "output_tokens": spent.output_tokens,
        "cost_usd": spent.cost,
        "cost_usd_per_message": None if spent.cost is None else _per(spent.cost, messages),
        "calls_of_unknown_cost": spent.unpriced,
    }


def _per(amount: float, messages: int) -> float:
    return amount / messages if messages else 0.0
