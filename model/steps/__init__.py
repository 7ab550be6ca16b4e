"""How a tensor follows from its operands: one class for each kind of step, apart from the forward pass.

A step names its operands and does two jobs. `replay` makes the whole tensor again in float64, by a formula that shares no code
with the network and finds dimensions by the names of their axes; agreement is therefore evidence: a forgotten transpose or a
softmax over the wrong axis shows as a difference. `explain` writes one cell out, with the operand cells it is made from.
"""

from __future__ import annotations

from .arithmetic import Activation, Add, Divide, Exponential, Linear, Multiply, Same, Scale, Subtract, Total
from .attention import Contract, Dot, JoinHeads, Mix, Softmax, SplitHeads
from .base import Leaf, Step
from .masking import AllOf, ApplyMask, Counted, Everything, Keep, NotLater, NotPadding
from .named import Named, Target
from .norm import Centre, Deviation, GainOffset, Mean, Variance
from .output import LabelLoss, LogSoftmax
from .smoothing import Entropic, SmoothTarget
from .sources import Drawn, Embed, FirstRows, Given, Learned, Sinusoid
from .working import Column, Equation, Line, Operands, Working

__all__ = [
    "Activation",
    "Add",
    "AllOf",
    "ApplyMask",
    "Centre",
    "Column",
    "Contract",
    "Counted",
    "Deviation",
    "Divide",
    "Dot",
    "Drawn",
    "Embed",
    "Entropic",
    "Equation",
    "Everything",
    "Exponential",
    "FirstRows",
    "GainOffset",
    "Given",
    "JoinHeads",
    "Keep",
    "LabelLoss",
    "Leaf",
    "Learned",
    "Line",
    "Linear",
    "LogSoftmax",
    "Mean",
    "Mix",
    "Multiply",
    "Named",
    "NotLater",
    "NotPadding",
    "Operands",
    "Same",
    "Scale",
    "Sinusoid",
    "SmoothTarget",
    "Softmax",
    "SplitHeads",
    "Step",
    "Subtract",
    "Target",
    "Total",
    "Variance",
    "Working",
]
