"""An explanation as text for a terminal and as a table for a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from .explanation import Explanation, token_text
from .explanation_table import Table, tabulate
from .steps.working import Equation, Line, Number
from .text_tables import html_table, plain_table

_ROWS = 16


def plain(explanation: Explanation) -> str:
    """Return the explanation as lines of text, at most a screenful."""
    lines = [_heading(explanation), explanation.working.says, ""]
    table = _table(explanation)
    if table:
        lines += [*plain_table(table), ""]
    lines += [f"  {_equation(explanation, equation)}" for equation in explanation.working.equations]
    lines += _after(explanation)
    return "\n".join(line.rstrip() for line in lines)


def html(explanation: Explanation) -> str:
    """Return the explanation as HTML for a notebook; all text is escaped."""
    parts = [f"<p><code>{escape(_heading(explanation))}</code><br>{escape(explanation.working.says)}</p>"]
    table = _table(explanation)
    if table:
        parts.append(html_table(table))
    below = [_equation(explanation, equation) for equation in explanation.working.equations] + _after(explanation)
    parts += [f"<div>{escape(line.strip())}</div>" for line in below if line.strip()]
    return "".join(parts)


def _heading(explanation: Explanation) -> str:
    what = "gradient of " if explanation.of == "gradient" else ""
    return f"{what}{_place(explanation, explanation.name, explanation.cell)} = {_said(explanation)}"


def _said(explanation: Explanation) -> str:
    return _number(explanation.value, explanation.name)


def _place(explanation: Explanation, name: str, cell: Sequence[int | None]) -> str:
    text = token_text(explanation.trace, name, tuple(place for place in cell if place is not None))
    places = ", ".join(":" if place is None else str(place) for place in cell)
    return f"{name}[{places}]" + (f" “{text}”" if text is not None else "")


def _table(explanation: Explanation) -> list[list[str]]:
    """Return the table as rows of text, its head first; empty where nothing runs."""
    working = explanation.working
    if not working.rows:
        return []
    order = "place" if working.rows <= _ROWS else "size"
    shown = tabulate(working, order=order, count=_ROWS)
    along = " ".join(working.table[0].axes[i].name for i in working.table[0].runs)
    rows = [[along, *(line.role for line in working.table), *(column.title for column in working.columns)]]
    for i, place in enumerate(shown.places):
        operands = [_number(line.values[place].item()) for line in working.table]
        rows.append([_label(explanation, int(place)), *operands, *(_number(float(column[i])) for column in shown.columns)])
    return rows + _sums(explanation, shown)


def _sums(explanation: Explanation, shown: Table) -> list[list[str]]:
    blank = [""] * len(explanation.working.table)
    rows = []
    if shown.rest:
        rows.append([f"{shown.rest} more", *blank, *(_total(total) for total in shown.rest_totals)])
    if any(total is not None for total in shown.totals):
        rows.append(["all", *blank, *(_total(total) for total in shown.totals)])
    return rows


def _label(explanation: Explanation, place: int) -> str:
    """Return a row's place, with its token where the axis runs over tokens of the explained sentence."""
    line = explanation.working.table[0]
    axis = line.axes[line.runs[-1]]
    rows = {"src": explanation.trace.batch.src, "tgt": explanation.trace.batch.tgt}.get(axis.over)
    cell = line.cell_at(place)
    if rows is None or axis.name == "labels" or line.axes[0].name != "batch":
        return ",".join(str(cell[i]) for i in line.runs)
    return f"{cell[line.runs[-1]]} {rows[cell[0]][cell[line.runs[-1]]].text}"


def _equation(explanation: Explanation, equation: Equation) -> str:
    written = " ".join(_part(part) for part in equation.parts)
    return (f"{equation.title}: " if equation.title else "") + f"{written} = {_number(equation.value, explanation.name)}"


def _part(part: str | float | Line) -> str:
    return part if isinstance(part, str) else _number(part.value, part.name) if isinstance(part, Line) else _number(part)


def _after(explanation: Explanation) -> list[str]:
    lines = [f"  because {reason.name}{list(reason.cell)}: {reason.says}" for reason in explanation.because]
    for line in explanation.working.operands:
        what = "the gradient of " if line.of == "gradient" else ""
        lines.append(f"  {line.role} is {what}{_place(explanation, line.name, line.cell)}")
    for onward in explanation.then:
        lines.append(f"  then {_place(explanation, onward.name, onward.cell)} = {_number(onward.value, onward.name)}")
    if explanation.of == "gradient" or not explanation.entry.step.leaf:
        result = _number(explanation.result, explanation.name)
        lines.append(f"  recorded {_said(explanation)}, worked out {result}, difference {explanation.difference:.1e}")
    return lines


def _number(value: Number, name: str = "") -> str:
    if isinstance(value, bool):
        yes, no = ("counted", "left out") if name.endswith(".counted") else ("allowed", "blocked")
        return yes if value else no
    if isinstance(value, int):
        return str(value)
    return f"{value:.6g}".replace("-inf", "−∞").replace("inf", "∞").replace("-", "−")


def _total(value: float | None) -> str:
    return "" if value is None else _number(value)
