"""What several processes of one server share so that their numbers add up: a folder, and the key that ids are shortened with."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from prometheus_client import CollectorRegistry
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from .layer import LOG_KEY
from .metrics import Metrics

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""Where prometheus_client looks, when it is imported, for the folder that processes share."""

MEMORY = "/dev/shm"


@contextlib.contextmanager
def shared_numbers() -> Iterator[None]:
    """Let the processes that are started meanwhile count together; the folder goes when they have gone.

    It is in memory where there is such a place: processes map its files, and one that maps a file of a full disk is killed.
    """
    place = MEMORY if os.access(MEMORY, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="glassformer-metrics-", dir=place) as folder:
        os.environ[FOLDER], os.environ[LOG_KEY] = folder, secrets.token_hex(16)
        try:
            yield
        finally:
            del os.environ[FOLDER], os.environ[LOG_KEY]


def shared_folder() -> str | None:
    """Return the folder where this process is one of several that count together, else None."""
    return os.environ.get(FOLDER)


def are_shared() -> bool:
    """Say whether this process is one of several that count together."""
    return shared_folder() is not None


def forget_numbers() -> None:
    """Take the folder away for a parent that cannot do so any more."""
    if are_shared():
        shutil.rmtree(os.environ[FOLDER], ignore_errors=True)


def registry_of(metrics: Metrics) -> CollectorRegistry:
    """Return what is to be written: this process's numbers, or those of all with what is left of the ones that ended."""
    if not are_shared():
        return metrics.registry
    folder = Path(os.environ[FOLDER])
    for pid in {int(file.stem.rpartition("_")[2]) for file in folder.glob("gauge_live*.db")}:
        if not _lives(pid):
            mark_process_dead(pid, os.fspath(folder))  # type: ignore[no-untyped-call]
    registry = CollectorRegistry()
    MultiProcessCollector(registry, os.fspath(folder))  # type: ignore[no-untyped-call]
    return registry


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
