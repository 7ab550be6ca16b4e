"""`glassformer decode`: the steps of a decoding as a table."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from .model.decoding import Beam, Decoding, DecodingRecipe, DecodingStep, Node, Row, Sample
from .model.library import Library
from .options import read_option, wide_console

_STANDING = ("live", "end", "length")


def show(model: str, src: Sequence[str], *, options: Sequence[str] = (), console: Console | None = None, **asked: Any) -> None:
    """Decode, print a row for each step of each sentence, and what was written.

    Args:
        options: changed settings of the model, each `name=value`. asked: fields of the recipe; None is left out.

    Raises:
        GlassformerError: something asked for does not exist or does not fit.
    """
    console = console or wide_console()
    raw = {"model": model, "src": list(src), "options": dict(map(read_option, options)), **asked}
    decoding = Decoding(DecodingRecipe.from_dict({k: v for k, v in raw.items() if v is not None}), Library())
    steps = list(decoding)
    for sentence, text in enumerate(decoding.recipe.src):
        console.print(Text(text, style="bold"))
        console.print(_table(decoding, steps, sentence))
        console.print(_written(decoding, decoding.best(sentence)), "")


def strategy(kind: str | None, settings: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the strategy that flags ask for; the flags alone say which one, where none is named."""
    given = {name: value for name, value in settings.items() if value is not None}
    if kind is None:
        beam = {"width", "length_penalty"} & given.keys()
        kind = "beam" if beam else "sample" if given else None
    return None if kind is None else {"kind": kind, **given}


def _table(decoding: Decoding, steps: Sequence[DecodingStep], sentence: int) -> Table:
    if isinstance(decoding.recipe.strategy, Beam):
        return _beam_table(decoding, steps, sentence)
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    draws = isinstance(decoding.recipe.strategy, Sample)
    for title in ("step", "fed", "chosen", "probability", "second", "probability", "margin", *(["draw"] if draws else [])):
        table.add_column(title, justify="left" if title in ("fed", "chosen", "second") else "right")
    for step in steps:
        row = step.rows[sentence]
        if not row.done:
            table.add_row(*map(Text, _cells(step, row, draws=draws)))
    return table


def _cells(step: DecodingStep, row: Row, *, draws: bool) -> list[str]:
    assert row.chosen is not None
    second = next((each for each in row.top if each.token.id != row.chosen.id), None)
    tie = f" (of {row.tied} equals)" if row.tied > 1 else ""
    found = [
        str(step.index),
        _visible(row.prefix[-1].text),
        _visible(row.chosen.text) + tie,
        _percent(row.chosen_log_prob),
        "" if second is None else _visible(second.token.text),
        "" if second is None else _percent(second.log_prob),
        f"{row.margin:.3f}",
    ]
    return [*found, f"{row.draw:.4f}"] if draws else found


def _beam_table(decoding: Decoding, steps: Sequence[DecodingStep], sentence: int) -> Table:
    """Return the hypotheses of each step, the best first."""
    table = Table("step", "hypothesis", box=None, padding=(0, 2, 0, 0), header_style="bold")
    for title in ("log-probability", "over the penalty"):
        table.add_column(title, justify="right")
    table.add_column("")
    for step in steps:
        made = sorted((node for node in step.nodes if node.sentence == sentence), key=lambda node: -node.score)
        for node in made[: decoding.recipe.strategy.rows]:
            fate = "dropped" if node.fate == "dropped" else "" if node.fate == "live" else f"ends: {node.fate}"
            numbers = (f"{node.total:.4f}", f"{node.score:.4f}")
            table.add_row(
                str(step.index), Text(_path(decoding, node)), *numbers, fate, style="dim" if fate == "dropped" else None
            )
    return table


def _path(decoding: Decoding, node: Node) -> str:
    gap = " " if decoding.unit == "word" else ""
    text = gap.join(each.token.text for each in decoding.path(node)[1:])
    kept = text.rstrip(" ")
    return kept + "␣" * (len(text) - len(kept))


def _written(decoding: Decoding, best: Node) -> Text:
    reason = {"end": "the end token", "length": "the longest allowed length"}.get(best.fate, best.fate)
    score = f", {best.score:.4f} over the length penalty" if isinstance(decoding.recipe.strategy, Beam) else ""
    text = Text(decoding.text(best), style="bold")
    return text.append(f"   log-probability {best.total:.4f}{score}; ended by {reason}", style="not bold")


def _visible(text: str) -> str:
    return "␣" if text == " " else text


def _percent(log_prob: float) -> str:
    return f"{100 * math.exp(log_prob):.2f} %"
