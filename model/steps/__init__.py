"""How a tensor follows from its operands: one class for each kind of step, apart from the forward pass.

A step names its operands and can `replay` them: the whole tensor again in float64, by a formula that shares no code with the
network and finds dimensions by the names of their axes. Agreement is therefore evidence: a forgotten transpose or a softmax over
the wrong axis shows as a difference.
"""

from __future__ import annotations

from .arithmetic import Activation, Add, Divide, Exponential, Linear, Multiply, Same, Scale, Total
from .attention import AllOf, ApplyMask, Contract, Dot, Everything, JoinHeads, Mix, NotLater, NotPadding, Softmax, SplitHeads
from .base import Named, Step, Target
from .norm import Centre, Deviation, GainOffset, Mean, Variance
from .output import Counted, Keep, LabelLoss, LogSoftmax
from .sources import Drawn, Embed, FirstRows, Given, Learned, Sinusoid

__all__ = [
    "Activation",
    "Add",
    "AllOf",
    "ApplyMask",
    "Centre",
    "Contract",
    "Counted",
    "Deviation",
    "Divide",
    "Dot",
    "Drawn",
    "Embed",
    "Everything",
    "Exponential",
    "FirstRows",
    "GainOffset",
    "Given",
    "JoinHeads",
    "Keep",
    "LabelLoss",
    "Learned",
    "Linear",
    "LogSoftmax",
    "Mean",
    "Mix",
    "Multiply",
    "Named",
    "NotLater",
    "NotPadding",
    "Same",
    "Scale",
    "Sinusoid",
    "Softmax",
    "SplitHeads",
    "Step",
    "Target",
    "Total",
    "Variance",
]
