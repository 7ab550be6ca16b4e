"""`/api/traces/{id}/proofs` and `/proof`: one tensor, and the whole trace, computed again."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from ...model.recipe import Recipe
from ..describing.proofs import describe_proof, describe_verdict
from ..schemas.base import Error
from ..schemas.proofs import ProofOut, VerdictOut
from ..state import Needs

router = APIRouter(prefix="/api/traces", tags=["traces"], responses={404: {"model": Error}, 503: {"model": Error}})


@router.get("/{id}/proofs/{name}", response_model=ProofOut)
async def get_proof(request: Request, state: Needs, id: str, name: str) -> Response:
    """Recompute one tensor in float64 from its recorded operands and compare."""
    trace = await state.compute.trace(Recipe.from_id(id))
    return state.keep(request, describe_proof(trace, name, await state.compute.proof(trace, name)))


@router.get("/{id}/proof", response_model=VerdictOut)
async def get_verdict(request: Request, state: Needs, id: str) -> Response:
    """Prove the whole trace: every tensor, the logits of a pass that nobody watched, and torch.nn's layers."""
    trace = await state.compute.trace(Recipe.from_id(id))
    return state.keep(request, describe_verdict(await state.compute.verdict(trace)))
