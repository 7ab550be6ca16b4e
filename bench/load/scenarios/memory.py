"""F: memory. A store that is full several times over, and 200 visitors."""

from __future__ import annotations

from ..browser import Browser
from ..ground import Ground, Scene, crowded
from ..pace import together
from ..report import Report
from ..sentences import sentence

BROWSERS = 200
MIB = 2**20
STORE = 512 * MIB
BASE, SHARE, EACH, STOP = 300 * MIB, 1.2, 0.5 * MIB, 1228 * MIB
LONG = 60
"""Letters of a sentence whose trace weighs about 2.5 MiB."""


async def run(ground: Ground) -> Report:
    """Run it."""
    report = Report("F", "memory")
    async with crowded(ground.crowd(BROWSERS)) as scene:
        idle = scene.server.rss
        filled = await fill(scene, STORE)
        limit = most(STORE, len(scene.browsers))
        report.add("traces computed, in all", f"{filled / MIB:.0f} MiB, {filled / STORE:.1f} × the store")
        report.add("when the page was opened by all", f"{idle / MIB:.0f} MiB")
        report.at_most("resident, store full", scene.server.rss / MIB, round(limit / MIB), "MiB")
        report.at_most("resident, the most ever", scene.server.highest_rss / MIB, STOP // MIB, "MiB")
    report.judge(scene.tally)
    return report


def most(store: int, visitors: int) -> float:
    """The bytes that a server with a full store and so many visitors may hold."""
    return BASE + SHARE * store + EACH * visitors


async def fill(scene: Scene, store: int, *, times: float = 1.5, step: bool = True) -> int:
    """Run long sentences until their traces would fill the store `times` over, decoding in between; return their bytes."""
    made = 0

    async def work(browser: Browser) -> None:
        nonlocal made
        turn = 100
        while made < times * store:
            turn += 1
            text = " ".join(sentence(browser.number, 10 * turn + each) for each in range(5))[:LONG].strip()
            made += (await browser.run(text, text))["bytes"]
            if step:
                await browser.step()

    await together(scene.tally, [work(browser) for browser in scene.browsers])
    return made
