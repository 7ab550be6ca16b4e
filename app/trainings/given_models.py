"""Models that whoever runs the server gives it, in a folder of theirs, taken in at its start. Visitors see ids, never paths."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterator
from pathlib import Path

from ...model.errors import GlassformerError

logger = logging.getLogger(__name__)

ENDING = ".safetensors"


def take_in(folder: Path, take: Callable[[bytes, str], None], *, most: int) -> None:
    """Read each file of at most `most` bytes and hand it on with its digest, so that one that is here already is not taken twice.

    What cannot be a model is said in the log, and the others are taken in.
    """
    for path in _files(folder):
        try:
            if (size := path.stat().st_size) > most:
                logger.warning("a file of the models' folder has %d bytes; the limit is %d", size, most)
                continue
            content = path.read_bytes()
            take(content, hashlib.sha256(content).hexdigest())
        except (GlassformerError, OSError) as error:
            logger.warning("a file of the models' folder is left out: %s", error)


def _files(folder: Path) -> Iterator[Path]:
    """Give the files of weights in a folder, without what a link leads out to."""
    try:
        inside = folder.resolve(strict=True)
        found = sorted(inside.glob(f"*{ENDING}"))
    except OSError as error:
        logger.warning("the models' folder cannot be read: %s", error)
        return
    for path in found:
        if path.is_file() and path.resolve().is_relative_to(inside):
            yield path
