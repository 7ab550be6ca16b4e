"""Where a training broke: the first tensor, in the order of computing, that holds a number which is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from ..layers import Dropout
from ..recorder import install, recording
from ..twin import make_twin
from .session import Session


@dataclass(frozen=True)
class Broken:
    """The first NaN or infinity of a step. `gradient` is true where the forward pass is sound and a gradient is not."""

    step: int
    tensor: str
    cell: tuple[int, ...]
    value: str
    gradient: bool

    @property
    def says(self) -> str:
        """One plain sentence."""
        what = f"the gradient of {self.tensor}" if self.gradient else self.tensor
        return f"At step {self.step} the first number that is none ({self.value}) stands in {what} at {list(self.cell)}."

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "step": self.step,
            "tensor": self.tensor,
            "cell": list(self.cell),
            "value": self.value,
            "gradient": self.gradient,
            "says": self.says,
        }


def find_broken(session: Session) -> Broken:
    """Run the step that diverged once more, recorded, and return where it breaks first: in a weight, a tensor or a gradient.

    The session stands before that step (as DivergedError leaves it) and stays there.
    """
    step = session.step + 1
    for name, value, may_be_blocked in _computed(session):
        if value.is_floating_point() and (place := _first(value, blocked=may_be_blocked)) is not None:
            return Broken(step, name, place, _written(value[place]), gradient=False)
    gradients = [(name, weights.grad) for name, weights in session.network.named_parameters() if weights.grad is not None]
    for name, gradient in gradients:
        if (place := _first(gradient, blocked=False)) is not None:
            return Broken(step, name, place, _written(gradient[place]), gradient=True)
    # All are finite, and only their squares together are not: the norm overflows, and clipping by it leaves 0.
    return Broken(step, gradients[0][0], (0,) * gradients[0][1].dim(), "Infinity, the norm of all", gradient=True)


def _computed(session: Session) -> list[tuple[str, Tensor, bool]]:
    """Return the weights, then what the next step computes from them, in order; and whether −∞ is meant there."""
    position, die = session.stream.position, session.die.get_state()
    batch = session.stream.batch()
    twin = make_twin(
        session.network.config,
        {name: weights.detach() for name, weights in session.network.named_parameters(remove_duplicate=False)},
        die=0,
    )
    for module in twin.modules():
        if isinstance(module, Dropout):
            module.die = session.die
    legend = install(twin)
    with torch.no_grad(), recording() as recorded:
        twin(batch.src_ids, batch.tgt_ids, batch.labels)
    session.stream.position = position
    session.die.set_state(die)
    values = [*session.weights.items(), *recorded.values.items()]
    return [(name, value, legend.entries[name].step.kind == "mask") for name, value in values]


def _first(value: Tensor, *, blocked: bool) -> tuple[int, ...] | None:
    wrong = ~value.isfinite()
    if blocked:
        wrong &= value != -torch.inf
    if not wrong.any():
        return None
    return tuple(int(i) for i in wrong.nonzero()[0])


def _written(value: Tensor) -> str:
    number = float(value)
    return "NaN" if number != number else {torch.inf: "Infinity", -torch.inf: "-Infinity"}.get(number, f"{number:g}")
