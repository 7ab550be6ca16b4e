"""What routes need of the app: its settings, its compute thread, its static files, the answers it keeps."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import Depends, Request, Response

from .answers import JSON, json_bytes
from .assets import Assets
from .compute import Compute
from .guard.access import Tries
from .kept import Encoded, KeptAnswers
from .observing.gauges import Gauges
from .observing.metrics import Metrics
from .queueing.board import Board
from .queueing.seats import Seats
from .sending import Sending
from .settings import Settings
from .streams import Event, EventStream
from .trainings.runs import Runs


@dataclass(frozen=True)
class State:
    """One of each, made when the app is. `answers` are encoded tensors that were asked for lately.

    `stopping` is set when the server is told to end: streams say so to their readers, and end.
    """

    settings: Settings
    compute: Compute
    assets: Assets
    answers: KeptAnswers
    runs: Runs
    metrics: Metrics
    gauges: Gauges
    tries: Tries
    streams: Seats
    sending: Sending
    board: Board
    stopping: asyncio.Event = field(default_factory=asyncio.Event)

    def stream(self, events: AsyncIterator[Event]) -> EventStream:
        """Answer with events as they come."""
        return EventStream(events, self.streams, heartbeat=self.settings.heartbeat_seconds, stopping=self.stopping)

    def keep(self, request: Request, body: Any) -> Response:
        """Answer with JSON that never changes, and keep it for the next one who asks; bytes are taken as encoded already."""
        answer = Encoded(body if isinstance(body, bytes) else json_bytes(body), JSON)
        self.answers.put(request.scope, answer)
        return answer.answer()


async def _state(request: Request) -> State:
    state: State = request.app.state.glassformer
    return state


Needs = Annotated[State, Depends(_state)]
