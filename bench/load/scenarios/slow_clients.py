"""H: slow clients. 50 that never read what they asked for and 50 that never finish asking, beside 200 good ones."""

from __future__ import annotations

import asyncio
import time

from ..ground import Ground, Scene, crowded
from ..pace import noted
from ..report import Report
from ..wire import Wire
from .class_at_work import measure

BAD, BROWSERS, SECONDS = 50, 200, 30.0
CLOSED_AFTER = 30.0
SWEEP = 3.0
"""Seconds until a server that looks at its connections now and then has seen it."""
P99 = 2 * 300
HALF, DEAF = "127.78.0", "127.79.0"
"""The networks that they come from."""


async def run(ground: Ground) -> Report:
    """Run it."""
    report = Report("H", "slow clients")
    count, seconds = ground.crowd(BROWSERS), ground.time(SECONDS)
    async with crowded(count) as scene:
        bad = min(BAD, count)
        halves, deaf = await half_requests(scene, bad), await never_read(scene, bad)
        began = time.perf_counter()
        with_bad = Report("A", "")
        await measure(with_bad, scene, ground, seconds=seconds)
        await asyncio.sleep(began + CLOSED_AFTER + SWEEP - time.perf_counter())
        report.at_most("a good browser's step is late, p99", scene.tally.late("step", 99), P99, "ms", than=ground.p99)
        for title, network in (("half requests", HALF), ("answers never read", DEAF)):
            held = scene.server.connections_from(network)
            report.add(f"{title}, still held after 30 s", f"{held} of {bad}", aim="none", met=held == 0)
        report.at_most("/healthz, p99", scene.tally.late("health", 99), 150, "ms", than=ground.p99)
        for wire in (*halves, *deaf):
            wire.close()
    report.judge(scene.tally)
    return report


async def half_requests(scene: Scene, count: int) -> list[Wire]:
    """Open connections that send half of a request's head, or half of its body."""
    host, port = scene.server.host, scene.server.port
    heads = (
        f"GET /api/models HTTP/1.1\r\nHost: {host}:{port}\r\nAccep",
        f"POST /api/traces HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{{",
    )
    wires = [Wire(host, port, source=f"{HALF}.{each + 1}") for each in range(count)]
    for each, wire in enumerate(wires):
        await noted(scene.tally, wire.send(heads[each % 2].encode()))
    return wires


async def never_read(scene: Scene, count: int) -> list[Wire]:
    """Open connections that ask for much and read nothing of it."""
    host, port = scene.server.host, scene.server.port
    asked = f"GET /api/models/pig-latin HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode() * 40
    wires = [Wire(host, port, source=f"{DEAF}.{each + 1}") for each in range(count)]
    for wire in wires:
        await noted(scene.tally, wire.send(asked))
        wire.stop_reading()
    return wires
