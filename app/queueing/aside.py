"""Two lines before the same threads: what somebody waits for goes first, what can wait stands aside until nobody does."""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar

from .line import Line, Waiting
from .visitors import Visitor


class Either(Waiting, Protocol):
    """Something that a visitor waits for, or that stands aside."""

    @property
    def aside(self) -> bool:
        """True for what can wait."""
        ...


P = TypeVar("P", bound=Either)


class Lines(Generic[P]):
    """A line, and another for what stands aside, whose pieces get their turn while the first is empty."""

    def __init__(self) -> None:
        self._first: Line[P] = Line()
        self._aside: Line[P] = Line()

    def __len__(self) -> int:
        return len(self._first) + len(self._aside)

    def of(self, aside: bool) -> Line[P]:
        """Return one of the two."""
        return self._aside if aside else self._first

    def put(self, piece: P) -> None:
        """Add a piece."""
        self.of(piece.aside).put(piece)

    def next(self) -> P:
        """Take out the piece whose turn it is."""
        return (self._first or self._aside).next()

    def remove(self, piece: P) -> None:
        """Take a piece out wherever it stands; one that is not here is no mistake."""
        self.of(piece.aside).remove(piece)

    def standing(self) -> list[tuple[int, Visitor]]:
        """Return the turns at which pieces come if nobody else asks meanwhile, with whose they are; the next turn is 1."""
        return [(place, piece.visitor) for place, piece in enumerate((*self._first, *self._aside), start=1)]
