"""Server-sent events out of bytes, however they are cut."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Event:
    """One event: its kind, its id if it has one, its data, and when it came."""

    kind: str
    id: str | None
    data: str
    came: float = field(default_factory=time.perf_counter)

    def json(self) -> Any:
        """Read the data as JSON."""
        return json.loads(self.data)


class Events:
    """Collects bytes and gives the events that are complete; comments, which keep a line alive, are passed over."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, content: bytes) -> list[Event]:
        """Return the events that end in these bytes."""
        *blocks, self._rest = (self._rest + content).replace(b"\r\n", b"\n").split(b"\n\n")
        return [event for block in blocks if (event := _read(block.decode())) is not None]


def _read(block: str) -> Event | None:
    fields: dict[str, str] = {}
    for line in block.split("\n"):
        name, _, value = line.partition(":")
        if name:
            fields[name] = f"{fields[name]}\n{value.strip()}" if name == "data" and name in fields else value.strip()
    return Event(fields.get("event", "message"), fields.get("id"), fields["data"]) if "data" in fields else None
