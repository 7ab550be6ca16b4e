"""Glassformer: see every number inside a running Transformer.

>>> import glassformer
>>> trace = glassformer.trace("tiny", src=["dog run", "cat run"], tgt=["dog run", "cat run"])
>>> trace["decoder.layers.0.cross_attn.weights"].value.shape
torch.Size([2, 2, 2, 3])
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .model.decoding import Decoding, DecodingStep
    from .model.library import Library
    from .model.proof import Proof
    from .model.trace import Trace
    from .model.verdict import Verdict

__version__ = "0.1.0"
__all__ = ["__version__", "decode", "models", "prove", "trace", "verify"]

_library: Library | None = None


def models() -> tuple[str, ...]:
    """Return the ids of the models that come with Glassformer."""
    from .model.catalogue import CATALOGUE

    return tuple(CATALOGUE)


def trace(
    model: str,
    *,
    src: str | Sequence[str],
    tgt: str | Sequence[str] | None = None,
    prefix: Sequence[Sequence[int]] | None = None,
    options: dict[str, Any] | None = None,
    seed: int | None = None,
) -> Trace:
    """Run a model once and return every tensor of the forward pass.

    Args:
        model: id of a model, see `models()`, or of one trained here, such as `run-1234abcd@500`.
        src: source sentences. tgt: whole target sentences; the decoder's input and the labels follow from them.
        prefix: instead of `tgt`, the decoder's input as token ids, one list a sentence.
        options: changed settings, such as `{"norm": "pre"}`. seed: seed of random weights and dropout.

    Raises:
        glassformer.model.errors.GlassformerError: something asked for does not exist or does not fit.
    """
    from .model.recipe import Recipe
    from .model.running import run
    from .model.shelf import open_own_shelf

    open_own_shelf()
    raw: dict[str, Any] = {"model": model, "src": src, "tgt": tgt, "prefix": prefix, "options": options, "seed": seed}
    return run(Recipe.from_dict({name: value for name, value in raw.items() if value is not None}), _shared_library())


def decode(
    model: str,
    *,
    src: str | Sequence[str],
    max_steps: int | None = None,
    strategy: str | dict[str, Any] = "greedy",
    cache: bool = False,
    options: dict[str, Any] | None = None,
    seed: int | None = None,
) -> Iterator[DecodingStep]:
    """Decode and yield each step; `step.trace` holds all its tensors, computed when it is asked for.

    Args:
        strategy: "greedy", "beam" or "sample", or with settings `{"kind": "beam", "width": 4, "length_penalty": 0.6}`,
            `{"kind": "sample", "temperature": 0.8, "top_k": 5, "top_p": 0.9, "seed": 3}`.
        cache: keep keys and values between steps, so that a step computes only what is new.

    Raises:
        glassformer.model.errors.GlassformerError: something asked for does not exist or does not fit.
    """
    raw = {
        "model": model,
        "src": src,
        "max_steps": max_steps,
        "strategy": strategy,
        "cache": cache,
        "options": options,
        "seed": seed,
    }
    yield from _decoding(raw)


def prove(trace: Trace, name: str) -> Proof | None:
    """Recompute one tensor of a trace in float64 from its operands and compare; None for what was given, drawn or learned."""
    from .model.proof import prove as prove_tensor

    return prove_tensor(trace, name)


def verify(trace: Trace) -> Verdict:
    """Prove a whole trace: every tensor, the logits of a pass that nobody watched, torch.nn's layers with the same weights."""
    from .model.verdict import verify as verify_trace

    return verify_trace(trace)


def _decoding(raw: dict[str, Any]) -> Decoding:
    from .model.decoding import Decoding, DecodingRecipe
    from .model.shelf import open_own_shelf

    open_own_shelf()
    return Decoding(
        DecodingRecipe.from_dict({name: value for name, value in raw.items() if value is not None}), _shared_library()
    )


def _shared_library() -> Library:
    global _library
    if _library is None:
        from .model.library import Library

        _library = Library()
    return _library
