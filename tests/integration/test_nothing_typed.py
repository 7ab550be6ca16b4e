"""Nothing that people type is in the log or in the metrics: a real server is driven through every route with a marked word.

Seen to fail with messages of exceptions in lines, and with paths in the place of templates.
"""

from __future__ import annotations

import base64
import json
import os
import signal
import socket
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import httpx2 as httpx
import numpy as np
import pytest
from safetensors.numpy import save
from serving import serving

WORD = "Zwergpinguin"
OTHER = "smørrebrød"
TYPED = f"{WORD} {OTHER}"
FAULT = """
import importlib.abc, importlib.util, sys

def fail(trace):
    raise KeyError(f"{trace.recipe} WORD")

class Faulty(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name != "glassformer.app.routes.lessons":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        load = spec.loader.exec_module

        def load_and_break(module):
            load(module)
            module.lay_open = fail

        spec.loader.exec_module = load_and_break
        return spec

sys.meta_path.insert(0, Faulty())
"""
"""A server in which laying a batch open fails with a message that quotes its sentences."""
RUN = {
    "task": "pairs",
    "name": TYPED,
    "pairs": "\n".join(f"{TYPED} {i % 5}\t{TYPED} {i % 3}" for i in range(40)),
    "batch": 2,
    "options": {"d_model": 8, "n_heads": 2, "d_ff": 8, "n_layers": 1},
}
HEADERS: dict[str, str | bytes] = {
    "User-Agent": WORD,
    "Referer": f"http://127.0.0.1/{WORD}",
    "Cookie": f"a={WORD}; glassformer_code={WORD}",
    "X-Visitor": WORD,
    "X-Request-Id": WORD,
    "X-Forwarded-For": WORD,
    "Accept-Language": WORD,
    "X-More": OTHER.encode(),
}


@dataclass(frozen=True)
class Driven:
    """Lines of the log, the whole of it as text, the metrics, and what was asked with its status."""

    lines: list[dict[str, Any]]
    text: str
    metrics: str
    asked: list[tuple[str, int]]


@pytest.fixture(scope="module")
def driven(tmp_path_factory: pytest.TempPathFactory) -> Driven:
    folder = tmp_path_factory.mktemp("typed")
    (folder / "sitecustomize.py").write_text(FAULT.replace("WORD", WORD))
    env = {**os.environ, "PYTHONPATH": str(folder), "GLASSFORMER_DATA_FOLDER": str(folder / TYPED)}
    settings = ("log=requests", "metrics=open", "code_tries=1000", "max_runs=2", f"teacher_token={WORD}-token")
    command = [sys.executable, "-m", "glassformer", *(part for setting in settings for part in ("--set", setting))]
    with (
        serving(command, folder=folder, env=env) as address,
        httpx.Client(base_url=address, headers=HEADERS, timeout=60) as client,
    ):
        asked = Asked(client)
        drive(asked)
        raw(address)
        metrics = client.get("/metrics").text
    text = (folder / "server.err").read_text("utf-8", "replace")
    return Driven([json.loads(line) for line in text.splitlines()], text, metrics, asked.asked)


class Asked:
    """A client that remembers what it asked."""

    def __init__(self, client: httpx.Client) -> None:
        self._client = client
        self.asked: list[tuple[str, int]] = []

    def __call__(self, method: str, address: str, **more: Any) -> httpx.Response:
        answer = self._client.request(method, address, **more)
        self.asked.append((f"{method} {address}", answer.status_code))
        return answer


def drive(ask: Asked) -> None:
    """Ask every route of the document, with ids that hold the word, with the word for an id, and with it in every field."""
    run, killed = (ask("POST", "/api/runs", json=RUN | {"steps": steps}).json()["id"] for steps in (4, 50_000))
    trace = ask("POST", "/api/traces", json={"model": "tiny", "src": [TYPED], "tgt": [TYPED]}).json()["id"]
    decoding = ask("POST", "/api/decodings", json={"model": "tiny", "src": [TYPED], "max_steps": 3}).json()["id"]
    paths = ask("GET", "/openapi.json").json()["paths"]
    mine = {"/api/traces": trace, "/api/decodings": decoding, "/api/runs": run}
    visit_all(ask, {path: paths[path] for path in paths if not path.startswith("/api/runs")}, mine)
    for _ in range(2):
        ask("GET", f"/api/traces/{trace}/tensors/logits")
    ask("GET", f"/t/{trace}?select={WORD}")
    for address in (
        f"/{WORD}/../{quote(OTHER)}?q={WORD}",
        f"/static/{WORD}/{WORD}.js",
        f"/vendor/{WORD}",
        f"/{WORD}" + "x" * 20_000,
    ):
        ask("GET", address)
    ask("DELETE", f"/api/traces?{WORD}")
    ask("POST", "/api/traces", content=f'{{"{WORD}'.encode(), headers={"Content-Type": "application/json"})
    ask("POST", "/api/traces", content=WORD, headers={"Content-Type": f"text/{WORD}"})
    ask("GET", "/healthz", headers={"Host": f"{WORD}.example"})
    ask("POST", "/api/traces", json={}, headers={"Origin": f"http://{WORD}.example"})
    kill(ask, killed)
    until(ask, run, "finished")
    visit_all(ask, {path: paths[path] for path in paths if path.startswith("/api/runs")}, mine)
    load(ask, run)
    ask("DELETE", f"/api/runs/{WORD}")
    ask("DELETE", f"/api/runs/{run}")


def visit_all(ask: Asked, paths: dict[str, Any], mine: dict[str, str]) -> None:
    """Ask each operation of each path for something that is there, for the word, and for what is nearly there."""
    for path, operations in paths.items():
        owner = mine.get("/".join(path.split("/")[:3]), WORD)
        for method, operation in operations.items():
            if method == "delete" or path == "/api/runs/{id}/events":
                continue
            for id in (owner, WORD, owner[:-1]):
                visit(ask, method.upper(), path, operation, id)


def visit(ask: Asked, method: str, path: str, operation: dict[str, Any], id: str) -> None:
    """Ask one operation with the word in each of its parameters at once, and in its body."""
    given = operation.get("parameters", ())
    query = {each["name"]: WORD for each in given if each["in"] == "query"}
    headers = {"Last-Event-ID": WORD} if any(each["in"] == "header" for each in given) else {}
    address = path.replace("{id}", id)
    for name in ("{name}", "{model}", "{verb}", "{parameter}", "{index}"):
        address = address.replace(name, WORD)
    body = (
        {"json": {"model": WORD, "name": TYPED, "src": [TYPED], "code": WORD, WORD: TYPED}} if method in ("POST", "PATCH") else {}
    )
    ask(method, address, headers=headers, **body)
    ask(method, address, params=query, headers=headers, **body)
    if "{name}" in path:
        ask(method, address.replace(WORD, "logits"), params={"cell": "0,0,0"})
    if "{index}" in path or path.endswith("/events"):
        ask(method, path.replace("{id}", id).replace("{index}", "0"))


def load(ask: Asked, run: str) -> None:
    """Rename a training, watch it, and load files that hold the word."""
    ask("PATCH", f"/api/runs/{run}", json={"name": f"{TYPED}!"})
    ask("GET", f"/api/runs/{run}/events")
    file = ask("GET", f"/api/runs/{run}/weights.safetensors").content
    for content in (file, save({WORD: np.zeros(2, np.float32)}, {WORD: TYPED}), TYPED.encode()):
        ask("POST", "/api/runs/upload", content=content, headers={"Content-Type": "application/vnd.safetensors"})


def kill(ask: Asked, run: str) -> None:
    """End the process of a training as a machine without memory would."""
    until(ask, run, "running")
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if b"glassformer.worker" in command and any(part.endswith(run.encode()) for part in command):
            os.kill(int(process.name), signal.SIGKILL)
    until(ask, run, "interrupted", "failed")


def until(ask: Asked, run: str, *states: str) -> None:
    deadline = time.monotonic() + 60
    while (now := ask("GET", f"/api/runs/{run}").json()["state"]) not in states:
        assert time.monotonic() < deadline, f"the training is {now}, not {states}"
        time.sleep(0.1)


def raw(address: str) -> None:
    """Send what no client would: a method, a protocol, a header that are no such thing, a request that ends in the middle."""
    place = urlsplit(address)
    for text in (
        f"{WORD} / HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n",
        f"GET /{WORD} {WORD}/9\r\n\r\n",
        f"GET / HTTP/1.1\r\n{WORD}",
    ):
        with socket.create_connection((str(place.hostname), int(place.port or 80)), timeout=10) as connection:
            connection.sendall(text.encode())
            connection.shutdown(socket.SHUT_WR)
            while connection.recv(4096):
                pass


def traces_of(word: str) -> set[str]:
    """A word as it may stand in a log: itself, in an address, in JSON, and inside base64 at each of its three offsets."""
    found = {word, quote(word), json.dumps(word)[1:-1], repr(word)[1:-1], ascii(word)[1:-1]}
    for before in range(3):
        code = base64.urlsafe_b64encode(b"x" * before + word.encode()).decode().rstrip("=")
        found.add(code[4 if before else 0 : -2])
    return {each.lower() for each in found}


def test_the_word_was_everywhere(driven: Driven) -> None:
    """Otherwise its absence would say nothing: in addresses as it is and inside of ids, through every status there is."""
    lines, asked = driven.lines, driven.asked
    addresses = [address.lower() for address, _ in asked]
    assert sum(any(each in address for each in traces_of(WORD)) for address in addresses) > 150
    assert sum(any(each in address for each in traces_of(WORD) - {WORD.lower()}) for address in addresses) > 20
    assert {status for _, status in asked} >= {200, 201, 204, 400, 403, 404, 405, 409, 414, 415, 422, 500}
    assert {line["status"] for line in lines if "status" in line} >= {status for _, status in asked}
    assert {line["code"] for line in lines if line["event"] == "turned away"} >= {"too_large"}
    assert 'refusals_total{code="too_large"}' in driven.metrics
    faults = [line for line in lines if "exception" in line]
    assert faults
    assert all(fault["exception"][0]["type"] == "KeyError" for fault in faults)
    assert any(line["event"] == "the process of a training has failed" for line in lines)
    routes = {line.get("route") for line in lines}
    assert len(routes) > 40
    assert "none" in routes


@pytest.mark.parametrize("word", [WORD, OTHER])
def test_no_word_that_was_typed_is_in_the_log_or_in_the_metrics(driven: Driven, word: str) -> None:
    assert len([line for line in driven.lines if "status" in line]) >= len(driven.asked)
    assert "glassformer_requests_total" in driven.metrics
    for each in traces_of(word):
        assert each not in driven.text.lower()
        assert each not in driven.metrics.lower()
