"""Measure what proofs and explanations cost, beside the forward pass they are about.

    python bench/prove.py [--rounds N]

Each round runs the recipe anew, proves the whole trace, and explains a hundred random cells; ratios are taken inside a round.
Prints a Markdown table of medians.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable

import torch
from glassformer.model.catalogue import CATALOGUE
from glassformer.model.library import Library
from glassformer.model.recipe import Recipe
from glassformer.model.running import run
from glassformer.model.verdict import verify

CELLS = 100


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9)
    rounds = parser.parse_args().rounds
    torch.set_num_threads(1)
    library = Library()
    print("| model | whole proof, ms | ÷ recorded run | one explanation, ms | tensors |\n|---|---|---|---|---|")
    for model in CATALOGUE:
        example = CATALOGUE[model].examples[0]
        recipe = Recipe(model, example.src, tgt=example.tgt)
        run(recipe, library)
        took = [_round(recipe, library, seed) for seed in range(rounds)]
        ran, proved, explained = (statistics.median(column) for column in zip(*took, strict=True))
        ratio = statistics.median(proof / once for once, proof, _ in took)
        count = sum(not record.entry.step.leaf for record in run(recipe, library).values())
        print(f"| {model} | {proved:.1f} | {ratio:.1f} (run: {ran:.1f} ms) | {explained:.3f} | {count} |", flush=True)


def _round(recipe: Recipe, library: Library, seed: int) -> tuple[float, float, float]:
    """Return milliseconds of a recorded run, of its whole proof, and of one explanation."""
    start = time.perf_counter()
    trace = run(recipe, library)
    ran = time.perf_counter() - start
    dice = random.Random(seed)
    names = [name for name, record in trace.items() if not record.entry.step.leaf]
    cells = [(name, tuple(map(dice.randrange, trace[name].shape))) for name in dice.choices(names, k=CELLS)]
    explained = _timed(lambda: [trace.explain(name, cell) for name, cell in cells]) / CELLS
    return 1000 * ran, _timed(lambda: verify(trace)), explained


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - start)


if __name__ == "__main__":
    main()
