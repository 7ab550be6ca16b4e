"""How the terms of an explanation combine, written once more with Python's own numbers, for the tests of explanations.

Each rule takes the values of the operands by role, a list for a line and a number for a single cell, and gives the cell.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from glassformer.model.explanation import Explanation

Values = dict[str, Any]


def combine(explanation: Explanation) -> tuple[float, float]:
    """Return the cell from its terms alone, and the size of what was added up, to judge the difference by."""
    working = explanation.working
    values: Values = {}
    for line in working.operands:
        values.setdefault(line.role, []).append(line.values.tolist() if line.runs else line.values.tolist()[0])
    values = {role: found if role == "mask" else found[0] for role, found in values.items()}
    step = explanation.entry.step
    found = RULES[step.kind](values, step, explanation)
    return float(found), _size(values, float(found))


def _size(values: Values, found: float) -> float:
    numbers = [value for some in values.values() for value in (some if isinstance(some, list) else [some])]
    finite = [abs(float(value)) for value in numbers if isinstance(value, float) and math.isfinite(value)]
    both = math.fsum(abs(a * b) for a, b in _pairs(values))
    return max([1e-6, *finite, both, abs(found) if math.isfinite(found) else 0.0])


def _pairs(values: Values) -> list[tuple[float, float]]:
    lines = [some for some in values.values() if isinstance(some, list) and some and isinstance(some[0], float)]
    return list(zip(*lines, strict=True)) if len(lines) == 2 else []


def _products(values: Values) -> float:
    return math.fsum(a * b for a, b in _pairs(values))


def _mean(row: list[float]) -> float:
    return math.fsum(row) / len(row)


def _variance(row: list[float], step: Any) -> float:
    mean = _mean(row)
    return math.fsum((x - mean) ** 2 for x in row) / (len(row) - (1 if step.divisor == "n-1" else 0))


def _softmax(row: list[float], place: int) -> float:
    if all(x == -math.inf for x in row):
        return 0.0
    top = max(row)
    return math.exp(row[place] - top) / math.fsum(math.exp(x - top) for x in row)


def _log_softmax(row: list[float], place: int) -> float:
    top = max(row)
    return row[place] - top - math.log(math.fsum(math.exp(x - top) for x in row))


def _position(cell: tuple[int, ...], width: int) -> float:
    pos, column = cell
    angle = pos * math.exp(-math.log(10000.0) * (column - column % 2) / width)
    return math.cos(angle) if column % 2 else math.sin(angle)


def _target(label: int, step: Any, explanation: Explanation) -> float:
    vocab, id = explanation.trace.sizes["vocab"], explanation.cell[-1]
    if label == step.pad_id:
        return 0.0
    among = [v for v in range(vocab) if step.over == "all" or (v != label and (step.over == "others" or v != step.pad_id))]
    return (1 - step.eps) * (id == label) + (step.eps / len(among) if id in among else 0.0)


def _gelu(x: float) -> float:
    return 0.5 * x * math.erfc(-x / math.sqrt(2))


RULES: dict[str, Callable[[Values, Any, Explanation], float]] = {
    "same": lambda v, s, e: v["x"],
    "split": lambda v, s, e: v["x"],
    "concat": lambda v, s, e: v["x"],
    "rows": lambda v, s, e: v["P"],
    "embed": lambda v, s, e: v["E"],
    "scale": lambda v, s, e: v["x"] * s.by,
    "add": lambda v, s, e: v["x"] + v["y"],
    "subtract": lambda v, s, e: v["x"] - v["y"],
    "entropic": lambda v, s, e: -v["x"] * math.log(v["x"]) if v["x"] else 0.0,
    "smooth_target": lambda v, s, e: _target(v["label"], s, e),
    "multiply": lambda v, s, e: v["x"] * v["y"],
    "divide": lambda v, s, e: v["x"] / v["y"] if v["y"] else math.nan,
    "linear": lambda v, s, e: _products(v) + v.get("b", 0.0),
    "dot": lambda v, s, e: _products(v),
    "mix": lambda v, s, e: _products(v),
    "activation": lambda v, s, e: _gelu(v["x"]) if s.name == "gelu" else max(0.0, v["x"]),
    "exp": lambda v, s, e: math.exp(v["x"]),
    "total": lambda v, s, e: math.fsum(v["x"]),
    "mask": lambda v, s, e: v["x"] if v["mask"][0] else -math.inf,
    "softmax": lambda v, s, e: _softmax(v["x"], e.cell[-1]),
    "log_softmax": lambda v, s, e: _log_softmax(v["x"], e.cell[-1]),
    "not_padding": lambda v, s, e: v["id"] != s.pad_id,
    "counted": lambda v, s, e: v["id"] != s.pad_id,
    "not_later": lambda v, s, e: e.cell[1] <= e.cell[0],
    "everything": lambda v, s, e: True,
    "all_of": lambda v, s, e: all(v["mask"]),
    "keep": lambda v, s, e: v["x"] if v["counted"] else 0.0,
    "label_loss": lambda v, s, e: -v["ln p"],
    "mean": lambda v, s, e: _mean(v["x"]),
    "variance": lambda v, s, e: _variance(v["x"], s),
    "deviation": lambda v, s, e: math.sqrt(v["variance"] + s.eps) if s.inside else math.sqrt(v["variance"]) + s.eps,
    "centre": lambda v, s, e: v["x"] - v["mean"],
    "gain_offset": lambda v, s, e: v["gain"] * v["x"] + v["offset"],
    "positions": lambda v, s, e: _position(e.cell, e.trace[e.name].shape[1]),
}
