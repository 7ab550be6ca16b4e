"""C: push. 200 browsers play their decoding at three steps a second, and then 200 streams as fast as the server computes.

The server's stream has no pace of its own: it sends each step as soon as it is computed, and the page plays what has come. So
what a paced push asks of the server is asked here step by step; the streams show what it gives when nothing holds it back.
"""

from __future__ import annotations

import time

from ..browser import Browser
from ..ground import Ground, Scene, crowded
from ..pace import beside, paced, together
from ..report import Report

BROWSERS, SECONDS, RATE = 200, 30.0, 3.0
SHARE = 420 / 600


async def run(ground: Ground) -> Report:
    """Run it."""
    report = Report("C", "push")
    count, seconds = ground.crowd(BROWSERS), ground.time(SECONDS)
    async with crowded(count) as scene:
        tally, server = scene.tally, scene.server
        took = await beside(
            tally, server.host, server.port, lambda: paced(scene.browsers, tally, rate=RATE, seconds=seconds, draw=False)
        )
        report.at_least(
            "steps answered a second, of three for each",
            tally.count("step") / max(took, seconds),
            SHARE * RATE * count,
            "",
            than=ground.rate,
        )
        report.at_most("a step is late, p99", tally.late("step", 99), 1000, "ms", than=ground.p99)
        began = time.perf_counter()
        sent = await stream_all(scene)
        report.add(f"events a second from {count} streams at once", f"{sent / (time.perf_counter() - began):.0f}")
    report.judge(tally)
    return report


async def stream_all(scene: Scene) -> int:
    """Let each browser follow one decoding to its end; return how many steps came."""
    sent = 0

    async def follow(browser: Browser) -> None:
        nonlocal sent
        async for _ in browser.follow():
            sent += 1

    await together(scene.tally, [follow(browser) for browser in scene.browsers])
    return sent
