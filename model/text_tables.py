"""Rows of text as a table for a terminal, and as one for a notebook; the first row is the head."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape


def plain_table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return a line for each row, columns under each other, indented."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["  " + "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]


def html_table(rows: Sequence[Sequence[str]]) -> str:
    """Return the table as HTML; all text is escaped."""
    head, *others = rows
    body = "".join(_row("td", row) for row in others)
    return f"<table><thead>{_row('th', head)}</thead><tbody>{body}</tbody></table>"


def _row(tag: str, cells: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"
