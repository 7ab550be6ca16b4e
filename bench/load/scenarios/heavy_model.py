"""I: a heavy model. 20 browsers decode with the sizes of the paper, each asking for the next step as soon as it has one."""

from __future__ import annotations

import asyncio
import time
from collections import Counter

from ..browser import Browser
from ..ground import Ground, Scene, crowded
from ..pace import beside, together
from ..report import Report
from ..wire import Wire

BROWSERS, SECONDS = 20, 30.0
MODEL = "paper-base"


async def run(ground: Ground) -> Report:
    """Run it."""
    report = Report("I", "a heavy model shared")
    seconds = ground.time(SECONDS)
    async with crowded(ground.crowd(BROWSERS), profile="local", model=MODEL) as scene:
        tally, server = scene.tally, scene.server
        steps, places = await beside(tally, server.host, server.port, lambda: share(scene, seconds))
    taken = [steps[browser.number] for browser in scene.browsers]
    report.add("steps a second", f"{sum(taken) / seconds:.1f}", aim="about 50")
    report.at_most("most ÷ least steps of a browser", max(taken) / max(min(taken), 1), 1.5, "")
    report.add("place in the queue told to who waits", f"1 to {places}" if places else "no", aim="yes", met=places > 0)
    report.add("asked to come back", str(tally.refused), aim="none", met=tally.refused == 0)
    report.at_most("/healthz, p99", tally.late("health", 99), 150, "ms", than=ground.p99)
    report.wrong += tally.mistakes()
    return report


async def share(scene: Scene, seconds: float) -> tuple[Counter[int], int]:
    """Let all take steps for a while; return how many each took, and the last place in the queue that anybody was told."""
    steps: Counter[int] = Counter()
    places: list[int] = []
    end = time.perf_counter() + seconds

    async def work(browser: Browser) -> None:
        while time.perf_counter() < end:
            await browser.step(draw=False)
            steps[browser.number] += time.perf_counter() < end

    await together(scene.tally, [*(work(browser) for browser in scene.browsers), _ask_places(scene, end, places)])
    return steps, max(places, default=0)


async def _ask_places(scene: Scene, end: float, places: list[int]) -> None:
    """Ask for the place of one who waits, as its page does."""
    server, browser = scene.server, scene.browsers[-1]
    wire = Wire(server.host, server.port, visitor=browser.wire.visitor, source=browser.wire.source)
    while time.perf_counter() < end:
        answer = await wire.get("/api/queue")
        if answer.status == 200:
            places += [each["place"] for each in answer.json()["yours"]]
        await asyncio.sleep(0.2)
    wire.close()
