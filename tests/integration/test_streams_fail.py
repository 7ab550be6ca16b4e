"""Steps that fail while they are streamed: the stream says so in words, and the steps before stay as they are."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from calling import Call
from glassformer.model.decoding import passes
from glassformer.model.decoding.decoding import Decoding
from streaming import DECODING, STEPS, WRITTEN, Server, numbers, served


def test_an_allocation_that_fails_ends_the_stream_in_words_and_the_steps_before_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    score = passes.FullPasses.score
    broken = [True]

    def failing(self: Any, fed: Any, *arguments: Any) -> Any:
        if broken[0] and len(fed.prefix[0]) == 6:
            raise RuntimeError("[enforce fail at alloc_cpu.cpp:117] err == 0. DefaultCPUAllocator: can't allocate memory")
        return score(self, fed, *arguments)

    monkeypatch.setattr(passes.FullPasses, "score", failing)

    async def test(server: Server) -> None:
        call = server.stream()
        await call.answer()
        assert numbers(call) == list("01234")
        name, _, data = call.events[-1]
        assert (name, data["error"]["code"], set(data["error"])) == (
            "error",
            "out_of_memory",
            {"code", "message", "where", "request_id"},
        )
        assert data["error"]["request_id"] == call.headers["x-request-id"]
        step = Call(server.app, f"/api/decodings/{server.id}/steps/4")
        await step.answer()
        assert (step.status, step.json()) == (200, call.events[4][2])
        refused = Call(server.app, f"/api/decodings/{server.id}/steps/5")
        await refused.answer()
        assert (refused.status, refused.json()["error"]["code"]) == (503, "out_of_memory")
        assert "retry-after" in refused.headers
        broken[0] = False
        again = server.stream("4")
        await again.answer()
        assert numbers(again) == [str(i) for i in range(5, STEPS)]

    served(test)


@pytest.mark.parametrize("cache", [False, True])
def test_scores_that_are_no_numbers_end_the_stream_in_words(monkeypatch: pytest.MonkeyPatch, cache: bool) -> None:
    """Steps taken again after the fault are those of a decoding without one: nothing of the failed step was kept."""
    advance, run, broken = passes.advance, passes.run, [True]

    def nan_advance(watched: Any, kept: Any, newest: Any) -> Any:
        logits = advance(watched, kept, newest)
        return logits * float("nan") if broken[0] and kept.length == 6 else logits

    def nan_run(recipe: Any, library: Any, **more: Any) -> Any:
        trace = run(recipe, library, **more)
        if broken[0] and trace.sizes["tgt"] == 6:
            trace["log_probs"].value.mul_(float("nan"))
        return trace

    monkeypatch.setattr(passes, "advance", nan_advance)
    monkeypatch.setattr(passes, "run", nan_run)

    async def test(server: Server) -> None:
        call = server.stream()
        await call.answer()
        assert numbers(call) == list("01234")
        assert (call.events[-1][0], call.events[-1][2]["error"]["code"]) == ("error", "not_finite")
        broken[0] = False
        again = server.stream("4")
        await again.answer()
        whole = Call(server.app, f"/api/decodings/{server.id}/result")
        await whole.answer()
        assert whole.json()["sentences"][0]["text"] == WRITTEN

    served(test, decoding=DECODING | {"cache": cache})
    assert not torch.is_inference_mode_enabled()


def test_a_fault_of_our_own_says_nothing_of_the_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Decoding, index: int) -> Any:
        raise KeyError("/secret/place")

    monkeypatch.setattr(Decoding, "step", broken)

    async def test(server: Server) -> None:
        call = server.stream()
        await call.answer()
        [(name, _, data)] = call.events
        assert (name, data["error"]["code"]) == ("error", "internal")
        assert b"secret" not in call.content

    served(test)
