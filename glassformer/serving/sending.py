"""What the system still holds of an answer: megabytes, of which a slow client takes a little at a time."""

from __future__ import annotations

import struct
import sys
from typing import Any


def in_system(connection: Any) -> int:
    """Return the bytes that were written to a connection and not yet taken by its other end; 0 where that is not known."""
    if sys.platform != "linux":
        return 0
    import fcntl
    import termios

    try:
        return int(struct.unpack("i", fcntl.ioctl(connection.fileno(), termios.TIOCOUTQ, bytes(4)))[0])
    except (OSError, ValueError):  # closed meanwhile
        return 0
