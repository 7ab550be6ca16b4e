"""One of several processes on one port: `python -m glassformer.serving.member SOCKET LINE`, both numbers of open files.

Over the line it reads its settings and says when it serves. When the other end is closed, its parent is gone, and it ends.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import sys
import threading
from typing import IO, TYPE_CHECKING

from ..heap import keep_heap

if TYPE_CHECKING:
    from ..app.settings import Settings

SHARED = ("store_bytes", "answer_bytes", "sending_bytes", "model_bytes")
"""Bounds of memory that hold for all processes together."""


def main() -> None:
    """Serve until told to end."""
    keep_heap()
    listening, line = (socket.socket(fileno=int(number)) for number in sys.argv[1:3])
    told = line.makefile("rb")
    named = json.loads(told.readline())
    threading.Thread(target=_end_with_parent, args=(told, listening), daemon=True).start()

    from ..app.settings import Settings
    from .server import serve  # heavy, and so after this process has started itself again, and looks after its parent

    settings = share(Settings(**named))
    serve(settings, listening, ready=lambda: line.sendall(b"serving\n"))


def share(settings: Settings) -> Settings:
    """Return the settings of one of the processes: its part of the memory."""
    parts = {name: getattr(settings, name) // settings.workers for name in SHARED if name in type(settings).model_fields}
    return settings.model_copy(update=parts)


def _end_with_parent(told: IO[bytes], listening: socket.socket) -> None:
    told.read()
    with contextlib.suppress(OSError):
        listening.shutdown(socket.SHUT_RDWR)  # the port is free at once, whatever else this process does
    from ..app.observing.shared import forget_numbers

    forget_numbers()  # which its parent would have done
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main()
