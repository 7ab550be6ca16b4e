"""Decodings in memory, and what was measured of them: a cache like that of the traces, and within the same bounds."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from ..model.decoding import Decoding
from ..model.decoding.saving import Meter


@dataclass(eq=False)
class Kept:
    """A decoding, and its meter once somebody has asked what a cache saves. `weight` is what it weighed last, in bytes."""

    decoding: Decoding
    meter: Meter | None = None
    weight: int = 0


class DecodingStore:
    """The most recently used decodings: at most `most` of them, and `max_bytes`. For use on the event loop only."""

    def __init__(self, most: int, max_bytes: int) -> None:
        self._most = most
        self._max_bytes = max_bytes
        self._kept: OrderedDict[str, Kept] = OrderedDict()
        self.bytes = 0
        self.hits = self.misses = self.evictions = 0

    @property
    def entries(self) -> int:
        """Decodings held now."""
        return len(self._kept)

    def get(self, id: str) -> Kept | None:
        """Return a decoding if it is here."""
        found = self._kept.get(id)
        if found is not None:
            self.hits += 1
            self._kept.move_to_end(id)
        return found

    def put(self, decoding: Decoding) -> Kept:
        """Keep a decoding, unless another came first; return the one that is kept."""
        self.misses += decoding.recipe.id not in self._kept
        kept = self._kept.setdefault(decoding.recipe.id, Kept(decoding))
        self.reweigh(kept)
        return kept

    def reweigh(self, kept: Kept) -> None:
        """Weigh a decoding anew after a step, and drop the least recently used ones until the rest is within the limits."""
        if self._kept.get(kept.decoding.recipe.id) is not kept:
            return
        weight = kept.decoding.held_bytes + (kept.meter.held_bytes if kept.meter else 0)
        self.bytes += weight - kept.weight
        kept.weight = weight
        while len(self._kept) > 1 and (len(self._kept) > self._most or self.bytes > self._max_bytes):
            _, dropped = self._kept.popitem(last=False)
            self.bytes -= dropped.weight
            self.evictions += 1

    def clear(self) -> None:
        """Drop all."""
        self._kept.clear()
        self.bytes = 0
