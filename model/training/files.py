"""Files that are there whole or not at all, whenever the machine stops."""

from __future__ import annotations

import json
import os
import shutil
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

HALF = ".half"
"""How the name of something begins that is not there as a whole yet, or no more."""


def write_json(path: Path, value: Any, *, lasting: bool = True) -> None:
    """Write JSON beside its place, bring it to the disk, and move it there in one go.

    What does not need to outlast a loss of power (`lasting`) is quicker to write.
    """
    half = path.with_name(f"{HALF}-{os.getpid()}-{threading.get_ident()}-{path.name}")
    content = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    if lasting:
        _to_disk(half, content)
    else:
        half.write_bytes(content)
    half.replace(path)
    if lasting:
        _sync(path.parent)


def read_json(path: Path) -> Any:
    """Read JSON; None where there is no file, or one that a loss of power left empty."""
    try:
        return json.loads(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None


def write_folder(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Make a folder with these files, which is there with all of them or not at all; one that is there already stays."""
    half = folder.with_name(f"{HALF}-{os.getpid()}-{folder.name}")
    shutil.rmtree(half, ignore_errors=True)
    half.mkdir(parents=True)
    for name, content in contents.items():
        _to_disk(half / name, content)
    _sync(half)
    try:
        half.rename(folder)
    except OSError:
        shutil.rmtree(half, ignore_errors=True)
        if not folder.is_dir():
            raise
    _sync(folder.parent)


def remove_folder(folder: Path) -> None:
    """Remove a folder: in one go it no longer has its name, then its files go."""
    gone = folder.with_name(f"{HALF}-{os.getpid()}-{folder.name}-gone")
    try:
        folder.rename(gone)
    except FileNotFoundError:
        return
    shutil.rmtree(gone, ignore_errors=True)


def _to_disk(path: Path, content: bytes) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    """Bring the names in a folder to the disk, where a system can."""
    if os.name == "posix":
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
