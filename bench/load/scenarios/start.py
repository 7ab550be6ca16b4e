"""K: start. From the command to the first answer."""

from __future__ import annotations

import statistics
import time

from ..ground import Ground
from ..report import Report
from ..server import running
from ..wire import Wire

TIMES = 3
LIMIT = 6.0


async def run(ground: Ground) -> Report:
    """Run it."""
    report = Report("K", "start")
    took = []
    for _ in range(TIMES):
        with running() as server:
            wire = Wire(server.host, server.port)
            answer = await wire.get("/healthz")
            took.append(time.perf_counter() - server.began)
            wire.close()
            if answer.status != 200:
                report.wrong.append(f"the first answer was {answer.status}")
    report.at_most(
        f"first 200 after the command, median of {TIMES}, files in the system's cache", statistics.median(took), LIMIT, "s"
    )
    return report
