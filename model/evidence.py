"""What is found out about a trace after it ran: each thing once, kept with the trace."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")
_UNKNOWN = object()


class Evidence:
    """Results by key, each worked out by whichever thread asks first, while others that ask wait. They go when the trace goes."""

    def __init__(self) -> None:
        self._found: dict[str, Any] = {}
        self._working = threading.RLock()

    def once(self, key: str, work: Callable[[], T]) -> T:
        """Return what `work` gave for this key, now or before."""
        found: Any = self._found.get(key, _UNKNOWN)
        if found is _UNKNOWN:
            with self._working:
                found = self._found.get(key, _UNKNOWN)
                if found is _UNKNOWN:
                    found = self._found[key] = work()
        known: T = found
        return known

    def holds(self, key: str) -> bool:
        """Return whether this is known already; never waits."""
        return key in self._found

    def clear(self) -> None:
        """Forget all: gradients refer to their trace, and both would stay until somebody looks for such circles."""
        self._found = {}

    @property
    def bytes(self) -> int:
        """Bytes of what is large among it: results that say so by `memory_bytes`."""
        return sum(getattr(found, "memory_bytes", 0) for found in list(self._found.values()))
