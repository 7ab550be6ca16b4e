"""Who may import whom: the page's side knows nothing of attention, and the network does not know that it is watched."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {"glassformer": "glassformer", "app": "glassformer.app", "model": "glassformer.model"}

NETWORK = ("transformer", "attention", "layers", "ends", "loss", "masks")
NETWORK_MAY = ("config", "taps", "masks", "steps", *NETWORK)
WATCHERS = ("taps", "steps", "recorder", "legend", "trace", "proof", "evidence", "rounding", "reference")
PAGE = ("glassformer.app", "fastapi", "starlette", "uvicorn", "plotly", "jinja2", "typer", "rich")

MODEL_FILES = sorted((ROOT / "model").rglob("*.py"))
WATCHER_FILES = sorted(
    file for name in WATCHERS for place in (f"{name}.py", f"{name}/*.py") for file in (ROOT / "model").glob(place)
)
ROUTE_FILES = sorted([*(ROOT / "app").glob("routes*.py"), *(ROOT / "app").glob("routes*/**/*.py")])


def imports_of(source: str, package: str) -> set[str]:
    """What a file of `package` imports, inside functions too, as absolute names; `from a import b` gives a and a.b."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*parents, *([node.module] if node.module else [])])
            found |= {base} | {f"{base}.{alias.name}" for alias in node.names}
    return found


def imports_in(file: Path) -> set[str]:
    folder, *inner = file.relative_to(ROOT).parent.parts
    return imports_of(file.read_text("utf-8"), ".".join([PACKAGES[folder], *inner]))


def reaching(names: set[str], roots: tuple[str, ...]) -> set[str]:
    return {name for name in names if any(name == root or name.startswith(f"{root}.") for root in roots)}


def test_relative_imports_are_resolved() -> None:
    source = "from ..app import main\nfrom .taps import Tap\nfrom . import steps\ndef f():\n    import torch.nn\n"
    assert imports_of(source, "glassformer.model") == {
        "glassformer.app",
        "glassformer.app.main",
        "glassformer.model.taps",
        "glassformer.model.taps.Tap",
        "glassformer.model",
        "glassformer.model.steps",
        "torch.nn",
    }


@pytest.mark.parametrize("file", MODEL_FILES, ids=lambda file: file.relative_to(ROOT).as_posix())
def test_model_knows_nothing_of_the_page(file: Path) -> None:
    assert not reaching(imports_in(file), PAGE)


@pytest.mark.parametrize("name", NETWORK)
def test_network_does_not_know_that_it_is_recorded(name: str) -> None:
    own = tuple(f"glassformer.model.{module}" for module in NETWORK_MAY)
    allowed = ("torch", *own, *sys.stdlib_module_names)
    imported = imports_in(ROOT / "model" / f"{name}.py")
    assert imported - reaching(imported, allowed) == set()


@pytest.mark.parametrize("file", WATCHER_FILES, ids=lambda file: file.relative_to(ROOT).as_posix())
def test_watching_works_for_any_tapped_module(file: Path) -> None:
    blocks = tuple(f"glassformer.model.{module}" for module in NETWORK if module != "masks")
    assert not reaching(imports_in(file), blocks)


@pytest.mark.parametrize("file", ROUTE_FILES, ids=lambda file: file.relative_to(ROOT).as_posix())
def test_routes_hold_no_tensor_arithmetic(file: Path) -> None:
    assert not reaching(imports_in(file), ("torch", "numpy"))


def test_every_rule_has_files_to_look_at() -> None:
    assert len(MODEL_FILES) > len(NETWORK)
    assert len(WATCHER_FILES) >= len(WATCHERS)
    assert ROUTE_FILES
