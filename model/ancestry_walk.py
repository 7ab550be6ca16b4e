"""The way back from one cell through every weighted sum before it, for the sentence that the cell belongs to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from graphlib import TopologicalSorter

import torch
from torch import Tensor

from .legend import Entry
from .steps import Named, Target
from .steps.base import Flows
from .trace import Trace


@dataclass(frozen=True)
class Passed:
    """A tensor that the cell is a weighted sum of, and what it reads, for one sentence: a batch axis has one place.

    `upstream` is what one unit of each of its cells adds to the cell (float64). `flows` is the same for its operands; None where
    the sum ends.
    """

    entry: Entry
    value: Tensor
    operands: tuple[Named, ...]
    upstream: Tensor
    flows: Flows


def walk_back(trace: Trace, name: str, cell: tuple[int, ...]) -> Iterator[Passed]:
    """Yield every tensor that a cell is a weighted sum of, each after those that read it."""
    sentence = Sentence(trace, name, cell)
    upstream = {name: sentence.unit(name, cell)}
    for entry in sentence.before(name):
        if entry.name not in upstream:
            continue
        here, value = upstream.pop(entry.name), sentence.named(entry.name).value
        operands = tuple(sentence.named(read) for read in entry.step.reads)
        flows = entry.step.flow(operands, sentence.target(entry), here, value)
        yield Passed(entry, value, operands, here, flows)
        for read, flow in zip(entry.step.reads, flows or (), strict=flows is not None):
            if flow is not None:
                upstream[read] = upstream[read] + flow if read in upstream else flow


class Sentence:
    """The sentence of a trace that a cell belongs to. Sentences never mix, so every tensor is cut down to it."""

    def __init__(self, trace: Trace, name: str, cell: tuple[int, ...]) -> None:
        self._trace = trace
        self._place = next((at for at, axis in zip(cell, trace[name].axes, strict=True) if axis.name == "batch"), 0)

    @property
    def place(self) -> int:
        """Which sentence of the batch this is."""
        return self._place

    def named(self, name: str) -> Named:
        """Return a tensor of this sentence, a view of the recorded one."""
        record = self._trace[name]
        batch = self._batch(name)
        return Named(record.axes, record.value if batch is None else record.value.narrow(batch, self._place, 1))

    def unit(self, name: str, cell: tuple[int, ...]) -> Tensor:
        """Return a tensor's shape in zeros, with 1 in one cell."""
        batch = self._batch(name)
        made = torch.zeros(self.named(name).value.shape, dtype=torch.float64)
        made[tuple(0 if i == batch else at for i, at in enumerate(cell))] = 1
        return made

    def target(self, entry: Entry) -> Target:
        """Return what a step has to come out as for this sentence."""
        return Target(entry.axes, {**self._trace.sizes, "batch": 1})

    def before(self, name: str) -> list[Entry]:
        """Return a tensor and all that it follows from, each after those that read it."""
        entries = self._trace.legend.entries
        reads: dict[str, tuple[str, ...]] = {}
        found = [name]
        while found:
            here = found.pop()
            if here not in reads:
                reads[here] = entries[here].step.reads
                found += reads[here]
        return [entries[each] for each in reversed(list(TopologicalSorter(reads).static_order()))]

    def _batch(self, name: str) -> int | None:
        return next((i for i, axis in enumerate(self._trace[name].axes) if axis.name == "batch"), None)
