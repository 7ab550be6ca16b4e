"""The proof of a whole trace, and what is kept with the trace."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
import torch
from glassformer.model.evidence import Evidence
from glassformer.model.proof import prove, source
from glassformer.model.rounding import ROUNDING
from glassformer.model.steps import Softmax
from glassformer.model.trace import Record, Trace
from glassformer.model.verdict import pieces, verify

import glassformer


def made(options: Mapping[str, Any] | None = None, *, src: Any = "dog run cat", tgt: Any = "cat run") -> Trace:
    return glassformer.trace("tiny", src=src, tgt=tgt, options=dict(options or {}))


def test_every_tensor_and_cell_of_a_trace_is_counted() -> None:
    trace = made()
    verdict = verify(trace)
    assert verdict.passes
    assert len(verdict.proofs) + sum(verdict.leaves.values()) == len(trace)
    assert verdict.cells == sum(r.value.numel() for r in trace.values() if not r.entry.step.leaf)
    assert verdict.leaves == {"given": 3, "parameter": sum(r.entry.is_parameter for r in trace.values())}


def test_nothing_is_proved_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    trace = made()
    verdict = verify(trace)
    monkeypatch.setattr("glassformer.model.proof.check", None)
    assert verify(trace) is verdict
    assert prove(trace, "logits") is prove(trace, "logits") is not None
    assert list(pieces(trace)) == [None] * (1 + len(verdict.layers))


def test_a_changed_trace_is_proved_anew() -> None:
    trace = made()
    assert verify(trace).passes
    name = "decoder.layers.0.cross_attn.weights"
    changed = trace[name].value.clone()
    changed[0, 1, 1, 2] += 1e-5
    verdict = verify(replace(trace, records={**trace.records, name: Record(trace[name].entry, changed)}))
    assert [(proof.name, proof.cell) for proof in verdict.failures[:1]] == [(name, (0, 1, 1, 2))]
    assert verdict.failures[0].recorded - verdict.failures[0].replayed == pytest.approx(1e-5, rel=0.02)


def test_many_threads_work_a_thing_out_once() -> None:
    evidence, done, barrier = Evidence(), [], threading.Barrier(8)

    def ask() -> None:
        barrier.wait()
        evidence.once("it", lambda: done.append(None))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(done) == 1


@pytest.mark.parametrize("options", [{}, {"dropout": 0.3, "mode": "train"}, {"tied_embeddings": True, "positions": "learned"}])
def test_watching_changes_no_bit_of_the_logits(options: dict[str, Any]) -> None:
    assert verify(made(options)).unwatched.different == 0


def test_one_bit_of_the_logits_is_seen() -> None:
    trace = made()
    changed = trace.logits.clone()
    changed[0, 0, 0] = torch.nextafter(changed[0, 0, 0], torch.tensor(9.0))
    verdict = verify(replace(trace, records={**trace.records, "logits": Record(trace["logits"].entry, changed)}))
    assert verdict.unwatched.different == 1
    assert not verdict.passes


def test_another_weight_is_no_longer_the_librarys_layer() -> None:
    trace = made()
    name = "encoder.layers.1.feed_forward_residual.norm.gain"
    changed = trace[name].value.clone() * 1.001
    verdict = verify(replace(trace, records={**trace.records, name: Record(trace[name].entry, changed)}))
    assert [layer.name for layer in verdict.layers if not layer.passes] == ["encoder.layers.1"]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"norm_divisor": "n-1"}, "n − 1"),
        ({"norm_eps_inside": False}, "ε"),
        ({"dropout": 0.1, "mode": "train"}, "dice"),
    ],
)
def test_what_the_library_cannot_compute_is_said(options: dict[str, Any], says: str) -> None:
    verdict = verify(made(options))
    assert verdict.layers == ()
    assert says in str(verdict.why_no_layers)
    assert verdict.passes


def test_a_position_without_a_key_is_not_compared_with_the_library() -> None:
    trace = glassformer.trace("copy", src=["999", "3 4"], tgt=["3", "4"])
    assert not trace["masks.cross_attn"].value[0].any()
    verdict = verify(trace)
    assert "NaN" in str(verdict.why_no_layers)
    assert verdict.passes


def test_the_tolerance_follows_from_what_a_step_adds_up() -> None:
    trace = made()
    allowed = {}
    for name in ("self_attn.q", "self_attn.scaled_scores", "feed_forward.out"):
        proof = prove(trace, f"encoder.layers.0.{name}")
        assert proof is not None
        allowed[name] = (proof.allowed.terms, proof.tolerance)
        assert str(proof.allowed.terms) in proof.allowed.says or proof.allowed.terms < 2
    assert allowed["self_attn.q"] == (0, 0)
    assert allowed["self_attn.scaled_scores"] == (1, 8 * ROUNDING)
    assert allowed["feed_forward.out"] == (33, 4 * (1 + 33**0.5) * ROUNDING)


def test_a_lone_dot_product_that_cancels_is_judged_by_its_terms() -> None:
    trace = made({"n_heads": 1}, src="dog", tgt="cat")
    name = "decoder.layers.0.self_attn.scores"
    proof = prove(trace, name)
    assert proof is not None
    q, k = (trace[read].value for read in trace[name].entry.step.reads)
    assert proof.allowed.scale == pytest.approx(float(q.norm(dim=-1).max() * k.norm(dim=-1).max()), rel=1e-5)


def test_the_source_of_a_replay_is_shown() -> None:
    assert source(Softmax).startswith("def replay(")
    assert "torch.exp" in source(Softmax)
