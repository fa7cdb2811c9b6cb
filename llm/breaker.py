"""A model that fails again and again is left alone for a while: one circuit breaker, without I/O.

Closed, every request goes out. After a few failures in a row that are the endpoint's own it opens:
nobody is asked, so nobody waits for nothing. After a pause it is half open: one request is the probe;
answered it closes, failed it opens for longer. A provider that says when is asked again then.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from llm.errors import ModelAway, ModelDown, ModelError, ModelMisconfigured, ModelRateLimited, ModelTimeout

EARLY = 0.05
"""Seconds by which a pause may be over early: timers of a loop are not exact."""


class Standing(StrEnum):
    """How a model stands, as far as its last answers tell; the set is closed."""

    FINE = "fine"
    AWAY = "away"
    QUOTA = "quota"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Rest:
    """After how many failures in a row a model is left alone, and for how many seconds.

    Each probe that fails doubles the pause up to ``longest``: no model that is back is noticed later
    than that. ``longest_quota`` bounds what a provider may ask for; a quota that is used up for less
    than ``told_from`` is waited out, and no news. No data set these: five failures
    are more than the attempts of one message, thirty seconds the time one request may take.
    """

    failures: int = 5
    first: float = 5.0
    longest: float = 30.0
    longest_quota: float = 3600.0
    told_from: float = 60.0


@dataclass(frozen=True, slots=True)
class Leave:
    """That a request may go out; ``probe``: alone, to see whether the model is back."""

    probe: bool = False


class Breaker:
    """The state of one model behind one endpoint. Times are seconds of any clock that never goes back."""

    def __init__(self, rest: Rest | None = None) -> None:
        self._rest = rest or Rest()
        self._cause: ModelError | None = None
        self._in_a_row = 0
        self._until: float | None = None
        self._pause = self._rest.first
        self._probing = False

    @property
    def standing(self) -> Standing:
        """How it stands. A few failures are no standing yet: they may be the requests' own."""
        if isinstance(self._cause, ModelMisconfigured):
            return Standing.REFUSED
        if self._until is None:
            return Standing.FINE
        return Standing.QUOTA if isinstance(self._cause, ModelRateLimited) else Standing.AWAY

    @property
    def cause(self) -> str:
        """What its last failure was: codes alone, fit for a log; "" where it stands well."""
        return "" if self.standing is Standing.FINE else str(self._cause)

    def rests(self, now: float) -> float:
        """Return the seconds until it is asked again; 0 where it is asked."""
        return 0.0 if self._until is None else max(0.0, self._until - now)

    def ask(self, now: float) -> Leave | ModelError:
        """Return the leave to send a request, whose end must be told; or the error that stands for it."""
        if self._until is None:
            return Leave()
        left = self._until - now
        if isinstance(self._cause, ModelRateLimited):
            if left > EARLY:
                return ModelRateLimited(f"not asked so soon again ({self._cause})", left)
            self._close(None)  # it said itself from when on it may be asked
            return Leave()
        if left > EARLY or self._probing:
            return ModelAway(f"left alone for a while ({self._cause})")
        self._probing = True
        return Leave(probe=True)

    def answered(self) -> None:
        """Take note of an answer, whoever asked: it works, so it closes."""
        self._close(None)

    def failed(self, error: ModelError, leave: Leave, now: float) -> None:
        """Take note of a request that ended in ``error``.

        A refusal, or an answer nobody can use, is an answer; that a key is wrong is remembered.
        """
        if not isinstance(error, ModelDown | ModelTimeout | ModelRateLimited):
            self._close(error)
            return
        self.broken_off(leave)
        if self._until is not None and not leave.probe:
            return  # it was under way when others opened it
        self._cause = error
        self._in_a_row += 1
        if isinstance(error, ModelRateLimited) and error.retry_after is not None:
            self._until = now + min(error.retry_after, self._rest.longest_quota)
        elif leave.probe or self._in_a_row >= self._rest.failures:
            self._until = now + self._pause
            self._pause = min(self._pause * 2, self._rest.longest)

    def broken_off(self, leave: Leave) -> None:
        """Take note of a request that was cancelled: it says nothing, and the next one may probe."""
        if leave.probe:
            self._probing = False

    def _close(self, cause: ModelError | None) -> None:
        self._cause, self._in_a_row, self._until = cause, 0, None
        self._pause, self._probing = self._rest.first, False
