"""What the answer about the queue looks like."""

from __future__ import annotations

from pydantic import BaseModel, Field


class PlaceOut(BaseModel):
    place: int = Field(description="0 is being computed, 1 is next.")


class QueueOut(BaseModel):
    waiting: int = Field(description="Pieces of work that wait, of all visitors.")
    yours: list[PlaceOut] = Field(description="Those of who asks, the next one first.")
    seconds: float = Field(description="About how long until the first of yours is done, or until one that asks now is begun.")
