"""nginx and Caddy, run under the configurations of docs/scaling with other ports."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

CONFIGURATIONS = Path(__file__).resolve().parents[2] / "docs" / "scaling"
FILES = {"nginx": "nginx.conf", "caddy": "Caddyfile"}
PATIENCE = 10.0  # seconds that a proxy may take to start or to end
_PROXY = 8080
_PORTS = (8001, 8002)


def program(kind: str) -> str | None:
    """Return where a proxy is installed; where Debian puts nginx is not on everybody's path."""
    return shutil.which(kind, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")


@contextmanager
def proxy(kind: str, folder: Path, ports: tuple[int, ...], change: Callable[[str], str] = lambda text: text) -> Iterator[int]:
    """Run a proxy in front of one or two servers; `change` may take a line out of its configuration, or put one in."""
    port = _free_port()
    configuration = folder / FILES[kind]
    configuration.write_text(change(_configuration(kind, port, ports)), "utf-8")
    as_root = " user root;" if os.geteuid() == 0 else ""
    arguments = {
        "nginx": ["-p", str(folder), "-c", str(configuration), "-g", f"daemon off;{as_root}"],
        "caddy": ["run", "--config", str(configuration)],
    }
    env = {**os.environ, "XDG_CONFIG_HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen([program(kind) or kind, *arguments[kind]], stdout=log, stderr=log, env=env)
        try:
            _wait_for(port, process, folder / "log")
            yield port
        finally:
            process.terminate()
            process.wait(PATIENCE)


def _configuration(kind: str, port: int, ports: tuple[int, ...]) -> str:
    text = (CONFIGURATIONS / FILES[kind]).read_text("utf-8")
    if len(ports) == 1:
        text = re.sub(rf"( 127\.0\.0\.1:{_PORTS[1]}(?= )|^ *server 127\.0\.0\.1:{_PORTS[1]}.*\n)", "", text, flags=re.MULTILINE)
    for written, wanted in zip((_PROXY, *_PORTS), (port, *ports), strict=False):
        text = re.sub(rf":{written}\b", f":{wanted}", text)
    return text


def _wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        assert process.poll() is None, log.read_text("utf-8", "replace")
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.02)
    raise AssertionError(log.read_text("utf-8", "replace"))


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])
