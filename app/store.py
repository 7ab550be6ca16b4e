"""Traces in memory: a cache bounded by bytes, never the only copy, since a trace's id is its recipe."""

from __future__ import annotations

import threading
from collections import OrderedDict

from ..model.trace import Trace

_OVERHEAD = 32 * 1024
_OVERHEAD_A_RECORD = 1536
"""What a trace weighs besides its values: tensors' heads, names, tokens, statistics and their description; measured."""


class TraceStore:
    """The most recently used traces, up to `max_bytes`. Safe to use from many threads.

    Bytes are real ones: each storage counts once, whole, however many tensors of however many traces are views of it; weights
    count as well, since a trace holds its model's even when the model is built no more.
    """

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._beside = 0
        self._traces: OrderedDict[str, Trace] = OrderedDict()
        self._weights: dict[str, int] = {}
        self._weight = 0
        self._holders: dict[int, int] = {}
        self._lock = threading.Lock()
        self.hits = self.misses = self.evictions = 0

    @property
    def entries(self) -> int:
        """Traces held now."""
        return len(self._traces)

    @property
    def bytes(self) -> int:
        """Bytes held now, with what is held beside the traces."""
        return self._weight + self._beside

    def get(self, id: str) -> Trace | None:
        """Return a trace if it is here."""
        with self._lock:
            if id in self._traces:
                self.hits += 1
                self._traces.move_to_end(id)
            return self._traces.get(id)

    def put(self, trace: Trace) -> None:
        """Keep a trace, and drop the least recently used ones until all fit."""
        with self._lock:
            if trace.id not in self._traces:
                self.misses += 1
                self._traces[trace.id] = trace
                for address, size in _storages(trace).items():
                    self._weight += 0 if address in self._holders else size
                    self._holders[address] = self._holders.get(address, 0) + 1
                self._weigh(trace)
                self._drop(self._max_bytes)

    def reweigh(self, trace: Trace) -> None:
        """Weigh a trace anew, after something was worked out that is kept with it."""
        with self._lock:
            if self._traces.get(trace.id) is trace:
                self._weigh(trace)
                self._drop(self._max_bytes)

    def share(self, beside: int) -> None:
        """Leave this many of the bytes to what is kept beside the traces."""
        with self._lock:
            self._beside = beside
            self._drop(self._max_bytes)

    def halve(self) -> None:
        """Drop the least recently used traces until half of the bytes are left, or nothing."""
        with self._lock:
            self._drop(self.bytes // 2, least=0)

    def _weigh(self, trace: Trace) -> None:
        """Count what belongs to this trace alone and is no recorded tensor."""
        self._weight -= self._weights.get(trace.id, 0)
        self._weights[trace.id] = trace.evidence.bytes + _OVERHEAD + _OVERHEAD_A_RECORD * len(trace)
        self._weight += self._weights[trace.id]

    def _drop(self, most: int, *, least: int = 1) -> None:
        while self.bytes > most and len(self._traces) > least:
            id, dropped = self._traces.popitem(last=False)
            self._weight -= self._weights.pop(id)
            self.evictions += 1
            dropped.evidence.clear()
            for address, size in _storages(dropped).items():
                self._holders[address] -= 1
                if not self._holders[address]:
                    del self._holders[address]
                    self._weight -= size


def _storages(trace: Trace) -> dict[int, int]:
    """Return the bytes of each storage that a trace holds, by its address."""
    return dict(record.storage for record in trace.records.values())
