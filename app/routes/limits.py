"""`/api/limits`: how large a model, a run, a request or an answer may be here."""

from __future__ import annotations

from fastapi import APIRouter

from ..settings_told import told
from ..state import Needs

router = APIRouter(tags=["server"])


@router.get("/api/limits")
async def get_limits(state: Needs) -> dict[str, bool | int | float | str]:
    """Say how large a model, a run, a request or an answer may be, and what is switched off; seconds and bytes."""
    return told(state.settings)
