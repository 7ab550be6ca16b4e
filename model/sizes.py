"""Which sizes a model can be given: from, to, and the round ones in between."""

from __future__ import annotations

from dataclasses import dataclass

from .config import STRUCTURAL, ModelConfig
from .limits import Limits


@dataclass(frozen=True)
class SizeRange:
    """One size that a person can choose.

    `axis` is the axis that has this size, if one has. `stops` are the values that a slider passes; any whole number from
    `least` to `most` can be asked for. A size that is `fixed` belongs to the stored weights or to the tokeniser.
    """

    name: str
    axis: str | None
    value: int
    least: int
    most: int
    stops: tuple[int, ...]
    fixed: bool


def size_ranges(config: ModelConfig, limits: Limits, *, trained: bool) -> tuple[SizeRange, ...]:
    """Return the sizes of a configuration, each with what it could be instead."""
    heads = tuple(count for count in config.head_counts if count <= limits.n_heads)
    return (
        _range(config, "d_model", "d_model", _round_numbers(limits.d_model), limits.d_model, trained),
        _range(config, "n_heads", "head", heads, limits.n_heads, trained),
        _range(config, "n_layers", None, tuple(range(1, limits.n_layers + 1)), limits.n_layers, trained),
        _range(config, "d_ff", "d_ff", _round_numbers(limits.d_ff), limits.d_ff, trained),
        SizeRange(
            "vocab_size", "vocab", config.vocab_size, config.vocab_size, config.vocab_size, (config.vocab_size,), fixed=True
        ),
    )


def _range(config: ModelConfig, name: str, axis: str | None, stops: tuple[int, ...], most: int, trained: bool) -> SizeRange:
    value = getattr(config, name)
    return SizeRange(name, axis, value, 1, most, tuple(sorted({*stops, value})), fixed=trained and name in STRUCTURAL)


def _round_numbers(most: int) -> tuple[int, ...]:
    """1, 2, 3, 4, 6, 8, 12, 16, …: powers of two, and those half as large again."""
    numbers = {base << power for base in (1, 3) for power in range(most.bit_length())}
    return tuple(sorted(number for number in numbers if number <= most))
