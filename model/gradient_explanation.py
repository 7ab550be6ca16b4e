"""One cell of a gradient explained: which tensors read the cell, and what each of them passes back (the chain rule)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from .explanation import Explanation, Reason, checked
from .gradients import Gradients, gradients
from .steps import (
    Column,
    Contract,
    Dot,
    Embed,
    Equation,
    Keep,
    LabelLoss,
    Linear,
    LogSoftmax,
    Mix,
    Named,
    Scale,
    Softmax,
    Target,
    Total,
    Working,
)
from .steps.named import place_of
from .steps.sums import sum_of_products
from .steps.working import Line, Of, Place
from .trace import Record, Trace

START = "The loss itself: it moves as much as it moves."
UNREAD = "The loss does not depend on this tensor, so its gradient is 0."


def explain_gradient(trace: Trace, name: str, cell: Sequence[int]) -> Explanation:
    """Write one cell of a gradient out.

    Raises:
        UnknownNameError, InputError: no such tensor, one without a gradient, no labels, or a cell outside it.
    """
    found = gradients(trace)
    record = found[name]
    place = checked(record, cell)
    working, because = _working(found, record, place)
    return Explanation(trace, record.entry, place, float(record.value[place]), working, because, (), of="gradient")


@dataclass(frozen=True)
class Reading:
    """A tensor that reads the explained one, as its operand number `operand`, and the gradient that arrives there."""

    found: Gradients
    reader: Record
    operand: int
    record: Record
    cell: tuple[int, ...]

    @property
    def trace(self) -> Trace:
        """The trace that is explained."""
        return self.found.trace

    def at(self, name: str, role: str, cell: Sequence[Place], *, of: Of = "value") -> Line:
        """Return cells of a tensor or of its gradient: a single one, or a line along the axes whose place is None."""
        record = (self.found if of == "gradient" else self.trace)[name]
        picked = record.value[tuple(slice(None) if place is None else place for place in cell)]
        values = (picked.to(torch.float64) if picked.is_floating_point() else picked).reshape(-1).numpy()
        return Line(name, role, tuple(cell), (-1,) * len(cell), record.axes, record.shape, values, of)

    def upstream(self, cell: Sequence[Place]) -> Line:
        """Return cells of the gradient that arrives at the reader."""
        return self.at(self.reader.name, "g", cell, of="gradient")

    def read(self, operand: int, role: str, cell: Sequence[Place]) -> Line:
        """Return cells of one of the reader's operands."""
        return self.at(self.reader.entry.step.reads[operand], role, cell)


def _working(found: Gradients, record: Record, cell: tuple[int, ...]) -> tuple[Working, tuple[Reason, ...]]:
    if record.name == "loss.mean":
        return Working(START, result=1.0), ()
    readings = [
        Reading(found, found.trace[reader], operand, record, cell)
        for reader in found.trace.legend.readers[record.name]
        if reader in found and reader not in found.unread
        for operand in _places(found.trace[reader], record.name)
    ]
    if not readings:
        return Working(UNREAD, result=0.0), ()
    if len(readings) == 1:
        [reading] = readings
        detail = DETAILS.get(type(reading.reader.entry.step))
        working = detail(reading) if detail else None
        if working is not None:
            return working, ()
    passed = [_passed_back(reading) for reading in readings]
    total = float(sum(passed))
    says = "What it is read by passes back its own gradient, each by its own rule" + (
        ", and the parts add up." if len(passed) > 1 else "."
    )
    parts = tuple(part for value in passed for part in ("+", value))[1:]
    because = tuple(
        Reason(
            reading.reader.name,
            _near(reading),
            f"passes back {value:.6g} ({reading.reader.entry.step.kind}).".replace("-", "−"),
            "gradient",
        )
        for reading, value in zip(readings, passed, strict=True)
    )
    return Working(says, equations=(Equation("passed back", parts, total),), result=total), because


def _places(reader: Record, name: str) -> list[int]:
    return [i for i, read in enumerate(reader.entry.step.reads) if read == name]


def _passed_back(reading: Reading) -> float:
    """Return what one reader passes back to the cell: its replay differentiated, with the gradient that arrived there."""
    step, trace = reading.reader.entry.step, reading.trace
    operands = []
    for i, read in enumerate(step.reads):
        value = trace[read].value
        value = value.double() if value.is_floating_point() else value
        operands.append(Named(trace[read].axes, value.requires_grad_() if i == reading.operand else value))
    with torch.enable_grad():
        replayed = step.replay(operands, Target(reading.reader.axes, trace.sizes))
        upstream = reading.found[reading.reader.name].value.double()
        [back] = torch.autograd.grad(replayed, operands[reading.operand].value, upstream.expand_as(replayed))
    return float(torch.nan_to_num(back)[reading.cell])


def _near(reading: Reading) -> tuple[int, ...]:
    """Return the cell of the reader to look at first: the same places where it has the same axes, else the first."""
    axes, shape = reading.record.axes, reading.reader.shape
    near = []
    for axis, size in zip(reading.reader.axes, shape, strict=True):
        matches = [i for i, other in enumerate(axes) if other.name == axis.name or other.over == axis.over]
        near.append(min(reading.cell[matches[0]], size - 1) if matches else 0)
    return tuple(near)


def _linear(reading: Reading) -> Working | None:
    step, cell = reading.reader.entry.step, reading.cell
    assert isinstance(step, Linear)
    lead = [None] * (len(reading.reader.shape) - 1)
    if reading.operand == 0:
        row = (None, cell[-1]) if step.by_row else (cell[-1], None)
        says = "Each output that this number feeds passes its gradient back, times the weight between the two."
        return sum_of_products(says, reading.upstream((*cell[:-1], None)), reading.read(1, "W", row))
    if reading.operand == 1:
        out, into = cell if step.by_row else reversed(cell)
        says = "At every position: the gradient of the output times the input that met this weight there (δ xᵀ), added up."
        return sum_of_products(says, reading.upstream((*lead, out)), reading.read(0, "x", (*lead, into)))
    return _all_added(reading.upstream((*lead, cell[0])), "The output’s gradient at every position, added up.")


def _contract(reading: Reading) -> Working | None:
    """Dot and mix: the other operand's cells, weighted by the gradient, summed over the axis that this operand lacks."""
    step, own = reading.reader.entry.step, reading.record.axes
    assert isinstance(step, Contract)
    lacking = [axis for axis in reading.reader.axes if axis.name not in {each.name for each in own}]
    if len(lacking) != 1:
        return None
    other = 1 - reading.operand
    places = {axis.name: place for axis, place in zip(own, reading.cell, strict=True)} | {lacking[0].name: None}
    upstream = reading.upstream([places[axis.name] for axis in reading.reader.axes])
    partner = reading.trace[step.reads[other]]
    role = type(step).roles[other]
    line = reading.read(other, role, [places[axis.name] for axis in partner.axes])
    return sum_of_products(f"The gradient of every product this number takes part in, times its partner {role}.", upstream, line)


def _softmax(reading: Reading) -> Working:
    step, cell = reading.reader.entry.step, reading.cell
    assert isinstance(step, Softmax)
    along = place_of(next(axis for axis in reading.reader.axes if axis.name == step.over), reading.reader.axes)
    row = [None if i == along else place for i, place in enumerate(cell)]
    g, w = reading.upstream(row), reading.at(reading.reader.name, "w", row)
    own, weight = reading.upstream(cell), reading.at(reading.reader.name, "w", cell)
    mixed = float((g.values * w.values).sum())
    result = weight.value * (own.value - mixed)
    columns = (Column("g w", g.values * w.values, adds=True),)
    equations = (
        Equation("the row’s mean gradient", ("Σ g w",), mixed),
        Equation("this cell", (weight, "× (", own, "−", mixed, ")"), result),
    )
    says = "A share grows only at the others’ cost: its gradient less the row’s mean gradient, times the share itself."
    return Working(says, (g, w, own, weight), columns, equations, result)


def _log_softmax(reading: Reading) -> Working:
    cell = reading.cell
    g, own = reading.upstream((*cell[:-1], None)), reading.upstream(cell)
    log_prob = reading.at(reading.reader.name, "ln p", cell)
    total, share = float(g.values.sum()), float(np.exp(log_prob.value))
    result = own.value - share * total
    equations = (
        Equation("the row’s gradient in all", ("Σ g",), total),
        Equation("the probability", ("e ^", log_prob), share),
        Equation("softmax less target, over the count", (own, "−", share, "×", total), result),
    )
    says = "Softmax less target, over how many labels count: g is minus the target over the count, so its sum is −1 over it."
    return Working(says, (g, own, log_prob), (Column("running sum", g.values, running=True),), equations, result)


def _label_loss(reading: Reading) -> Working:
    batch, position, token = reading.cell
    label, g = reading.read(1, "label", (batch, position)), reading.upstream((batch, position))
    if label.value != token:
        return Working("This token is not the label, so the loss does not look at it.", (label,), result=0.0)
    equation = Equation("", ("−", g), -g.value)
    return Working(
        "This token is the label: a likelier label is a smaller loss.", (label, g), equations=(equation,), result=-g.value
    )


def _keep(reading: Reading) -> Working:
    counted, g = reading.read(1, "counted", reading.cell), reading.upstream(reading.cell)
    if not counted.value:
        return Working("It does not count, so nothing comes back.", (counted,), result=0.0)
    return Working(
        "It counts, so the gradient passes as it is.", (counted, g), equations=(Equation("", (g,), g.value),), result=g.value
    )


def _total(reading: Reading) -> Working:
    kept = {axis.name for axis in reading.reader.axes}
    g = reading.upstream([place for axis, place in zip(reading.record.axes, reading.cell, strict=True) if axis.name in kept])
    return Working("Every term of a sum gets the sum’s gradient.", (g,), equations=(Equation("", (g,), g.value),), result=g.value)


def _scale(reading: Reading) -> Working:
    step, g = reading.reader.entry.step, reading.upstream(reading.cell)
    assert isinstance(step, Scale)
    result = g.value * step.by
    return Working(
        "The factor scales the gradient as well.", (g,), equations=(Equation("", (g, "×", step.by), result),), result=result
    )


def _embed(reading: Reading) -> Working | None:
    if reading.operand != 1:
        return None
    row, column = reading.cell
    ids = reading.trace[reading.reader.entry.step.reads[0]]
    places = (ids.value == row).nonzero().tolist()
    if not places:
        return Working("No sentence of this batch has this token, so its row gets no gradient.", result=0.0)
    cells = [reading.upstream((batch, position, column)) for batch, position in places]
    total = float(sum(cell.value for cell in cells))
    parts = tuple(part for cell in cells for part in ("+", cell))[1:]
    says = f"The token stands at {len(cells)} {'place' if len(cells) == 1 else 'places'} of this batch; their gradients add up."
    return Working(says, tuple(cells), equations=(Equation("", parts, total),), result=total)


def _all_added(g: Line, says: str) -> Working:
    total = float(g.values.sum())
    columns = (Column("running sum", g.values, running=True),)
    return Working(says, (g,), columns, (Equation("the sum", ("Σ g",), total),), total)


DETAILS: dict[type, Callable[[Reading], Working | None]] = {
    Linear: _linear,
    Softmax: _softmax,
    LogSoftmax: _log_softmax,
    LabelLoss: _label_loss,
    Keep: _keep,
    Total: _total,
    Scale: _scale,
    Embed: _embed,
    Dot: _contract,
    Mix: _contract,
}
