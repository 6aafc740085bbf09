"""Token buckets: so many requests at once, then so many a second."""

from __future__ import annotations

import math
from collections.abc import Callable
from time import monotonic

from msgspec import Struct

MOST = 20_000  # buckets remembered; a full one may be forgotten


class Rate(Struct, frozen=True):
    a_second: float
    at_once: int


class Buckets:
    """A bucket for each asker, all of one size."""

    def __init__(self, rate: Rate, clock: Callable[[], float] = monotonic) -> None:
        self.rate = rate
        self.clock = clock
        self._kept: dict[str, tuple[float, float]] = {}  # tokens, and when they were counted

    def take(self, who: str) -> int:
        """0 if there was a token; else after how many seconds there will be one."""
        now = self.clock()
        tokens = self._tokens(who, now)
        if tokens < 1:
            return math.ceil((1 - tokens) / self.rate.a_second)
        self._keep(who, tokens - 1, now)
        return 0

    def charge(self, who: str, cost: float) -> float:
        """Take the tokens in any case; the seconds until the debt is paid, 0 without a debt."""
        now = self.clock()
        tokens = self._tokens(who, now) - cost
        self._keep(who, tokens, now)
        return max(0.0, -tokens / self.rate.a_second)

    def _keep(self, who: str, tokens: float, now: float) -> None:
        if len(self._kept) >= MOST and who not in self._kept:
            self._forget(now)
        self._kept[who] = (tokens, now)

    def _tokens(self, who: str, now: float) -> float:
        tokens, counted = self._kept.get(who, (float(self.rate.at_once), now))
        return min(float(self.rate.at_once), tokens + (now - counted) * self.rate.a_second)

    def _forget(self, now: float) -> None:
        """The full ones; and when none is full the oldest, for memory has an end."""
        full = [who for who in self._kept if self._tokens(who, now) >= self.rate.at_once]
        for who in full or list(self._kept)[: MOST // 10]:
            del self._kept[who]
