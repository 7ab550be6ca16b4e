"""What a run would cost, worked out from the legend before anything is allocated, and the limits it is held against."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from .config import ModelConfig
from .errors import ConfigError, InputError, OverBudgetError
from .legend import Legend
from .limits import Limits

_VIEWS = frozenset({"same", "split", "rows", "drawn"})
TOO_LARGE = "the model is too large here: its"
FLOPS_A_SECOND = 50e9  # one thread of an ordinary processor; half of what large products reach


@dataclass(frozen=True)
class Cost:
    """Floating-point operations of one forward pass, bytes of its recorded tensors, and bytes of the parameters."""

    operations: int
    trace_bytes: int
    parameter_bytes: int

    @property
    def seconds(self) -> float:
        """About how long it takes, at least."""
        return self.operations / FLOPS_A_SECOND


def estimate(legend: Legend, sizes: Mapping[str, int]) -> Cost:
    """Return what a forward pass costs, given the size of every axis (`batch`, `src`, `tgt` and the model's own)."""
    operations = trace_bytes = parameter_bytes = 0
    for entry in legend.entries.values():
        if entry.shape is not None:
            parameter_bytes += 4 * math.prod(entry.shape)
            continue
        cells = math.prod(sizes[axis.over] for axis in entry.axes)
        operations += cells * (2 * _summed(entry.step.kind, entry.step.reads, legend, sizes) + 1)
        if entry.step.kind not in _VIEWS:
            trace_bytes += 4 * cells
    return Cost(operations, trace_bytes, parameter_bytes)


def check_sizes(config: ModelConfig, limits: Limits) -> None:
    """Raise ConfigError, naming value and limit, for a model that is too large."""
    for name in ("d_model", "n_layers", "n_heads", "d_ff", "vocab_size"):
        value, limit = getattr(config, name), getattr(limits, name)
        if value > limit:
            raise ConfigError(f"{TOO_LARGE} {name} is {value}; the limit is {limit}", where=name)
    if config.max_length > 8 * limits.tokens:
        raise ConfigError(f"{TOO_LARGE} max_length is {config.max_length}; the limit is {8 * limits.tokens}", where="max_length")


def check_run(cost: Cost, limits: Limits, *, batch: int, longest: int, passes: int = 1) -> None:
    """Raise for a run that is too large, with both numbers.

    Raises:
        InputError: too many sentences or tokens.
        OverBudgetError: too many operations or bytes in all.
    """
    if batch > limits.batch:
        raise InputError(f"there are {batch} sentences; the limit is {limits.batch}", where="src")
    if longest > limits.tokens:
        raise InputError(f"a sentence has {longest} tokens; the limit is {limits.tokens}", where="src")
    seconds = passes * cost.seconds
    if seconds > limits.run_seconds:
        raise OverBudgetError(
            f"this run needs about {passes * cost.operations / 1e9:.1f} billion operations ({seconds:.1f} s); "
            f"the limit is {limits.run_seconds * FLOPS_A_SECOND / 1e9:.0f} billion ({limits.run_seconds:g} s)"
        )
    needed = cost.trace_bytes + cost.parameter_bytes
    if needed > limits.run_bytes:
        raise OverBudgetError(f"this run needs {needed / 2**20:.0f} MiB; the limit is {limits.run_bytes / 2**20:.0f} MiB")


def _summed(kind: str, reads: tuple[str, ...], legend: Legend, sizes: Mapping[str, int]) -> int:
    """Return how many products each cell of this step adds up."""
    if kind == "linear":
        weight = legend.entries[reads[1]]
        assert weight.shape is not None
        return weight.shape[1] if weight.axes[0].over == "vocab" else weight.shape[0]
    if kind in ("dot", "mix"):
        first = legend.entries[reads[0]]
        return sizes[first.axes[-1].over]
    return 0
