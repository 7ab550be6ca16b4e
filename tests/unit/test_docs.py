"""The generated pages of docs/ say what the code says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
WRITERS = sorted(DOCS.glob("*.py"))


def test_there_are_generated_pages() -> None:
    assert {writer.stem for writer in WRITERS} >= {"tensors", "settings"}


@pytest.mark.parametrize("writer", WRITERS, ids=lambda path: path.stem)
def test_a_generated_page_is_fresh(writer: Path) -> None:
    done = subprocess.run([sys.executable, str(writer), "--check"], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
