"""Files that are there whole or not at all, whenever the machine stops."""

from __future__ import annotations

import errno
import json
import os
import shutil
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ..errors import StorageFullError

FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""How a system says that there is no room: on the disk, for this person, for a file of this size."""
SHUT = frozenset({errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOTDIR})
"""How it says that one may not write there at all."""
SHUT_OUT = "the server cannot write to its data folder (GLASSFORMER_DATA_FOLDER)"
HALF = ".half"
"""How the name of something begins that is not there as a whole yet, or no more."""


def write_json(path: Path, value: Any, *, lasting: bool = True) -> None:
    """Write JSON as `write_whole` writes bytes."""
    content = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    write_whole(path, content, lasting=lasting)


def write_whole(path: Path, content: bytes, *, lasting: bool = True) -> None:
    """Write a file beside its place, bring it to the disk, and move it there in one go.

    What does not need to outlast a loss of power (`lasting`) is quicker to write.

    Raises:
        StorageFullError: there is no room; the file is then as it was.
    """
    half = path.with_name(f"{HALF}-{os.getpid()}-{threading.get_ident()}-{path.name}")
    try:
        with room():
            _to_disk(half, content, lasting=lasting)
            half.replace(path)
    finally:
        half.unlink(missing_ok=True)
    if lasting:
        _sync(path.parent)


def append(path: Path, text: str) -> None:
    """Add text to a file, all of it or, where that raises StorageFullError, nothing."""
    with room(), path.open("ab", buffering=0) as file:
        before = file.tell()
        content = memoryview(text.encode())
        try:
            while content:
                content = content[file.write(content) :]
        except OSError:
            with suppress(OSError):
                file.truncate(before)
            raise


def read_json(path: Path) -> Any:
    """Read JSON; None where there is no file, or one that a loss of power left empty."""
    try:
        return json.loads(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None


def write_folder(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Make a folder with these files, which is there with all of them or not at all; one that is there already stays.

    Raises StorageFullError.
    """
    half = folder.with_name(f"{HALF}-{os.getpid()}-{folder.name}")
    shutil.rmtree(half, ignore_errors=True)
    try:
        with room():
            half.mkdir(parents=True)
            for name, content in contents.items():
                _to_disk(half / name, content)
            _sync(half)
            _name(half, folder)
    finally:
        shutil.rmtree(half, ignore_errors=True)
    _sync(folder.parent)


def remove_folder(folder: Path) -> None:
    """Remove a folder: in one go it no longer has its name, then its files go."""
    gone = folder.with_name(f"{HALF}-{os.getpid()}-{folder.name}-gone")
    try:
        with room():
            folder.rename(gone)
    except FileNotFoundError:
        return
    shutil.rmtree(gone, ignore_errors=True)


def bytes_in(folder: Path) -> int:
    """Return what a folder's files take, with those of all folders in it; what goes meanwhile is not counted."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                total += os.lstat(os.path.join(place, name)).st_size
    return total


def _name(half: Path, folder: Path) -> None:
    try:
        half.rename(folder)
    except OSError:
        if not folder.is_dir():
            raise


@contextmanager
def room() -> Iterator[None]:
    """Say in our own words that there is no room, or that one may not write there. Raises StorageFullError."""
    try:
        yield
    except OSError as error:
        if error.errno in FULL:
            raise StorageFullError("there is no room left on the server's disk; what was kept so far stays") from error
        if error.errno in SHUT:
            raise StorageFullError(SHUT_OUT) from error
        raise


def _to_disk(path: Path, content: bytes, *, lasting: bool = True) -> None:
    with path.open("wb", buffering=0) as file:
        left = memoryview(content)
        while left:
            left = left[file.write(left) :]
        if lasting:
            os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    """Bring the names in a folder to the disk, where a system can."""
    if os.name == "posix":
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
