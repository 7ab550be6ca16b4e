"""Models, traces and decodings as JSON says them."""

from __future__ import annotations

from dataclasses import asdict
from functools import lru_cache
from typing import Any

import orjson
from latex2mathml.converter import convert

from ...model.axes import Axes
from ...model.batch import Rows
from ...model.catalogue import ModelCard, cards
from ...model.config import STRUCTURAL, ModelConfig
from ...model.legend import Entry, Part
from ...model.library import sketch
from ...model.limits import Limits
from ...model.shelves import Sees
from ...model.sizes import size_ranges
from ...model.tokenizers import ListTokenizer, Token
from ...model.trace import Record, Trace
from ...model.training.store import read_card
from ..answers import json_bytes, number
from ..fitting import why_too_large
from .parameters import compare_with_paper, describe_parameters, parameter_total
from .words import AXES, OPTIONS

LONGEST_VOCABULARY = 2000


def describe_models(limits: Limits, sees: Sees = lambda owner: True) -> dict[str, Any]:
    """Return the list of models, of those trained here the ones whose owner is seen; each says what makes it too large here."""
    return {"models": [_model_summary(card) | {"too_large": why_too_large(card, limits)} for card in cards(sees)]}


@lru_cache(maxsize=12)
def describe_model(card: ModelCard, config: ModelConfig, limits: Limits) -> dict[str, Any]:
    """Return all that is known of a model before anything runs. The answer must not be changed."""
    legend = sketch(config)
    ranges = size_ranges(config, limits, trained=card.trained)
    stops = {size.name: size.stops for size in ranges}
    tokenizer = card.tokenizer
    listed = isinstance(tokenizer, ListTokenizer) and tokenizer.vocab_size <= LONGEST_VOCABULARY
    readers = legend.readers
    return {
        "id": card.id,
        "title": card.title,
        "says": card.says,
        "trained": card.trained,
        "unit": tokenizer.unit,
        "seed": card.seed,
        "config": config.as_dict(),
        "options": [
            {
                "name": option.name,
                "choices": list(option.choices or stops[option.name]),
                "value": getattr(config, option.name),
                "says": option.says,
                "structural": option.name in STRUCTURAL,
            }
            for option in OPTIONS
        ],
        "sizes": config.sizes,
        "ranges": [asdict(size) for size in ranges],
        "axes": {name: {"title": axis.title, "says": axis.says} for name, axis in AXES.items()},
        "vocabulary": [tokenizer.token(id).text for id in range(tokenizer.vocab_size)] if listed else None,
        "specials": sorted(tokenizer.token(id).text for id in range(min(8, tokenizer.vocab_size)) if tokenizer.token(id).special),
        "examples": [{"title": example.title, "src": list(example.src), "tgt": list(example.tgt)} for example in card.examples],
        "decode_steps": card.decode_steps,
        "card": read_card(card.id) if card.trained else None,
        "tensors": [_tensor(entry, readers[entry.name]) for entry in legend.entries.values()],
        "formulas": {formula: mathml(formula) for formula in sorted({entry.formula for entry in legend.entries.values()})},
        "tree": _part(legend.root),
        "parameters": describe_parameters(legend),
        "paper": compare_with_paper(config),
    }


def describe_trace(trace: Trace) -> dict[str, Any]:
    """Return a trace without its values; its records are JSON already."""
    trace.summarise()
    batch, pad = trace.batch, trace.config.pad_id
    return {
        "id": trace.id,
        "model": trace.recipe.model,
        "recipe": trace.recipe.as_dict(),
        "bytes": trace.memory_bytes,
        "tokens": {
            "src": describe_tokens(batch.src, pad),
            "tgt": describe_tokens(batch.tgt, pad),
            "labels": None if batch.labels is None else describe_tokens(batch.labels, pad),
        },
        "notices": list(batch.notices),
        "sizes": dict(trace.sizes),
        "records": [_record(record) for record in trace.values()],
    }


@lru_cache(maxsize=512)
def mathml(formula: str) -> str:
    """Return a formula, written in TeX, as MathML; kept, since sizes change none of them."""
    made: str = convert(formula)
    return made


@lru_cache(maxsize=16)
def _model_summary(card: ModelCard) -> dict[str, Any]:
    return {
        "id": card.id,
        "title": card.title,
        "says": card.says,
        "trained": card.trained,
        "parameters": parameter_total(card.config),
        "sizes": card.config.sizes,
        "n_layers": card.config.n_layers,
        "max_length": card.config.max_length,
        "unit": card.tokenizer.unit,
    }


def _tensor(entry: Entry, feeds: tuple[str, ...]) -> dict[str, Any]:
    made: dict[str, Any] = {
        "name": entry.name,
        "block": entry.block,
        **describe_axes(entry.axes),
        "kind": entry.step.kind,
        "formula": entry.formula,
        "says": entry.says,
        "reads": list(entry.step.reads),
        "feeds": list(feeds),
        "parameter": entry.is_parameter,
    }
    if entry.shape is not None:
        made |= {"shape": list(entry.shape), "shared_with": list(entry.shared_with)}
    return made


def describe_axes(axes: Axes) -> dict[str, list[str]]:
    """Return the names of axes, and what each runs over."""
    return {"axes": [axis.name for axis in axes], "over": [axis.over for axis in axes]}


def _part(part: Part) -> dict[str, Any]:
    return {
        "name": part.name,
        "kind": part.kind,
        "title": part.title,
        "says": part.says,
        "mixes": part.mixes,
        "inputs": dict(part.inputs),
        "tensors": list(part.tensors),
        "parts": [_part(inner) for inner in part.parts],
    }


def _record(record: Record) -> orjson.Fragment:
    """Return a record as JSON, which is kept with it: most records of a step are those of the step before.

    It is kept as text, which is as long as it is; orjson's bytes lie in a buffer that was cut from a longer one.
    """
    if "described" not in record.notes:
        record.notes["described"] = orjson.Fragment(json_bytes(_describe_record(record)).decode())
    described: orjson.Fragment = record.notes["described"]
    return described


def _describe_record(record: Record) -> dict[str, Any]:
    summary = record.summary
    return {
        "name": record.name,
        **describe_axes(record.axes),
        "shape": list(record.shape),
        "dtype": record.dtype,
        "reads": list(record.entry.step.reads),
        "summary": {
            "min": number(summary.min),
            "max": number(summary.max),
            "mean": number(summary.mean),
            "std": number(summary.std),
            "finite": summary.finite,
            "zero": summary.zero,
            "nan": summary.nan,
            "positive_infinity": summary.positive_infinity,
            "negative_infinity": summary.negative_infinity,
        },
    }


def describe_tokens(rows: Rows, pad: int) -> list[list[dict[str, Any]]]:
    """Return rows of tokens."""
    return [[describe_token(token, pad) for token in row] for row in rows]


def describe_token(token: Token, pad: int) -> dict[str, Any]:
    """Return a token; `pad` is the padding's id."""
    return {
        "id": token.id,
        "text": token.text,
        "special": token.special,
        "unknown": token.unknown,
        "pad": token.special and token.id == pad,
    }
