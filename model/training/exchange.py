"""A trained model as one file: safetensors whose header carries the card, to be taken elsewhere and loaded again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load, save

from ..budget import check_sizes
from ..errors import WeightsError
from ..library import sketch
from ..limits import Limits
from .card_file import describe_card, read_card_file
from .checkpoint import CARD, WEIGHTS
from .files import read_json, write_folder
from .run_folder import RunFolder
from .store import check_fit

METADATA = "config"
LONGEST_HEADER = 8 * 2**20
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


def load_model(content: bytes, runs: Path, limits: Limits) -> RunFolder:
    """Make a model of a file that `pack` wrote, wherever it has been since.

    Raises:
        WeightsError, ConfigError: no safetensors, no card, sizes that are too large, or weights that do not fit the card.
    """
    header = _header(content)
    try:
        raw = json.loads(header.get("__metadata__", {})[METADATA])
    except (KeyError, TypeError, ValueError, RecursionError, AttributeError):
        raise WeightsError("the file carries no card of a model in its header (config)", where="config") from None
    card = read_card_file(raw, id="run")
    check_sizes(card.config, limits)
    wanted = {entry.name: entry.shape for entry in sketch(card.config).entries.values() if entry.shape is not None}
    try:
        found = load(content)
    except (SafetensorError, KeyError, ValueError) as error:
        raise WeightsError(f"this is no safetensors file: {error}", where="body") from None
    check_fit(found, wanted, file="the file", where="body")

    training = raw.get("training")
    step = _step_of(training)
    about = {"title": card.title, "parameters": sum(weights.numel() for weights in found.values()), "steps": 0}
    run = RunFolder.make(runs, about=about, recipe=None, step=step)
    facts = {**(training if isinstance(training, dict) else {}), "loaded": True}
    write_folder(
        run.checkpoints_folder / str(step),
        {WEIGHTS: save(found), CARD: json.dumps(describe_card(card, facts), ensure_ascii=False).encode()},
    )
    return run


def _step_of(training: object) -> int:
    """Return the step whose weights a file holds, by its card; 0 where that says none, or no count of steps."""
    step = training.get("step") if isinstance(training, dict) else None
    return step if isinstance(step, int) and not isinstance(step, bool) and 0 <= step <= MOST_STEPS else 0


def _header(content: bytes) -> dict[str, Any]:
    length = int.from_bytes(content[:8], "little")
    if len(content) < 10 or length > min(LONGEST_HEADER, len(content) - 8):
        raise WeightsError("this is no safetensors file: it does not begin with a header", where="body")
    try:
        header = json.loads(content[8 : 8 + length])
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict):
        raise WeightsError("this is no safetensors file: its header is no JSON", where="body")
    return header
