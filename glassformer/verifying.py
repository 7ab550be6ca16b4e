"""`glassformer verify`: whole traces proved, as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table
from rich.text import Text

from .model.catalogue import CATALOGUE, card
from .model.library import Library
from .model.proof import Proof
from .model.recipe import Recipe
from .model.running import run
from .model.verdict import Verdict, verify
from .options import read_option, wide_console

EVERY = "all"


@dataclass(frozen=True)
class Asked:
    """What is to be verified: models, sentences (none: each model's examples), options and seed."""

    models: Sequence[str]
    src: Sequence[str] = ()
    tgt: Sequence[str] = ()
    options: Sequence[str] = ()
    seed: int | None = None


def report(asked: Asked, console: Console | None = None) -> bool:
    """Run and prove each recipe, print a table, and return whether everything passed.

    Raises:
        GlassformerError: something asked for does not exist or does not fit.
    """
    console = console or wide_console()
    table = Table("", "model", box=None, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("sentences", no_wrap=True, overflow="ellipsis")
    for title in ("tensors", "cells", "largest difference"):
        table.add_column(title, justify="right")
    table.add_column("logits, unwatched")
    table.add_column("torch.nn")
    library, notes, count, failed = Library(), list[str](), 0, 0
    for recipe in list(recipes(asked)):
        with console.status(Text(f"{recipe.model}: {' · '.join(recipe.src)}")):
            verdict = verify(run(recipe, library))
        count, failed = count + 1, failed + (not verdict.passes)
        table.add_row(*_row(recipe, verdict))
        notes += _notes(recipe, verdict)
    console.print(table)
    for note in notes:
        console.print(note, markup=False, highlight=False)
    console.print(_summary(count, failed), style="red" if failed else "green", highlight=False)
    return failed == 0


def recipes(asked: Asked) -> Iterator[Recipe]:
    """Yield what is to be run; without targets, the decoder gets <start> alone.

    Raises:
        GlassformerError: a model that does not exist, or an option that is not written name=value.
    """
    shared = {"options": dict(map(read_option, asked.options)), "seed": asked.seed}
    for model in CATALOGUE if EVERY in asked.models else asked.models:
        if not asked.src:
            for example in card(model).examples:
                yield Recipe.from_dict({"model": model, "src": list(example.src), "tgt": list(example.tgt), **shared})
            continue
        start = card(model).tokenizer.start_id
        decoder = {"tgt": list(asked.tgt)} if asked.tgt else {"prefix": [[start]] * len(asked.src)}
        yield Recipe.from_dict({"model": model, "src": list(asked.src), **decoder, **shared})


def _row(recipe: Recipe, verdict: Verdict) -> tuple[str | Text, ...]:
    worst = verdict.worst
    unwatched = verdict.unwatched
    layers = max((layer.max_rel for layer in verdict.layers), default=None)
    return (
        "[green]✓[/]" if verdict.passes else "[red]✗[/]",
        recipe.model,
        Text(" · ".join(recipe.src)),
        f"{len(verdict.proofs)}",
        f"{verdict.cells:,}".replace(",", " "),
        f"{worst.max_rel:.1e}",
        "the same bits" if unwatched.passes else f"[red]{unwatched.different} of {unwatched.cells} differ[/]",
        "not compared" if layers is None else f"{layers:.1e}",
    )


def _notes(recipe: Recipe, verdict: Verdict) -> list[str]:
    """Say what the table has no room for: each tensor that failed, and why torch.nn was left out."""
    notes = [f"✗ {recipe.model}: {_failure(proof)}" for proof in verdict.failures]
    notes += [
        f"✗ {recipe.model}: {x.name} differs from torch.nn's layer by {x.max_rel:.1e}" for x in verdict.layers if not x.passes
    ]
    if verdict.why_no_layers:
        notes.append(f"  {recipe.model}: {verdict.why_no_layers}")
    return notes


def _failure(proof: Proof) -> str:
    return (
        f"{proof.name} at {proof.cell}: recorded {proof.recorded}, recomputed {proof.replayed}; "
        f"relative difference {proof.max_rel:.1e}, allowed {proof.tolerance:.1e}"
    )


def _summary(count: int, failed: int) -> str:
    runs = "1 run" if count == 1 else f"{count} runs"
    if failed:
        return f"{failed} of {runs} failed."
    return f"{runs} proved: every tensor computed again in float64, and each difference is rounding."
