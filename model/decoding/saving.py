"""What keeping keys and values saves: multiplications counted while both ways run, and how far their logits are apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from ..batch import ids_of, source_rows
from ..errors import InputError
from ..library import Library, configure
from .cache import Cache, KeysValues, advance, remember
from .counting import count
from .decoding import Decoding
from .recipe import NEEDS_CAUSAL
from .steps import DecodingStep


@dataclass(frozen=True)
class LayerCache:
    """Keys and values that one attention block keeps at a step: (rows, head, length, d_k) each.

    `reused` of the `length` positions were there before, `new` are of this step; `bytes` are those of K and V together.
    """

    name: str
    shape: tuple[int, ...]
    reused: int
    new: int
    bytes: int


@dataclass(frozen=True)
class Saving:
    """One step with the cache and without it.

    `full` and `cached` are the multiplications of this step's matrix products, `full_total` and `cached_total` those of all steps
    so far; the encoder, which runs once either way, is left out. `max_abs` is the largest difference between all logits so far
    and those of one full pass over the same prefixes, at `cell` (row, position, token); `changed` counts, of all `positions`,
    those where the best token is another one.
    """

    step: int
    layers: tuple[LayerCache, ...]
    full: int
    cached: int
    full_total: int
    cached_total: int
    max_abs: float
    cell: tuple[int, int, int]
    positions: int
    changed: int

    @property
    def bytes(self) -> int:
        """Bytes of everything that is kept."""
        return sum(layer.bytes for layer in self.layers)


class Meter:
    """Goes through a decoding's steps with a cache, whichever way the decoding itself works, and compares with full passes.

    It goes forwards only as far as it is asked, and keeps what it has counted.

    Raises:
        InputError: the model has no causal mask.
    """

    def __init__(self, decoding: Decoding, library: Library) -> None:
        recipe = decoding.recipe
        if not configure(recipe.model, recipe.options)[1].causal:
            raise InputError(NEEDS_CAUSAL, where="options")
        self._decoding = decoding
        self._watched = library.get(recipe.model, recipe.options, seed=recipe.seed)
        rows, _ = source_rows(self._watched.card, recipe.src, max_length=self._watched.config.max_length)
        self._src_ids = ids_of(rows)
        with torch.no_grad():
            self._memory = self._watched.network.encode(self._src_ids)
        self._cache: Cache | None = None
        self._savings: list[Saving] = []

    @property
    def held_bytes(self) -> int:
        """Bytes of keys, values, memory and logits that are kept for the next step."""
        return self._memory.nbytes + (self._cache.held_bytes if self._cache else 0)

    @property
    def known(self) -> int:
        """How many steps have been measured."""
        return len(self._savings)

    @property
    def savings(self) -> Sequence[Saving]:
        """What has been measured so far, step by step."""
        return self._savings

    def measure(self, index: int) -> Saving:
        """Return what the cache saves at a step.

        Raises:
            FinishedError: the decoding ended before that step.
        """
        self._decoding.step(index)
        while len(self._savings) <= index:
            self._savings.append(self._advance(self._decoding.steps[len(self._savings)]))
        return self._savings[index]

    def _advance(self, step: DecodingStep) -> Saving:
        if self._cache is None:
            cache, cached = self._remember()
        else:
            cache, cached = self._cache.of(_parents(self._decoding.steps[step.index - 1], step)), 0
        newest = torch.tensor([row.prefix[-1].id for row in step.rows])
        cached += count(lambda: advance(self._watched, cache, newest))
        saving = self._compare(step, cache, cached)
        self._cache = cache  # only now: a step that failed can be measured again
        return saving

    def _remember(self) -> tuple[Cache, int]:
        made: list[Cache] = []
        allowed = self._watched.network.masks.src_allowed(self._src_ids)
        counted = count(lambda: made.append(remember(self._watched, self._memory, allowed)))
        return made[0], counted

    def _compare(self, step: DecodingStep, cache: Cache, cached: int) -> Saving:
        sentences = torch.tensor([row.sentence for row in step.rows])
        tgt_ids = ids_of(tuple(row.prefix for row in step.rows))
        expected, full = self._run_whole(sentences, tgt_ids)
        kept = torch.stack(cache.logits, dim=1)
        difference = (kept - expected).abs()
        worst = int(difference.argmax())
        row, position, token = map(int, np.unravel_index(worst, difference.shape))
        return Saving(
            step=step.index,
            layers=tuple(_layers(cache)),
            full=full,
            cached=cached,
            full_total=full + (self._savings[-1].full_total if self._savings else 0),
            cached_total=cached + (self._savings[-1].cached_total if self._savings else 0),
            max_abs=float(difference[row, position, token]),
            cell=(row, position, token),
            positions=tgt_ids.numel(),
            changed=int((kept.argmax(-1) != expected.argmax(-1)).sum()),
        )

    def _run_whole(self, sentences: Tensor, tgt_ids: Tensor) -> tuple[Tensor, int]:
        """Return the logits (rows, length, vocab) of a pass without a cache over whole prefixes, and its multiplications."""
        made: list[Tensor] = []
        src_ids, memory = self._src_ids[sentences], self._memory[sentences]
        counted = count(lambda: made.append(self._watched.network(src_ids, tgt_ids, memory=memory)))
        return made[0], counted


def _parents(before: DecodingStep, step: DecodingStep) -> list[int]:
    """Return for each row of a step the row of the step before that it goes on from."""
    ids = [(row.sentence, tuple(token.id for token in row.prefix)) for row in before.rows]
    return [ids.index((row.sentence, tuple(token.id for token in row.prefix[:-1]))) for row in step.rows]


def _layers(cache: Cache) -> list[LayerCache]:
    first = cache.length == 1
    layers = []
    for i, (own, cross) in enumerate(zip(cache.self_attn, cache.cross_attn, strict=True)):
        layers.append(_layer(f"decoder.layers.{i}.self_attn", own, new=1))
        layers.append(_layer(f"decoder.layers.{i}.cross_attn", cross, new=cross.k.shape[2] if first else 0))
    return layers


def _layer(name: str, kept: KeysValues, *, new: int) -> LayerCache:
    return LayerCache(name, tuple(kept.k.shape), kept.k.shape[2] - new, new, kept.bytes)
