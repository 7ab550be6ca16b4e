"""Where lines of the log go: to standard error, from a thread of their own, so that no request waits for one or fails by it."""

from __future__ import annotations

import contextlib
import logging
import os
import queue
import sys
import threading
import time
from collections.abc import Iterator
from types import TracebackType

from ..settings import Settings
from .lines import LineFormatter
from .request import request_id

MOST_LINES = 4096
"""Lines that wait to be written; when nobody takes them any more, later ones are lost, and counted."""
GATHER_SECONDS = 0.02
"""How long a line waits for others to be written with it: waking for each takes the interpreter away from who computes."""
END_SECONDS = 0.5
_LEVELS = {"requests": logging.INFO, "errors": logging.WARNING}
_SERVERS_OWN = ("Exception in ASGI application", "ASGI callable returned without completing response")
"""What the server says of a fault, or of an answer that was cut off, which have their lines already."""


class LineHandler(logging.Handler):
    """Write records as lines to a file descriptor: a full disk, a closed pipe or a sleeping reader costs lines, nothing else."""

    def __init__(self, descriptor: int, form: str) -> None:
        super().__init__()
        self.lost = 0
        self.formatter = LineFormatter(form)
        self._descriptor = descriptor
        self._waiting: queue.Queue[logging.LogRecord | str | None] = queue.Queue(MOST_LINES)
        self._thread = threading.Thread(target=self._write_all, name="log", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        """Let a record be written. One with an exception is turned into its line here, so that no frame is held."""
        try:
            record.request_id = request_id()
            self._waiting.put_nowait(self.format(record) if record.exc_info else record)
        except Exception:  # whatever is wrong with a line, the request goes on
            self.lost += 1

    def flush(self) -> None:
        """Wait until all is written, but not long: perhaps nobody takes it."""
        end = time.monotonic() + END_SECONDS
        while self._waiting.unfinished_tasks and time.monotonic() < end:
            time.sleep(0.002)

    def close(self) -> None:
        """Write what waits, if somebody still takes it."""
        with contextlib.suppress(queue.Full):
            self._waiting.put_nowait(None)
            self._thread.join(END_SECONDS)
        super().close()

    def _write_all(self) -> None:
        while (item := self._waiting.get()) is not None:
            time.sleep(GATHER_SECONDS)
            items = [item, *(self._waiting.get_nowait() for _ in range(self._waiting.qsize()))]
            lines = [self._line(each) for each in items if each is not None]
            try:
                self._write("".join(lines))
            except Exception:
                self.lost += len(lines)
            for _ in items:
                self._waiting.task_done()
            if items[-1] is None:
                break

    def _line(self, item: logging.LogRecord | str) -> str:
        try:
            return (item if isinstance(item, str) else self.format(item)) + "\n"
        except Exception:
            self.lost += 1
            return ""

    def _write(self, text: str) -> None:
        left = text.encode("utf-8", "replace")
        while left:
            left = left[os.write(self._descriptor, left) :]


@contextlib.contextmanager
def logs(settings: Settings, *, descriptor: int = 2) -> Iterator[None]:
    """Let everything that is logged in this process go one way, until the end: our lines, the server's, and faults of threads."""
    form = settings.log_format
    if form == "auto":
        form = "text" if os.isatty(descriptor) else "json"
    off = settings.log == "off"
    handler: logging.Handler = logging.NullHandler() if off else LineHandler(descriptor, form)
    handler.addFilter(_is_news)
    root, ours = logging.getLogger(), logging.getLogger("glassformer")
    before = threading.excepthook, sys.unraisablehook, root.handlers[:], ours.level
    root.handlers[:] = [handler]
    ours.setLevel(_LEVELS.get(settings.log, logging.CRITICAL))
    threading.excepthook = lambda fault: _log_fault("fault of a thread", fault.exc_type, fault.exc_value, fault.exc_traceback)
    sys.unraisablehook = lambda fault: _log_fault("fault while tidying", fault.exc_type, fault.exc_value, fault.exc_traceback)
    try:
        yield
    finally:
        threading.excepthook, sys.unraisablehook, root.handlers[:], level = before
        ours.setLevel(level)
        handler.close()


def flush_logs() -> None:
    """Let what was logged be written before this process is ended."""
    for handler in logging.getLogger().handlers:
        handler.flush()


def lost_lines() -> int:
    """Return how many lines could not be written."""
    return sum(handler.lost for handler in logging.getLogger().handlers if isinstance(handler, LineHandler))


def _is_news(record: logging.LogRecord) -> bool:
    return not str(record.msg).startswith(_SERVERS_OWN)


def _log_fault(event: str, kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
    if error is not None and not issubclass(kind, SystemExit):
        logging.getLogger("glassformer").error(event, exc_info=(kind, error, trace))
