"""Decodings as JSON says them: steps, hypotheses, what was written, what the cache saves, and both ways of feeding."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from ...model.batch import Rows
from ...model.decoding import Beam, Candidate, Decoding, DecodingRecipe, DecodingStep, Node, Row, Strategy
from ...model.decoding.forced import Beside, Fed, Position
from ...model.decoding.saving import Saving
from ...model.trace import Trace
from ..answers import number
from .strategies import PENALTY
from .traces import describe_token, describe_tokens, mathml

_SUM = r"\ln P(Y) = \sum_t \ln p(y_t)"


def describe_decoding(recipe: DecodingRecipe, rows: Rows, notices: Iterable[str], pad: int) -> dict[str, Any]:
    """Return a decoding before its first step."""
    return {
        "id": recipe.id,
        "model": recipe.model,
        "recipe": recipe.as_dict(),
        "max_steps": recipe.max_steps,
        "strategy": describe_strategy(recipe.strategy),
        "cache": recipe.cache,
        "tokens": {"src": describe_tokens(rows, pad)},
        "notices": list(notices),
    }


def describe_strategy(strategy: Strategy) -> dict[str, Any]:
    """Return a strategy with all its settings."""
    return {"kind": strategy.kind, **vars(strategy)}


def describe_step(step: DecodingStep, pad: int) -> dict[str, Any]:
    """Return one step of a decoding."""
    return {
        "step": step.index,
        "finished": step.finished,
        "trace": step.recipe.id,
        "recipe": step.recipe.as_dict(),
        "rows": [_row(row, pad) for row in step.rows],
        "nodes": [_node(node, pad) for node in step.nodes],
    }


def describe_tree(decoding: Decoding, pad: int) -> dict[str, Any]:
    """Return all hypotheses so far, with what became of them."""
    steps, strategy = decoding.steps, decoding.recipe.strategy
    return {
        "steps": len(steps),
        "finished": bool(steps) and steps[-1].finished,
        "strategy": describe_strategy(strategy),
        "rule": mathml(PENALTY if isinstance(strategy, Beam) else _SUM),
        "divisors": [strategy.penalty(length) for length in range(len(steps) + 1)] if isinstance(strategy, Beam) else None,
        "nodes": [_node(node, pad) for node in decoding.nodes],
        "best": [decoding.best(sentence).id for sentence in range(len(decoding.recipe.src))],
        "traces": [step.recipe.id for step in steps],
    }


def describe_result(decoding: Decoding, pad: int) -> dict[str, Any]:
    """Return what was written, sentence by sentence, with the log-probability of every token."""
    return {
        "steps": len(decoding.steps),
        "strategy": describe_strategy(decoding.recipe.strategy),
        "sentences": [_sentence(decoding, sentence, pad) for sentence in range(len(decoding.recipe.src))],
    }


def describe_saving(saving: Saving) -> dict[str, Any]:
    """Return what the cache saves at a step."""
    return {
        "step": saving.step,
        "layers": [{**vars(layer), "shape": list(layer.shape)} for layer in saving.layers],
        "bytes": saving.bytes,
        "full": saving.full,
        "cached": saving.cached,
        "full_total": saving.full_total,
        "cached_total": saving.cached_total,
        "max_abs": number(saving.max_abs),
        "cell": list(saving.cell),
        "positions": saving.positions,
        "changed": saving.changed,
    }


def describe_forced(trace: Trace, sentences: Iterable[Beside], pad: int) -> dict[str, Any]:
    """Return teacher forcing beside free running."""
    return {
        "trace": trace.id,
        "sentences": [
            {"positions": [_position(place, pad) for place in each.positions], "parts": each.parts, "differs": each.differs}
            for each in sentences
        ],
    }


def _row(row: Row, pad: int) -> dict[str, Any]:
    return {
        "sentence": row.sentence,
        "node": row.node,
        "prefix": [describe_token(token, pad) for token in row.prefix],
        "chosen": None if row.chosen is None else describe_token(row.chosen, pad),
        **_likely(row.chosen_log_prob),
        "total": number(row.total),
        "margin": number(row.margin),
        "tied": row.tied,
        "draw": number(row.draw),
        "top": [_candidate(candidate, pad) for candidate in row.top],
        "text": row.text,
        "done": row.done,
        "reason": row.reason,
    }


def _candidate(candidate: Candidate, pad: int) -> dict[str, Any]:
    made = {"token": describe_token(candidate.token, pad), "logit": number(candidate.logit), **_likely(candidate.log_prob)}
    if candidate.chance is not None:
        made |= {"tempered": number(candidate.tempered), "cut": candidate.cut, "chance": number(candidate.chance)}
    return made


def _node(node: Node, pad: int) -> dict[str, Any]:
    numbers = {name: number(getattr(node, name)) for name in ("log_prob", "total", "score")}
    return {**vars(node), "token": describe_token(node.token, pad), **numbers}


def _sentence(decoding: Decoding, sentence: int, pad: int) -> dict[str, Any]:
    best = decoding.best(sentence)
    path = decoding.path(best)[1:]
    return {
        "text": decoding.text(best),
        "written": [_written(decoding, node, pad) for node in path],
        "total": number(best.total),
        "score": number(best.score),
        "length": best.length,
        "reason": best.fate if best.fate in ("end", "length") else None,
        "node": best.id,
        "trace": decoding.steps[best.step].recipe.id if path else None,
        "row": best.row,
    }


def _written(decoding: Decoding, node: Node, pad: int) -> dict[str, Any]:
    step = decoding.steps[node.step]
    return {"token": describe_token(node.token, pad), **_likely(node.log_prob), "trace": step.recipe.id, "row": node.row}


def _position(place: Position, pad: int) -> dict[str, Any]:
    return {
        "forced": _fed(place.forced, pad),
        "free": _fed(place.free, pad),
        "label": None if place.label is None else describe_token(place.label, pad),
    }


def _fed(fed: Fed | None, pad: int) -> dict[str, Any] | None:
    if fed is None:
        return None
    return {"fed": describe_token(fed.fed, pad), "predicted": describe_token(fed.predicted, pad), **_likely(fed.log_prob)}


def _likely(log_prob: float) -> dict[str, Any]:
    return {"log_prob": number(log_prob), "probability": number(math.exp(log_prob))}
