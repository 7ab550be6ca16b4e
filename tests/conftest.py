"""What every kind of test shares: one thread for torch, and a running server."""

from __future__ import annotations

import gc
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from serving import serving
from witness import nothing_lost as nothing_lost

# Before anything imports torch: several processes share the cores, and two threads of torch each slow all of them down.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Dozens of servers are started: what the first one compiles, the others read, whatever the machine is set to.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# An example may take as long as it takes: machines are shared, and no test asserts a time.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

# No test reads or writes the trainings of the person who runs it.
_data = tempfile.TemporaryDirectory(prefix="glassformer-data-")
os.environ["GLASSFORMER_DATA_FOLDER"] = _data.name

# Tests with other processes, or sockets between threads, on a machine that others use too: one that fails is run once more, and
# told of as a rerun.
WITH_OTHERS = ("browser", "integration", "load", "process", "serving")

LONGEST_FIRST = ("browser", "process", "load", "integration", "properties", "serving", "js")
"""Folders in the order in which they are run, all others after them: the last files are short, so that no process of the suite
has long to wait for the others."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=_place)
    for item in items:
        if item.path.parent.name in WITH_OTHERS:
            item.add_marker(pytest.mark.flaky(reruns=1, reruns_delay=1))


def pytest_collection_finish() -> None:
    """What modules and tests are made of is no garbage: looking through it takes tenths of a second each time."""
    gc.freeze()


def _place(item: pytest.Item) -> int:
    folder = item.path.parent.name
    return LONGEST_FIRST.index(folder) if folder in LONGEST_FIRST else len(LONGEST_FIRST)


@pytest.fixture(scope="session")
def repository() -> Path:
    return Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address, without a slash at the end, of the server as a person would start it."""
    with serving([sys.executable, "-m", "glassformer"], folder=tmp_path_factory.mktemp("server")) as address:
        yield address
