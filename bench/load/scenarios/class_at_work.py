"""A: a class at work. 200 browsers, each takes one step a second and fetches all that the page draws of it."""

from __future__ import annotations

from ..ground import Ground, Scene, crowded
from ..pace import beside, paced
from ..report import Report

BROWSERS, SECONDS = 200, 60.0


async def run(ground: Ground) -> Report:
    """Run it."""
    report = Report("A", "a class at work")
    count, seconds = ground.crowd(BROWSERS), ground.time(SECONDS)
    async with crowded(count) as scene:
        await measure(report, scene, ground, seconds=seconds)
    report.judge(scene.tally)
    return report


async def measure(report: Report, scene: Scene, ground: Ground, *, seconds: float, rate: float = 1.0) -> None:
    """Let the crowd of a scene work, and add what came of it."""
    tally, server = scene.tally, scene.server
    used = server.cpu_seconds
    took = await beside(tally, server.host, server.port, lambda: paced(scene.browsers, tally, rate=rate, seconds=seconds))
    used = server.cpu_seconds - used
    done, due = tally.count("step"), len(scene.browsers) * round(rate * seconds)
    report.at_least("steps answered a second", done / max(took, seconds), 0.975 * len(scene.browsers) * rate, "")
    report.add("steps due, answered", f"{due}, {done}", aim="all", met=done == due)
    for percent, limit in ((50, 20), (95, 150), (99, 300)):
        report.at_most(
            f"a step is late, p{percent}", tally.late("step", percent), limit, "ms", than=ground.p99 if percent == 99 else None
        )
    report.add("with its trace and tensors, p50 and p99", f"{tally.late('drawn', 50):.0f} and {tally.late('drawn', 99):.0f} ms")
    report.at_most("/healthz, p99", tally.late("health", 99), 150, "ms", than=ground.p99)
    report.add("the server's processor, a step with all that is drawn", f"{used / max(done, 1) * 1e3:.1f} ms")
