"""Proofs: a tensor recomputed in float64 from its recorded operands, and the largest difference to what was recorded."""

from __future__ import annotations

import inspect
import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch
from torch import Tensor

from .legend import Entry
from .rounding import Allowance, allowance, moves
from .steps import Named, Step, Target
from .trace import Trace

_PIECE = 2**18  # cells that are compared at once: their float64 copies stay in the processor's cache


@dataclass(frozen=True)
class Proof:
    """How far a recorded tensor is from its replay.

    `max_abs` is the largest absolute difference, `cell` is where it is, `recorded` and `replayed` are the two values there (in a
    mask True and False). `max_rel` relates it to `allowed.scale`, and `allowed.tolerance` is the limit for that. `cells` says how
    many were compared. A cell that is infinite, NaN or blocked on one side only makes the difference infinite.
    """

    name: str
    cells: int
    max_abs: float
    cell: tuple[int, ...]
    recorded: float
    replayed: float
    allowed: Allowance

    @property
    def max_rel(self) -> float:
        """The largest difference, relative to the scale; the tolerance is the limit for it."""
        return self.max_abs / max(self.allowed.scale, 1e-30)

    @property
    def tolerance(self) -> float:
        """The largest relative difference that rounding explains."""
        return self.allowed.tolerance

    @property
    def passes(self) -> bool:
        """True when rounding alone explains the difference."""
        return self.max_rel <= self.tolerance


def prove(trace: Trace, name: str) -> Proof | None:
    """Recompute one tensor of a trace, or give the proof found before; None for a leaf, which has nothing to be recomputed from.

    Raises:
        UnknownNameError: the trace has no such tensor.
    """
    record = trace[name]
    if record.entry.step.leaf:
        return None
    return trace.evidence.once(proof_key(name), lambda: _prove(trace, name))


def proof_key(name: str) -> str:
    """Return the name under which a trace's evidence keeps the proof of a tensor."""
    return f"proof of {name}"


def check(entry: Entry, recorded: Tensor, operands: Sequence[Named], target: Target) -> Proof:
    """Replay a step from recorded operands and compare with what the network made, cell by cell."""
    step = entry.step
    wide = list(operands) if moves(step) else [_wide(operand) for operand in operands]
    replayed = step.replay(wide, target)
    assert recorded.shape == replayed.shape, f"{entry.name}: recorded {tuple(recorded.shape)}, replayed {tuple(replayed.shape)}"
    allowed = allowance(step, recorded, wide)
    if recorded.numel() == 0:
        return Proof(entry.name, 0, 0.0, (), 0.0, 0.0, allowed)
    difference, place = compare(recorded, replayed)
    cell = tuple(map(int, np.unravel_index(place, recorded.shape))) if recorded.dim() else ()
    values = recorded[cell].item(), replayed[cell].item()
    return Proof(entry.name, recorded.numel(), difference, cell, *values, allowed)


def compare(recorded: Tensor, replayed: Tensor) -> tuple[float, int]:
    """Return the largest absolute difference of two tensors, in float64, and the place of it in the flat tensor."""
    ours, theirs = recorded.reshape(-1), replayed.reshape(-1)
    most, place = -1.0, 0
    for start in range(0, len(ours), _PIECE):
        piece = _differences(ours[start : start + _PIECE], theirs[start : start + _PIECE])
        worst = int(piece.argmax())
        if float(piece[worst]) > most:
            most, place = float(piece[worst]), start + worst
    return most, place


@lru_cache(maxsize=64)
def source(step: type[Step]) -> str:
    """Return the Python source of a step's replay."""
    return textwrap.dedent(inspect.getsource(step.replay))


def _prove(trace: Trace, name: str) -> Proof:
    record = trace[name]
    operands = [Named(trace[read].axes, trace[read].value) for read in record.entry.step.reads]
    return check(record.entry, record.value, operands, Target(record.axes, trace.sizes))


def _differences(ours: Tensor, theirs: Tensor) -> Tensor:
    ours, theirs = ours.to(torch.float64), theirs.to(torch.float64)
    difference = (ours - theirs).abs_()
    if math.isfinite(float(difference.max())):
        return difference
    same = (ours == theirs) | (ours.isnan() & theirs.isnan())
    return torch.where(same, 0, difference).nan_to_num(nan=math.inf, posinf=math.inf)


def _wide(operand: Named) -> Named:
    value = operand.value
    return Named(operand.axes, value.to(torch.float64)) if value.is_floating_point() else operand
