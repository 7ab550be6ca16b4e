"""Write docs/tensors.md from the network's own legend; with --check, only say whether it is up to date."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from glassformer.model.axes import named
from glassformer.model.library import configure, sketch

PAGE = Path(__file__).with_suffix(".md")
HEAD = """# Tensors

Every tensor that a trace of the standard configuration holds, written by `make docs` from the taps of the network. Layers
repeat: `layers.N` stands for each of them. Axes are written `name` or `name:what it runs over`. A tensor is recomputed from what
it reads.

Variants add their own: pre-norm `encoder.norm` and `decoder.norm`, dropout a block `dropout` with `multiplier` and `out`
wherever it acts, learned positions `position_table`.
"""


def page() -> str:
    """Return the whole page."""
    legend = sketch(configure("tiny")[1])
    lines = [HEAD]
    for part in legend.root.walk():
        own = [legend.entries[name] for name in part.tensors]
        if not own or re.search(r"layers\.[1-9]", part.name):
            continue
        lines += [f"\n## {_generic(part.name) or 'model'}\n", f"{part.title}: {part.says}\n"]
        lines += ["| tensor | axes | formula | reads | what it is |", "|---|---|---|---|---|"]
        for entry in own:
            reads = ", ".join(f"`{_generic(name)}`" for name in entry.step.reads) or entry.step.kind
            formula = entry.formula.replace("|", r"\vert ")
            axes = named(entry.axes) or "(a single number)"
            lines.append(f"| `{_generic(entry.name)}` | {axes} | ${formula}$ | {reads} | {entry.says} |")
    return "\n".join(lines) + "\n"


def _generic(name: str) -> str:
    return name.replace("layers.0", "layers.N").replace("layers.1", "layers.N")


if __name__ == "__main__":
    if "--check" in sys.argv:
        if PAGE.read_text() != page():
            sys.exit("docs/tensors.md is out of date; make docs writes it")
    else:
        PAGE.write_text(page())
