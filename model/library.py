"""Models that are built and watched, kept while they are in use."""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import torch

from .catalogue import CATALOGUE, ModelCard, card
from .config import STRUCTURAL, ModelConfig
from .errors import ConfigError, InputError
from .initial import draw_weights
from .legend import Legend, describe
from .recorder import install
from .trace import Record
from .training.store import load_weights
from .transformer import Transformer


@dataclass(frozen=True)
class Watched:
    """A network in evaluation mode whose taps are named and hooked, with its card and legend."""

    card: ModelCard
    config: ModelConfig
    seed: int
    network: Transformer
    legend: Legend

    @cached_property
    def bytes(self) -> int:
        """Bytes of the weights."""
        return sum(weights.nbytes for weights in self.network.parameters())

    @cached_property
    def parameters(self) -> Mapping[str, Record]:
        """The weights and biases as records, which all traces of this model share: their statistics are worked out once."""
        entries = self.legend.entries
        return {name: Record(entries[name], weights.detach()) for name, weights in self.network.named_parameters()}


def configure(id: str, options: Mapping[str, Any] | None = None) -> tuple[ModelCard, ModelConfig, str]:
    """Return a model's card, its configuration under the options, and the mode ("eval" or "train").

    Raises:
        UnknownNameError, ConfigError: no such model; an option that does not exist or cannot have this value.
    """
    found = card(id)
    changed = dict(options or {})
    mode = changed.pop("mode", "eval")
    if mode not in ("eval", "train"):
        raise ConfigError(f"mode is {str(mode)[:40]!r}; it must be 'eval' or 'train'", where="options")
    shift = changed.pop("shift", "right")
    if shift not in ("right", "none"):
        raise ConfigError(f"shift is {str(shift)[:40]!r}; it must be 'right' or 'none'", where="options")
    for name in ("vocab_size", "pad_id"):
        if name in changed:
            raise ConfigError(f"{name} belongs to {id}'s tokeniser and cannot be changed", where="options")
    config = found.config.with_options(changed)
    for name in sorted(STRUCTURAL & changed.keys()):
        kept, wanted = getattr(found.config, name), getattr(config, name)
        if found.trained and wanted != kept:
            others = ", ".join(other.id for other in CATALOGUE.values() if not other.trained)
            raise ConfigError(
                f"{id} was trained with {name} {kept}, and its weights fit nothing else; "
                f"{name} {wanted} needs a model with random weights: {others}",
                where="options",
            )
    return found, config, mode


@lru_cache(maxsize=32)
def sketch(config: ModelConfig) -> Legend:
    """Return the legend of a network of this configuration without allocating its weights."""
    with torch.device("meta"):
        return describe(Transformer(config))


def build(found: ModelCard, config: ModelConfig, *, seed: int | None = None) -> Watched:
    """Build a network, give it its weights, and watch it.

    Raises:
        WeightsError: the file of stored weights is missing or does not fit.
    """
    seed = found.seed if seed is None else seed
    network = Transformer(config).eval().requires_grad_(False)
    if found.trained:
        load_weights(network, found.id)
    else:
        draw_weights(network, seed=seed)
    return Watched(found, config, seed, network, install(network))


_Key = tuple[str, ModelConfig, int]


def _key(id: str, options: Mapping[str, Any] | None, seed: int | None) -> _Key:
    found, config, _ = configure(id, options)
    return found.id, config, found.seed if seed is None or found.trained else seed


class Library:
    """Built models, the least recently used dropped when there are more than `max_models`, or their weights have too many bytes.

    One is always kept. Safe to use from many threads.
    """

    def __init__(self, max_models: int = 8, max_bytes: float = math.inf) -> None:
        if max_models < 1:
            raise InputError(f"max_models is {max_models}; it must be at least 1", where="max_models")
        self._max_models = max_models
        self._max_bytes = max_bytes
        self.hits = self.misses = self.evictions = 0
        self._models: OrderedDict[_Key, Watched] = OrderedDict()
        self._building: dict[_Key, threading.Lock] = {}
        self._lock = threading.Lock()

    def get(self, id: str, options: Mapping[str, Any] | None = None, *, seed: int | None = None) -> Watched:
        """Return the model, built now if it is not here; only who wants the same one waits for that."""
        key = _key(id, options, seed)
        if (here := self._find(key)) is not None:
            return here
        with self._lock:
            building = self._building.setdefault(key, threading.Lock())
        with building:
            here = self._find(key)
            if here is None:
                try:
                    here = self._put(key, build(card(id), key[1], seed=key[2]))
                finally:
                    self._building.pop(key, None)
        return here

    def holds(self, id: str, options: Mapping[str, Any] | None = None, *, seed: int | None = None) -> bool:
        """Say whether a model is here."""
        return _key(id, options, seed) in self._models

    @property
    def entries(self) -> int:
        """Models held now."""
        return len(self._models)

    @property
    def bytes(self) -> int:
        """Bytes of their weights."""
        return sum(watched.bytes for watched in tuple(self._models.values()))

    def spare(self) -> None:
        """Drop all models but the one that was used last; what still needs one builds it again."""
        with self._lock:
            self._drop(1)

    def _find(self, key: _Key) -> Watched | None:
        with self._lock:
            if key in self._models:
                self.hits += 1
                self._models.move_to_end(key)
            return self._models.get(key)

    def _put(self, key: _Key, built: Watched) -> Watched:
        with self._lock:
            self.misses += 1
            self._models[key] = built
            self._drop(self._max_models)
        return built

    def _drop(self, most: int) -> None:
        while len(self._models) > 1 and (len(self._models) > most or self.bytes > self._max_bytes):
            self._models.popitem(last=False)
            self.evictions += 1
