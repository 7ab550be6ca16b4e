"""Refusals that take their time: who is told that the server is busy and asks again at once would keep it busy with refusing."""

from __future__ import annotations

import asyncio
import time
from collections import Counter

FREE = 4
"""Refusals that an address gets at once, each second."""
FREE_FOR_ALL = 64
"""Refusals that all addresses together get at once, each second."""
REST_SECONDS = 0.5
"""How long one more is held back. Who waits as long as `Retry-After` says hardly notices."""


class Refusals:
    """Counts them, second by second. For use on the event loop only."""

    def __init__(self) -> None:
        self._second = 0
        self._counts: Counter[str] = Counter()
        self._all = 0

    async def rest(self, address: str) -> None:
        """Wait, if too many were refused in this second."""
        second = int(time.monotonic())
        if second != self._second:
            self._second, self._all = second, 0
            self._counts.clear()
        self._counts[address] += 1
        self._all += 1
        if self._counts[address] > FREE or self._all > FREE_FOR_ALL:
            await asyncio.sleep(REST_SECONDS)
