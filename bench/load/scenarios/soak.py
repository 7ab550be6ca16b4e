"""G: soak. A mixed load for minutes: what grows without end shows here."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass

from ..browser import Browser
from ..ground import Ground, Scene, crowded
from ..pace import beside, together
from ..report import Report
from ..sentences import sentence
from ..tally import percentile

BROWSERS, SECONDS = 40, 300.0
STORE = 128 * 2**20
SAMPLE = 1.0
SLOPE, FILES, SLOWER = 1.0, 5, 1.5


@dataclass(frozen=True)
class Sample:
    """What the kernel says at a time."""

    at: float
    rss: int
    threads: int
    files: int


async def run(ground: Ground) -> Report:
    """Run it."""
    seconds = ground.time(SECONDS)
    report = Report("G", f"soak, {seconds / 60:.0f} min")
    waits: list[tuple[float, float]] = []
    async with crowded(ground.crowd(BROWSERS), settings={"store_bytes": STORE}) as scene:
        tally, server = scene.tally, scene.server
        samples = await beside(tally, server.host, server.port, lambda: _mix(scene, seconds, waits))
    late = [sample for sample in samples if sample.at > seconds / 3]
    minute = min(60.0, seconds / 3)
    first = percentile([wait for at, wait in waits if at < minute], 99)
    last = percentile([wait for at, wait in waits if at > seconds - minute], 99)
    report.at_most("memory grows in the last two thirds", slope(late) * 60 / 2**20, SLOPE, "MiB/min")
    threads, files = ([getattr(sample, name) for sample in late] for name in ("threads", "files"))
    report.add("threads", f"{min(threads)} to {max(threads)}", aim="equal", met=min(threads) == max(threads))
    report.add("open files", f"{min(files)} to {max(files)}", aim=f"± {FILES}", met=max(files) - min(files) <= 2 * FILES)
    report.at_most(f"step p99 of the last {minute:.0f} s ÷ the first", last / first, SLOWER, "")
    report.add("steps", str(len(waits)))
    report.judge(tally)
    return report


def slope(samples: list[Sample]) -> float:
    """Bytes a second, by least squares."""
    at, rss = [sample.at for sample in samples], [sample.rss for sample in samples]
    middle, mean = sum(at) / len(at), sum(rss) / len(rss)
    spread = sum((each - middle) ** 2 for each in at)
    return sum((x - middle) * (y - mean) for x, y in zip(at, rss, strict=True)) / spread if spread else 0.0


async def _mix(scene: Scene, seconds: float, waits: list[tuple[float, float]]) -> list[Sample]:
    """A quarter of the browsers follow streams, a quarter press Run, half take steps; each once in a second or two."""
    start, samples = time.perf_counter(), list[Sample]()

    async def work(place: int, browser: Browser) -> None:
        await asyncio.sleep(place / len(scene.browsers))
        turn = 0
        while (now := time.perf_counter() - start) < seconds:
            turn += 1
            if place % 4 == 0:
                async for _ in browser.follow():
                    pass
            elif place % 4 == 1:
                text = sentence(browser.number, 500 + turn)
                await browser.run(text, text)
            else:
                await browser.step()
                waits.append((now, time.perf_counter() - start - now))
            await asyncio.sleep(max(0.0, 1 + (place % 4 == 0) - (time.perf_counter() - start - now)))

    async def watch() -> None:
        while (now := time.perf_counter() - start) < seconds:
            samples.append(Sample(now, scene.server.rss, scene.server.threads, scene.server.files))
            await asyncio.sleep(SAMPLE)

    await together(scene.tally, [*(work(place, browser) for place, browser in enumerate(scene.browsers)), watch()])
    return samples
