"""One number of a trace shared out: what each token, each position code, each constant and each head adds to it.

With the attention weights, the norms' deviations, dropout's multipliers and the activations' choices taken as they are in this
run, everything between the embeddings and the logits is a weighted sum. So a cell is exactly the sum of what each embedded token,
each position code and each bias and offset adds, and the heads on the way are parts of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from torch import Tensor

from .ancestry_walk import Passed, Sentence, walk_back
from .explanation import checked
from .legend import Entry
from .steps import Embed, FirstRows, Learned, Mix, Named, Sinusoid
from .trace import Record, Trace

TAKEN = "Attention weights, norms, dropout and the activation’s choices are taken as they are in this run."

_WHY_NOT = {
    "dot": "A score multiplies a query by a key, and both come from the tokens: it is no weighted sum of them.",
    "softmax": "A weight is the share of e to the power of its score in a whole row: no weighted sum of what came before.",
    "mask": "A masked score is a product of a query and a key, and both come from the tokens: no weighted sum of them.",
    "variance": "A variance adds up squares: it is no weighted sum of what came before.",
    "deviation": "A deviation is the root of a sum of squares: no weighted sum of what came before.",
    "total": "This adds up many cells at once, each with an ancestry of its own.",
    "keep": "This position is padding and adds nothing to the loss: its 0 comes from no token.",
    "given": "This was given: nothing comes before it.",
    "drawn": "This was drawn by dropout’s die: nothing comes before it.",
    "parameter": "This is a parameter: no token comes before it.",
}
_MASK = "A mask says yes or no: it is no sum."


@dataclass(frozen=True)
class Share:
    """What one sequence adds, position by position: its embedded tokens, or its position codes.

    `over` is src or tgt, `cells` are the cells of the tensor that add or take away most, one a position.
    """

    name: str
    over: str
    values: np.ndarray
    cells: tuple[tuple[int, ...], ...]

    @property
    def total(self) -> float:
        """What the whole sequence adds."""
        return float(self.values.sum())


@dataclass(frozen=True)
class Constants:
    """What the biases and offsets of one block add; `names` are the parameters."""

    block: str
    names: tuple[str, ...]
    value: float


@dataclass(frozen=True)
class HeadShares:
    """What each head of an attention block adds: `values` by head, `keys` by head and key position.

    `heads` and `v` are the tensors they are parts of, `cells` those of `heads` that add or take away most, one a head; `over` is
    what the keys run over.
    """

    block: str
    heads: str
    v: str
    over: str
    values: np.ndarray
    keys: np.ndarray
    cells: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Ancestry:
    """One cell shared out.

    `start` and `start_cell` are the number that is shared out, `value` is it as recorded: the cell itself, or for a probability
    or a loss the logit beneath. `tokens`, `positions` and `constants` add up to it. `heads` are the attention blocks on the way,
    nearest first; what a head adds is part of that sum, and holds what the blocks below it add through it. Where the cell is no
    weighted sum, `why_not` says why.
    """

    trace: Trace = field(repr=False)
    name: str
    cell: tuple[int, ...]
    sentence: int
    start: str
    start_cell: tuple[int, ...]
    value: float
    tokens: tuple[Share, ...] = ()
    positions: tuple[Share, ...] = ()
    constants: tuple[Constants, ...] = ()
    heads: tuple[HeadShares, ...] = ()
    why_not: str = ""

    @property
    def parts(self) -> np.ndarray:
        """Everything that adds up to the value."""
        constants = np.array([constant.value for constant in self.constants])
        return np.concatenate([*(share.values for share in (*self.tokens, *self.positions)), constants])

    @property
    def total(self) -> float:
        """What all parts come to."""
        return float(self.parts.sum())

    @property
    def scale(self) -> float:
        """The sum of the sizes of all parts, which rounding is measured against."""
        return float(np.abs(self.parts).sum())

    @property
    def difference(self) -> float:
        """How far the total is from what was recorded."""
        return abs(self.total - self.value)

    def __str__(self) -> str:
        from .ancestry_text import plain

        return plain(self)

    def _repr_html_(self) -> str:
        from .ancestry_text import html

        return html(self)


def ancestry(trace: Trace, name: str, cell: Sequence[int]) -> Ancestry:
    """Share one cell of a trace out among tokens, positions and constants, and among the heads on the way.

    Args:
        cell: its place on every axis, counted from 0; `()` for a single number.

    Raises:
        UnknownNameError: the trace has no such tensor.
        InputError: the cell lies outside it; the message states the shape.
    """
    record, start_cell = _beneath(trace, trace[name], checked(trace[name], cell))
    sentence = Sentence(trace, record.name, start_cell).place
    value = float(record.value[start_cell])
    found = _Found(sentence)
    for passed in walk_back(trace, record.name, start_cell):
        if passed.flows is None and (record.entry.step.leaf or not found.end(passed)):
            why_not = _why_not(passed.entry)
            return Ancestry(trace, name, tuple(cell), sentence, record.name, start_cell, value, why_not=why_not)
        if isinstance(passed.entry.step, Mix):
            found.mix(passed)
    tokens, positions, constants, heads = found.sorted(trace)
    return Ancestry(
        trace,
        name,
        tuple(cell),
        sentence,
        record.name,
        start_cell,
        value,
        tokens=tokens,
        positions=positions,
        constants=constants,
        heads=heads,
    )


class _Found:
    """What has been found on the way back so far."""

    def __init__(self, sentence: int) -> None:
        self._sentence = sentence
        self.tokens: list[Share] = []
        self.positions: list[Share] = []
        self.constants: dict[str, dict[str, float]] = {}
        self.heads: list[HeadShares] = []

    def end(self, passed: Passed) -> bool:
        """Take what one tensor adds where the sum ends; False where it cannot end."""
        entry, parts = passed.entry, passed.value * passed.upstream
        if isinstance(entry.step, Learned):
            self.constants.setdefault(entry.block, {})[entry.name] = float(parts.sum())
            return True
        if not isinstance(entry.step, Embed | Sinusoid | FirstRows):
            return False
        shares = self.tokens if isinstance(entry.step, Embed) else self.positions
        cells = _largest(parts.abs().reshape(-1, parts.shape[-1]))
        before = (self._sentence,) if parts.dim() == 3 else ()
        shares.append(
            Share(
                entry.name,
                entry.axes[-2].over,
                parts.sum(-1).reshape(-1).numpy(),
                tuple((*before, place, *cell) for place, cell in enumerate(cells)),
            )
        )
        return True

    def mix(self, passed: Passed) -> None:
        """Take what each head of an attention block adds, and each key through it."""
        entry, v = passed.entry, passed.operands[1]
        flow = passed.flows[1] if passed.flows else None
        assert flow is not None, f"nothing flows through {entry.name}"
        parts = (passed.value * passed.upstream).squeeze(0)
        keys = (v.value * flow).sum((0, 3)).numpy()
        cells = tuple((self._sentence, head, *cell) for head, cell in enumerate(_largest(parts.abs())))
        values = parts.sum((1, 2)).numpy()
        self.heads.append(HeadShares(entry.block, entry.name, entry.step.reads[1], v.axes[2].over, values, keys, cells))

    def sorted(self, trace: Trace) -> tuple[tuple[Share, ...], tuple[Share, ...], tuple[Constants, ...], tuple[HeadShares, ...]]:
        """Return tokens and positions, source first; constants by block, the largest first; heads, the nearest first."""
        tokens, positions = (sorted(shares, key=lambda share: share.over) for shares in (self.tokens, self.positions))
        blocks = [Constants(block, tuple(parts), sum(parts.values())) for block, parts in self.constants.items()]
        order = list(trace.legend.entries)
        return (
            tuple(tokens),
            tuple(positions),
            tuple(sorted(blocks, key=lambda block: -abs(block.value))),
            tuple(sorted(self.heads, key=lambda head: -order.index(head.heads))),
        )


def _largest(parts: Tensor) -> list[tuple[int, ...]]:
    """Return the place of the largest number under each place of the first axis."""
    places = np.unravel_index(parts.flatten(1).argmax(1).numpy(), parts.shape[1:])
    return [tuple(place) for place in np.stack(places, axis=1).tolist()]


def _beneath(trace: Trace, record: Record, cell: tuple[int, ...]) -> tuple[Record, tuple[int, ...]]:
    """Follow a number down to the one that it is but another form of."""
    while True:
        reads = record.entry.step.reads
        below = record.entry.step.beneath([Named(trace[read].axes, trace[read].value) for read in reads], cell)
        if below is None:
            return record, cell
        record, cell = trace[reads[below[0]]], below[1]


def _why_not(entry: Entry) -> str:
    return _WHY_NOT.get(entry.step.kind, _MASK)
