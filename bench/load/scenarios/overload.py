"""D: overload. 400 clients that ask again at once, whatever they are told, against the most that polite ones get."""

from __future__ import annotations

import asyncio
import time

from ..browser import Browser
from ..ground import Ground, Scene, crowded
from ..pace import beside, together
from ..report import Report
from ..tally import Tally
from .class_at_work import measure

RUDE, POLITE, SECONDS, AGAIN = 400, 32, 20.0, 10.0
QUEUE = 64
"""So short a queue that rude clients are refused; the classroom's own takes all of them in."""


async def run(ground: Ground) -> Report:
    """Run it with the classroom's queue, and with a short one."""
    report = Report("D", "overload")
    await _overload(report, ground, "classroom", {})
    await _overload(report, ground, f"queue of {QUEUE}", {"queue": QUEUE})
    return report


async def _overload(report: Report, ground: Ground, title: str, settings: dict[str, object]) -> None:
    seconds, rude = ground.time(SECONDS), 2 * ground.crowd(RUDE // 2)
    async with crowded(rude, settings=settings) as scene:
        peak = await closed_loop(scene.browsers[:POLITE], scene.tally, seconds / 2)
        tally, server = Tally(), scene.server
        polite = scene.tally.refused
        goodput = await beside(tally, server.host, server.port, lambda: closed_loop(scene.browsers, tally, seconds, rude=True))
        report.at_least(f"{title}: useful steps a second ÷ peak of {peak:.0f}", goodput / peak if peak else 0.0, 0.8, "")
        report.add(f"{title}: refused with 503 and Retry-After", str(scene.tally.refused - polite))
        report.at_most(f"{title}: /healthz, p99", tally.late("health", 99), 500, "ms")
        report.wrong += [*scene.tally.mistakes(), *tally.mistakes()]
        await asyncio.sleep(5)
        after = Report("A", "")
        half = Scene(server, scene.browsers[: ground.crowd(200)], Tally())
        await measure(after, half, Ground(), seconds=min(seconds, AGAIN))
        missed = [figure.what for figure in after.figures if figure.met is False]
        report.add(f"{title}: A 5 s after", f"missed: {'; '.join(missed)}" if missed else "holds", aim="holds", met=not missed)
        report.wrong += half.tally.mistakes()


async def closed_loop(browsers: list[Browser], tally: Tally, seconds: float, *, rude: bool = False) -> float:
    """Let each browser take a step as soon as it has the one before; return steps a second."""
    start, done = time.perf_counter(), 0

    async def work(browser: Browser) -> None:
        nonlocal done
        browser.rude = rude
        while time.perf_counter() < start + seconds:
            await browser.step(draw=False)
            done += time.perf_counter() < start + seconds
        browser.rude = False

    await together(tally, [work(browser) for browser in browsers])
    return done / seconds
