"""Pacing: what is due at a time is begun then or as soon as the one before is done, and is late from the time it was due.

A client that waits for an answer before it looks at the clock asks less where the server is slow, and never sees the wait.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from .browser import Browser, WrongError
from .tally import Tally
from .wire import LostError, RefusedError, Wire

T = TypeVar("T")
HEALTH_SECONDS = 0.1


async def paced(
    browsers: Sequence[Browser], tally: Tally, *, rate: float, seconds: float, draw: bool = True, prove: bool = False
) -> float:
    """Let each browser take `rate` steps a second, evenly spread; return the time from the first to the last answer.

    Waits of `step` end when a step is answered, waits of `drawn` when all that the page draws of it is there.
    """
    start = time.perf_counter() + 0.1

    async def work(place: int, browser: Browser) -> None:
        for turn in range(round(rate * seconds)):
            due = start + (turn + place / len(browsers)) / rate
            await asyncio.sleep(due - time.perf_counter())
            shown = await browser.step(draw=draw, prove=prove)
            tally.wait("step", shown.answered - due)
            if draw:
                tally.wait("drawn", shown.drawn - due)

    await together(tally, [work(place, browser) for place, browser in enumerate(browsers)])
    return time.perf_counter() - start


async def together(tally: Tally, work: Sequence[Awaitable[object]]) -> None:
    """Do all of this at once; note what goes wrong in one of them, and let the others go on."""
    await asyncio.gather(*(noted(tally, each) for each in work))


async def noted(tally: Tally, work: Awaitable[T]) -> T | None:
    """Do something; what goes wrong is noted."""
    try:
        return await work
    except (WrongError, LostError, RefusedError, TimeoutError, OSError, KeyError, ValueError) as error:
        tally.wrong.append(f"{type(error).__name__}: {error}"[:300])
        return None


async def beside(tally: Tally, host: str, port: int, work: Callable[[], Awaitable[T]]) -> T:
    """Do something, and ask meanwhile ten times a second whether the server is well: waits of `health`."""
    watching = asyncio.create_task(_ask_health(tally, Wire(host, port)))
    try:
        return await work()
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)


async def _ask_health(tally: Tally, wire: Wire) -> None:
    due = time.perf_counter()
    try:
        while True:
            await asyncio.sleep(due - time.perf_counter())
            answer = await noted(tally, wire.get("/healthz"))
            if answer is not None and answer.status != 200:
                tally.wrong.append(f"/healthz answered {answer.status}")
            tally.wait("health", time.perf_counter() - due)
            due += HEALTH_SECONDS
    finally:
        wire.close()
