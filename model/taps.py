"""Taps name the tensors of a network; blocks are the parts that a person sees in the diagram."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn

from .axes import Axes, parse_axes
from .steps import Step


class Tap(nn.Module):
    """A parameterless identity that names one tensor. Its one line is the only place that says what the tensor is.

    Args:
        axes: names of its dimensions, `"batch head query:tgt key:src"`.
        formula: how it is written in the paper, in TeX.
        step: how its value follows from its operands, by their names in the tap's own block.
        says: one plain sentence for the reader.
    """

    def __init__(self, axes: str, formula: str, step: Step, says: str = "") -> None:
        super().__init__()
        assert isinstance(step, Step), f"a tap needs a step that can be replayed and explained, not {step!r}"
        self.axes = parse_axes(axes)
        self.formula = formula
        self.step = step
        self.says = says
        self.name = ""

    def __call__(self, value: Tensor) -> Tensor:
        """Return `value` itself, after showing it to the forward hooks.

        nn.Module's own call costs 1.5 µs with a hook. A tiny model has 200 taps, so a tap runs its forward hooks itself: they
        keep their standard signature, and what they return is ignored, since a tap never alters a value.
        """
        for hook in self._forward_hooks.values():
            hook(self, (value,), value)
        return value


class Block(nn.Module):
    """A part of the network with taps of its own.

    `inputs` binds the names that its taps read from outside to names in the block around it, so that operands resolve like
    variables in nested scopes. `title` and `says` are what the diagram writes; `mixes` is true where positions exchange values.
    """

    title: ClassVar[str] = ""
    says: ClassVar[str] = ""
    mixes: ClassVar[bool] = False

    def __init__(self, inputs: Mapping[str, str]) -> None:
        super().__init__()
        self.inputs = dict(inputs)


@dataclass(frozen=True)
class ParameterLegend:
    """What a parameter says of itself: the names of its axes and one plain sentence."""

    axes: Axes
    says: str


def parameter(axes: str, *shape: int, says: str = "") -> nn.Parameter:
    """Return an empty parameter that carries its legend, as a tap does."""
    made = nn.Parameter(torch.empty(*shape))
    made.glassformer_legend = ParameterLegend(parse_axes(axes), says)  # type: ignore[attr-defined]
    return made


def legend_of(tensor: nn.Parameter) -> ParameterLegend:
    """Return the legend that `parameter` gave."""
    legend: ParameterLegend = tensor.glassformer_legend  # type: ignore[attr-defined]
    return legend
