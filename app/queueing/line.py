"""The order in which pieces of work get their turn."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterator
from typing import Generic, Protocol, TypeVar

from .visitors import Visitor


class Waiting(Protocol):
    """Something that a visitor waits for."""

    @property
    def visitor(self) -> Visitor:
        """Who waits."""
        ...


P = TypeVar("P", bound=Waiting)
Keys = OrderedDict[str, deque[P]]


class Line(Generic[P]):
    """Pieces by address, visitor and time of asking. Turns go round the addresses, then round the visitors of an address.

    So an address gets no more turns for having many visitors, whose keys it may have made up, nor a visitor for asking often.
    """

    def __init__(self) -> None:
        self._addresses: OrderedDict[str, Keys[P]] = OrderedDict()
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def count(self, address: str) -> int:
        """Return how many pieces an address has in the line."""
        return sum(map(len, self._addresses.get(address, {}).values()))

    def put(self, piece: P) -> None:
        """Add a piece, behind those of its visitor."""
        visitor = piece.visitor
        self._addresses.setdefault(visitor.address, OrderedDict()).setdefault(visitor.key, deque()).append(piece)
        self._length += 1

    def next(self) -> P:
        """Take out the piece whose turn it is."""
        address, keys = next(iter(self._addresses.items()))
        key, pieces = next(iter(keys.items()))
        piece = pieces.popleft()
        self._length -= 1
        self._addresses.move_to_end(address)
        keys.move_to_end(key)
        self._tidy(address, key)
        return piece

    def remove(self, piece: P) -> None:
        """Take a piece out wherever it stands; one that is not here is no mistake."""
        visitor = piece.visitor
        keys = self._addresses.get(visitor.address)
        pieces = keys.get(visitor.key) if keys else None
        if pieces is not None and piece in pieces:
            pieces.remove(piece)
            self._length -= 1
            self._tidy(visitor.address, visitor.key)

    def __iter__(self) -> Iterator[P]:
        """Go through the pieces in the order of their turns."""
        return _in_turn([_in_turn([iter(pieces) for pieces in keys.values()]) for keys in self._addresses.values()])

    def _tidy(self, address: str, key: str) -> None:
        keys = self._addresses[address]
        if not keys[key]:
            del keys[key]
        if not keys:
            del self._addresses[address]


def _in_turn(sources: list[Iterator[P]]) -> Iterator[P]:
    """Take one of each in turn until all are empty."""
    while sources:
        left = []
        for source in sources:
            for piece in source:
                yield piece
                left.append(source)
                break
        sources = left
