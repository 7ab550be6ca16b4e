"""What the server adds to the bytes: requests a second against a route that returns the same ones, and waits while traces run.

One server process, one connection with keep-alive on loopback, rounds in turn, ratios inside a round: `python bench/serve.py`.
"""

from __future__ import annotations

import json
import multiprocessing
import socket
import statistics
import threading
import time
from collections.abc import Callable

import uvicorn
from fastapi import Response
from glassformer.app.main import create_app
from glassformer.app.settings import Settings

ROUNDS = 7
SECONDS = 1.0
SOURCE = " ".join(["dog"] * 63)
NAME = "encoder.layers.0.self_attn.weights"


def serve(port: int) -> None:
    """Run the server with one route more: the raw bytes of the tensor, straight from memory."""
    app = create_app(Settings(port=port))
    stored: dict[str, bytes] = {}

    async def raw() -> Response:
        return Response(stored["bytes"], media_type="application/octet-stream")

    async def keep(length: int) -> dict[str, int]:
        stored["bytes"] = bytes(length)
        return {"length": length}

    app.add_api_route("/raw", raw)
    app.add_api_route("/keep/{length}", keep)
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning", access_log=False)


class Client:
    """One connection that is kept."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def get(self, address: str, body: str = "") -> bytes:
        """Ask, and read the whole answer."""
        method = "POST" if body else "GET"
        lines = [
            f"{method} {address} HTTP/1.1",
            "Host: 127.0.0.1",
            "Content-Type: application/json",
            f"Content-Length: {len(body)}",
        ]
        self._socket.sendall("\r\n".join([*lines, "", body]).encode())
        data = b""
        while b"\r\n\r\n" not in data:
            data += self._socket.recv(65536)
        head_bytes, _, content = data.partition(b"\r\n\r\n")
        fields = dict(line.lower().split(b": ", 1) for line in head_bytes.split(b"\r\n")[1:])
        length = int(fields[b"content-length"])
        parts, got = [content], len(content)
        while got < length:
            parts.append(self._socket.recv(1 << 20))
            got += len(parts[-1])
        return b"".join(parts)


def rate(client: Client, address: Callable[[int], str], first: int = 0) -> float:
    """Return requests a second."""
    count, began = 0, time.perf_counter()
    while time.perf_counter() - began < SECONDS:
        client.get(address(first + count))
        count += 1
    return count / (time.perf_counter() - began)


def waits(client: Client, address: str, seconds: float) -> list[float]:
    """Return how long each of a series of paced requests took."""
    found, began = [], time.perf_counter()
    while time.perf_counter() - began < seconds:
        asked = time.perf_counter()
        client.get(address)
        found.append(time.perf_counter() - asked)
        time.sleep(0.002)
    return found


def main() -> None:
    """Print the tables."""
    port = 8931
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(port,), daemon=True)
    process.start()
    client = _connect(port)
    made = json.loads(
        client.get("/api/traces", json.dumps({"model": "tiny", "src": SOURCE, "tgt": SOURCE, "options": {"n_heads": 1}}))
    )
    address = f"/api/traces/{made['id']}/tensors/{NAME}?index=batch:0,head:0"
    length = len(client.get(address))
    client.get(f"/keep/{length}")

    print("| 64 × 64 tensor | bytes ÷ float32 bytes | requests/s | raw route, requests/s | ratio |\n|---|---|---|---|---|")
    _compare("asked for before", client, lambda i: address, length)
    _compare("encoded anew each time", client, lambda i: f"{address}&fit={64 + i % 9000}x64", length)
    print()

    print("| 16 KB slice | p50, ms | p99, ms | p99 ÷ idle p99 |\n|---|---|---|---|")
    idle = waits(client, address, 4)
    busy = _while_computing(port, lambda: waits(client, address, 8))
    for title, found_waits in (("idle", idle), ("while paper-base traces run", busy)):
        middle, late = _part(found_waits, 50), _part(found_waits, 99)
        print(f"| {title} | {middle:.2f} | {late:.2f} | **{late / _part(idle, 99):.2f}** |")
    process.terminate()


def _compare(title: str, client: Client, address: Callable[[int], str], length: int) -> None:
    ratios, ours, raw = [], [], []
    for i in range(ROUNDS):
        if i % 2:
            ours.append(rate(client, address, first=i * 5000))
        raw.append(rate(client, lambda _: "/raw"))
        if not i % 2:
            ours.append(rate(client, address, first=i * 5000))
        ratios.append(ours[-1] / raw[-1])
    size, mine, theirs, ratio = length / 16384, statistics.median(ours), statistics.median(raw), statistics.median(ratios)
    print(f"| {title} | {size:.3f} | {mine:.0f} | {theirs:.0f} | **{ratio:.2f}** |")


def _while_computing(port: int, work: Callable[[], list[float]]) -> list[float]:
    stop = threading.Event()

    def keep_busy() -> None:
        other, i = Client(port), 0
        while not stop.is_set():
            i += 1
            other.get(
                "/api/traces", json.dumps({"model": "paper-base", "src": f"one two three four {i}", "tgt": "un deux trois"})
            )

    other = Client(port)
    other.get("/api/traces", json.dumps({"model": "paper-base", "src": "one", "tgt": "un"}))
    thread = threading.Thread(target=keep_busy)
    thread.start()
    try:
        return work()
    finally:
        stop.set()
        thread.join()


def _part(found: list[float], percent: int) -> float:
    return statistics.quantiles(found, n=100)[percent - 1] * 1e3


def _connect(port: int) -> Client:
    for _ in range(100):
        try:
            return Client(port)
        except OSError:
            time.sleep(0.2)
    raise SystemExit("the server did not start")


if __name__ == "__main__":
    main()
