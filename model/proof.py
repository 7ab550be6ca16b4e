"""Proofs: a tensor recomputed in float64 from its recorded operands, and the largest difference to what was recorded."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from .steps import Named, Target
from .trace import Record, Trace

TOLERANCE = 1e-5
"""Largest relative difference that rounding explains: float32 has 24 bits (6e-8), and a sum of n products loses √n times that."""


@dataclass(frozen=True)
class Proof:
    """How far a recorded tensor is from its replay.

    `max_abs` is the largest absolute difference and `cell` is where it is. `max_rel` relates it to the tensor's largest finite
    value, so that cells whose terms cancel are judged fairly. A cell that is infinite, NaN or blocked on one side only makes the
    difference infinite. `tolerance` is the limit for `max_rel`.
    """

    name: str
    max_abs: float
    max_rel: float
    cell: tuple[int, ...]
    tolerance: float = TOLERANCE

    @property
    def passes(self) -> bool:
        """True when rounding alone explains the difference."""
        return self.max_rel <= self.tolerance


def prove(trace: Trace, name: str) -> Proof | None:
    """Recompute one tensor of a trace; None for a leaf, which has nothing to be recomputed from.

    Raises:
        UnknownNameError: the trace has no such tensor.
    """
    record = trace[name]
    step = record.entry.step
    if step.leaf:
        return None
    operands = [_named(trace[read]) for read in step.reads]
    replayed = step.replay(operands, Target(record.axes, trace.sizes))
    return compare(name, record.value, replayed)


def compare(name: str, recorded: Tensor, replayed: Tensor) -> Proof:
    """Compare a recorded tensor with its replay, cell by cell."""
    assert recorded.shape == replayed.shape, f"{name}: recorded {tuple(recorded.shape)}, replayed {tuple(replayed.shape)}"
    if recorded.numel() == 0:
        return Proof(name, 0.0, 0.0, ())
    ours, theirs = recorded.to(torch.float64), replayed.to(torch.float64)
    same = (ours == theirs) | (ours.isnan() & theirs.isnan())
    difference = torch.where(same, 0, (ours - theirs).abs()).nan_to_num(nan=math.inf, posinf=math.inf)
    finite = ours[ours.isfinite()].abs()
    scale = float(finite.max()) if finite.numel() else 1.0
    relative = difference / max(scale, 1e-30)
    worst = int(relative.flatten().argmax())
    cell = tuple(int(i) for i in torch.unravel_index(torch.tensor(worst), recorded.shape)) if recorded.dim() else ()
    return Proof(name, float(difference.flatten()[worst]), float(relative.flatten()[worst]), cell)


def _named(record: Record) -> Named:
    value = record.value
    return Named(record.axes, value.to(torch.float64) if value.is_floating_point() else value)
