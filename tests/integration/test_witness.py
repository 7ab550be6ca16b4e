"""The witness itself: it keeps quiet when nothing is lost, and finds each kind of loss."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
import witness
from fastapi.testclient import TestClient
from glassformer.app.main import create_app
from glassformer.app.settings import Settings
from witness import Witness

NothingLost = Callable[..., AbstractContextManager[Witness]]


def test_ordinary_and_refused_requests_lose_nothing(client: TestClient, nothing_lost: NothingLost) -> None:
    with nothing_lost(client) as witness:
        client.get("/healthz")
        assert client.post("/api/traces", json={"model": "nothing"}).status_code == 422
    assert [status for status, _ in witness.seen] == [200, 422]


def test_a_fault_is_found(client: TestClient, nothing_lost: NothingLost) -> None:
    with pytest.raises(AssertionError, match="made the server fail"), nothing_lost(client) as witness:
        witness.saw(500, "")
    with pytest.raises(AssertionError, match="made the server fail"), nothing_lost(client) as witness:
        witness.saw(422, 'Traceback (most recent call last): File "x"')


def test_a_thread_and_a_file_that_stay_are_found(
    client: TestClient, nothing_lost: NothingLost, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(witness, "SETTLE_SECONDS", 0.1)
    gate = threading.Event()
    threads = [threading.Thread(target=gate.wait) for _ in range(witness.MORE_THREADS + 1)]
    try:
        with pytest.raises(AssertionError, match="threads, before"), nothing_lost(client):
            _start(threads)
    finally:
        gate.set()
        for thread in threads:
            thread.join()

    files: list[int] = []
    try:
        with pytest.raises(AssertionError, match="open files, before"), nothing_lost(client):
            files = [os.open(__file__, os.O_RDONLY) for _ in range(witness.MORE_FILES + 1)]
    finally:
        for file in files:
            os.close(file)


def test_another_number_is_found(nothing_lost: NothingLost) -> None:
    with (
        TestClient(create_app(Settings(answer_bytes=0)), raise_server_exceptions=False) as client,
        pytest.raises(AssertionError, match="after the attack tensors is another"),
        nothing_lost(client),
    ):
        _spoil(client)


def _start(threads: list[threading.Thread]) -> None:
    for thread in threads:
        thread.start()


def _spoil(client: TestClient) -> None:
    made = client.post("/api/traces", json=witness.TRACE).json()
    client.app.state.glassformer.compute.traces.get(made["id"]).logits.add_(1.0)  # type: ignore[attr-defined]
