"""Run loads and print a table: `python -m bench.load [A B C …] [--seconds N] [--browsers N] [--workers N] [--into FILE]`.

Without letters all but G, the soak, run one after the other: A a class at work, B everyone presses Run, C push, D overload,
E tensor pulls, F memory, H slow clients, I a heavy model, J SIGTERM, K start. Each has a server of its own. The status is 1 when
an answer was wrong (a fault, a lost or doubled step, a token that is another one when nobody else is there); a figure that
misses its aim is only said, since it may be the machine's.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

import uvloop

from .calibration import Calibration, calibrate
from .ground import Ground
from .machine import describe_machine
from .report import Report, table
from .scenarios import (
    class_at_work,
    everyone_runs,
    heavy_model,
    memory,
    overload,
    push,
    slow_clients,
    soak,
    start,
    stop,
    tensor_pulls,
)

LOADS: Mapping[str, Callable[[Ground], Awaitable[Report]]] = {
    "A": class_at_work.run,
    "B": everyone_runs.run,
    "C": push.run,
    "D": overload.run,
    "E": tensor_pulls.run,
    "F": memory.run,
    "G": soak.run,
    "H": slow_clients.run,
    "I": heavy_model.run,
    "J": stop.run,
    "K": start.run,
}
_PLACE = re.compile(r"(?<=<!-- load -->\n).*?(?=<!-- /load -->)", re.DOTALL)


def main() -> int:
    """Run what was asked for; return the exit status."""
    chosen = _options()
    machine = describe_machine()
    if chosen.workers:
        os.environ["GLASSFORMER_WORKERS"] = str(chosen.workers)
        machine += f"; the server in {chosen.workers} processes"
    uvloop.install()
    reports, calibration = uvloop.run(_run(chosen))
    lines = [f"{machine}.", "", f"Calibration: {calibration}.", "", table(reports), ""]
    print("\n".join(lines))
    if chosen.into:
        text = chosen.into.read_text("utf-8")
        chosen.into.write_text(_PLACE.sub(lambda _: "\n".join(lines), text), "utf-8")
    return int(any(report.wrong for report in reports))


async def _run(chosen: argparse.Namespace) -> tuple[list[Report], Calibration]:
    calibration = await calibrate()
    ground = Ground(calibration, seconds=chosen.seconds or (chosen.minutes and chosen.minutes * 60), browsers=chosen.browsers)
    reports = []
    for letter in chosen.letters or [each for each in LOADS if each != "G"]:
        print(f"{letter} …", file=sys.stderr, flush=True)
        reports.append(await LOADS[letter](ground))
    return reports, calibration


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "letters", nargs="*", metavar="LETTER", type=str.upper, choices=[*LOADS, []], help=f"of {' '.join(LOADS)}"
    )
    parser.add_argument("--seconds", type=float, help="how long each load runs, instead of its own time")
    parser.add_argument("--minutes", type=float, help="the same in minutes, for G")
    parser.add_argument("--browsers", type=int, help="how many browsers, instead of each load's own number")
    parser.add_argument("--workers", type=int, help="processes of each server")
    parser.add_argument(
        "--into", type=Path, help="write the table between the marks <!-- load --> and <!-- /load --> of this file"
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
