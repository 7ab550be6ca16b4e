"""Explanations as JSON says them: operands as lines, their cells as links, the table row by row."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...model.errors import InputError
from ...model.explanation import Explanation, token_text
from ...model.explanation_table import ORDERS, Table, tabulate
from ...model.steps.working import Equation, Line, Number
from ..answers import number
from .traces import describe_axes, mathml

MOST_ROWS = 1024
CHAIN_RULE = r"\frac{\partial L}{\partial x} = \sum_y \frac{\partial L}{\partial y} \frac{\partial y}{\partial x}"


def parse_cell(text: str) -> tuple[int, ...]:
    """Read a cell as an address says it: `0,1,1,2`; nothing for a single number. Raises InputError."""
    parts = text.split(",") if text else []
    if len(parts) > 8 or not all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts):
        raise InputError(f"cell is {text[:40]!r}; it must be one place for each axis, such as 0,1,1,2", where="cell")
    return tuple(map(int, parts))


def check_rows(order: str, start: int, count: int) -> None:
    """Raise InputError, with the limit, for rows that nobody can be sent."""
    if order not in ORDERS:
        raise InputError(f"order is {order[:40]!r}; it must be {' or '.join(ORDERS)}", where="order")
    if start < 0:
        raise InputError(f"start is {start}; it must be at least 0", where="start")
    if not 1 <= count <= MOST_ROWS:
        raise InputError(f"count is {count}; it must be from 1 to {MOST_ROWS}", where="count")


def describe_explanation(explanation: Explanation, *, order: str = "place", start: int = 0, count: int = 64) -> dict[str, Any]:
    """Return an explanation with `count` rows of its table from `start` on, along the axis or the largest first."""
    entry, working = explanation.entry, explanation.working
    table = tabulate(working, order=order, start=start, count=count) if working.rows else None
    operands, terms = _operands(explanation, table)
    first = working.table[0] if working.rows else None
    along = first.axes[first.runs[-1]] if first else None
    return {
        "name": explanation.name,
        "of": explanation.of,
        "cell": list(explanation.cell),
        **describe_axes(entry.axes),
        "value": plain(explanation.value),
        "text": token_text(explanation.trace, explanation.name, explanation.cell) if explanation.of == "value" else None,
        "step": entry.step.kind,
        "leaf": entry.step.leaf and explanation.of == "value",
        "rule": mathml(entry.step.rule if explanation.of == "value" else CHAIN_RULE),
        "says": working.says,
        "result": plain(explanation.result),
        "difference": number(explanation.difference),
        "operands": operands,
        "along": {"axis": along.name, "over": along.over} if along else None,
        "count": working.rows,
        "places": table.places.tolist() if table else [],
        "terms": terms,
        "columns": _columns(explanation, table) if table else [],
        "rest": {"count": table.rest, "totals": [number(total) for total in table.rest_totals]} if table and table.rest else None,
        "equations": [_equation(equation, working.operands) for equation in working.equations],
        "because": [
            {"name": reason.name, "of": reason.of, "cell": list(reason.cell), "says": reason.says}
            for reason in explanation.because
        ],
        "then": [
            {"name": onward.name, "cell": list(onward.cell), "value": plain(onward.value), "kind": onward.kind}
            for onward in explanation.then
        ],
    }


def plain(value: Number) -> float | int | bool | str | None:
    """Return a value as JSON can say it."""
    return value if isinstance(value, bool | int) else number(value)


def _operands(explanation: Explanation, table: Table | None) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    operands: list[dict[str, Any]] = []
    terms: list[dict[str, Any]] = []
    for line in explanation.working.operands:
        rows = table.places if line.runs and table is not None else np.zeros(1, dtype=np.int64)
        operands.append(
            {
                "name": line.name,
                "of": line.of,
                "role": line.role,
                "cell": list(line.cell),
                "takes": list(line.takes),
                "size": int(line.values.size),
                "first": len(terms),
                "shown": int(rows.size),
            }
        )
        terms += _terms(explanation, line, rows)
    return operands, terms


def _terms(explanation: Explanation, line: Line, rows: np.ndarray) -> list[dict[str, Any]]:
    values = line.values[rows].tolist()
    made: list[dict[str, Any]] = [
        {"name": line.name, "cell": list(line.cell_at(row)), "value": plain(value)}
        for row, value in zip(rows.tolist(), values, strict=True)
    ]
    if line.values.dtype == np.int64:
        for term in made:
            text = token_text(explanation.trace, line.name, tuple(term["cell"]))
            if text is not None:
                term["text"] = text
    return made


def _columns(explanation: Explanation, table: Table) -> list[dict[str, Any]]:
    return [
        {
            "title": column.title,
            "values": [plain(value) for value in values.tolist()],
            "total": number(total),
            "running": column.running,
        }
        for column, values, total in zip(explanation.working.columns, table.columns, table.totals, strict=True)
    ]


def _equation(equation: Equation, operands: tuple[Line, ...]) -> dict[str, Any]:
    return {"title": equation.title, "parts": [_part(part, operands) for part in equation.parts], "value": plain(equation.value)}


def _part(part: str | float | Line, operands: tuple[Line, ...]) -> str | dict[str, Any]:
    if isinstance(part, str):
        return part
    if not isinstance(part, Line):
        return {"value": number(part), "operand": None}
    place = next(i for i, line in enumerate(operands) if line is part)
    return {"value": plain(part.value), "operand": place}
