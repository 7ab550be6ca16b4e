"""What is counted for /metrics. Every label is a word of the program: a route's template, a code, a cache; never what came in."""

from __future__ import annotations

from dataclasses import dataclass

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics

from .request import Seen

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


@dataclass(slots=True)
class _Alike:
    """Requests with the same labels, since somebody looked last. Plain numbers cost a tenth of a counter's."""

    requests: Counter
    seconds: Histogram | None
    count: int = 0
    bytes: int = 0


class Metrics:
    """The numbers of one process, kept apart from those of another app in it. For use on the event loop only.

    What changes with every request is a plain number, and is copied when somebody looks (`copy`).
    """

    def __init__(self) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]  # when a counter began is of no use here
        self.registry = CollectorRegistry()
        self.in_flight = 0
        self.streams_open = 0
        self.requests = self.counter("requests", "Requests answered.", "method", "route", "status")
        self.seconds = self._histogram("request_seconds", "Seconds from a request to the end of its answer; no streams.", "route")
        self.bytes = self.counter("answer_bytes", "Bytes of answers, without headers.")
        self.refusals = self.counter("refusals", "Requests that were answered by an error, by its code.", "code")
        self.waited = self._histogram("queue_wait_seconds", "Seconds a piece of work waited before it was computed.")
        self.computed = self.counter("compute_seconds", "Seconds of computing, and of writing large answers.", "route")
        self.streams = self.counter("streams", "Streams opened.")
        self._alike: dict[tuple[str, str, int, bool], _Alike] = {}

    def worked(self, waiting: float, computing: float) -> None:
        """Count a piece of work."""
        self.waited.observe(waiting)

    def finished(self, seen: Seen, *, method: str, route: str, seconds: float) -> None:
        """Count a request that has come to its end."""
        key = (method, route, seen.status // 100, seen.streams)
        alike = self._alike.get(key)
        if alike is None:
            times = None if seen.streams else self.seconds.labels(route)
            alike = self._alike[key] = _Alike(self.requests.labels(method, route, f"{key[2]}xx"), times)
        alike.count += 1
        alike.bytes += seen.bytes
        if alike.seconds is not None:
            alike.seconds.observe(seconds)
        if seen.computing:
            self.computed.labels(route).inc(seen.computing)
        if seen.code:
            self.refusals.labels(seen.code).inc()

    def copy(self) -> None:
        """Add what was counted since the last time."""
        for alike in self._alike.values():
            alike.requests.inc(alike.count)
            self.bytes.inc(alike.bytes)
            alike.count = alike.bytes = 0

    def gauge(self, name: str, says: str, *labels: str, shared: bool = False) -> Gauge:
        """Make a gauge; several processes' add up, unless it is of something that they share."""
        mode = "mostrecent" if shared else "livesum"
        return Gauge(name, says, labels, namespace="glassformer", registry=self.registry, multiprocess_mode=mode)  # type: ignore[arg-type]

    def counter(self, name: str, says: str, *labels: str) -> Counter:
        """Make a counter."""
        return Counter(name, says, labels, namespace="glassformer", registry=self.registry)

    def _histogram(self, name: str, says: str, *labels: str) -> Histogram:
        return Histogram(name, says, labels, namespace="glassformer", registry=self.registry, buckets=SECONDS)
