"""Servers that are ended, killed and kept short of things: each a process of its own, and only our own are touched."""

from __future__ import annotations

import sys

import pytest

collect_ignore_glob = [] if sys.platform == "linux" else ["test_*.py"]
"""/proc, and limits set on a process from outside, are Linux'."""


@pytest.fixture(autouse=True)
def own_data(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test's servers have a data folder of their own."""
    monkeypatch.setenv("GLASSFORMER_DATA_FOLDER", str(tmp_path_factory.mktemp("data")))
