"""J: SIGTERM while 50 streams run. The server ends within two seconds, and each stream with a last word."""

from __future__ import annotations

import asyncio

from ..browser import Browser
from ..ground import Ground, Scene, crowded
from ..pace import together
from ..report import Report

STREAMS = 50
LIMIT = 2.0
LAST_WORDS = ("bye", "end")


async def run(ground: Ground) -> Report:
    """Run it."""
    report = Report("J", "SIGTERM with streams")
    async with crowded(ground.crowd(STREAMS)) as scene:
        took, ends = await stop(scene)
    count = len(scene.browsers)
    clean = sum(end in LAST_WORDS for end in ends)
    report.at_most(f"ended after SIGTERM with {count} streams", took, LIMIT, "s")
    report.add(
        "streams that ended with a last event", f"{clean} of {count}, {ends.count('bye')} with bye", aim="all", met=clean == count
    )
    report.wrong += scene.tally.mistakes()
    return report


async def stop(scene: Scene, patience: float = 30.0) -> tuple[float, list[str]]:
    """Follow a stream with each browser and stop the server when all run; return how long it took, and the last events."""
    started = asyncio.Semaphore(0)
    ends: list[str] = []

    async def follow(browser: Browser) -> None:
        last = "nothing"
        try:
            await browser.begin(max_steps=60)
            async for event in browser.wire.events(f"/api/decodings/{browser.decoding}/events"):
                if last == "nothing":
                    started.release()
                last = event.kind
                if event.kind == "step":
                    browser.check(event.json())
            ends.append(last)
        finally:
            if last == "nothing":  # who never got a step is not waited for
                started.release()

    async def end() -> float:
        for _ in scene.browsers:
            await started.acquire()
        scene.server.tell_to_stop()
        return await scene.server.until_it_ends(patience)

    ending = asyncio.create_task(end())
    await together(scene.tally, [follow(browser) for browser in scene.browsers])
    return await ending, ends
