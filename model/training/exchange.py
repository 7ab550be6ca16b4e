"""A trained model as one file: safetensors whose header carries the card, to be taken elsewhere and loaded again."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor

from ..budget import check_sizes
from ..catalogue import ModelCard
from ..errors import OverBudgetError, WeightsError
from ..library import sketch
from ..limits import Limits
from .card_file import LONGEST_TEXT, describe_card, read_card_file
from .checkpoint import CARD, WEIGHTS
from .files import read_json, write_folder
from .header import read_header
from .run_folder import RunFolder
from .store import check_fit, check_shapes

METADATA = "config"
FACTS = ("task", "data", "rules", "steps", "batch", "seed", "step")
MOST_STEPS = 10**9


def pack(run: RunFolder, step: int | None) -> bytes:
    """Return a checkpoint's weights as safetensors, with the card in the header. Raises UnknownNameError for one not kept."""
    kept = run.checkpoint(step)
    card = json.dumps(card_of(run, step), ensure_ascii=False)
    return save(load((kept.folder / WEIGHTS).read_bytes()), metadata={METADATA: card})


def card_of(run: RunFolder, step: int | None) -> dict[str, Any]:
    """Return a checkpoint's card under the run's name. Raises UnknownNameError for one not kept."""
    card = dict(read_json(run.checkpoint(step).folder / CARD))
    return {**card, "title": run.name or card["title"]}


def load_model(content: bytes, runs: Path, limits: Limits, *, owner: str = "", request: str = "") -> RunFolder:
    """Make a model of a file that `pack` wrote, wherever it has been since.

    Raises:
        WeightsError, ConfigError, OverBudgetError: no safetensors, no card, sizes that are too large, or weights that do not fit
            the card. StorageFullError: there is no room for it.
    """
    header = read_header(content)
    try:
        raw = json.loads(header.metadata[METADATA])
    except (KeyError, ValueError, RecursionError):
        raise WeightsError("the file carries no card of a model in its header (config)", where="config") from None
    card = read_card_file(raw, id="run")
    check_sizes(card.config, limits)
    wanted = {entry.name: entry.shape for entry in sketch(card.config).entries.values() if entry.shape is not None}
    _check_room(wanted, limits)
    check_shapes(header.shapes, wanted, file="the file", where="body")
    try:
        found = load(content)
    except (SafetensorError, KeyError, ValueError) as error:
        raise WeightsError(f"this is no safetensors file: {error}", where="body") from None
    check_fit(found, wanted, file="the file", where="body")
    return _keep(found, card, raw.get("training"), runs, {"owner": owner, "request": request})


def _keep(found: Mapping[str, Tensor], card: ModelCard, training: Any, runs: Path, who: Mapping[str, str]) -> RunFolder:
    step = _step_of(training)
    about = {"title": card.title, "parameters": sum(weights.numel() for weights in found.values()), "steps": 0}
    run = RunFolder.make(runs, about=about, recipe=None, step=step, **who)
    kept = json.dumps(describe_card(card, {**_facts(training), "loaded": True}), ensure_ascii=False).encode()
    try:
        write_folder(run.checkpoints_folder / str(step), {WEIGHTS: save(dict(found)), CARD: kept})
    except BaseException:
        run.remove()
        raise
    return run


def _check_room(wanted: Mapping[str, tuple[int, ...]], limits: Limits) -> None:
    """Raise OverBudgetError for a model whose weights alone are more than a run may need."""
    needed = 4 * sum(math.prod(shape) for shape in wanted.values())
    if needed > limits.run_bytes:
        raise OverBudgetError(
            f"the weights of this model need {needed / 2**20:.0f} MiB; the limit is {limits.run_bytes / 2**20:.0f} MiB",
            where="config",
        )


def _facts(training: Any) -> dict[str, Any]:
    """Return what a card says about the training, as far as it is short and known; it is told to whoever asks."""
    facts = training if isinstance(training, dict) else {}
    return {
        name: facts[name] for name in FACTS if isinstance(facts.get(name), str | int) and len(str(facts[name])) <= LONGEST_TEXT
    }


def _step_of(training: object) -> int:
    """Return the step whose weights a file holds, by its card; 0 where that says none, or no count of steps."""
    step = training.get("step") if isinstance(training, dict) else None
    return step if isinstance(step, int) and not isinstance(step, bool) and 0 <= step <= MOST_STEPS else 0
