"""Measure how long a model takes to learn its task: seconds of training, and what it gets right of sentences it never saw.

    python bench/train.py copy|pig-latin [--steps N]

Prints a row of a Markdown table. A shorter run has a shorter schedule, so it is a training of its own, not the beginning of
another.
"""

from __future__ import annotations

import argparse
import time

from glassformer.model.catalogue import card
from glassformer.model.training.lesson import shipped_lesson
from glassformer.model.training.scores import exact_matches
from glassformer.model.training.session import Session
from glassformer.model.training.tasks import task
from glassformer.model.training.threads import one_thread


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("task", choices=("copy", "pig-latin"))
    parser.add_argument("--steps", type=int, help="steps of training; left out, those of the shipped weights")
    chosen = parser.parse_args()
    asked = task(chosen.task)
    session = Session(shipped_lesson(asked, seed=1, steps=chosen.steps or asked.steps))
    with one_thread():
        start = time.perf_counter()
        while not session.finished:
            session.advance()
        took = time.perf_counter() - start
        network = session.network.eval().requires_grad_(False)
        scores = {name: exact_matches(network, pairs, card(asked.id)) for name, pairs in asked.held_out().items()}
    right = ", ".join(f"{name}: {score.right} of {score.total}" for name, score in scores.items())
    print("| task | steps | seconds | right |\n|---|---|---|---|")
    print(f"| {asked.id} | {session.step} | {took:.0f} | {right} |", flush=True)


if __name__ == "__main__":
    main()
