"""Proofs as JSON says them."""

from __future__ import annotations

from typing import Any

from ...model.catalogue import card
from ...model.proof import Proof, source
from ...model.reference import TOLERANCE
from ...model.steps import Learned
from ...model.trace import Record, Trace
from ...model.verdict import Verdict
from ..answers import number
from .explanations import plain
from .traces import mathml

_LEAVES = {
    "given": "It is what the model is given: nothing made it, so there is nothing to compute again.",
    "drawn": "It is a throw of the dice, from a seed: it follows from no other tensor, so there is nothing to compute again.",
}


def describe_proof(trace: Trace, name: str, proof: Proof | None) -> dict[str, Any]:
    """Return the proof of a tensor, or that it is a leaf and why that needs none."""
    if proof is None:
        return {"name": name, "leaf": True, "says": _why_a_leaf(trace, trace[name])}
    step = trace[name].entry.step
    return {
        **_measured(proof),
        "leaf": False,
        "cells": proof.cells,
        "recorded": plain(proof.recorded),
        "replayed": plain(proof.replayed),
        "scale": number(proof.allowed.scale),
        "terms": proof.allowed.terms,
        "why": proof.allowed.says,
        "reads": list(step.reads),
        "rule": mathml(step.rule),
        "source": source(type(step)),
    }


def describe_verdict(verdict: Verdict) -> dict[str, Any]:
    """Return the proof of a whole trace."""
    return {
        "passes": verdict.passes,
        "tensors": len(verdict.proofs),
        "cells": verdict.cells,
        "exact": verdict.exact,
        "leaves": dict(verdict.leaves),
        "worst": _measured(verdict.worst),
        "failures": [_measured(proof) for proof in verdict.failures],
        "unwatched": {
            "cells": verdict.unwatched.cells,
            "different": verdict.unwatched.different,
            "max_abs": number(verdict.unwatched.max_abs),
            "passes": verdict.unwatched.passes,
        },
        "reference": {
            "layers": [
                {"name": layer.name, "max_abs": number(layer.max_abs), "max_rel": number(layer.max_rel), "passes": layer.passes}
                for layer in verdict.layers
            ],
            "tolerance": TOLERANCE,
            "why_not": verdict.why_no_layers,
        },
    }


def _measured(proof: Proof) -> dict[str, Any]:
    return {
        "name": proof.name,
        "max_abs": number(proof.max_abs),
        "max_rel": number(proof.max_rel),
        "cell": list(proof.cell),
        "tolerance": proof.tolerance,
        "passes": proof.passes,
    }


def _why_a_leaf(trace: Trace, record: Record) -> str:
    if not isinstance(record.entry.step, Learned):
        return _LEAVES[record.entry.step.kind]
    made = card(trace.recipe.model)
    came = "learned in training" if made.trained else "drawn at random, from a seed"
    return f"It is a parameter, {came}: it follows from no other tensor, so there is nothing to compute again."
