"""What a training step teaches, as JSON says it: the sheet of a batch, gradients, and what another logit would do."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from ...model.gradients import GradientCheck, Gradients
from ...model.sheet import Leak, Place, Sheet
from ...model.whatif import Row, WhatIf
from ..answers import number
from .traces import describe_token, describe_tokens

MOST_TOKENS = 200


def describe_sheet(sheet: Sheet, pad: int) -> dict[str, Any]:
    """Return a batch, position by position, and the loss put together."""
    return {
        "src": describe_tokens(sheet.src, pad),
        "sentences": [[_place(place, pad) for place in row] for row in sheet.places],
        "total": number(sheet.total),
        "count": sheet.count,
        "mean": number(sheet.mean),
        "sentence_means": [number(mean) for mean in sheet.sentence_means],
        "mean_of_means": number(sheet.mean_of_means),
        "untrained": sheet.untrained,
        "floor": number(sheet.floor),
        "unshifted": sheet.unshifted,
    }


def describe_gradients(gradients: Gradients) -> dict[str, Any]:
    """Return every gradient without its values."""
    return {
        "id": gradients.trace.id,
        "of": "loss.mean",
        "loss": number(float(gradients.trace["loss.mean"].value)),
        "norm": number(gradients.total),
        "records": [
            {
                "name": name,
                "shape": list(record.shape),
                "parameter": record.entry.is_parameter,
                "norm": number(gradients.norm(name)),
                "rms": number(gradients.rms[name]),
                "mark": gradients.mark(name),
                "summary": {
                    key: number(value) if isinstance(value, float) else value for key, value in asdict(record.summary).items()
                },
            }
            for name, record in gradients.items()
        ],
    }


def describe_check(check: GradientCheck) -> dict[str, Any]:
    """Return one cell of a gradient three ways."""
    numbers = ("recorded", "analytic", "numeric", "lower", "upper", "step", "difference")
    return {"name": check.name, "cell": list(check.cell), "passes": check.passes} | {
        name: number(getattr(check, name)) for name in numbers
    }


def describe_what_if(what_if: WhatIf) -> dict[str, Any]:
    """Return a row as it is and as it would be; of a large vocabulary the likeliest tokens in either, and the changed one."""
    chosen = _chosen(what_if)
    return {
        "cell": list(what_if.cell),
        "tokens": chosen.tolist(),
        "before": _row(what_if.before, chosen),
        "after": _row(what_if.after, chosen),
    }


def _chosen(what_if: WhatIf) -> np.ndarray:
    vocab = what_if.before.logits.size
    if vocab <= MOST_TOKENS:
        return np.arange(vocab)
    likely = np.maximum(what_if.before.probabilities, what_if.after.probabilities) + what_if.before.target
    likely[what_if.cell[2]] = np.inf
    return np.sort(np.argsort(-likely, kind="stable")[:MOST_TOKENS])


def _row(row: Row, chosen: np.ndarray) -> dict[str, Any]:
    return {
        "logits": row.logits[chosen].tolist(),
        "probabilities": row.probabilities[chosen].tolist(),
        "target": row.target[chosen].tolist(),
        "gradient": row.gradient[chosen].tolist(),
        "term": number(row.term),
        "mean": number(row.mean),
    }


def _place(place: Place, pad: int) -> dict[str, Any]:
    return {
        "fed": describe_token(place.fed, pad),
        "sees": list(place.sees),
        "label": describe_token(place.label, pad),
        "counted": place.counted,
        "predicted": describe_token(place.predicted, pad),
        "right": place.right,
        "probability": number(place.probability),
        "log_prob": number(place.log_prob),
        "surprisal": number(place.surprisal),
        "term": number(place.term),
        "share": number(place.share),
        "leak": _leak(place.leak),
    }


def _leak(leak: Leak | None) -> dict[str, Any] | None:
    return None if leak is None else {"name": leak.name, "cell": list(leak.cell), "weight": number(leak.weight)}
