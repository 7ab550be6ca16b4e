"""What /metrics reads off the server's own objects when somebody looks: caches, queue, memory, open files."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Protocol

from prometheus_client import Counter, Gauge

from ...model.training.run_folder import STATES
from .logs import lost_lines
from .metrics import Metrics


class Cache(Protocol):
    """What can be said of anything that keeps something: what it holds, and how it was of use since the start."""

    @property
    def bytes(self) -> int: ...
    @property
    def entries(self) -> int: ...
    @property
    def hits(self) -> int: ...
    @property
    def misses(self) -> int: ...
    @property
    def evictions(self) -> int: ...


class Gauges:
    """Copies plain numbers into the metrics; `waiting` says how many pieces of work wait or are computed.

    `turned_away` counts by code what was refused before it reached the app; `address` and `all` are connections beyond a limit.
    """

    def __init__(self, metrics: Metrics, caches: Mapping[str, Cache], waiting: Callable[[], int]) -> None:
        self.turned_away: Mapping[str, int] = {}
        self._metrics = metrics
        self._caches = caches
        self._told: dict[tuple[str, str], int] = {}
        gauge, counter = metrics.gauge, metrics.counter
        self._held = {
            "bytes": gauge("cache_bytes", "Bytes that a cache holds.", "cache"),
            "entries": gauge("cache_entries", "Things that a cache holds.", "cache"),
        }
        self._used = {
            "hits": counter("cache_hits", "Times that a cache had what was asked for.", "cache"),
            "misses": counter("cache_misses", "Times that it had not.", "cache"),
            "evictions": counter("cache_evictions", "Things that a cache let go to make room.", "cache"),
        }
        self._trainings = gauge("trainings", "Trainings in the data folder.", "state", shared=True)
        self._lost = counter("log_lines_lost", "Lines of the log that could not be written.")
        self._now: list[tuple[Gauge, Callable[[], int]]] = [
            (gauge("requests_in_flight", "Requests under way, streams included."), lambda: metrics.in_flight),
            (gauge("streams_open", "Streams open."), lambda: metrics.streams_open),
            (gauge("queue_length", "Pieces of work that wait or are computed."), waiting),
            (gauge("resident_bytes", "Memory of the processes that serve, without trainings."), resident_bytes),
            (gauge("open_files", "Files and connections open."), open_files),
            (gauge("threads", "Threads of Python."), threading.active_count),
            (gauge("processes", "Processes that serve."), lambda: 1),
        ]

    def read(self, trainings: Sequence[str] | None = None) -> None:
        """Copy everything, as it is now; `trainings` are the states of all of them, where somebody has looked."""
        if trainings is not None:
            for state in STATES:
                self._trainings.labels(state).set(trainings.count(state))
        self._metrics.copy()
        for gauge, value in self._now:
            gauge.set(value())
        for name, cache in self._caches.items():
            for what, held in self._held.items():
                held.labels(name).set(getattr(cache, what))
            for what, used in self._used.items():
                self._count(used.labels(name), (name, what), getattr(cache, what))
        for code, times in self.turned_away.items():
            self._count(self._metrics.refusals.labels(code), ("turned away", code), times)
        self._count(self._lost, ("log", "lost"), lost_lines())

    async def tell(self) -> None:
        """Copy everything each second, for the process that is asked for the numbers of all."""
        while True:
            with suppress(OSError):  # no file is left to be opened, which passes
                self.read()
            await asyncio.sleep(1.0)

    def _count(self, counter: Counter, key: tuple[str, str], now: int) -> None:
        counter.inc(max(0, now - self._told.get(key, 0)))
        self._told[key] = now


def resident_bytes() -> int:
    """Return the memory this process holds; 0 where that is not told (anything but Linux)."""
    if sys.platform != "linux":
        return 0
    with open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def open_files() -> int:
    """Return how many files and connections this process has open; 0 where that is not told."""
    return len(os.listdir("/proc/self/fd")) - 1 if sys.platform == "linux" else 0
