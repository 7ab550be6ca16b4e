"""B: the teacher says “now press Run”. 200 different runs within a second."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

from ..browser import Browser
from ..ground import Ground, crowded
from ..pace import together
from ..report import Report
from ..sentences import sentence
from ..tally import Tally

BROWSERS = 200
LETTERS = 32


async def run(ground: Ground) -> Report:
    """Run it."""
    report = Report("B", "everyone presses Run")
    async with crowded(ground.crowd(BROWSERS)) as scene:
        await press_run(scene.browsers, scene.tally)
    tally = scene.tally
    done = tally.count("run")
    report.add("runs asked for, answered", f"{len(scene.browsers)}, {done}", aim="all", met=done == len(scene.browsers))
    report.at_most("all answered after the first press", tally.late("since start", 100) / 1e3, 3, "s")
    report.add("a run takes, p50 and p99", f"{tally.late('run', 50):.0f} and {tally.late('run', 99):.0f} ms")
    report.add("asked to come back", str(tally.refused), aim="none", met=tally.refused == 0)
    report.wrong += tally.mistakes()
    return report


async def press_run(browsers: Sequence[Browser], tally: Tally, *, within: float = 1.0) -> None:
    """Let each browser run another sentence, evenly spread over a second."""
    start = time.perf_counter()

    async def press(place: int, browser: Browser) -> None:
        due = start + within * place / len(browsers)
        await asyncio.sleep(due - time.perf_counter())
        text = f"{sentence(browser.number, 77)} {sentence(browser.number, 78)}"[:LETTERS].strip()
        await browser.run(text, text)
        tally.wait("run", time.perf_counter() - due)
        tally.wait("since start", time.perf_counter() - start)

    await together(tally, [press(place, browser) for place, browser in enumerate(browsers)])
