"""What every kind of test shares: one thread for torch, and a running server."""

from __future__ import annotations

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

# An example may take as long as it takes: machines are shared, and no test asserts a time.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

# No test reads or writes the trainings of the person who runs it.
_data = tempfile.TemporaryDirectory(prefix="glassformer-data-")
os.environ["GLASSFORMER_DATA_FOLDER"] = _data.name

# Tests with other processes, on a machine that others use too: one that fails is run once more, and told of as a rerun.
WITH_OTHERS = ("browser", "integration", "load", "process")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.parent.name in WITH_OTHERS:
            item.add_marker(pytest.mark.flaky(reruns=1, reruns_delay=1))


@pytest.fixture(scope="session")
def repository() -> Path:
    return Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address, without a slash at the end, of the server as a person would start it."""
    with serving([sys.executable, "-m", "glassformer"], folder=tmp_path_factory.mktemp("server")) as address:
        yield address
