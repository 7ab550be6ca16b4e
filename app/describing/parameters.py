"""What is learned, and how much of it there is, as JSON says it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ...model.config import ModelConfig
from ...model.legend import Legend
from ...model.library import sketch
from ...model.paper import VOCABULARY, Comparison, compare, other_than
from ...model.parameters import count_parameters


def parameter_total(config: ModelConfig) -> int:
    """Return how many parameters there are in all."""
    return count_parameters(sketch(config)).total


def describe_parameters(legend: Legend) -> dict[str, Any]:
    """Return the counts: in all, by part, by block, and each weight and bias."""
    parameters = count_parameters(legend)
    return {
        "total": parameters.total,
        "embeddings": parameters.embeddings,
        "without_embeddings": parameters.without_embeddings,
        "blocks": [asdict(block) for block in parameters.blocks],
        "parts": dict(parameters.parts),
        "each": [asdict(counted) for counted in parameters.each],
    }


def compare_with_paper(config: ModelConfig) -> dict[str, Any] | None:
    """Return our count beside the paper's, and beside that of its other model; None for other sizes than the paper's."""
    found = compare(config, sketch(config))
    if found is None:
        return None
    sizes = dict(other_than(found.printed).sizes)
    changed = config.with_options(sizes)
    beside = compare(changed, sketch(changed))
    assert beside is not None, "the paper has two models, in one form"
    return {
        **_comparison(found),
        "items": [asdict(item) for item in found.items],
        "otherwise": [asdict(item) for item in found.otherwise],
        "vocabulary": VOCABULARY,
        "beside": {**_comparison(beside), "options": sizes},
    }


def _comparison(found: Comparison) -> dict[str, Any]:
    return {
        "name": found.printed.name,
        "printed": found.printed.millions * 1_000_000,
        "counted": found.counted,
        "difference": found.difference,
        "rows": list(found.rows),
    }
