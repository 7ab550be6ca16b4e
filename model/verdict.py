"""The proof of a whole trace: every tensor replayed, the logits of a pass that nobody watched, and torch.nn's layers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .proof import Proof, proof_key, prove
from .reference import Layer, compare_layer, compared_layers, why_not
from .trace import Trace
from .twin import Unwatched, compare_unwatched

PIECE = 2**17
"""About how many cells are replayed in one piece of work: some milliseconds."""
LEAST = 2**13
"""As many cells a tensor counts for at least: what replaying the smallest one costs."""


@dataclass(frozen=True)
class Verdict:
    """What was found when a whole trace was proved.

    `proofs` has one proof for each recomputed tensor, in forward order. `leaves` counts, by kind, what there is nothing to
    recompute from: given, drawn, parameter. `layers` compares with torch.nn; where it is empty, `why_no_layers` says why.
    """

    proofs: tuple[Proof, ...]
    leaves: Mapping[str, int]
    unwatched: Unwatched
    layers: tuple[Layer, ...]
    why_no_layers: str | None

    @property
    def passes(self) -> bool:
        """True when rounding alone explains every difference, and watching made none."""
        return self.unwatched.passes and not self.failures and all(layer.passes for layer in self.layers)

    @property
    def failures(self) -> tuple[Proof, ...]:
        """The tensors whose replay differs by more than rounding."""
        return tuple(proof for proof in self.proofs if not proof.passes)

    @property
    def cells(self) -> int:
        """How many cells were recomputed."""
        return sum(proof.cells for proof in self.proofs)

    @property
    def exact(self) -> int:
        """How many tensors agree to the last bit."""
        return sum(proof.max_abs == 0 for proof in self.proofs)

    @property
    def worst(self) -> Proof:
        """The tensor with the largest relative difference."""
        return max(self.proofs, key=lambda proof: proof.max_rel)


def verify(trace: Trace) -> Verdict:
    """Prove a whole trace, or give the verdict found before."""
    for _ in pieces(trace):
        pass
    return trace.evidence.once("verdict", lambda: _verdict(trace))


def pieces(trace: Trace) -> Iterator[None]:
    """Do the work of `verify`, and yield after each piece of some milliseconds, so that others can go on in between."""
    cells = 0
    for name, record in trace.items():
        if not record.entry.step.leaf and not trace.evidence.holds(proof_key(name)):
            cells += max(LEAST, *(trace[each].value.numel() for each in (name, *record.entry.step.reads)))
            prove(trace, name)
        if cells >= PIECE:
            cells = 0
            yield
    _unwatched(trace)
    yield
    for name in compared_layers(trace):
        _layer(trace, name)
        yield


def _verdict(trace: Trace) -> Verdict:
    proofs = (prove(trace, name) for name in trace)
    leaves = Counter(record.entry.step.kind for record in trace.values() if record.entry.step.leaf)
    return Verdict(
        proofs=tuple(proof for proof in proofs if proof is not None),
        leaves=dict(leaves),
        unwatched=_unwatched(trace),
        layers=tuple(_layer(trace, name) for name in compared_layers(trace)),
        why_no_layers=why_not(trace),
    )


def _unwatched(trace: Trace) -> Unwatched:
    return trace.evidence.once("unwatched pass", lambda: compare_unwatched(trace))


def _layer(trace: Trace, name: str) -> Layer:
    return trace.evidence.once(f"layer {name}", lambda: compare_layer(trace, name))
