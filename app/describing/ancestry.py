"""Ancestries as JSON says them: what adds up to the cell, and what each head adds on the way."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...model.ancestry import TAKEN, Ancestry, Constants, HeadShares, Share
from ..answers import number


def describe_ancestry(ancestry: Ancestry) -> dict[str, Any]:
    """Return an ancestry; where the cell is no weighted sum, `why_not` says why and the rest is empty."""
    return {
        "name": ancestry.name,
        "cell": list(ancestry.cell),
        "start": {"name": ancestry.start, "cell": list(ancestry.start_cell), "value": number(ancestry.value)},
        "says": ancestry.why_not or TAKEN,
        "why_not": bool(ancestry.why_not),
        "sentence": ancestry.sentence,
        "tokens": [_share(share) for share in ancestry.tokens],
        "positions": [_share(share) for share in ancestry.positions],
        "constants": [_constants(constants) for constants in ancestry.constants],
        "heads": [_heads(heads) for heads in ancestry.heads],
        "total": number(ancestry.total),
        "difference": None if ancestry.why_not else number(ancestry.difference),
        "scale": number(ancestry.scale),
    }


def _share(share: Share) -> dict[str, Any]:
    return {
        "name": share.name,
        "over": share.over,
        "values": _numbers(share.values),
        "cells": list(map(list, share.cells)),
        "total": number(share.total),
    }


def _constants(constants: Constants) -> dict[str, Any]:
    return {"block": constants.block, "names": list(constants.names), "value": number(constants.value)}


def _heads(heads: HeadShares) -> dict[str, Any]:
    return {
        "block": heads.block,
        "heads": heads.heads,
        "v": heads.v,
        "over": heads.over,
        "values": _numbers(heads.values),
        "keys": [_numbers(row) for row in heads.keys],
        "cells": list(map(list, heads.cells)),
    }


def _numbers(values: np.ndarray) -> list[float | str | None]:
    return [number(value) for value in values.tolist()]
