"""How a line of the log looks: JSON for machines, columns for a terminal. What people typed has no way in.

Of an exception the types and the lines of code are written, never the message, which may quote a request; of what a library logs
only the first words.
"""

from __future__ import annotations

import json
import logging
import re
import traceback
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.style import Style

_OURS = "glassformer"
_PACKAGE = Path(__file__).resolve().parents[2]
_FOREIGN_WORDS = re.compile(r"[\w ,.:/-]{0,120}")
"""The beginning of a message before anything that is quoted, called or taken apart."""
_MOST_FRAMES = 30
_COLOURS = {"debug": "dim", "info": "green", "warning": "yellow", "error": "bold red", "critical": "bold red"}


def facts_of(record: logging.LogRecord) -> dict[str, Any]:
    """Return what a line says, in its order."""
    said: dict[str, Any] = {
        "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "level": record.levelname.lower(),
        "event": _event(record),
    }
    if request_id := getattr(record, "request_id", ""):
        said["request_id"] = request_id
    said |= getattr(record, "facts", {})
    if record.exc_info and record.exc_info[1]:
        said["exception"] = describe_exception(record.exc_info[1])
    return said


def describe_exception(error: BaseException) -> list[dict[str, Any]]:
    """Return an exception and what it came from, the latest first: types and places in the code, no values."""
    described, seen = [], set[int]()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        frames = traceback.extract_tb(current.__traceback__)[-_MOST_FRAMES:]
        places = [f"{_short(frame.filename)}:{frame.lineno} {frame.name}" for frame in frames]
        described.append({"type": type(current).__qualname__, "at": places})
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
    return described


def json_line(said: Mapping[str, Any]) -> str:
    """Return a line of JSON in ASCII: whatever turns a terminal's or a viewer's text round is escaped."""
    return json.dumps(said, ensure_ascii=True, separators=(",", ":"), default=str).replace("\x7f", "\\u007f")


def text_line(said: Mapping[str, Any], *, colour: bool) -> str:
    """Return a line of text, by the clock on the wall, and one for each place of an exception."""
    rest = {name: value for name, value in said.items() if name not in ("time", "level", "event", "exception", "request_id")}
    clock = datetime.fromisoformat(said["time"]).astimezone().isoformat(timespec="milliseconds")[11:23]
    paint = _paint if colour else _plain
    if said["event"] == "request":
        head = [_request(rest, said["level"], paint)]
    else:
        head = [paint(f"{said['level']:<8}", _COLOURS.get(said["level"], "")), paint(str(said["event"]), "bold")]
    pairs = [f"{paint(name, 'dim')}{paint('=', 'dim')}{_safe(value)}" for name, value in rest.items() if value is not None]
    pairs += [paint(str(said["request_id"]), "dim")] if "request_id" in said else []
    lines = [" ".join([paint(clock, "dim"), *head, *pairs])]
    for error in said.get("exception", ()):
        lines += [f"    {error['type']}", *(f"        {_safe(place)}" for place in error["at"])]
    return "\n".join(lines)


class LineFormatter(logging.Formatter):
    """Write a record as JSON or as text."""

    def __init__(self, form: str) -> None:
        super().__init__()
        self._form = form
        self._colour = form == "text" and Console(stderr=True).color_system is not None

    def format(self, record: logging.LogRecord) -> str:
        said = facts_of(record)
        return json_line(said) if self._form == "json" else text_line(said, colour=self._colour)


def _event(record: logging.LogRecord) -> str:
    if record.name.partition(".")[0] == _OURS:
        given = record.args if isinstance(record.args, tuple) else ()
        return str(record.msg) % tuple(_named(value) for value in given) if given else str(record.msg)
    found = _FOREIGN_WORDS.match(str(record.msg))
    return f"{record.name}: {found[0].strip() if found else ''}"


def _named(value: object) -> object:
    """Return a value of a message; for an exception its type, and the system's words where it is the system's."""
    if isinstance(value, BaseException):
        return getattr(value, "strerror", None) or type(value).__name__
    return value


def _short(name: str) -> str:
    """Return a file's name as it is in the package or the library, without the folders of this machine."""
    path = Path(name)
    if path.is_relative_to(_PACKAGE):
        return path.relative_to(_PACKAGE).as_posix()
    return "/".join(path.parts[-2:])


def _request(rest: dict[str, Any], level: str, paint: Any) -> str:
    """Return the columns of a request, and leave what has none."""
    status, method, route = rest.pop("status"), rest.pop("method"), rest.pop("route")
    id, size, took = rest.pop("id", ""), rest.pop("bytes"), rest.pop("ms")
    colour = "green" if status < 400 else "cyan" if level == "info" else _COLOURS[level]
    columns = [paint(str(status), colour), f"{method:<6}", f"{took:8.1f} ms", f"{_bytes(size):>9}", route, paint(id, "magenta")]
    return " ".join(column for column in columns if column)


def _bytes(count: int) -> str:
    return f"{count} B" if count < 1000 else f"{count / 1e3:.1f} kB" if count < 1e6 else f"{count / 1e6:.1f} MB"


def _paint(text: str, style: str) -> str:
    return Style.parse(style).render(text) if text and style else text


def _plain(text: str, style: str) -> str:
    return text


def _safe(value: object) -> str:
    return "".join(letter if letter.isprintable() else f"\\u{ord(letter):04x}" for letter in str(value))
