"""What a file that is taken away is called: as what is in it, by a name that every system can keep and that leads nowhere."""

from __future__ import annotations

import re

_UNFIT = frozenset('/\\:*?"<>|')
_RESERVED = re.compile(r"(?i)con|prn|aux|nul|com\d|lpt\d")
"""What Windows takes for a device, whatever ending follows."""


def file_name(title: str, ending: str, *, otherwise: str) -> str:
    """Return a title as the name of a file.

    Nothing in it is a path, hides the file, is an option of a command or cannot be seen; where nothing is left it is `otherwise`.
    """
    fit = "".join("_" if letter in _UNFIT or not letter.isprintable() else letter for letter in title)
    fit = re.sub(r"^[\s.~-]+|[\s.]+$", "", fit)
    if _RESERVED.fullmatch(fit):
        fit += "_"
    return f"{fit or otherwise}.{ending}"
