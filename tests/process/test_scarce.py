"""A server that is short of files, memory, disk or processors says so, loses nothing, and goes on when there is enough again."""

from __future__ import annotations

import json
import os
import resource
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from glassformer.app.main import create_app
from glassformer.app.settings import Settings
from observing_processes import EXAMPLE, ask, files_of, values, wait_for
from serving import Running, running

PAIRS = {"task": "copy", "steps": 5}
LARGE = {"model": "paper-base", "src": ["a b c"], "tgt": ["a b c"]}
FEW = 64


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One for all: each test takes something from it and gives it back."""
    folder = tmp_path_factory.mktemp("scarce")
    env = {**os.environ, "GLASSFORMER_DATA_FOLDER": str(folder / "data")}
    with running(folder=folder, env=env) as found:
        yield found
        assert found.process.poll() is None, found.said()


@contextmanager
def only(server: Running, which: int, most: int) -> Iterator[None]:
    """Let a process that runs have no more than so much of something, for a while."""
    before = resource.prlimit(server.pid, which)
    resource.prlimit(server.pid, which, (most, before[1]))
    try:
        yield
    finally:
        resource.prlimit(server.pid, which, before)


@pytest.fixture
def unharmed(server: Running) -> Iterator[None]:
    """What was there before is there afterwards, to the last byte, and no traceback has been said."""
    before = values(server.address)
    yield
    assert values(server.address) == before
    assert ask(server.address, "/healthz")[0] == 200


def error(answer: tuple[int, bytes]) -> tuple[int, str]:
    status, body = answer
    assert b"Traceback" not in body
    return status, str(json.loads(body)["error"]["code"])


def seconds_used(pid: int) -> float:
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def rests(pid: int) -> bool:
    used = seconds_used(pid)
    time.sleep(0.2)
    return seconds_used(pid) - used < 0.05


@pytest.mark.usefixtures("unharmed")
def test_no_file_can_be_opened_any_more(server: Running) -> None:
    """Row 117. Connections wait meanwhile, and the server does not turn in circles over them."""
    assert wait_for(lambda: rests(server.pid))  # what it does after its start is done
    with ExitStack() as stack, only(server, resource.RLIMIT_NOFILE, len(files_of(server.pid)) + 2):
        for _ in range(10):
            stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
        time.sleep(0.3)
        used = seconds_used(server.pid)
        time.sleep(1.0)
        assert seconds_used(server.pid) - used < 0.8, "a loop that turns in circles uses all of a second"
    assert wait_for(lambda: ask(server.address, "/healthz")[0] == 200)


@pytest.mark.usefixtures("unharmed")
def test_no_memory_is_left(server: Running) -> None:
    """Row 118. Weights of a quarter of a gigabyte do not fit; what is small still does."""
    size = int(Path(f"/proc/{server.pid}/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    with only(server, resource.RLIMIT_AS, size + 100 * 2**20):
        assert error(ask(server.address, "/api/traces", LARGE)) == (503, "out_of_memory")
        assert ask(server.address, "/api/traces", {**EXAMPLE, "src": ["cat run"]})[0] == 200


@pytest.mark.usefixtures("unharmed")
def test_disk_is_full(server: Running) -> None:
    """Row 116: no file may be longer than a hundred bytes. The training is not begun, and nothing of it stays."""
    with only(server, resource.RLIMIT_FSIZE, 100):
        assert error(ask(server.address, "/api/runs", PAIRS)) == (507, "storage_full")
    assert json.loads(ask(server.address, "/api/runs")[1])["runs"] == []


THREADS = """
import threading, torch
from glassformer.app.main import create_app
def ask():
    asked = threading.Thread(target=lambda: print(torch.get_num_threads()))
    asked.start()
    asked.join()
ask()
create_app()
ask()
"""


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="with one processor there is one thread in any case")
def test_app_pins_itself_to_one_thread_whatever_the_environment_says() -> None:
    """Row 120. Without the app, torch would take as many threads as there are processors, which is what is printed first."""
    env = {**os.environ, "OMP_NUM_THREADS": "64"}
    shown = subprocess.run([sys.executable, "-c", THREADS], env=env, capture_output=True, text=True, timeout=60, check=True)
    alone, pinned = map(int, shown.stdout.split())
    assert alone > 1
    assert pinned == 1


def test_few_files_from_the_start_leave_room_for_whoever_asks(tmp_path: Path) -> None:
    """Row 117, where nothing can be raised: silent connections make way before the files are at their end."""
    few = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (FEW, FEW))  # noqa: E731
    with running(folder=tmp_path, before=few) as server, ExitStack() as stack:
        before = values(server.address)
        for _ in range(3 * FEW):
            stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
        assert values(server.address) == before
        assert len(files_of(server.pid)) < FEW
        assert server.said() == ""


def test_folder_that_cannot_be_written_to_leaves_the_rest_of_the_page(tmp_path: Path) -> None:
    """Not even root makes a folder in a file."""
    (tmp_path / "file").touch()
    settings = Settings(data_folder=str(tmp_path / "file" / "data"), allow_host="testserver")
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        assert client.get("/").status_code == 200
        assert client.post("/api/traces", json=EXAMPLE).status_code == 200
        assert client.get("/api/runs").json()["runs"] == []
        refused: Any = client.post("/api/runs", json=PAIRS)
        assert (refused.status_code, refused.json()["error"]["code"]) == (507, "storage_full")
        assert "folder" in refused.json()["error"]["message"]
