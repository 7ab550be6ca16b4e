"""A second network of the same configuration that shares the weights of the first, and the pass that nobody watches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from .batch import ids_of, source_rows
from .catalogue import card
from .config import ModelConfig
from .ends import Embedding, sinusoidal_positions
from .layers import Dropout
from .proof import compare
from .taps import legend_of
from .trace import Trace
from .transformer import Transformer


@dataclass(frozen=True)
class Unwatched:
    """The logits of a trace beside those of a network without any hook. `cells` says how many differ in any bit."""

    cells: int
    different: int
    max_abs: float

    @property
    def passes(self) -> bool:
        """True when watching changed no bit."""
        return self.different == 0


def make_twin(config: ModelConfig, weights: Mapping[str, Tensor], *, die: int | None = None) -> Transformer:
    """Return a network without hooks whose weights are these tensors themselves, no copies.

    Args:
        weights: every parameter by name, a shared one under each of its names.
        die: seed of dropout, for a network in train mode; without it the network is in evaluation mode.
    """
    with torch.device("meta"):  # sizes without memory: every weight is put in below
        twin = Transformer(config)
    _put_weights(twin, weights)
    generator = None if die is None else torch.Generator().manual_seed(die)
    for module in twin.modules():
        if isinstance(module, Embedding) and not module.learned:
            module.sinusoid = nn.Buffer(sinusoidal_positions(config.max_length, config.d_model), persistent=False)
        if isinstance(module, Dropout):
            module.die = generator
    return twin.train(die is not None)


def _put_weights(network: Transformer, weights: Mapping[str, Tensor]) -> None:
    """Give a network these tensors as its parameters; one that several blocks share stays one, with its legend."""
    made: dict[int, nn.Parameter] = {}
    for name, empty in list(network.named_parameters(remove_duplicate=False)):
        if id(empty) not in made:
            made[id(empty)] = nn.Parameter(weights[name].detach(), requires_grad=False)
            made[id(empty)].glassformer_legend = legend_of(empty)  # type: ignore[attr-defined]
        block, _, own = name.rpartition(".")
        setattr(network.get_submodule(block), own, made[id(empty)])


def weights_of(trace: Trace) -> dict[str, Tensor]:
    """Return a trace's parameters by name, a shared one under each of its names."""
    return {
        name: record.value
        for record in trace.values()
        if record.entry.is_parameter
        for name in (record.name, *record.entry.shared_with)
    }


def die_of(trace: Trace) -> int | None:
    """Return the seed of a trace's dropout, or None where it ran in evaluation mode."""
    if trace.recipe.options.get("mode") != "train":
        return None
    return card(trace.recipe.model).seed if trace.recipe.seed is None else trace.recipe.seed


def compare_unwatched(trace: Trace) -> Unwatched:
    """Run the trace's tokens through a network without hooks, and compare its logits with the recorded ones, bit by bit."""
    recipe, batch = trace.recipe, trace.batch
    twin = make_twin(trace.config, weights_of(trace), die=die_of(trace))
    labels = None if batch.labels is None else ids_of(batch.labels)
    with torch.no_grad():
        memory = None if recipe.rows is None else _shared_memory(trace, twin, recipe.rows)
        logits = twin(ids_of(batch.src), ids_of(batch.tgt), labels, memory=memory)
    different = int((logits.view(torch.int32) != trace.logits.view(torch.int32)).sum())
    return Unwatched(logits.numel(), different, compare(trace.logits, logits)[0] if different else 0.0)


def _shared_memory(trace: Trace, twin: Transformer, rows: Sequence[int]) -> Tensor:
    """Encode each sentence once, as the trace did, for rows that share them."""
    src, _ = source_rows(card(trace.recipe.model), trace.recipe.src, max_length=trace.config.max_length)
    return twin.encode(ids_of(src))[torch.tensor(rows)]
