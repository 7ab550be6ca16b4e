"""The blocks that work on each position alone: feed-forward, residual and norm, dropout (sections 3.1, 3.3 and 5.4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from .config import ModelConfig
from .steps import Activation, Add, Centre, Deviation, Divide, Drawn, GainOffset, Linear, Mean, Multiply, Variance
from .taps import Block, Tap, parameter


class FeedForward(Block):
    """Two linear layers with an activation between, applied to each position alone (section 3.3, equation 2)."""

    title = "feed-forward"
    says = "The same two-layer network for every position on its own: no position sees another here."

    def __init__(self, c: ModelConfig, seq: str, inputs: Mapping[str, str]) -> None:
        super().__init__(inputs)
        self.w_1 = parameter("in:d_model out:d_ff", c.d_model, c.d_ff, says="Widens d_model to d_ff.")
        self.b_1 = parameter("out:d_ff", c.d_ff, says="Added before the activation.") if c.bias else None
        self.w_2 = parameter("in:d_ff out:d_model", c.d_ff, c.d_model, says="Narrows d_ff back to d_model.")
        self.b_2 = parameter("out:d_model", c.d_model, says="Added to the output.") if c.bias else None
        self.gelu = c.activation == "gelu"
        active = r"\mathrm{GELU}" if self.gelu else r"\mathrm{ReLU}"

        self.hidden = Tap(
            f"batch {seq} d_ff",
            affine("x", "1", c.bias, below=True),
            linear_step("x", "w_1", "b_1", c.bias),
            "The first linear layer, d_ff wide.",
        )
        self.active = Tap(
            f"batch {seq} d_ff",
            rf"{active}({affine('x', '1', c.bias, below=True)})",
            Activation(("hidden",), c.activation),
            "GELU: negative values fade out smoothly." if self.gelu else "ReLU: negative values become 0.",
        )
        self.dropout = Dropout(c.dropout, f"batch {seq} d_ff", {"x": "active"}) if c.dropout else nn.Identity()
        self.out = Tap(
            f"batch {seq} d_model",
            affine(rf"{active}(\cdot)", "2", c.bias, below=True),
            linear_step("dropout.out" if c.dropout else "active", "w_2", "b_2", c.bias),
            "The second linear layer, d_model wide.",
        )

    def forward(self, x: Tensor) -> Tensor:
        hidden = self.hidden(linear(x, self.w_1, self.b_1))
        active = self.dropout(self.active(F.gelu(hidden) if self.gelu else hidden.relu()))
        return self.out(linear(active, self.w_2, self.b_2))


class Residual(Block):
    """Residual connection and layer norm around a sublayer (sections 3.1 and 5.4).

    post: LayerNorm(x + Sublayer(x)), as the paper's figure. pre: x + Sublayer(LayerNorm(x)).
    """

    title = "add & norm"
    says = "What went into the sublayer is added to what came out, so that a layer only has to learn a change."

    def __init__(self, c: ModelConfig, seq: str, inputs: Mapping[str, str]) -> None:
        super().__init__(inputs)
        self.pre = c.norm == "pre"
        axes = f"batch {seq} d_model"
        self.norm = LayerNorm(c, seq, {"x": "x" if self.pre else "sum"})
        self.dropout = Dropout(c.dropout, axes, {"x": "sublayer"}) if c.dropout else nn.Identity()
        inner = r"\mathrm{Sublayer}(\mathrm{LayerNorm}(x))" if self.pre else r"\mathrm{Sublayer}(x)"
        self.sum = Tap(
            axes, f"x + {inner}", Add(("x", "dropout.out" if c.dropout else "sublayer")), "Input plus output of the sublayer."
        )
        self.result = "sum" if self.pre else "norm.out"

    def forward(self, x: Tensor, sublayer: Callable[[Tensor], Tensor]) -> Tensor:
        if self.pre:
            return self.sum(x + self.dropout(sublayer(self.norm(x))))
        return self.norm(self.sum(x + self.dropout(sublayer(x))))


class LayerNorm(Block):
    """Each position's vector brought to mean 0 and deviation 1, then given a learned gain and offset (Ba et al., 2016)."""

    title = "layer norm"
    says = "The numbers of one position are brought to mean 0 and deviation 1, then stretched and shifted by learned amounts."

    def __init__(self, c: ModelConfig, seq: str, inputs: Mapping[str, str]) -> None:
        super().__init__(inputs)
        self.correction = int(c.norm_divisor == "n-1")
        self.eps, self.eps_inside = c.norm_eps, c.norm_eps_inside
        self.gain = parameter("d_model", c.d_model, says="Stretches each column.")
        self.offset = parameter("d_model", c.d_model, says="Shifts each column.")
        wide, narrow = f"batch {seq} d_model", f"batch {seq}"

        self.mean = Tap(narrow, r"\mu = \frac{1}{n} \sum_i x_i", Mean(("x",)), "The mean of each position's d_model numbers.")
        self.variance = Tap(
            narrow,
            rf"\sigma^2 = \frac{{1}}{{{c.norm_divisor}}} \sum_i (x_i - \mu)^2",
            Variance(("x",), c.norm_divisor),
            "How far each position's numbers spread around their mean.",
        )
        self.deviation = Tap(
            narrow,
            r"\sqrt{\sigma^2 + \varepsilon}" if c.norm_eps_inside else r"\sqrt{\sigma^2} + \varepsilon",
            Deviation(("variance",), c.norm_eps, c.norm_eps_inside),
            "The root of the variance, kept away from 0 by ε.",
        )
        self.centred = Tap(wide, r"x - \mu", Centre(("x", "mean")), "Each number less its position's mean.")
        self.normalised = Tap(
            wide, r"\frac{x - \mu}{\mathrm{deviation}}", Divide(("centred", "deviation")), "Mean 0, deviation 1 in each row."
        )
        self.out = Tap(
            wide,
            r"g \odot \frac{x - \mu}{\mathrm{deviation}} + b",
            GainOffset(("normalised", "gain", "offset")),
            "Stretched by the gain, shifted by the offset.",
        )

    def forward(self, x: Tensor) -> Tensor:
        variance, mean = torch.var_mean(x, -1, correction=self.correction)
        mean, variance = self.mean(mean), self.variance(variance)
        deviation = self.deviation((variance + self.eps).sqrt() if self.eps_inside else variance.sqrt() + self.eps)

        centred = self.centred(x - mean.unsqueeze(-1))
        normalised = self.normalised(centred / deviation.unsqueeze(-1))
        return self.out(torch.addcmul(self.offset, self.gain, normalised))


class Dropout(Block):
    """In training, each number is set to 0 with probability `rate` and the others grow by 1 / (1 − rate) (section 5.4)."""

    title = "dropout"
    says = "In training, some numbers are set to 0 at random and the rest grow to make up for it. Otherwise nothing happens."

    def __init__(self, rate: float, axes: str, inputs: Mapping[str, str]) -> None:
        super().__init__(inputs)
        self.rate = rate
        self.die: torch.Generator | None = None
        self.multiplier = Tap(
            axes, r"0 \text{ or } \frac{1}{1 - p}", Drawn(rate=rate), "The die: 0 drops the number. All 1 outside training."
        )
        self.out = Tap(axes, r"\mathrm{multiplier} \odot x", Multiply(("x", "multiplier")), "What is left after dropping.")

    def forward(self, x: Tensor) -> Tensor:
        if not self.training:
            self.multiplier(x.new_ones(()).expand(x.shape))
            return self.out(x)
        kept = torch.empty_like(x).bernoulli_(1 - self.rate, generator=self.die)
        multiplier = self.multiplier(kept.div_(1 - self.rate))
        return self.out(x * multiplier)


def sublayer_input(c: ModelConfig, residual: str, *, x: str) -> str:
    """Return the name of what a sublayer reads: with pre-norm the norm of the residual block around it, else `x` itself."""
    return f"{residual}.norm.out" if c.norm == "pre" else x


def linear(x: Tensor, w: Tensor, b: Tensor | None) -> Tensor:
    """Return x W + b for W (in, out), as the paper writes it."""
    return F.linear(x, w.T, b)


def affine(x: str, name: str, bias: bool, *, below: bool = False) -> str:
    """Return the TeX of x W + b, with the name above (W^Q) as for attention, or below (W_1) as for feed-forward."""
    mark = "_" if below else "^"
    return f"{x} W{mark}{name} + b{mark}{name}" if bias else f"{x} W{mark}{name}"


def linear_step(x: str, w: str, b: str, bias: bool) -> Linear:
    """Return the step of x W + b, or of x W."""
    return Linear((x, w, b) if bias else (x, w))
