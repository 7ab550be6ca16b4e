"""One step of a run taken apart: what Adam did to one weight, worked out again from the checkpoint before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from torch import Tensor

from ..errors import InputError, UnknownNameError
from ..limits import TrainingLimits
from ..optimiser import AdamStep
from .checkpoint import WEIGHTS, read_tensors
from .lesson import Lesson
from .plan import make_plan
from .run_folder import RunFolder
from .session import LARGEST_GRADIENT, Progress, Session
from .threads import one_thread

CLIP_EPSILON = 1e-6
"""What torch adds to the norm before it divides by it."""


@dataclass(frozen=True)
class Inspection:
    """One weight in one step: Adam in float64 beside what the run's float32 made of it.

    `progress` is the whole step's; `clip` what its gradient was multiplied by, at most 1; `unclipped` the cell before that.
    `after` is the weight that the step, taken again, leaves; `kept` the one in the next checkpoint, where that is kept.
    """

    parameter: str
    cell: tuple[int, ...]
    adam: AdamStep
    progress: Progress
    clip: float
    unclipped: float
    after: float
    kept: float | None


@dataclass(frozen=True)
class _Taken:
    """A step taken again: parameters before and after, Adam's moments before, and the clipped gradient, by name."""

    before: dict[str, Tensor]
    state: dict[str, Tensor]
    gradients: dict[str, Tensor]
    after: dict[str, Tensor]
    progress: Progress


def inspect(run: RunFolder, parameter: str, cell: Sequence[int], *, step: int | None, limits: TrainingLimits) -> Inspection:
    """Work out the step that follows a checkpoint: that of `step`, or the last one that has a step after it.

    Raises:
        UnknownNameError: no such parameter, or no such checkpoint. InputError: a cell outside it, or the run has ended there.
    """
    found = [each for each in run.checkpoints() if each.can_go_on]
    total = int(run.about.get("steps", 0))
    if step is None:
        step = max((each.step for each in found if each.step < total), default=0)
    run.checkpoint(step)
    if run.recipe is None or step >= total:
        raise InputError(f"{run.id} takes no step after {step}", where="step")
    taken = _take(str(run.path), step, limits)
    if parameter not in taken.before:
        raise UnknownNameError(f"no parameter is named {parameter[:60]!r}", where="parameter")
    shape = taken.before[parameter].shape
    if len(cell) != len(shape) or not all(place < size for place, size in zip(cell, shape, strict=True)):
        raise InputError(f"cell is {list(cell)}; {parameter} has the shape {list(shape)}", where="cell")
    return _written_out(run, parameter, tuple(cell), taken)


def _written_out(run: RunFolder, parameter: str, cell: tuple[int, ...], taken: _Taken) -> Inspection:
    def of(values: dict[str, Tensor], name: str) -> float:
        return float(values[name][cell]) if name in values else 0.0

    gradient, norm = of(taken.gradients, parameter), taken.progress.norm
    clip = min(1.0, LARGEST_GRADIENT / (norm + CLIP_EPSILON))
    adam = AdamStep(
        weight=of(taken.before, parameter),
        gradient=gradient,
        rate=taken.progress.rate,
        step=taken.progress.step,
        m_before=of(taken.state, f"m.{parameter}"),
        v_before=of(taken.state, f"v.{parameter}"),
    )
    kept = _kept(run, taken.progress.step, parameter, cell)
    return Inspection(parameter, cell, adam, taken.progress, clip, gradient / clip, of(taken.after, parameter), kept)


@lru_cache(maxsize=2)
def _take(path: str, step: int, limits: TrainingLimits) -> _Taken:
    run = RunFolder(Path(path))
    session = Session(_lesson(path, limits))
    run.checkpoint(step).restore(session)
    before = {name: weights.clone() for name, weights in session.weights.items()}
    state = {name: value.clone() for name, value in session.state.items()}
    with one_thread():
        progress = session.advance()
    gradients = {name: weights.grad for name, weights in session.network.named_parameters() if weights.grad is not None}
    return _Taken(before, state, gradients, session.weights, progress)


@lru_cache(maxsize=4)
def _lesson(path: str, limits: TrainingLimits) -> Lesson:
    recipe = RunFolder(Path(path)).recipe
    assert recipe is not None, "a run with a recipe"
    return make_plan(recipe, limits).lesson


def _kept(run: RunFolder, step: int, parameter: str, cell: tuple[int, ...]) -> float | None:
    path = run.checkpoints_folder / f"{step}" / WEIGHTS
    return float(read_tensors(path)[parameter][cell]) if path.is_file() else None
