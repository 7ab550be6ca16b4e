"""Where models stand that were trained here: shelves that a program has opened, asked by the catalogue."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from .catalogue import ModelCard

DATA_FOLDER = "~/.local/share/glassformer"
"""Where trainings and their models are kept, unless GLASSFORMER_DATA_FOLDER names another place."""

Sees = Callable[[str], bool]
"""Says of a model's owner ("" for nobody) whether their models stand in the list of whoever asks."""


class Shelf(Protocol):
    """A place with models of its own."""

    def find(self, id: str) -> ModelCard | None:
        """Return the card of a model, or None for an id that is not from here. Raises UnknownNameError for one that is gone."""

    def cards(self, sees: Sees) -> list[ModelCard]:
        """Return the newest card of each model that somebody sees in a list, the newest model first."""


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

    def cards(self, sees: Sees) -> list[ModelCard]:
        """Return the newest card of each model on any shelf that somebody sees in a list."""
        return [card for shelf in tuple(self._open) for card in shelf.cards(sees)]


SHELVES = Shelves()
