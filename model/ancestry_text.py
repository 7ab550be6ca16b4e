"""An ancestry as text for a terminal and as tables for a notebook."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

import numpy as np

from .ancestry import TAKEN, Ancestry, HeadShares
from .text_tables import html_table, plain_table

_BLOCKS = 6


def plain(ancestry: Ancestry) -> str:
    """Return the ancestry as lines of text; positions that add nothing at all are left out."""
    if ancestry.why_not:
        return f"{_heading(ancestry)}\n{ancestry.why_not}"
    lines = [_heading(ancestry), *_about(ancestry), ""]
    for table in _tables(ancestry):
        lines += [*plain_table(table), ""]
    return "\n".join(lines[:-1])


def html(ancestry: Ancestry) -> str:
    """Return the ancestry as HTML for a notebook; all text is escaped."""
    about = [ancestry.why_not] if ancestry.why_not else _about(ancestry)
    parts = [f"<p><code>{escape(_heading(ancestry))}</code><br>{escape(' '.join(about))}</p>"]
    parts += [html_table(table) for table in ([] if ancestry.why_not else _tables(ancestry))]
    return "".join(parts)


def _heading(ancestry: Ancestry) -> str:
    return f"{_cell(ancestry.name, ancestry.cell)}: whole ancestry"


def _about(ancestry: Ancestry) -> list[str]:
    start = _cell(ancestry.start, ancestry.start_cell)
    lines = [TAKEN]
    if (ancestry.start, ancestry.start_cell) != (ancestry.name, ancestry.cell):
        lines.append(f"It is another form of {start}, and that is what is shared out.")
    return [*lines, f"{start} = {_number(ancestry.value)}, the parts add up to {_number(ancestry.total)}."]


def _tables(ancestry: Ancestry) -> Iterator[list[list[str]]]:
    positions = {share.over: share for share in ancestry.positions}
    for share in ancestry.tokens:
        codes = positions.get(share.over)
        rows = [[share.over, "token adds", "position adds"]]
        for i in np.flatnonzero(share.values):
            rows.append(
                [_label(ancestry, share.over, int(i)), _number(share.values[i]), _number(codes.values[i]) if codes else ""]
            )
        yield [*rows, ["all", _number(share.total), _number(codes.total) if codes else ""]]
    rest = sum(constants.value for constants in ancestry.constants[_BLOCKS:])
    rows = [["biases and offsets of", "add"]]
    rows += [[constants.block, _number(constants.value)] for constants in ancestry.constants[:_BLOCKS]]
    more = [[f"{len(ancestry.constants) - _BLOCKS} more", _number(rest)]] if len(ancestry.constants) > _BLOCKS else []
    yield rows + more
    for heads in ancestry.heads:
        yield _grid(ancestry, heads)


def _grid(ancestry: Ancestry, heads: HeadShares) -> list[list[str]]:
    shown = np.flatnonzero(heads.keys.any(axis=0))
    rows = [[heads.block, "adds", *(_label(ancestry, heads.over, int(i)) for i in shown)]]
    for i, keys in enumerate(heads.keys):
        rows.append([f"head {i}", _number(heads.values[i]), *(_number(value) for value in keys[shown])])
    return rows


def _label(ancestry: Ancestry, over: str, place: int) -> str:
    rows = {"src": ancestry.trace.batch.src, "tgt": ancestry.trace.batch.tgt}[over]
    return f"{place} {rows[ancestry.sentence][place].text}"


def _cell(name: str, cell: Sequence[int]) -> str:
    return f"{name}[{', '.join(map(str, cell))}]"


def _number(value: float) -> str:
    return f"{value:.4g}".replace("-", "−")
