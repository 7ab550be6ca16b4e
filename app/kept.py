"""Encoded answers that many browsers ask for: what a trace holds never changes, so its bytes can be given again."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass


@dataclass(frozen=True)
class Encoded:
    """The body of an answer and its media type."""

    content: bytes
    media_type: str


class KeptAnswers:
    """The most recently used answers, up to `max_bytes` of them. For use on the event loop only."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._answers: OrderedDict[tuple[str, str, str], Encoded] = OrderedDict()
        self._bytes = 0

    def get(self, key: tuple[str, str, str]) -> Encoded | None:
        """Return an answer if it is here. A key is a path, a query and the forms that the client takes."""
        found = self._answers.get(key)
        if found is not None:
            self._answers.move_to_end(key)
        return found

    def put(self, key: tuple[str, str, str], answer: Encoded) -> None:
        """Keep an answer unless it alone would fill a quarter of the room; drop the least recently used ones until all fit."""
        if len(answer.content) > self._max_bytes // 4 or key in self._answers:
            return
        self._answers[key] = answer
        self._bytes += len(answer.content)
        while self._bytes > self._max_bytes:
            _, dropped = self._answers.popitem(last=False)
            self._bytes -= len(dropped.content)
