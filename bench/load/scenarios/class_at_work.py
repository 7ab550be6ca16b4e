"""A: a class at work. 200 browsers take a step a second: alone, then with all that is drawn, then with its proof as well."""

from __future__ import annotations

from dataclasses import replace

from ..ground import Ground, Scene, crowded
from ..pace import beside, paced
from ..report import Report
from ..tally import Tally

BROWSERS, SECONDS = 200, 60.0
LATE = ((50, 20), (95, 150), (99, 300))
HEALTH = 150


async def run(ground: Ground) -> Report:
    """Run it: half of the time for steps alone, the rest with what else the page asks."""
    report = Report("A", "a class at work")
    seconds = ground.time(SECONDS)
    async with crowded(ground.crowd(BROWSERS)) as scene:
        await measure(report, scene, ground, seconds=seconds, draw=False)
        drawing = replace(scene, tally=Tally())
        await measure(report, drawing, ground, seconds=seconds / 2, title="with trace and tensors: ")
        proving = replace(scene, tally=Tally())
        await measure(report, proving, ground, seconds=seconds / 4, title="with its proof too: ", prove=True)
        report.add("proofs that came meanwhile", str(scene.tally.count("proof")))
    for each in (drawing, proving):
        report.wrong += each.tally.mistakes()
    report.judge(scene.tally)
    return report


async def measure(
    report: Report,
    scene: Scene,
    ground: Ground,
    *,
    seconds: float,
    rate: float = 1.0,
    draw: bool = True,
    prove: bool = False,
    title: str = "",
) -> None:
    """Let the crowd of a scene work, and add what came of it."""
    tally, server, what = scene.tally, scene.server, "drawn" if draw else "step"
    used = server.cpu_seconds
    took = await beside(
        tally, server.host, server.port, lambda: paced(scene.browsers, tally, rate=rate, seconds=seconds, draw=draw, prove=prove)
    )
    used = server.cpu_seconds - used
    done, due = tally.count(what), len(scene.browsers) * round(rate * seconds)
    report.at_least(f"{title}steps a second", done / max(took, seconds), 0.975 * len(scene.browsers) * rate, "")
    report.add(f"{title}steps due, answered", f"{due}, {done}", aim="all", met=done == due)
    for percent, limit in LATE:
        than = ground.p99 if percent == 99 else None
        report.at_most(f"{title}late, p{percent}", tally.late(what, percent), limit, "ms", than=than)
    report.at_most(f"{title}/healthz, p99", tally.late("health", 99), HEALTH, "ms", than=ground.p99)
    report.add(f"{title}the server's processor, a step", f"{used / max(done, 1) * 1e3:.1f} ms")
