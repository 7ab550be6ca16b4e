"""The table of an explanation: its rows in the order and number that somebody wants to see, and what the others come to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .steps.working import Column, Working

ORDERS = ("place", "size")


@dataclass(frozen=True)
class Table:
    """Some rows of a working's table.

    `places` are the rows shown, as indices along the operands; `columns` and `totals` go with the working's columns: one array of
    the shown rows' values each, and the total over all rows where one means something. `rest` is the number of rows that are not
    shown, `rest_totals` what they come to.
    """

    places: np.ndarray
    columns: tuple[np.ndarray, ...]
    totals: tuple[float | None, ...]
    rest: int
    rest_totals: tuple[float | None, ...]


def tabulate(working: Working, *, order: str = "place", start: int = 0, count: int = 64) -> Table:
    """Choose rows of a working's table.

    Args:
        order: "place" along the axis, or "size": what contributes most comes first.
        start, count: which rows of that order.
    """
    assert order in ORDERS, f"no order {order!r}"
    places = np.argsort(-_weights(working), kind="stable") if order == "size" else np.arange(working.rows)
    shown = places[start : start + count]
    columns = tuple(_shown(column, places, start, count) for column in working.columns)
    totals = tuple(float(column.values.sum()) if column.adds else None for column in working.columns)
    rest = working.rows - shown.size
    others = np.concatenate([places[:start], places[start + count :]])
    rest_totals = tuple(float(column.values[others].sum()) if column.adds and rest else None for column in working.columns)
    return Table(shown, columns, totals, rest, rest_totals)


def _shown(column: Column, places: np.ndarray, start: int, count: int) -> np.ndarray:
    values = column.values[places]
    return (np.cumsum(values) if column.running else values)[start : start + count]


def _weights(working: Working) -> np.ndarray:
    """How much each row contributes: by the last column that adds up, else by the operand itself."""
    adding = [column.values for column in working.columns if column.adds]
    values = np.abs((adding[-1] if adding else working.table[0].values).astype(np.float64))
    return np.where(np.isnan(values), np.inf, values)
