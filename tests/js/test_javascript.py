"""Runs every tests/js/*.test.js with the Node that Playwright's wheel carries; nobody has to install one."""

from __future__ import annotations

import subprocess
from pathlib import Path

import playwright
import pytest

FOLDER = Path(__file__).resolve().parent
FILES = sorted(FOLDER.rglob("*.test.js"))
SECONDS = 60


@pytest.fixture(scope="session")
def node() -> Path:
    driver = Path(playwright.__file__).parent / "driver"
    found = next((path for path in (driver / "node", driver / "node.exe") if path.exists()), None)
    assert found is not None, f"playwright carries no Node in {driver}"
    return found


@pytest.mark.parametrize("file", FILES, ids=[file.relative_to(FOLDER).as_posix() for file in FILES])
def test_javascript(file: Path, node: Path) -> None:
    run = subprocess.run(
        [
            node,
            "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON",
            "--test",
            "--test-isolation=none",
            "--test-reporter=spec",
            file,
        ],
        cwd=FOLDER,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    if run.returncode != 0:
        pytest.fail(f"{run.stdout}{run.stderr}", pytrace=False)
    assert f"✔ {file}" not in run.stdout, f"{file.name} holds no test: Node counts the file itself as one"
