"""How the models of a house stand: one breaker for each, and whoever wants to know of a change."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

from llm.breaker import Breaker, Rest, Standing

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Condition:
    """How a model stands (``name``: endpoint and model), and the codes of why, "" where it is well."""

    name: str
    standing: Standing
    cause: str = ""


class Watch:
    """The breakers by endpoint and model: overload and quotas are one model's, the others go on.

    ``on_change`` is told once of a model that is down, out of quota or refused, and once that it is
    well again.
    """

    def __init__(self, rest: Rest | None = None) -> None:
        self._rest = rest or Rest()
        self._breakers: dict[tuple[str, str], Breaker] = {}
        self._told: dict[tuple[str, str], Standing] = {}
        self.on_change: Callable[[Condition], None] | None = None

    def breaker(self, endpoint: str, model: str) -> Breaker:
        """Return the breaker of a model."""
        return self._breakers.setdefault((endpoint, model), Breaker(self._rest))

    def conditions(self) -> tuple[Condition, ...]:
        """Return how all models stand that were asked so far, by name."""
        return tuple(_condition(key, one) for key, one in sorted(self._breakers.items()))

    def troubled(self) -> tuple[Condition, ...]:
        """Return those that do not stand well."""
        return tuple(one for one in self.conditions() if one.standing is not Standing.FINE)

    def look(self, endpoint: str, model: str, now: float) -> None:
        """Tell of a model's standing if it is another than was told last."""
        key = endpoint, model
        breaker = self.breaker(endpoint, model)
        found, rests = _condition(key, breaker), breaker.rests(now)
        if found.standing is self._told.get(key, Standing.FINE):
            return
        if found.standing is Standing.QUOTA and rests < self._rest.told_from:
            return
        self._told[key] = found.standing
        if found.standing is Standing.FINE:
            logger.warning("%s answers again", found.name)
        else:
            logger.warning(
                "%s is %s (%s); asked again in %.0f s", found.name, found.standing, found.cause, rests
            )
        if self.on_change is not None:
            self.on_change(found)


def _condition(key: tuple[str, str], breaker: Breaker) -> Condition:
    return Condition(" ".join(part for part in key if part), breaker.standing, breaker.cause)
