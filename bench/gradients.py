"""Measure what it costs to keep the gradient of every tensor, beside a plain training step.

    python bench/gradients.py [--rounds N]

A step is the forward pass, the loss and the way back to the parameters, on a batch of the model's own task. Ratios are taken
inside a round, whose order rotates. Prints a Markdown table of medians.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import torch
from glassformer.model.catalogue import card
from glassformer.model.initial import draw_weights
from glassformer.model.recorder import install, recording
from glassformer.model.training.batches import Batch, Stream
from glassformer.model.training.tasks import task
from glassformer.model.transformer import Transformer
from torch import Tensor

WARM = 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=30)
    rounds = parser.parse_args().rounds
    torch.set_num_threads(1)
    print("| model | plain step, ms | gradients of every tensor ÷ plain |\n|---|---|---|")
    for id in ("copy", "pig-latin"):
        network = Transformer(card(id).config)
        draw_weights(network, seed=1)
        install(network)
        batch = Stream(task(id).draw, card(id), batch=task(id).batch, seed=1).batch()
        ways: list[Callable[[Transformer, Batch], object]] = [_plain, _every_gradient]
        took = [_round(ways, i, network, batch) for i in range(rounds + WARM)][WARM:]
        plain = statistics.median(times[0] for times in took)
        every = statistics.median(times[1] / times[0] for times in took)
        print(f"| {id} | {plain:.1f} | **{every:.2f}** |", flush=True)


def _round(ways: list[Callable[[Transformer, Batch], object]], turn: int, network: Transformer, batch: Batch) -> list[float]:
    times = [0.0] * len(ways)
    for place in range(len(ways)):
        which = (place + turn) % len(ways)
        start = time.process_time()
        ways[which](network, batch)
        times[which] = 1000 * (time.process_time() - start)
    return times


def _loss(network: Transformer, batch: Batch) -> Tensor:
    log_probs = network(batch.src_ids, batch.tgt_ids).log_softmax(-1)
    loss: Tensor = network.loss(log_probs, batch.labels)
    return loss


def _plain(network: Transformer, batch: Batch) -> None:
    network.zero_grad()
    _loss(network, batch).backward()


def _every_gradient(network: Transformer, batch: Batch) -> None:
    with recording(graph=True) as recorded:
        network(batch.src_ids, batch.tgt_ids, batch.labels)
    tensors = [value for value in recorded.values.values() if value.requires_grad]
    torch.autograd.grad(recorded.values["loss.mean"], [*network.parameters(), *tensors], allow_unused=True)


if __name__ == "__main__":
    main()
