"""Traces in memory: a cache bounded by bytes, never the only copy, since a trace's id is its recipe."""

from __future__ import annotations

import threading
from collections import OrderedDict

from ..model.trace import Trace

_OVERHEAD = 256 * 1024  # what a trace weighs besides its values: records, names, tokens


class TraceStore:
    """The most recently used traces, up to `max_bytes` of their tensors. Safe to use from many threads."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._traces: OrderedDict[str, Trace] = OrderedDict()
        self._weights: dict[str, int] = {}
        self._lock = threading.Lock()
        self.hits = self.misses = self.evictions = 0

    @property
    def entries(self) -> int:
        """Traces held now."""
        return len(self._traces)

    @property
    def bytes(self) -> int:
        """Bytes held now."""
        return sum(self._weights.values())

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
                self._weigh(trace)

    def reweigh(self, trace: Trace) -> None:
        """Weigh a trace anew, after something was worked out that is kept with it."""
        with self._lock:
            if self._traces.get(trace.id) is trace:
                self._weigh(trace)

    def _weigh(self, trace: Trace) -> None:
        self._weights[trace.id] = trace.memory_bytes + trace.evidence.bytes + _OVERHEAD
        while self.bytes > self._max_bytes and len(self._traces) > 1:
            dropped, _ = self._traces.popitem(last=False)
            del self._weights[dropped]
            self.evictions += 1
