"""Our count beside the one that the paper prints, and where the two part ("Attention Is All You Need", table 3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from .config import ModelConfig
from .legend import Entry, Legend
from .parameters import count_parameters

VOCABULARY = 37000
HALF = 500_000  # the paper prints millions: half of one is what rounding may hide


@dataclass(frozen=True)
class Printed:
    """One row of table 3: its sizes, and its column "params", in millions."""

    name: str
    sizes: Mapping[str, int]
    millions: int


PRINTED = (
    Printed("base", MappingProxyType({"n_layers": 6, "d_model": 512, "d_ff": 2048, "n_heads": 8}), 65),
    Printed("big", MappingProxyType({"n_layers": 6, "d_model": 1024, "d_ff": 4096, "n_heads": 16}), 213),
)


@dataclass(frozen=True)
class Item:
    """A line of the comparison: so many parameters, of this kind."""

    title: str
    count: int
    says: str


@dataclass(frozen=True)
class Comparison:
    """Our count of a model of the paper, what it is made of, and other ways to count the same sizes.

    `rows` is how many rows the one table would need for the printed number, from the least to the most that rounds to it.
    """

    printed: Printed
    counted: int
    items: tuple[Item, ...]
    otherwise: tuple[Item, ...]
    rows: tuple[int, int]

    @property
    def difference(self) -> int:
        """What the printed number has more; negative where it has less."""
        return self.printed.millions * 1_000_000 - self.counted


def other_than(printed: Printed) -> Printed:
    """Return the other of the two models: big for base, base for big."""
    return next(row for row in PRINTED if row is not printed)


def compare(config: ModelConfig, legend: Legend) -> Comparison | None:
    """Return the comparison for a configuration of the paper's sizes and form; None for any other."""
    printed = next((row for row in PRINTED if all(getattr(config, name) == size for name, size in row.sizes.items())), None)
    kept = config.tied_embeddings and config.bias and config.norm == "post" and config.positions == "sinusoidal"
    if printed is None or config.vocab_size != VOCABULARY or not kept:
        return None
    counted = count_parameters(legend).total
    row = config.d_model + 1
    wanted = printed.millions * 1_000_000 - counted
    counts = _by_kind(legend)
    return Comparison(
        printed=printed,
        counted=counted,
        items=_items(counts),
        otherwise=_otherwise(config, counts),
        rows=(VOCABULARY + -(-(wanted - HALF) // row), VOCABULARY + (wanted + HALF - 1) // row),
    )


_KINDS = (
    ("one table for all three", "Source, target and output share it (section 3.4); counted once.", "table"),
    ("matrices of attention", "W_q, W_k, W_v, W_o of every attention block.", "attention w"),
    ("matrices of feed-forward", "W₁ and W₂ of every layer (equation 2).", "feed-forward w"),
    ("biases of attention", "The paper's formulas write none; ours has them.", "attention b"),
    ("biases of feed-forward", "b₁ and b₂ of equation 2.", "feed-forward b"),
    ("layer norms", "A gain and an offset for each of d_model numbers; the paper does not say that it counts them.", "norm"),
    ("bias of the output", "One number a token; the paper does not mention it.", "output b"),
)


def _items(counts: Mapping[str, int]) -> tuple[Item, ...]:
    assert counts.keys() == {kind for *_, kind in _KINDS}, "every parameter of the paper's model is of a kind that is told"
    return tuple(Item(title, counts[kind], says) for title, says, kind in _KINDS)


def _by_kind(legend: Legend) -> dict[str, int]:
    blocks = {part.name: part.kind for part in legend.root.walk()}
    counts: dict[str, int] = {}
    for counted in count_parameters(legend).each:
        kind = _kind(legend.entries[counted.name], blocks)
        counts[kind] = counts.get(kind, 0) + counted.count
    return counts


def _kind(entry: Entry, blocks: Mapping[str, str]) -> str:
    block, form = blocks[entry.block], "w" if len(entry.axes) == 2 else "b"
    if block == "LayerNorm":
        return "norm"
    if entry.axes[0].over == "vocab":
        return "table" if form == "w" else "output b"
    return f"{'attention' if block == 'MultiHeadAttention' else 'feed-forward'} {form}"


def _otherwise(config: ModelConfig, counts: Mapping[str, int]) -> tuple[Item, ...]:
    total, table = sum(counts.values()), counts["table"]
    positions = 2 * config.max_length * config.d_model
    return (
        Item(
            "as the formulas are written",
            total - counts["attention b"] - counts["output b"],
            "No biases in attention and output.",
        ),
        Item(
            "positions learned as well", total + positions, f"Two tables of {config.max_length} positions; the paper's row (E)."
        ),
        Item("output with a matrix of its own", total + table, "Source and target share one table, the output does not."),
        Item("three tables apart", total + 2 * table, "Nothing shared."),
    )
