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
        values, sizes = record_pass(watched, batch, memory=carried["memory"].value)
        return assemble(recipe, watched, batch, values, sizes, carried=carried)
    return assemble(recipe, watched, batch, values, sizes)


def _encoder_side(encoded: Trace, rows: Sequence[int] | None) -> Mapping[str, Record]:
    """Return what a trace recorded, for these rows of its batch: the records themselves where nothing is moved.

    So nothing is copied, and their statistics are worked out once for all steps of a decoding.
    """
    if rows is None:
        return encoded.records
    picked = torch.tensor(rows)
    return {
        name: Record(record.entry, record.value[picked]) if _moves(record) else record for name, record in encoded.records.items()
    }


def _moves(record: Record) -> bool:
    return not record.entry.is_parameter and record.axes[:1] == _BATCH


def record_pass(watched: Watched, batch: Batch, *, memory: Tensor | None = None) -> tuple[dict[str, Tensor], dict[str, int]]:
    """Run the network once and return the recorded values by name, and the size of every axis."""
    labels = None if batch.labels is None else ids_of(batch.labels)
    with torch.no_grad(), recording() as recorded:
        watched.network(ids_of(batch.src), ids_of(batch.tgt), labels, memory=memory)
    return recorded.values, recorded.sizes


def assemble(
    recipe: Recipe,
    watched: Watched,
    batch: Batch,
    values: Mapping[str, Tensor],
    sizes: Mapping[str, int],
    *,
    carried: Mapping[str, Record] | None = None,
) -> Trace:
    """Put recorded values and parameters together, after checking that nothing is missing and nothing is extra.

    Args:
        carried: records that are taken over, of tensors that this pass did not compute.

    Raises:
        RecordingError: the taps that fired are not the taps described.
    """
    entries = watched.legend.entries
    fresh = {name: Record(entries[name], value) for name, value in values.items() if name in entries}
    known = {**(carried or {}), **fresh, **watched.parameters}
    expected = entries if batch.labels is not None else watched.legend.unlabelled
    if known.keys() != expected.keys() or len(fresh) != len(values):
        wrong = (expected.keys() ^ known.keys()) | (values.keys() - fresh.keys())
        raise RecordingError(f"these taps are described but silent, or fire undescribed: {sorted(wrong)[:10]}")
    records = {name: known[name] for name in expected}
    return Trace(recipe, watched.config, watched.legend, batch, {**watched.config.sizes, **sizes}, records)


def _in_train_mode(watched: Watched, batch: Batch, seed: int) -> tuple[dict[str, Tensor], dict[str, int]]:
    """Run with dropout on and its die seeded, on a twin that shares the weights: the watched network stays in evaluation mode."""
    twin = make_twin(watched.config, dict(watched.network.named_parameters(remove_duplicate=False)), die=seed)
    install(twin)
    return record_pass(replace(watched, network=twin), batch)
