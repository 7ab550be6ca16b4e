"""What routes need of the app: its settings, its compute thread, its static files, the answers it keeps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from .assets import Assets
from .compute import Compute
from .kept import KeptAnswers
from .runs import Runs
from .settings import Settings


@dataclass(frozen=True)
class State:
    """One of each, made when the app is. `answers` are encoded tensors that were asked for lately."""

    settings: Settings
    compute: Compute
    assets: Assets
    answers: KeptAnswers
    runs: Runs


async def _state(request: Request) -> State:
    state: State = request.app.state.glassformer
    return state


Needs = Annotated[State, Depends(_state)]
