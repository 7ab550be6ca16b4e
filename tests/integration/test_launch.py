"""The command line from outside: what it prints, which port it takes, and how it ends."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from functools import partial
from importlib.metadata import version
from pathlib import Path

import pytest
from glassformer.app.settings import Settings

from glassformer import heap, launch
from glassformer.serving.member import share

COMMAND = [sys.executable, "-m", "glassformer"]
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="glibc's settings and /proc are Linux'")


def run(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "COLUMNS": "120", **env},
    )


@pytest.fixture
def busy() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening


def test_help_names_the_options_and_the_commands() -> None:
    shown = run("--help")
    assert shown.returncode == 0
    for word in ("--host", "--port", "--no-browser", "--workers", "--version", "train"):
        assert word in shown.stdout


def test_version_is_the_package_s() -> None:
    assert run("--version").stdout == f"glassformer {version('glassformer')}\n"


def test_help_needs_neither_torch_nor_the_web_framework() -> None:
    code = (
        "import sys, glassformer.__main__; print(sorted({'torch', 'fastapi', 'plotly', 'uvicorn', 'numpy'} & set(sys.modules)))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout == "[]\n"


def test_page_is_served_at_the_printed_address(server: str) -> None:
    with urllib.request.urlopen(f"{server}/healthz", timeout=10) as answer:
        assert answer.status == 200
    with urllib.request.urlopen(f"{server}/", timeout=10) as answer:
        assert answer.headers.get_content_type() == "text/html"


def test_next_free_port_is_taken_when_none_was_asked_for(busy: socket.socket) -> None:
    port = busy.getsockname()[1]
    with launch.claim_port("127.0.0.1", port, only=False) as claimed:
        assert port < claimed.getsockname()[1] <= port + launch.PORTS_TRIED


def test_port_that_was_asked_for_is_refused_when_busy(busy: socket.socket) -> None:
    port = busy.getsockname()[1]
    for refused in (run("--no-browser", "--port", str(port)), run("--no-browser", GLASSFORMER_PORT=str(port))):
        assert refused.returncode == 3
        assert refused.stdout == ""
        assert re.fullmatch(rf"port {port} is busy.*\n", refused.stderr)


def test_address_of_another_machine_is_refused_in_one_line() -> None:
    refused = run("--no-browser", "--host", "192.0.2.1", "--port", "0")
    assert refused.returncode == 3
    assert re.fullmatch(r"cannot listen on 192\.0\.2\.1 port 0: .*\n", refused.stderr)


def test_port_that_only_root_may_take_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Row 114; whoever runs the tests may be root, or a system may let everybody have port 80."""

    def refuse(*arguments: object, **named: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(socket, "create_server", refuse)
    with pytest.raises(launch.LaunchError, match=r"^cannot listen on 127\.0\.0\.1 port 80: Permission denied$") as refused:
        launch.claim_port("127.0.0.1", 80, only=True)
    assert refused.value.status == 3


def test_line_that_nobody_can_read_is_not_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Row 112: a pipe whose reader is gone, a file on a disk that is full."""
    for number in (errno.EPIPE, errno.ENOSPC):
        monkeypatch.setattr("builtins.print", partial(fail, number))
        launch.say("Glassformer: …")


def fail(number: int, *arguments: object, **named: object) -> None:
    raise OSError(number, "no")


def test_processes_share_what_memory_there_may_be() -> None:
    whole = Settings(workers=4)
    part = share(whole)
    assert (4 * part.store_bytes, 4 * part.answer_bytes) == (whole.store_bytes, whole.answer_bytes)
    assert share(Settings()) == Settings()


def test_wrong_setting_is_named_with_its_value() -> None:
    refused = run("--no-browser", GLASSFORMER_PORT="eighty")
    assert refused.returncode == 2
    assert re.fullmatch(r".*port.*'eighty'.*\n", refused.stderr)


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "http://127.0.0.1:80/"),
        ("localhost", "http://localhost:80/"),
        ("::1", "http://[::1]:80/"),
        ("0.0.0.0", "http://127.0.0.1:80/"),
        ("::", "http://[::1]:80/"),
    ],
)
def test_address_can_be_typed_into_a_browser(host: str, address: str) -> None:
    assert launch.address_of(host, 80) == address


@pytest.mark.parametrize(
    ("terminal", "env", "there"),
    [
        (True, {"DISPLAY": ":0"}, True),
        (True, {"WAYLAND_DISPLAY": "wayland-0"}, True),
        (True, {}, False),
        (False, {"DISPLAY": ":0"}, False),
        (True, {"DISPLAY": ":0", "CI": "true"}, False),
        (True, {"DISPLAY": "localhost:10.0", "SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"}, False),
    ],
)
def test_browser_opens_only_where_someone_sees_it(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, env: dict[str, str], there: bool
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal, raising=False)
    assert launch.someone_is_there(env) is there


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 0), (signal.SIGTERM, -signal.SIGTERM)])
def test_signal_ends_the_server_with_a_connection_open(tmp_path: Path, number: signal.Signals, status: int) -> None:
    """uvicorn alone would wait for the client; the limit here is generous, the measured times are in bench/."""
    process = subprocess.Popen(
        [*COMMAND, "--no-browser", "--port", "0", "--log", "requests"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    with process:
        port = int(re.search(r":(\d+)/", process.stdout.readline())[1])  # type: ignore[index]
        with socket.create_connection(("127.0.0.1", port)) as client:
            client.sendall(
                b"POST /api/traces HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
            )
            time.sleep(0.2)
            process.send_signal(number)
            _, errors = process.communicate(timeout=10)
    assert process.returncode == status
    lines = [json.loads(line) for line in errors.splitlines()]
    assert [lines[0]["event"], lines[-1]["event"]] == ["started", "stopped"]
    assert [(line["version"], line["process"]) for line in (lines[0], lines[-1])] == [(version("glassformer"), process.pid)] * 2
    assert not [line for line in lines if line["level"] != "info"]


@LINUX
def test_heap_is_kept_unless_told_otherwise(tmp_path: Path) -> None:
    for env, kept in [({}, True), ({"GLASSFORMER_PLAIN_HEAP": "1"}, False), ({"GLIBC_TUNABLES": "glibc.malloc.check=0"}, False)]:
        code = "from glassformer.heap import keep_heap; keep_heap(); print(open('/proc/self/environ').read())"
        base = {name: value for name, value in os.environ.items() if name not in ("GLIBC_TUNABLES", "GLASSFORMER_PLAIN_HEAP")}
        shown = subprocess.run([sys.executable, "-c", code], env={**base, **env}, capture_output=True, text=True, check=True)
        assert ("glibc.malloc.mmap_max=0" in shown.stdout) is kept


@LINUX
def test_server_starts_where_a_process_may_not_start_itself_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> None:
        raise PermissionError

    monkeypatch.delenv("GLIBC_TUNABLES", raising=False)
    monkeypatch.delenv("GLASSFORMER_PLAIN_HEAP", raising=False)
    monkeypatch.setattr(os, "execve", refuse)
    heap.keep_heap()
