"""Trouble on demand for REST: rate limits, server errors, lost answers, slowness."""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

FOREVER = 1_000_000_000


@dataclass
class Trouble:
    """One rule: ``skip`` requests pass first, then ``times`` are hit.

    ``method`` and ``path`` are patterns with ``*``; the path is the route's, such as
    ``/channels/{channel_id}/messages``, or the real one.
    """

    kind: str
    method: str = "*"
    path: str = "*"
    times: int = 1
    skip: int = 0
    status: int = 500
    seconds: float = 0.0
    scope: str = "user"
    via: bool = True
    after: bool = False
    html: bool = False
    code: int = 0
    hits: int = 0

    def strikes(self, method: str, template: str, path: str) -> bool:
        """Whether this request is hit; counts it."""
        fits = fnmatchcase(method, self.method) and (
            fnmatchcase(template, self.path) or fnmatchcase(path, self.path)
        )
        if not fits or self.times <= 0:
            return False
        if self.skip > 0:
            self.skip -= 1
            return False
        self.times -= 1
        self.hits += 1
        return True


@dataclass
class Bucket:
    """A real rate limit: so many requests per time on a route (and its channel, webhook or guild)."""

    method: str
    path: str
    limit: int
    per: float
    used: dict[str, deque[float]] = field(default_factory=lambda: defaultdict(deque))

    def take(self, key: str, now: float) -> tuple[int, float]:
        """How many are left after this one (-1: refused) and in how many seconds the oldest one falls out."""
        used = self.used[key]
        while used and used[0] <= now - self.per:
            used.popleft()
        if len(used) >= self.limit:
            return -1, used[0] + self.per - now
        used.append(now)
        return self.limit - len(used), used[0] + self.per - now


class Faults:
    """The rules in force, asked in the order they were made."""

    def __init__(self) -> None:
        self.rules: list[Trouble] = []
        self.buckets: list[Bucket] = []

    def limit(
        self,
        retry_after: float = 0.01,
        *,
        times: int = 1,
        scope: str = "user",
        via: bool = True,
        method: str = "*",
        path: str = "*",
        skip: int = 0,
    ) -> Trouble:
        """Answer 429; scope ``user``, ``global``, ``shared``; without ``via`` it looks like a ban."""
        return self._add(
            Trouble("limit", method, path, times, skip, 429, retry_after, scope=scope, via=via),
        )

    def fail(
        self,
        status: int = 500,
        *,
        times: int = 1,
        method: str = "*",
        path: str = "*",
        after: bool = False,
        html: bool = False,
        code: int = 0,
        skip: int = 0,
    ) -> Trouble:
        """Answer an error, ``after`` the request has taken effect or before; ``html`` as a proxy would."""
        return self._add(
            Trouble("fail", method, path, times, skip, status, after=after, html=html, code=code)
        )

    def reset(
        self, *, times: int = 1, method: str = "*", path: str = "*", after: bool = False, skip: int = 0
    ) -> Trouble:
        """Cut the connection; ``after`` the request has taken effect (the answer is lost), or before."""
        return self._add(Trouble("reset", method, path, times, skip, after=after))

    def slow(
        self, seconds: float, *, times: int = FOREVER, method: str = "*", path: str = "*", skip: int = 0
    ) -> Trouble:
        """Wait before handling."""
        return self._add(Trouble("slow", method, path, times, skip, seconds=seconds))

    def bucket(self, method: str, path: str, limit: int, per: float) -> Bucket:
        """Enforce a real limit, with the headers that let a client keep to it."""
        made = Bucket(method, path, limit, per)
        self.buckets.append(made)
        return made

    def clear(self) -> None:
        """No more trouble."""
        self.rules.clear()
        self.buckets.clear()

    def striking(self, method: str, template: str, path: str) -> list[Trouble]:
        """Slowness that applies, and the first other trouble."""
        struck: list[Trouble] = []
        for rule in self.rules:
            wanted = rule.kind == "slow" or all(one.kind == "slow" for one in struck)
            if wanted and rule.strikes(method, template, path):
                struck.append(rule)
        return struck

    def bucket_for(self, method: str, template: str) -> Bucket | None:
        """The real limit of a route, if it has one."""
        return next(
            (one for one in self.buckets if one.method == method and fnmatchcase(template, one.path)), None
        )

    def _add(self, rule: Trouble) -> Trouble:
        self.rules.append(rule)
        return rule
