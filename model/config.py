"""The settings of one Transformer, checked as a whole before anything is built."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

from .errors import ConfigError

STRUCTURAL = frozenset({"vocab_size", "d_model", "d_ff", "n_layers", "norm", "positions", "bias", "tied_embeddings"})
"""Settings that decide which weights there are, and of which shape: stored weights fit one value only."""


@dataclass(frozen=True)
class ModelConfig:
    """Sizes and variants of an encoder-decoder Transformer ("Attention Is All You Need", table 3).

    Sizes
        vocab_size: tokens in the one vocabulary that source and target share.
        d_model, n_heads, d_ff: width, heads (d_k = d_model / n_heads), inner width of the feed-forward network.
        n_layers: layers in the encoder, and as many in the decoder.
        max_length: positions there are; a longer sentence is refused.
    Variants
        norm: "post" as the paper's figure (norm after the sum), "pre" as today's models (norm before the sublayer).
        norm_divisor, norm_eps, norm_eps_inside: the variance's divisor, and where ε stands: √(σ² + ε) or √σ² + ε.
        activation: "relu" or "gelu" (exact). bias: biases in every linear layer.
        scale_embedding: embeddings times √d_model. positions: "sinusoidal" or "learned".
        tied_embeddings: source, target and output share one matrix (section 3.4).
        dropout: rate, acting in train mode only.
        smoothing, smoothing_over: label smoothing's ε, and who shares it (section 5.4): "all" tokens, the "others", without the
            label, or the "real" others, without padding as well.
        causal, mask_src_padding, mask_tgt_padding: the three masks, each a switch.

    Raises:
        ConfigError: a field is out of range, or two fields contradict each other; both values are named.
    """

    vocab_size: int
    d_model: int = 512
    n_heads: int = 8
    d_ff: int = 2048
    n_layers: int = 6
    max_length: int = 512
    pad_id: int = 0
    norm: Literal["post", "pre"] = "post"
    norm_divisor: Literal["n", "n-1"] = "n"
    norm_eps: float = 1e-5
    norm_eps_inside: bool = True
    activation: Literal["relu", "gelu"] = "relu"
    bias: bool = True
    scale_embedding: bool = True
    positions: Literal["sinusoidal", "learned"] = "sinusoidal"
    tied_embeddings: bool = False
    dropout: float = 0.0
    smoothing: float = 0.0
    smoothing_over: Literal["all", "others", "real"] = "all"
    causal: bool = True
    mask_src_padding: bool = True
    mask_tgt_padding: bool = True

    def __post_init__(self) -> None:
        for name, hint in _types().items():
            _check_type(name, getattr(self, name), hint)
        for name in ("vocab_size", "d_model", "n_heads", "d_ff", "n_layers", "max_length"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} is {getattr(self, name)}; it must be at least 1", where=name)
        if self.d_model % self.n_heads:
            raise ConfigError(
                f"d_model {self.d_model} does not divide by n_heads {self.n_heads} (remainder "
                f"{self.d_model % self.n_heads}); head counts that do: {', '.join(map(str, self.head_counts))}",
                where="n_heads",
            )
        if not 0 <= self.pad_id < self.vocab_size:
            raise ConfigError(f"pad_id is {self.pad_id}; the vocabulary has ids 0 to {self.vocab_size - 1}", where="pad_id")
        if not 0 <= self.dropout < 1:
            raise ConfigError(f"dropout is {self.dropout}; it must be at least 0 and below 1", where="dropout")
        if not 0 <= self.smoothing < 1:
            raise ConfigError(f"smoothing is {self.smoothing}; it must be at least 0 and below 1", where="smoothing")
        if not 0 < self.norm_eps <= 1:
            raise ConfigError(f"norm_eps is {self.norm_eps}; it must be above 0 and at most 1", where="norm_eps")
        if self.norm_divisor == "n-1" and self.d_model < 2:
            raise ConfigError("norm_divisor n-1 needs a d_model of at least 2; it is 1", where="norm_divisor")

    @property
    def d_k(self) -> int:
        """Width of one head: d_model / n_heads."""
        return self.d_model // self.n_heads

    @property
    def head_counts(self) -> tuple[int, ...]:
        """How many heads there may be: what divides d_model."""
        return tuple(n for n in range(1, self.d_model + 1) if self.d_model % n == 0)

    @property
    def sizes(self) -> dict[str, int]:
        """Size of every axis that does not depend on the sentences."""
        return {"d_model": self.d_model, "head": self.n_heads, "d_k": self.d_k, "d_ff": self.d_ff, "vocab": self.vocab_size}

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as plain values, for JSON."""
        return asdict(self)

    def with_options(self, options: dict[str, Any]) -> ModelConfig:
        """Return this configuration with some fields changed.

        Raises:
            ConfigError: an unknown field, or a value it cannot take.
        """
        if not options:
            return self
        names = {field.name for field in fields(self)}
        for name in options:
            if name not in names:
                raise ConfigError(f"no setting is named {name[:40]!r}; there are {', '.join(sorted(names))}", where="options")
        return replace(self, **options)


@lru_cache(maxsize=1)
def _types() -> dict[str, Any]:
    """Return the type of each setting, read once: reading it off the class compiles it anew."""
    hints = get_type_hints(ModelConfig)
    return {field.name: hints[field.name] for field in fields(ModelConfig)}


def _check_type(name: str, value: object, hint: Any) -> None:
    if get_origin(hint) is Literal:
        if value not in get_args(hint) or not isinstance(value, str):
            choices = " or ".join(repr(choice) for choice in get_args(hint))
            raise ConfigError(f"{name} is {str(value)[:40]!r}; it must be {choices}", where=name)
        return
    kinds = (int, float) if hint is float else (hint,)
    if not isinstance(value, kinds) or (hint is not bool and isinstance(value, bool)):
        raise ConfigError(f"{name} is {str(value)[:40]!r}; it must be of type {hint.__name__}", where=name)
    if isinstance(value, float) and not math.isfinite(value):
        raise ConfigError(f"{name} is {value}; it must be a finite number", where=name)
