"""Which models this server's limits let in at all, said before anybody asks for one."""

from __future__ import annotations

from functools import lru_cache

from ..model.budget import check_run, check_sizes, estimate
from ..model.catalogue import ModelCard
from ..model.errors import GlassformerError
from ..model.library import sketch
from ..model.limits import Limits

SHORTEST = {"batch": 1, "src": 1, "tgt": 1}


@lru_cache(maxsize=256)
def why_too_large(card: ModelCard, limits: Limits) -> str | None:
    """Return which limit forbids a model even its shortest run, with value and limit, or None for one that can be run."""
    config = card.config
    try:
        check_sizes(config, limits)
        check_run(estimate(sketch(config), {**config.sizes, **SHORTEST}), limits, batch=1, longest=1)
    except GlassformerError as error:
        return error.message
    return None
