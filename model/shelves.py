"""Where models stand that were trained here: shelves that a program has opened, asked by the catalogue."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from .catalogue import ModelCard

DATA_FOLDER = "~/.local/share/glassformer"
"""Where trainings and their models are kept, unless GLASSFORMER_DATA_FOLDER names another place."""


class Shelf(Protocol):
    """A place with models of its own."""

    def find(self, id: str) -> ModelCard | None:
        """Return the card of a model, or None for an id that is not from here. Raises UnknownNameError for one that is gone."""

    def cards(self) -> list[ModelCard]:
        """Return the newest card of each model, the newest model first."""


class Shelves:
    """The shelves that are open, each until it is closed. Safe to use from many threads."""

    def __init__(self) -> None:
        self._open: list[Shelf] = []
        self._lock = threading.Lock()

    def open(self, shelf: Shelf) -> None:
        """Let the models of a shelf be found."""
        with self._lock:
            self._open.append(shelf)

    def close(self, shelf: Shelf) -> None:
        """Let them be found no more."""
        with self._lock:
            self._open.remove(shelf)

    def find(self, id: str) -> ModelCard | None:
        """Return the card of a model on any shelf."""
        return next((card for shelf in tuple(self._open) if (card := shelf.find(id)) is not None), None)

    def cards(self) -> list[ModelCard]:
        """Return the newest card of each model on any shelf."""
        return [card for shelf in tuple(self._open) for card in shelf.cards()]


SHELVES = Shelves()
