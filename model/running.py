"""Running a recipe: the forward pass, watched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import torch
from torch import Tensor

from .axes import parse_axes
from .batch import Batch, ids_of, make_batch
from .errors import RecordingError
from .library import Library, Watched, configure
from .recipe import Recipe
from .recorder import install, recording
from .trace import Record, Trace
from .twin import make_twin

_BATCH = parse_axes("batch")


def run(recipe: Recipe, library: Library, *, encoded: Trace | None = None) -> Trace:
    """Run a recipe and return everything that its forward pass computed.

    Args:
        encoded: a trace of the same sentences by the same model, whose encoder side is taken over, not computed again. A recipe
            whose rows share sentences makes one for itself.

    Raises:
        UnknownNameError, ConfigError, InputError: what the recipe asks for does not exist or does not fit; the message names
            value and limit.
    """
    _, config, mode = configure(recipe.model, recipe.options)
    watched = library.get(recipe.model, recipe.options, seed=recipe.seed)
    batch = make_batch(watched.card, recipe, max_length=config.max_length)

    if recipe.rows is not None:
        start = ((watched.card.tokenizer.start_id,),) * len(recipe.src)
        encoded = encoded or run(replace(recipe, rows=None, prefix=start), library)
    if mode == "train":
        seed = watched.seed if recipe.seed is None else recipe.seed
        values, sizes = _in_train_mode(watched, batch, seed)
    elif encoded is None:
        values, sizes = record_pass(watched, batch)
    else:
        carried = _encoder_side(encoded, recipe.rows)
        values, sizes = record_pass(watched, batch, memory=carried["memory"])
        values = {name: value for name, value in carried.items() if name not in values} | values
    return assemble(recipe, watched, batch, values, sizes)


def _encoder_side(encoded: Trace, rows: Sequence[int] | None) -> dict[str, Tensor]:
    """Return what a trace recorded, for these rows of its batch: themselves where nothing is moved, so that nothing is copied."""
    values = {name: record.value for name, record in encoded.items() if not record.entry.is_parameter}
    if rows is None:
        return values
    picked = torch.tensor(rows)
    return {name: value[picked] if encoded[name].axes[:1] == _BATCH else value for name, value in values.items()}


def record_pass(watched: Watched, batch: Batch, *, memory: Tensor | None = None) -> tuple[dict[str, Tensor], dict[str, int]]:
    """Run the network once and return the recorded values by name, and the size of every axis."""
    labels = None if batch.labels is None else ids_of(batch.labels)
    with torch.no_grad(), recording() as recorded:
        watched.network(ids_of(batch.src), ids_of(batch.tgt), labels, memory=memory)
    return recorded.values, recorded.sizes


def assemble(recipe: Recipe, watched: Watched, batch: Batch, values: Mapping[str, Tensor], sizes: Mapping[str, int]) -> Trace:
    """Put recorded values and parameters together, after checking that nothing is missing and nothing is extra.

    Raises:
        RecordingError: the taps that fired are not the taps described.
    """
    expected = {
        name
        for name, entry in watched.legend.entries.items()
        if not entry.is_parameter and (batch.labels is not None or not name.startswith("loss."))
    }
    if expected != values.keys():
        raise RecordingError(f"these taps are described but silent, or fire undescribed: {sorted(expected ^ values.keys())[:10]}")
    records = {
        name: watched.parameters[name] if entry.is_parameter else Record(entry, values[name])
        for name, entry in watched.legend.entries.items()
        if entry.is_parameter or name in values
    }
    return Trace(recipe, watched.config, watched.legend, batch, {**watched.config.sizes, **sizes}, records)


def _in_train_mode(watched: Watched, batch: Batch, seed: int) -> tuple[dict[str, Tensor], dict[str, int]]:
    """Run with dropout on and its die seeded, on a twin that shares the weights: the watched network stays in evaluation mode."""
    twin = make_twin(watched.config, dict(watched.network.named_parameters(remove_duplicate=False)), die=seed)
    install(twin)
    return record_pass(replace(watched, network=twin), batch)
