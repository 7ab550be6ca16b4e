"""Gradients: how much the loss of a trace moves with each cell of each tensor and parameter."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Literal

import torch
from torch import Tensor

from .batch import ids_of
from .errors import InputError, UnknownNameError
from .explanation import checked
from .recorder import install, recording
from .taps import Tap
from .trace import Record, Trace
from .transformer import Transformer
from .twin import die_of, make_twin, weights_of

if TYPE_CHECKING:
    from .explanation import Explanation

LOSS = "loss.mean"
VANISHING = 1e-5
"""A gradient is called vanishing when its cells are, in the root mean square, this small beside those of the largest of its sort:
parameters among parameters, tensors of the network among themselves. Those of the loss, which start at 1, are not counted."""
STEP = 1e-5
"""How far a cell is moved each way for a central difference, in float64: the error is about STEP², rounding 1e-16 / STEP."""

Mark = Literal["zero", "unread", "vanishing"]


@dataclass(frozen=True)
class Gradients(Mapping[str, Record]):
    """The gradient of a trace's loss with respect to each of its float tensors, by name, with the same axes.

    `unread` are the tensors that the loss does not depend on, such as `probs`, which nothing reads; their gradient is 0.
    """

    trace: Trace
    records: Mapping[str, Record]
    unread: frozenset[str]

    def __getitem__(self, name: str) -> Record:
        if name in self.records:
            return self.records[name]
        self.trace[name]  # unknown altogether
        raise UnknownNameError(f"{name} holds no real numbers (ids, masks, counts), so it has no gradient", where="name")

    def __contains__(self, name: object) -> bool:
        return name in self.records

    def __iter__(self) -> Iterator[str]:
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.records)

    def norm(self, name: str) -> float:
        """Return the length of a gradient, the root of the sum of its cells' squares."""
        return float(self[name].value.double().norm())

    @cached_property
    def total(self) -> float:
        """The length of the gradients of all parameters together, each counted once: what clipping by the norm looks at."""
        parameters = [name for name, record in self.records.items() if record.entry.is_parameter]
        return math.hypot(*(self.norm(name) for name in parameters))

    def mark(self, name: str) -> Mark | None:
        """Return what is remarkable about a gradient: nothing reads the tensor, it is all 0, or it is vanishing."""
        if name in self.unread:
            return "unread"
        rms, record = self.rms[name], self.records[name]
        if rms == 0 or name.startswith("loss."):
            return None if rms else "zero"
        return "vanishing" if rms < VANISHING * self._largest[record.entry.is_parameter] else None

    @cached_property
    def _largest(self) -> Mapping[bool, float]:
        """The largest root mean square among the network's tensors (False) and among the parameters (True)."""
        inside = {name: record for name, record in self.records.items() if not name.startswith("loss.")}
        return {
            kind: max((self.rms[name] for name, record in inside.items() if record.entry.is_parameter == kind), default=0.0)
            for kind in (False, True)
        }

    def explain(self, name: str, cell: Sequence[int]) -> Explanation:
        """Write one cell of a gradient out, see `model.gradient_explanation`."""
        from .gradient_explanation import explain_gradient

        return explain_gradient(self.trace, name, cell)

    @cached_property
    def rms(self) -> Mapping[str, float]:
        """The root mean square of each gradient's cells."""
        return {name: self.norm(name) / math.sqrt(max(record.value.numel(), 1)) for name, record in self.records.items()}

    @cached_property
    def memory_bytes(self) -> int:
        """Bytes of all gradients."""
        return sum(record.value.nbytes for record in self.records.values())


@dataclass(frozen=True)
class GradientCheck:
    """One cell of a gradient three ways: as recorded in float32, by autograd in float64, and as a central difference of the loss.

    `lower` and `upper` are the losses with the cell moved by ∓`step`.
    """

    name: str
    cell: tuple[int, ...]
    recorded: float
    analytic: float
    numeric: float
    lower: float
    upper: float
    step: float = STEP

    @property
    def difference(self) -> float:
        """How far autograd and the central difference are apart, in float64."""
        return abs(self.analytic - self.numeric)

    @property
    def passes(self) -> bool:
        """True when they agree as far as a central difference can tell."""
        return self.difference <= 1e-6 + 1e-4 * abs(self.numeric)


def gradients(trace: Trace) -> Gradients:
    """Return the gradients of a trace's loss, kept with the trace.

    Raises:
        InputError: the trace has no labels, hence no loss.
    """
    if trace.batch.labels is None:
        raise InputError("there is no loss without labels, and no gradient without a loss: run with a target", where="tgt")
    return trace.evidence.once("gradients", lambda: _gradients(trace))


def check_gradient(trace: Trace, name: str, cell: Sequence[int]) -> GradientCheck:
    """Hold one cell of a gradient against a central difference: the loss with this cell moved a little down, and up, in float64.

    Raises:
        UnknownNameError, InputError: no such tensor, a tensor without a gradient, or a cell outside it.
    """
    found = gradients(trace)[name]
    place = checked(found, cell)
    network = _wide_twin(trace)
    analytic = _backwards(network, trace, [name])[name]
    with torch.no_grad():
        lower, upper = (_moved_loss(network, trace, name, place, by) for by in (-STEP, STEP))
    numeric = (upper - lower) / (2 * STEP)
    return GradientCheck(
        name, place, float(found.value[place]), 0.0 if analytic is None else float(analytic[place]), numeric, lower, upper
    )


def _gradients(trace: Trace) -> Gradients:
    names = [name for name, record in trace.items() if record.value.is_floating_point()]
    network = make_twin(trace.config, weights_of(trace), die=die_of(trace)).requires_grad_(True)
    install(network)
    _grow(network)
    found = _backwards(network, trace, names)
    records = {}
    for name in names:
        gradient = found[name]
        records[name] = Record(trace[name].entry, torch.zeros_like(trace[name].value) if gradient is None else gradient)
    return Gradients(trace, records, frozenset(name for name in names if found[name] is None))


def _backwards(network: Transformer, trace: Trace, names: Sequence[str]) -> dict[str, Tensor | None]:
    """Run a twin and go back from its loss; None for tensors that the loss does not depend on."""
    batch, parameters = trace.batch, dict(network.named_parameters())
    assert batch.labels is not None
    with recording(graph=True) as recorded:
        network(ids_of(batch.src), ids_of(batch.tgt), ids_of(batch.labels))
    tensors = [parameters[name] if name in parameters else recorded.values[name] for name in names]
    flowing = [tensor for tensor in tensors if tensor.requires_grad]
    found = dict(zip(map(id, flowing), torch.autograd.grad(recorded.values[LOSS], flowing, allow_unused=True), strict=True))
    return {name: found.get(id(tensor)) for name, tensor in zip(names, tensors, strict=True)}


def _wide_twin(trace: Trace) -> Transformer:
    """Return a twin in float64 whose dropout uses the multipliers that the trace recorded."""
    weights = {name: weight.double() for name, weight in weights_of(trace).items()}
    network = make_twin(trace.config, weights, die=die_of(trace)).double().requires_grad_(True)
    install(network)
    for path, module in network.named_modules():
        if isinstance(module, Tap) and module.step.kind == "drawn":
            _put(module, partial(_recorded, trace[path].value.double()))
    _grow(network)
    return network


def _moved_loss(network: Transformer, trace: Trace, name: str, cell: tuple[int, ...], by: float) -> float:
    """Return the loss with one cell of one tensor moved."""
    batch, parameters = trace.batch, dict(network.named_parameters())
    assert batch.labels is not None
    inputs = (ids_of(batch.src), ids_of(batch.tgt), ids_of(batch.labels))
    moved = parameters.get(name)
    if moved is not None:
        before = moved[cell].item()
        moved[cell] = before + by
    else:
        tap = network.get_submodule(name)
        assert isinstance(tap, Tap)
        fixed = trace[name].value.double() if tap.step.kind == "drawn" else None
        _put(tap, partial(_moved, fixed, cell, by))
    with recording() as recorded:
        network(*inputs)
    if moved is not None:
        moved[cell] = before
    return float(recorded.values[LOSS])


class _Putting(Tap):
    """A tap that puts another value in the place of its tensor: the one exception, in a network that nobody else uses."""

    put: Callable[[Tensor], Tensor]

    def __call__(self, value: Tensor) -> Tensor:
        return super().__call__(self.put(value))


def _grow(network: Transformer) -> None:
    """Let gradients reach what no parameter leads to: position codes, dropout's multipliers, smoothed targets."""
    for module in network.modules():
        if isinstance(module, Tap):
            before = module.put if isinstance(module, _Putting) else None
            _put(module, partial(_grown, before))


def _put(tap: Tap, put: Callable[[Tensor], Tensor]) -> None:
    tap.__class__ = _Putting
    assert isinstance(tap, _Putting)
    tap.put = put


def _recorded(recorded: Tensor, value: Tensor) -> Tensor:
    return recorded


def _moved(fixed: Tensor | None, cell: tuple[int, ...], by: float, value: Tensor) -> Tensor:
    moved = (value if fixed is None else fixed).clone()
    moved[cell] += by
    return moved


def _grown(before: Callable[[Tensor], Tensor] | None, value: Tensor) -> Tensor:
    value = value if before is None else before(value)
    grows = value.is_floating_point() and torch.is_grad_enabled() and not value.requires_grad
    return value.detach().requires_grad_() if grows else value
