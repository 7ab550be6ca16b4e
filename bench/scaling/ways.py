"""The ways of serving that are compared: each is a context that gives the port to ask."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

from ..load.server import running
from .proxies import program, proxy

PROFILE = "classroom"
NO_LIMIT = {"code": "", "trusted_proxies": "127.0.0.1"}
Way = Callable[[], AbstractContextManager[int]]


def ways(ray: str | None) -> Mapping[str, Way]:
    """Return the ways there are on this machine; `ray` is a Python that has Glassformer with Ray, or None."""
    found: dict[str, Way] = {"1 server": lambda: one_server(1), "`--workers 2`": lambda: one_server(2)}
    for kind in ("nginx", "caddy"):
        if program(kind) is not None:
            found |= _behind(kind)
    if ray is not None:
        found |= {f"Ray Serve, {count}": (lambda count=count: on_ray(ray, count)) for count in (1, 2)}
    return found


@contextmanager
def one_server(workers: int) -> Iterator[int]:
    """Serve as a person would, on one port."""
    with running(PROFILE, settings={"workers": workers}) as server:
        yield server.port


def _behind(kind: str) -> dict[str, Way]:
    by_load = {
        "nginx": lambda text: text.replace("hash $recipe consistent;", "least_conn;"),
        "caddy": lambda text: text.replace("lb_policy header X-Recipe", "lb_policy least_conn"),
    }[kind]
    return {
        f"{kind}, 1": lambda: behind(kind, 1),
        f"{kind}, 2": lambda: behind(kind, 2),
        f"{kind}, 2, to the less busy": lambda: behind(kind, 2, by_load),
    }


@contextmanager
def behind(kind: str, count: int, change: Callable[[str], str] = lambda text: text) -> Iterator[int]:
    """Serve with so many servers behind a proxy."""
    with ExitStack() as stack:
        ports = tuple(stack.enter_context(running(PROFILE, settings=NO_LIMIT)).port for _ in range(count))
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="glassformer-proxy-")))
        yield stack.enter_context(proxy(kind, folder, ports, change))


@contextmanager
def on_ray(python: str, replicas: int) -> Iterator[int]:
    """Serve with Ray."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="glassformer-ray-") as folder:
        env = {**os.environ, "GLASSFORMER_DATA_FOLDER": folder}
        command = [python, "-m", "glassformer", "ray", "--profile", PROFILE, "--port", str(port), "--replicas", str(replicas)]
        with (Path(folder) / "log").open("wb") as log:
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=env, cwd=folder)
        try:
            assert process.stdout is not None
            if not any(re.search("Glassformer: http", line) for line in process.stdout):
                raise RuntimeError((Path(folder) / "log").read_text("utf-8", "replace"))
            yield port
        finally:
            process.terminate()
            process.wait()
