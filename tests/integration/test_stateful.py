"""Anything in any order against a server whose store holds next to nothing: what is sent is always the same, to the last byte."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any, ClassVar
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient
from glassformer.app.main import create_app
from glassformer.app.settings import Settings
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule

MIB = 2**20
TINY = Settings(store_bytes=MIB, answer_bytes=4096, max_models=1, max_decodings=2, allow_host="testserver")
NAMES = ["logits", "decoder.layers.0.cross_attn.weights", "encoder.layers.1.self_attn.masked_scores", "src_ids"]
SENTENCES = st.sampled_from(["dog", "cat run", "run dog cat", "dog dog dog dog"])
SETTLE_SECONDS = 10.0
CLIENTS: list[TestClient] = []


@pytest.fixture(scope="module", autouse=True)
def client() -> Iterator[None]:
    with TestClient(create_app(TINY), raise_server_exceptions=False) as made:
        CLIENTS.append(made)
        yield
    CLIENTS.clear()


class Anything(RuleBasedStateMachine):
    """`known` holds, by address, the bytes that were sent first: the only answer there may ever be."""

    traces: Bundle[str] = Bundle("traces")
    decodings: Bundle[str] = Bundle("decodings")
    known: ClassVar[dict[str, bytes]] = {}

    @initialize()
    def forget(self) -> None:
        """Begin with a server that has nothing in memory, like one that has just started."""
        [self._client] = CLIENTS
        self._state = self._client.app.state.glassformer  # type: ignore[attr-defined]
        self._state.compute.decodings.clear()
        while self._state.compute.traces.entries:
            self._state.compute.traces.halve()

    @rule(target=traces, src=SENTENCES, tgt=SENTENCES, model=st.sampled_from(["tiny", "copy"]), seed=st.sampled_from([None, 7]))
    def run(self, src: str, tgt: str, model: str, seed: int | None) -> str:
        body = {"model": model, "src": [src], "tgt": [tgt]} | ({} if seed is None else {"seed": seed})
        answer = self._client.post("/api/traces", json=body)
        assert answer.status_code == 200, answer.text
        return str(answer.json()["id"])

    @rule(trace=traces, name=st.sampled_from(NAMES), form=st.sampled_from(["", ".npy", ".csv"]))
    def fetch(self, trace: str, name: str, form: str) -> None:
        self._same(f"/api/traces/{trace}/tensors/{name}{form}")

    @rule(trace=traces, of=st.sampled_from(["value", "gradient"]))
    def explain(self, trace: str, of: str) -> None:
        self._same(f"/api/traces/{trace}/explanations/logits?cell=0,0,1&of={of}")

    @rule(trace=traces, view=st.sampled_from(["", "/gradients", "/sheet", "/proofs/logits", "/ancestry/probs?cell=0,0,1"]))
    def look(self, trace: str, view: str) -> None:
        self._same(f"/api/traces/{trace}{view}")

    @rule(first=st.integers(0, 1000))
    def evict(self, first: int) -> None:
        """Run so many others that nothing of before is left in memory."""
        for seed in range(first, first + 4):
            assert self._client.post("/api/traces", json={"model": "tiny", "src": "dog", "tgt": "cat", "seed": seed})

    @rule(
        target=decodings,
        src=SENTENCES,
        cache=st.booleans(),
        strategy=st.sampled_from(["greedy", {"kind": "beam", "width": 2}, {"kind": "sample", "seed": 3}]),
    )
    def decode(self, src: str, cache: bool, strategy: Any) -> str:
        body = {"model": "tiny", "src": [src], "max_steps": 5, "cache": cache, "strategy": strategy}
        answer = self._client.post("/api/decodings", json=body)
        assert answer.status_code == 200, answer.text
        return str(answer.json()["id"])

    @rule(decoding=decodings, step=st.integers(0, 7))
    def step(self, decoding: str, step: int) -> None:
        """A step, which its trace, computed anew where it is gone, agrees with."""
        answer = self._same(f"/api/decodings/{decoding}/steps/{step}", finished=step >= 5)
        if answer is not None and step < 5:
            self._same(f"/api/traces/{json.loads(answer)['trace']}/tensors/logits")

    @rule(decoding=decodings, view=st.sampled_from(["result", "tree?to=9", "steps/1/cache", "events"]))
    def follow(self, decoding: str, view: str) -> None:
        self._same(f"/api/decodings/{decoding}/{view}")

    @rule(decoding=decodings, last=st.integers(0, 4))
    def resume(self, decoding: str, last: int) -> None:
        """A stream that goes on gives the end of the whole one, or says that there is nothing more."""
        whole = self._same(f"/api/decodings/{decoding}/events")
        assert whole is not None
        answer = self._client.get(f"/api/decodings/{decoding}/events", headers={"Last-Event-ID": str(last)})
        if answer.status_code == 200:
            assert whole.endswith(answer.content)
            assert whole.count(b"event: step") - answer.content.count(b"event: step") == last + 1
        else:
            assert answer.status_code == (204 if whole.count(b"event: step") == last + 1 else 409)

    @rule(
        id=st.text(max_size=8) | traces.flatmap(lambda id: st.integers(0, len(id) - 1).map(lambda i: id[:i] + "A" + id[i + 1 :]))
    )
    def misspell(self, id: str) -> None:
        """An id that is no recipe is not found; another recipe's is that recipe's, never a fault."""
        answer = self._client.get(f"/api/traces/{quote(id, safe='')}/tensors/logits")
        assert answer.status_code in (200, 400, 404, 422), answer.text

    @invariant()
    def nothing_is_left_over(self) -> None:
        if hasattr(self, "_state"):
            compute = self._state.compute
            ends = time.monotonic() + SETTLE_SECONDS
            while not compute.idle or self._state.streams.open:
                assert time.monotonic() < ends, "something is still under way"
                time.sleep(0.001)
            assert compute.traces.bytes <= MIB or compute.traces.entries == 1
            assert compute.decodings.entries <= 2
            assert compute.models.entries == 1 or compute.models.misses == 0
            assert self._state.answers.bytes <= 4096

    def _same(self, address: str, *, finished: bool = False) -> bytes | None:
        answer = self._client.get(address)
        if answer.status_code in (409, 422) and (finished or "steps/" in address):
            assert answer.json()["error"]["code"] in ("finished", "bad_input")
            return None
        assert answer.status_code == 200, f"{address[:60]}… {address[-40:]}: {answer.text[:300]}"
        assert answer.content == self.known.setdefault(address, answer.content), address
        return bytes(answer.content)


TestAnything = Anything.TestCase
TestAnything.settings = settings(
    max_examples=4,
    stateful_step_count=15,
    derandomize=True,
    deadline=None,
    phases=[Phase.generate],
    report_multiple_bugs=False,
    suppress_health_check=list(HealthCheck),
)
