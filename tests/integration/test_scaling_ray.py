"""The server on Ray Serve. Ray is an extra of half a gigabyte: without it only what is said then is tested."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import select
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

COMMAND = [sys.executable, "-m", "glassformer", "ray"]
START_SECONDS = 120.0
HAS_RAY = importlib.util.find_spec("ray") is not None
NEEDS_RAY = pytest.mark.skipif(not HAS_RAY, reason="Ray is not installed (python -m pip install 'glassformer[ray]')")


@pytest.mark.skipif(HAS_RAY, reason="Ray is installed")
def test_missing_ray_is_told_in_one_line() -> None:
    shown = subprocess.run(COMMAND, capture_output=True, text=True, timeout=60, check=False)
    assert (shown.returncode, shown.stdout) == (2, "")
    assert re.fullmatch(r"Ray is not installed.*glassformer\[ray\].*\n", shown.stderr)


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    folder = tmp_path_factory.mktemp("ray")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        free = int(listening.getsockname()[1])
    with (folder / "errors").open("wb") as errors:
        command = [*COMMAND, "--port", str(free), "--replicas", "2"]
        env = {**os.environ, "PYTHONWARNINGS": "ignore"}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, cwd=folder, env=env)
        assert process.stdout is not None
        try:
            _wait_for_line(process)
            yield free
        finally:
            process.terminate()
            process.wait(60)
            process.stdout.close()


def _wait_for_line(process: subprocess.Popen[bytes]) -> None:
    assert process.stdout is not None
    deadline = time.monotonic() + START_SECONDS
    seen = b""
    while b"Glassformer: http" not in seen:
        ready, _, _ = select.select([process.stdout], [], [], max(0.0, deadline - time.monotonic()))
        chunk = os.read(process.stdout.fileno(), 4096) if ready else b""
        assert chunk, seen
        seen += chunk


@contextmanager
def asked(port: int, path: str, body: dict[str, Any] | None = None, **headers: str) -> Iterator[HTTPResponse]:
    content = None if body is None else json.dumps(body)
    kind = {} if body is None else {"Content-Type": "application/json"}
    with closing(HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.request("GET" if body is None else "POST", path, content, {**headers, **kind})
        with connection.getresponse() as answer:
            yield answer


def ask(port: int, path: str, body: dict[str, Any] | None = None) -> tuple[int, bytes]:
    with asked(port, path, body) as answer:
        return answer.status, answer.read()


def replicas() -> list[int]:
    """The processes that compute."""
    names = (entry for entry in Path("/proc").iterdir() if entry.name.isdigit())
    return [int(entry.name) for entry in names if b"ServeReplica:glassformer:Computing" in _command_line(entry)]


def _command_line(process: Path) -> bytes:
    try:
        return (process / "cmdline").read_bytes()
    except OSError:
        return b""


@NEEDS_RAY
def test_trace_is_byte_for_byte_that_of_one_server(port: int, client: TestClient) -> None:
    recipe = {"model": "pig-latin", "src": ["she pet the dog"], "tgt": ["eshay"]}
    id = client.post("/api/traces", json=recipe).json()["id"]
    path = f"/api/traces/{id}/tensors/decoder.layers.0.cross_attn.weights"
    for index in range(4):  # each address for the first time, so that a replica is asked
        address = f"{path}?index=batch:0,head:{index}"
        assert ask(port, address) == (200, client.get(address).content)


@NEEDS_RAY
def test_answers_carry_the_headers_and_one_request_id(port: int) -> None:
    with asked(port, "/api/traces/nothing") as answer:
        assert answer.status == 404
        assert len(answer.headers.get_all("content-security-policy") or ()) == 1
        assert answer.headers.get_all("x-request-id") == [json.loads(answer.read())["error"]["request_id"]]
    with asked(port, "/api/models", Host="evil.example") as refused:
        assert refused.status == 400


@NEEDS_RAY
def test_steps_of_a_decoding_come_one_by_one(port: int) -> None:
    _, made = ask(port, "/api/decodings", {"model": "paper-base", "src": "one two three", "max_steps": 16})
    with asked(port, f"/api/decodings/{json.loads(made)['id']}/events") as stream:
        arrived = [time.monotonic() for line in stream if line.startswith(b"event: step")]
    assert len(arrived) == 16
    assert arrived[-1] - arrived[0] > 3 * (arrived[-1] - arrived[-2]), "all events came at once"


@NEEDS_RAY
def test_killed_replica_costs_nobody_an_answer(port: int) -> None:
    os.kill(replicas()[0], 9)
    bodies = ({"model": "tiny", "src": "dog", "tgt": "run", "seed": seed} for seed in range(40))
    assert {ask(port, "/api/traces", body)[0] for body in bodies} == {200}
