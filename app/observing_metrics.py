"""What is counted for /metrics. Every label is a word of the program: a route's template, a code, a cache; never what came in."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics

from .observing_request import Seen

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """The counters of one process, kept apart from those of another app in it. For use on the event loop only.

    `in_flight` and `streams_open` are plain numbers, which are copied when somebody looks.
    """

    def __init__(self) -> None:
        disable_created_metrics()  # the second line of when a counter began is of no use here
        self.registry = CollectorRegistry()
        self.in_flight = 0
        self.streams_open = 0
        self.requests = self._counter("requests", "Requests answered.", "method", "route", "status")
        self.seconds = self._histogram("request_seconds", "Seconds from a request to the end of its answer; no streams.", "route")
        self.bytes = self._counter("answer_bytes", "Bytes of answers, without headers.")
        self.refusals = self._counter("refusals", "Requests that were answered by an error, by its code.", "code")
        self.waited = self._histogram("queue_wait_seconds", "Seconds a piece of work waited before it was computed.")
        self.computed = self._counter("compute_seconds", "Seconds of the compute thread, by what they were for.", "route")
        self.streams = self._counter("streams", "Streams opened.")
        self._children: dict[tuple[str, str, int, bool], tuple[Counter, Histogram | None]] = {}

    def worked(self, waiting: float, computing: float) -> None:
        """Count a piece of work."""
        self.waited.observe(waiting)

    def finished(self, seen: Seen, *, method: str, route: str, seconds: float) -> None:
        """Count a request that has come to its end."""
        key = (method, route, seen.status // 100, seen.streams)
        if key not in self._children:
            times = None if seen.streams else self.seconds.labels(route)
            self._children[key] = self.requests.labels(method, route, f"{key[2]}xx"), times
        requests, times = self._children[key]
        requests.inc()
        self.bytes.inc(seen.bytes)
        if times is not None:
            times.observe(seconds)
        if seen.computing:
            self.computed.labels(route).inc(seen.computing)
        if seen.code:
            self.refusals.labels(seen.code).inc()

    def gauge(self, name: str, says: str, *labels: str, shared: bool = False) -> Gauge:
        """Make a gauge; several processes' add up, unless it is of something that they share."""
        mode = "mostrecent" if shared else "livesum"
        return Gauge(name, says, labels, namespace="glassformer", registry=self.registry, multiprocess_mode=mode)  # type: ignore[arg-type]

    def counter(self, name: str, says: str, *labels: str) -> Counter:
        """Make a counter."""
        return self._counter(name, says, *labels)

    def _counter(self, name: str, says: str, *labels: str) -> Counter:
        return Counter(name, says, labels, namespace="glassformer", registry=self.registry)

    def _histogram(self, name: str, says: str, *labels: str) -> Histogram:
        return Histogram(name, says, labels, namespace="glassformer", registry=self.registry, buckets=SECONDS)
