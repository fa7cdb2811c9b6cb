"""The judge that asks a model, once for all candidates."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from llm.errors import ModelBlocked, ModelEmpty, ModelMalformed, ModelTruncated
from llm.protocols import StructuredModel
from memory.relations.prompts import Judgement, build_prompt, candidate_ids
from memory.relations.types import Relation, Statement, Verdict
from memory.text import single_line

_LOG = logging.getLogger(__name__)
_LONGEST_REASON = 200


class ModelJudge:
    """Asks a structured model. An answer that doesn't fit its candidates one to one counts for none."""

    def __init__(self, model: StructuredModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    async def judge(self, new: Statement, candidates: Sequence[Statement]) -> tuple[Verdict, ...]:
        """Judge at most three candidates in one call; none, and nobody is asked.

        Raises what is transient (timeout, rate limit, down) and what needs the admin (a refused
        key); a blocked, empty, cut or malformed answer makes all DIFFERENT, with its cause.
        """
        if not candidates:
            return ()
        system, prompt = build_prompt(new, candidates)
        try:
            answer = await self._model.answer(system, prompt, Judgement)
        except (ModelBlocked, ModelEmpty, ModelTruncated, ModelMalformed) as error:
            return _all_different(len(candidates), type(error).__name__)
        return _aligned(answer, len(candidates))


def _aligned(answer: Judgement, count: int) -> tuple[Verdict, ...]:
    wanted = candidate_ids(count)
    given = [verdict.id.strip().upper() for verdict in answer.verdicts]
    if len(given) != count:
        return _all_different(count, f"{len(given)} verdicts for {count} candidates")
    if sorted(given) != sorted(wanted):
        return _all_different(count, "ids that match no candidate, or one twice")
    by_id = dict(zip(given, answer.verdicts, strict=True))
    return tuple(
        Verdict(by_id[name].relation, single_line(by_id[name].reason, _LONGEST_REASON)) for name in wanted
    )


def _all_different(count: int, cause: str) -> tuple[Verdict, ...]:
    _LOG.warning("relations: all %d candidates count as DIFFERENT: %s", count, cause)
    return (Verdict(Relation.DIFFERENT, f"no usable judgement: {cause}"),) * count
