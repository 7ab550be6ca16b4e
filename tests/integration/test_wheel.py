"""The wheel, as someone gets it who has no checkout: everything is in it, and it serves the page."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import pytest
from serving import serving

SOURCES = ("app", "glassformer", "model", "static", "templates", "LICENSE", "README.md", "pyproject.toml")
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.egg-info", ".*")


@pytest.fixture(scope="module")
def wheel(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy, so that no earlier build/ in the checkout can lend it a file."""
    sources, built = tmp_path_factory.mktemp("sources"), tmp_path_factory.mktemp("built")
    for name in SOURCES:
        source = repository / name
        if source.is_dir():
            shutil.copytree(source, sources / name, ignore=LEFT_OUT)
        else:
            shutil.copy(source, sources / name)
    _run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", built, sources])
    (made,) = built.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment outside the checkout, lent by a path file what Glassformer needs, but not the checkout."""
    folder = tmp_path_factory.mktemp("elsewhere")
    _run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"])
    python = folder / "venv" / "bin" / "python"
    _run([sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--no-index", wheel])
    (libraries,) = (folder / "venv" / "lib").glob("python*/site-packages")
    (libraries / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    return folder


@pytest.fixture(scope="module")
def address(installed: Path) -> Iterator[str]:
    with serving([str(installed / "venv" / "bin" / "glassformer")], folder=installed, env=_outside()) as found:
        yield found


def test_wheel_holds_every_file_of_the_packages(wheel: Path, repository: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    places = {"glassformer": "glassformer", **{top: f"glassformer/{top}" for top in ("app", "model", "static", "templates")}}
    expected = {
        f"{place}/{file.relative_to(repository / top).as_posix()}"
        for top, place in places.items()
        for file in (repository / top).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts and not file.name.startswith(".")
    }
    assert held == expected


def test_wheel_s_code_is_what_runs(installed: Path, repository: Path) -> None:
    code = "import glassformer.app, glassformer.model; print(glassformer.app.__file__); print(glassformer.model.__file__)"
    shown = _run([installed / "venv" / "bin" / "python", "-c", code], folder=installed)
    assert all(Path(line).is_relative_to(installed) for line in shown.split())


def test_wheel_serves_the_page_with_all_its_assets(address: str) -> None:
    page = _get(f"{address}/").decode()
    assets = re.findall(r'(?:href|src)="([^"#]+\.(?:css|js|svg|woff2)[^"]*)"', page)
    assert {Path(asset).suffix for asset in assets} >= {".css", ".js"}
    for asset in assets:
        assert _get(urljoin(f"{address}/", asset)), f"{asset} is empty"


def test_wheel_knows_the_models_with_their_weights(address: str) -> None:
    models = {model["id"]: model for model in json.loads(_get(f"{address}/api/models"))["models"]}
    assert {"tiny", "copy", "pig-latin", "paper-base"} <= models.keys()
    assert models["copy"]["trained"]
    assert models["pig-latin"]["trained"]


def _get(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=20) as answer:
        body: bytes = answer.read()
    return body


def _outside() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def _run(command: list[str | Path], *, folder: Path | None = None) -> str:
    done = subprocess.run(command, cwd=folder, env=_outside(), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.fail(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}", pytrace=False)
    return done.stdout
