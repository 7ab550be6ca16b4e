"""Nothing is lost: what was there before an attack is there after it, to the last byte (L1 to L5 of the threat model).

with nothing_lost(client):                    # an app in this process
with nothing_lost(address, pid=process.pid):  # a server in a process of its own
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from fastapi.testclient import TestClient

TRACE = {"model": "copy", "src": ["5 6 7", "8"], "tgt": ["5 6 7", "8"]}
DECODING = {"model": "copy", "src": ["5 6 7", "8"]}
TENSORS = "logits,decoder.layers.1.cross_attn.weights,encoder.layers.0.self_attn.masked_scores"
DOCUMENTED = frozenset({503, 507})
"""What a server may answer that cannot do more: everything else from 500 on is a fault."""
SETTLE_SECONDS = 5.0
MORE_FILES = 3
MORE_THREADS = 3
"""Pools start their threads when they need them; a thread that leaks does so for every request of an attack."""
UNSAID = ("Traceback", 'File "', "site-packages")

NothingLost = Callable[..., AbstractContextManager["Witness"]]


@dataclass
class Witness:
    """What is held on to during an attack. An attacker that does not use the client says by `saw` what it was answered."""

    ask: Callable[..., Any]
    seen: list[tuple[int, str]] = field(default_factory=list)

    def saw(self, status: int, body: str = "") -> None:
        """Note an answer that somebody got meanwhile."""
        self.seen.append((status, body))

    def faults(self) -> list[tuple[int, str]]:
        """Answers that no attack may bring about."""
        return [
            (status, body[:300])
            for status, body in self.seen
            if (status >= 500 and status not in DOCUMENTED) or any(word in body for word in UNSAID)
        ]

    def testimony(self) -> Mapping[str, object]:
        """What the server says about one trace and one decoding: bytes, steps, the same in every process for ever."""
        id = self._json("POST", "/api/traces", json=TRACE)["id"]
        decoding = self._json("POST", "/api/decodings", json=DECODING)["id"]
        return {
            "trace": self._json("GET", f"/api/traces/{id}")["tokens"],
            "tensors": self._bytes(f"/api/traces/{id}/tensors?names={TENSORS}"),
            "step": self._json("GET", f"/api/decodings/{decoding}/steps/2"),
            "written": self._json("GET", f"/api/decodings/{decoding}/result"),
            "stream": self._bytes(f"/api/decodings/{decoding}/events"),
        }

    def _json(self, method: str, address: str, **more: Any) -> dict[str, Any]:
        answer = self.ask(method, address, **more)
        assert answer.status_code == 200, f"{address[:80]}: {answer.status_code} {answer.text[:300]}"
        return dict(json.loads(answer.content))

    def _bytes(self, address: str) -> bytes:
        answer = self.ask("GET", address)
        assert answer.status_code == 200, f"{address[:80]}: {answer.status_code} {answer.text[:300]}"
        return bytes(answer.content)


@contextmanager
def watching(asked: TestClient | str, *, pid: int | None = None, more_mib: float | None = None) -> Iterator[Witness]:
    """Hold on to what a server has while it is attacked in the `with` block, and check it afterwards.

    Args:
        asked: a test client, or the address of a server, whose process `pid` then names.
        more_mib: how much more memory the process may hold afterwards; None does not look.
    """
    with _asking(asked) as (ask, overheard):
        witness = Witness(ask)
        before = witness.testimony()
        numbers = _numbers(asked, ask, pid)
        overheard(witness.saw)
        try:
            yield witness
        finally:
            overheard(None)
        assert ask("GET", "/healthz").status_code == 200, "the server does not answer any more"
        assert not witness.faults(), f"the attack made the server fail: {witness.faults()[:3]}"
        after = witness.testimony()
        for name, said in before.items():
            assert after[name] == said, f"after the attack {name} is another"
        _wait_until_settled(asked, ask, pid, numbers, more_mib)


@pytest.fixture
def nothing_lost() -> NothingLost:
    """`with nothing_lost(client):` or `with nothing_lost(address, pid=…):` around an attack."""
    return watching


@contextmanager
def _asking(asked: TestClient | str) -> Iterator[tuple[Callable[..., Any], Callable[[Any], None]]]:
    """Give a way to ask that nobody else uses, and one to overhear what the test client is answered."""
    if isinstance(asked, str):
        with httpx.Client(base_url=asked, timeout=60.0, headers={"X-Visitor": "witness"}) as client:
            yield client.request, lambda hear: None
        return

    def overheard(hear: Callable[[int, str], None] | None) -> None:
        def note(answer: httpx.Response) -> None:
            assert hear is not None
            if answer.status_code >= 400:
                answer.read()
            hear(answer.status_code, answer.text if answer.status_code >= 400 else "")

        asked.event_hooks = {"response": [note] if hear else []}

    yield asked.request, overheard


@dataclass(frozen=True)
class _Numbers:
    threads: int
    files: int
    memory: int


def _numbers(asked: TestClient | str, ask: Callable[..., Any], pid: int | None) -> _Numbers:
    """Count threads and open files, and read the bytes of memory, of the process that serves."""
    if isinstance(asked, str):
        assert pid is not None, "a server in another process is watched by its pid"
        threads = len(os.listdir(f"/proc/{pid}/task"))
    else:
        threads = threading.active_count()
    process = Path(f"/proc/{pid or os.getpid()}")
    if not process.exists():  # not Linux: the rest is checked all the same
        return _Numbers(threads, 0, 0)
    memory = int((process / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return _Numbers(threads, len(os.listdir(process / "fd")), memory)


def _wait_until_settled(
    asked: TestClient | str, ask: Callable[..., Any], pid: int | None, before: _Numbers, more_mib: float | None
) -> None:
    """Wait until nothing is under way and threads and files are as they were; fail when that does not come."""
    ends = time.monotonic() + SETTLE_SECONDS
    while True:
        now, left = _numbers(asked, ask, pid), _under_way(asked, ask)
        wrong = [
            *([f"still under way: {left}"] if left else []),
            *([f"{now.threads} threads, before {before.threads}"] if now.threads > before.threads + MORE_THREADS else []),
            *([f"{now.files} open files, before {before.files}"] if now.files > before.files + MORE_FILES else []),
        ]
        if more_mib is not None and now.memory > before.memory + more_mib * 2**20:
            wrong.append(f"{(now.memory - before.memory) / 2**20:.0f} MiB more; {more_mib:.0f} are allowed")
        if not wrong:
            return
        assert time.monotonic() < ends, "; ".join(wrong)
        time.sleep(0.05)


def _under_way(asked: TestClient | str, ask: Callable[..., Any]) -> str:
    if isinstance(asked, str):
        answer = ask("GET", "/api/queue")
        waiting = answer.json()["waiting"] if answer.status_code == 200 else 0
        return f"{waiting} waiting" if waiting else ""
    compute = asked.app.state.glassformer.compute  # type: ignore[attr-defined]
    return "" if compute.idle else "pieces of work"
