"""One number of a trace explained: the cells it is made from, how they combine, why, and where it goes from there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from .axes import named
from .catalogue import card
from .errors import InputError
from .legend import Entry
from .steps import Named, Operands, Target
from .steps.working import Line, Number, Of, Working
from .trace import Record, Trace

_TOKENS = ("src", "tgt", "labels")


@dataclass(frozen=True)
class Reason:
    """A mask cell that decides, and why it is as it is; for a gradient, a reader and what it passes back."""

    name: str
    cell: tuple[int, ...]
    says: str
    of: Of = "value"


@dataclass(frozen=True)
class Onward:
    """A tensor that goes on with this very cell at the same place."""

    name: str
    cell: tuple[int, ...]
    value: Number
    kind: str


@dataclass(frozen=True)
class Explanation:
    """One cell written out.

    `value` is what was recorded, `working` how it follows from its operands, `because` the masks that decide, `then` the tensors
    that go on with it. `of` says whether the cell is the tensor's or its gradient's.
    """

    trace: Trace = field(repr=False)
    entry: Entry
    cell: tuple[int, ...]
    value: Number
    working: Working
    because: tuple[Reason, ...]
    then: tuple[Onward, ...]
    of: Of = "value"

    @property
    def name(self) -> str:
        """Full name of the tensor."""
        return self.entry.name

    @property
    def result(self) -> Number:
        """The cell again, in float64, from its terms alone."""
        return self.working.result

    @property
    def difference(self) -> float:
        """How far the result is from what was recorded; 0 where both are the same infinity or both NaN."""
        ours, theirs = float(self.value), float(self.result)
        if ours == theirs or (math.isnan(ours) and math.isnan(theirs)):
            return 0.0
        return abs(ours - theirs)

    def __str__(self) -> str:
        from .explanation_text import plain

        return plain(self)

    def _repr_html_(self) -> str:
        from .explanation_text import html

        return html(self)


def explain(trace: Trace, name: str, cell: Sequence[int]) -> Explanation:
    """Write one cell of a trace out.

    Args:
        cell: its place on every axis, counted from 0; `()` for a single number.

    Raises:
        UnknownNameError: the trace has no such tensor.
        InputError: the cell lies outside it; the message states the shape.
    """
    record = trace[name]
    place = checked(record, cell)
    value: Number = record.value[place].item()
    step = record.entry.step
    working = step.explain(_operands(trace, record, place, value))
    if step.leaf:
        working = Working(_origin(trace, record, place, working.says), result=working.result)
    return Explanation(trace, record.entry, place, value, working, _because(trace, working), _then(trace, record, place))


def token_text(trace: Trace, name: str, cell: tuple[int, ...]) -> str | None:
    """Return the token at a cell that holds a token id; None for any other tensor."""
    record = trace[name]
    if record.dtype != "int64" or len(cell) != 2 or record.axes[1].name not in _TOKENS:
        return None
    rows = getattr(trace.batch, record.axes[1].name)
    text: str = rows[cell[0]][cell[1]].text
    return text


def checked(record: Record, cell: Sequence[int]) -> tuple[int, ...]:
    """Return a cell of a tensor. Raises InputError, with the shape, where it lies outside."""
    place = tuple(cell)
    fits = len(place) == len(record.shape)
    if not (fits and all(isinstance(i, int) and 0 <= i < size for i, size in zip(place, record.shape, strict=True))):
        shown = ", ".join(str(i)[:12] for i in place[:8])
        about = f"its shape is {record.shape} ({named(record.axes)})" if record.shape else "it is a single number, cell ()"
        raise InputError(f"cell ({shown}) is outside {record.name}: {about}", where="cell")
    return place


def _operands(trace: Trace, record: Record, cell: tuple[int, ...], value: Number) -> Operands:
    reads = record.entry.step.reads
    tensors = [Named(trace[read].axes, trace[read].value) for read in reads]
    return Operands(reads, tensors, Target(record.axes, trace.sizes), cell, value)


def _origin(trace: Trace, record: Record, cell: tuple[int, ...], says: str) -> str:
    """Say more of a leaf than its step knows: which token it is, or where the weights come from."""
    if record.entry.is_parameter:
        found = card(trace.recipe.model)
        if found.trained:
            return f"A parameter, learned in training; it is the same for every sentence. {record.entry.says}"
        seed = found.seed if trace.recipe.seed is None else trace.recipe.seed
        untrained = f"A parameter of a model that was not trained: set at the start (seed {seed}), the same for every sentence."
        return f"{untrained} {record.entry.says}"
    text = token_text(trace, record.name, cell)
    if text is None:
        return says
    what = {"src": "source", "tgt": "decoder’s input", "labels": "labels"}[record.axes[1].name]
    token = f"“{text}”, token {int(record.value[cell])} of the vocabulary"
    return f"Given: position {cell[1]} of the {what}, sentence {cell[0] + 1}, is {token}."


def _because(trace: Trace, working: Working) -> tuple[Reason, ...]:
    """Follow masks down to the cells that decide: where something blocks, those that block; else all."""
    reasons: list[Reason] = []
    for line in working.operands:
        if line.values.dtype == bool and not line.runs:
            reasons += _decisive(trace, line)
    return tuple(dict.fromkeys(reasons))


def _decisive(trace: Trace, line: Line) -> list[Reason]:
    cell = line.cell_at(0)
    record = trace[line.name]
    working = record.entry.step.explain(_operands(trace, record, cell, line.value))
    inner = [mask for mask in working.operands if mask.values.dtype == bool]
    if not inner:
        return [Reason(line.name, cell, working.says)]
    blocking = [mask for mask in inner if not mask.value]
    return [reason for mask in blocking or inner for reason in _decisive(trace, mask)]


def _then(trace: Trace, record: Record, cell: tuple[int, ...]) -> tuple[Onward, ...]:
    onward = []
    for name in trace.legend.readers[record.name]:
        reader = trace.records.get(name)
        if reader is not None and reader.entry.step.same_cell and reader.axes == record.axes and reader.shape == record.shape:
            onward.append(Onward(name, cell, reader.value[cell].item(), reader.entry.step.kind))
    return tuple(onward)
