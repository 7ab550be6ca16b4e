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
        self._bytes = 0
        self._lock = threading.Lock()

    @property
    def bytes(self) -> int:
        """Bytes held now."""
        return self._bytes

    def get(self, id: str) -> Trace | None:
        """Return a trace if it is here."""
        with self._lock:
            if id in self._traces:
                self._traces.move_to_end(id)
            return self._traces.get(id)

    def put(self, trace: Trace) -> None:
        """Keep a trace, and drop the least recently used ones until all fit."""
        with self._lock:
            if trace.id in self._traces:
                return
            self._traces[trace.id] = trace
            self._bytes += self._weight(trace)
            while self._bytes > self._max_bytes and len(self._traces) > 1:
                _, dropped = self._traces.popitem(last=False)
                self._bytes -= self._weight(dropped)

    @staticmethod
    def _weight(trace: Trace) -> int:
        return trace.memory_bytes + _OVERHEAD
