"""E: tensor pulls. 32 connections fetch tensors of at most 16 kB as fast as they can, while 100 browsers take their steps."""

from __future__ import annotations

import asyncio
import random
import time

from ..ground import Ground, Scene, crowded
from ..pace import beside, noted, paced
from ..report import Report
from ..sentences import sentence
from ..wire import Wire

CONNECTIONS, BROWSERS, SECONDS = 32, 100, 20.0
TRACES = 40
NAMES = (
    "decoder.layers.0.cross_attn.weights",
    "decoder.layers.1.cross_attn.weights",
    "encoder.layers.0.self_attn.weights",
    "encoder.layers.1.self_attn.scores",
    "memory",
    "logits",
)
MOST_BYTES = 16 * 1024


async def run(ground: Ground) -> Report:
    """Run it."""
    report = Report("E", "tensor pulls")
    seconds = ground.time(SECONDS)
    async with crowded(ground.crowd(BROWSERS)) as scene:
        tally, server = scene.tally, scene.server
        addresses = await _addresses(scene)
        pulled, _ = await asyncio.gather(
            _pull(scene, addresses, seconds),
            beside(tally, server.host, server.port, lambda: paced(scene.browsers, tally, rate=1.0, seconds=seconds, draw=False)),
        )
    report.at_least("tensors a second", pulled / seconds, 2000, "", than=ground.rate)
    report.at_most(f"a step of {len(scene.browsers)} browsers is late, p99", tally.late("step", 99), 300, "ms", than=ground.p99)
    report.judge(tally)
    return report


async def _addresses(scene: Scene) -> list[str]:
    browser = scene.browsers[0]
    texts = [sentence(1000 + each, 0) for each in range(TRACES)]
    traces = [(await browser.run(text, text))["id"] for text in texts]
    return [f"/api/traces/{trace}/tensors/{name}" for trace in traces for name in NAMES]


async def _pull(scene: Scene, addresses: list[str], seconds: float) -> int:
    pulled, end = 0, time.perf_counter() + seconds

    async def work(number: int) -> None:
        nonlocal pulled
        wire = Wire(scene.server.host, scene.server.port, visitor=f"pull-{number}")
        chosen = random.Random(number)
        while time.perf_counter() < end:
            answer = await wire.get(chosen.choice(addresses))
            if answer.status != 200 or len(answer.body) > MOST_BYTES:
                scene.tally.wrong.append(f"a tensor was answered {answer.status} with {len(answer.body)} bytes")
            pulled += 1
        wire.close()

    await asyncio.gather(*(noted(scene.tally, work(number)) for number in range(CONNECTIONS)))
    return pulled
