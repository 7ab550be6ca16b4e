"""`glassformer train`: a model of the program, or a run of one's own, with a progress bar."""

from __future__ import annotations

import signal
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

import typer
from filelock import Timeout
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from .app.settings import Settings
from .model.errors import InputError
from .model.limits import TrainingLimits
from .model.shelf import open_own_shelf
from .model.training import SEED, save
from .model.training import train as train_task
from .model.training.pairs import decode_text
from .model.training.plan import make_plan
from .model.training.recipe import PAIRS, TASKS, TrainingRecipe
from .model.training.run_folder import PREFIX, RunFolder
from .model.training.runner import Command, Runner
from .options import read_option


def train_shipped(task: str, *, seed: int | None, steps: int | None, folder: Path | None) -> None:
    """Train a model that comes with the program, and write its weights and its card. Raises GlassformerError."""
    with Progress() as progress:
        bar = progress.add_task(task, total=None)

        def report(step: int, total: int, loss: float, rate: float) -> None:
            progress.update(bar, completed=step, total=total, description=f"{task}  loss {loss:.4f}  rate {rate:.1e}")

        outcome = train_task(task, seed=SEED if seed is None else seed, steps=steps, report=report)
    typer.echo(save(outcome, folder=folder))


def train_run(task: str, asked: Mapping[str, Any], options: Sequence[str]) -> None:
    """Train a run of one's own to its end, or go on with one. Ctrl-C keeps a checkpoint. Raises GlassformerError."""
    limits = Settings().training_limits
    shelf = open_own_shelf()
    if task.startswith(PREFIX):
        if options or any(value is not None for value in asked.values()):
            raise InputError(f"{task} goes on with its own recipe; leave the options out", where="task")
        run = shelf.run(task)
        if run.recipe is None:
            raise InputError(f"{task} was loaded as it is and cannot be trained", where="task")
    else:
        recipe = TrainingRecipe.from_dict(_recipe(task, asked, options))
        plan = make_plan(recipe, limits)
        run = RunFolder.make(shelf.folder, about=plan.about, recipe=recipe, state="starting")
        for notice in plan.notices:
            typer.echo(notice)
    try:
        state = _advance(run, limits)
    except Timeout as error:
        raise InputError(f"{run.id} is at work in another process", where="task") from error
    typer.echo(_last_words(run, state))
    if state == "diverged":
        raise typer.Exit(1)


def _recipe(task: str, asked: Mapping[str, Any], options: Sequence[str]) -> dict[str, Any]:
    made: dict[str, Any] = {"task": task, "options": dict(map(read_option, options)), **asked}
    if task not in TASKS or task == PAIRS:
        path = Path(task)
        if not path.is_file():
            raise InputError(f"{task[:60]!r} is no task and no file; there are {', '.join(TASKS[:-1])}", where="task")
        made |= {"task": PAIRS, "pairs": decode_text(path.read_bytes()), "name": asked.get("name") or path.stem[:40]}
    return made


def _advance(run: RunFolder, limits: TrainingLimits) -> str:
    """Advance a run under a progress bar; Ctrl-C lets it keep a checkpoint and end."""
    leave: list[Command] = []

    def stop(signal_number: int, frame: FrameType | None) -> None:
        leave.append("leave")

    total = int(run.about.get("steps", 0))
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    before = signal.signal(signal.SIGINT, stop)
    try:
        with Progress(*columns) as progress:
            bar = progress.add_task(run.id, total=total)
            runner = Runner(
                run,
                lambda _: leave.pop() if leave else None,
                lambda status: _show(progress, bar, run.id, status),
                limits=limits,
            )
            return runner.run()
    finally:
        signal.signal(signal.SIGINT, before)


def _show(progress: Progress, bar: TaskID, id: str, status: Mapping[str, Any]) -> None:
    parts = [id]
    if "loss" in status:
        parts.append(f"loss {status['loss']:.4f}")
    if "evaluation" in status:
        parts.append(f"accuracy {100 * status['evaluation']['accuracy']:.1f} %")
    progress.update(bar, completed=status["step"], description="  ".join(parts))


def _last_words(run: RunFolder, state: str) -> str:
    status = run.status
    if state == "diverged":
        return str(status["message"])
    if state != "finished":
        return f"{run.id} stands at step {status['step']}; glassformer train {run.id} goes on"
    lines = [f"{run.id} is trained; glassformer decode {run.id} SENTENCE"]
    for test, scores in status["scores"].items():
        marks = [f"{scores['exact']} of {scores['sentences']} exactly right"]
        for name, title in (("bleu", "BLEU"), ("chrf", "chrF")):
            score = scores[name]["score"]
            marks.append(f"{title} {'undefined' if score is None else f'{score:.1f}'}")
        lines.append(f"  {test}: {', '.join(marks)}")
    return "\n".join(lines)
