"""The generated pages of docs/ say what the code says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from glassformer.app.settings import Settings

DOCS = Path(__file__).resolve().parents[2] / "docs"
WRITERS = sorted(DOCS.glob("*.py"))


def test_there_are_generated_pages() -> None:
    assert {writer.stem for writer in WRITERS} >= {"tensors", "settings"}


@pytest.mark.parametrize("writer", WRITERS, ids=lambda path: path.stem)
def test_a_generated_page_is_fresh(writer: Path) -> None:
    done = subprocess.run([sys.executable, str(writer), "--check"], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


def test_the_page_on_security_names_every_setting_and_tests_that_exist() -> None:
    text = (DOCS / "security.md").read_text("utf-8")
    assert {name for name in Settings.model_fields if f"`{name}`" not in text} <= {"profile", "port"}
    folder, missing = "", []
    for found in re.findall(r"`(?:tests/)?((?:integration|unit|browser|process|properties)/(?:[\w/]*/)?)?(test_\w+\.py)", text):
        folder = found[0] or folder
        if not (DOCS.parent / "tests" / folder / found[1]).exists():
            missing.append(folder + found[1])
    assert missing == []
