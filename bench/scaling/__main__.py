"""Measure what more processes and a proxy bring and cost: `python -m bench.scaling`, on an otherwise idle machine.

Needs wrk; nginx, Caddy and a Python with Ray are measured where they are (`--ray PATH`). wrk asks with 16 connections, each as
soon as it has its answer: for steps of decodings that nobody has asked for, then for tensors that many have. Each way of serving
is measured in turn with one bare server, which runs all the time; ratios are inside a round, figures are medians.
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

from ..load.machine import describe_machine
from .hammer import pulls, rate, steps
from .ways import one_server, ways

FASTEST = 1500  # steps a second that are written down beforehand


def main() -> None:
    """Print a table, as Markdown."""
    options = _options()
    if shutil.which("wrk") is None:
        sys.exit("wrk is not installed (Debian: apt-get install wrk)")
    print(f"{describe_machine()}; {options.rounds} rounds of {options.seconds:g} s\n")
    print("| served by | steps/s | ÷ 1 server | tensors/s | ÷ 1 server |\n|---|---|---|---|---|", flush=True)
    with one_server(1) as bare, tempfile.TemporaryDirectory(prefix="glassformer-scaling-") as folder:
        for name, way in ways(options.ray).items():
            if options.only and not any(word in name for word in options.only):
                continue
            with way() as port:
                print(_row(name, bare, port, Path(folder), options), flush=True)


def _row(name: str, bare: int, port: int, folder: Path, options: argparse.Namespace) -> str:
    draw = random.Random(name)
    looked_at = list(pulls(draw))
    cells = [name]
    for kind in ("steps", "pulls"):
        found, ratios = [], []
        for turn in range(-1, options.rounds):  # the first only warms up
            pair = {}
            for each in (bare, port) if turn % 2 else (port, bare):
                addresses = looked_at if kind == "pulls" else list(steps(draw, int(FASTEST * options.seconds)))
                pair[each] = rate(each, addresses, folder, seconds=options.seconds if turn >= 0 else 1)
            if turn >= 0:
                found.append(pair[port])
                ratios.append(pair[port] / pair[bare])
        cells += [f"{statistics.median(found):.0f}", f"**{statistics.median(ratios):.2f}** [{min(ratios):.2f}–{max(ratios):.2f}]"]
    return f"| {' | '.join(cells)} |"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=4.0, help="of each measurement")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--ray", help="a Python that has glassformer[ray]")
    parser.add_argument("--only", nargs="*", help="ways whose name holds one of these words")
    return parser.parse_args()


if __name__ == "__main__":
    main()
