"""A browser at work: what the page asks for, in its order, each answer checked against the one before."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .sentences import sentence
from .tally import Tally
from .view import last_row, open_tensor_of, pictures_of
from .wire import Answer, RefusedError, Wire

MODEL = "pig-latin"
MAX_STEPS = 40
_ATTEMPTS = 20


class WrongError(Exception):
    """An answer that must not come, whatever the load: another status, another token, a step twice or not at all."""


@dataclass(frozen=True)
class Shown:
    """When a step was answered, and when all that the page draws of it was there."""

    answered: float
    drawn: float


class Browser:
    """One visitor with one connection, an address of its own where the machine has more than one, and a sentence at a time.

    A rude one does not wait when it is told to come back later.
    """

    def __init__(
        self,
        host: str,
        port: int,
        number: int,
        tally: Tally,
        *,
        model: str = MODEL,
        expected: Mapping[str, Sequence[int]] | None = None,
    ) -> None:
        self.number, self.model = number, model
        self._tally, self._expected = tally, expected or {}
        self.wire = Wire(host, port, visitor=f"load-{number}", source=_address(number))
        self._aside = Wire(host, port, visitor=self.wire.visitor, source=self.wire.source)
        self._proving: asyncio.Task[None] | None = None
        self.turn = -1
        self.decoding = ""
        self.rude = False
        self._step, self._finished = 0, True
        self._prefix: list[int] = []
        self._right: Sequence[int] | None = None

    async def open(self) -> None:
        """Open the page: the list of models, this model, and a run of one's own."""
        await self.ask("/api/models")
        await self.ask(f"/api/models/{self.model}")
        text = sentence(self.number, 0)
        await self.run(text, text)

    async def run(self, src: str, tgt: str) -> dict[str, Any]:
        """Press Run."""
        made = await self.ask("/api/traces", {"model": self.model, "src": [src], "tgt": [tgt]})
        found: dict[str, Any] = made.json()
        _same(found["recipe"]["src"], [src], "the sentence of a run")
        return found

    async def begin(self, max_steps: int = MAX_STEPS) -> None:
        """Start decoding the next sentence."""
        self.turn += 1
        text = sentence(self.number, self.turn)
        made = (await self.ask("/api/decodings", {"model": self.model, "src": [text], "max_steps": max_steps})).json()
        _same(made["recipe"]["src"], [text], "the sentence of a decoding")
        self.decoding, self._step, self._finished, self._prefix = made["id"], 0, False, []
        self._right = self._expected.get(text)

    async def step(self, *, draw: bool = True, prove: bool = False) -> Shown:
        """Take one step, of the next sentence where this one has ended, and fetch all that the page draws of it.

        `prove` asks for the proof of the whole run as well, as the page does when a step has been looked at for a while; nothing
        waits for it.
        """
        if self._finished:
            await self.begin()
        step = (await self.ask(f"/api/decodings/{self.decoding}/steps/{self._step}")).json()
        answered = time.perf_counter()
        self.check(step)
        if draw:
            await self._draw(step)
        if prove and (self._proving is None or self._proving.done()):
            self._proving = asyncio.create_task(self._prove(step["trace"]))
        return Shown(answered, time.perf_counter())

    async def follow(self) -> AsyncIterator[float]:
        """Start decoding the next sentence and follow its stream; give the time at which each step came."""
        await self.begin()
        while True:
            try:
                async for event in self.wire.events(f"/api/decodings/{self.decoding}/events"):
                    if event.kind == "step":
                        _same(event.id, str(self._step), "the id of an event")
                        self.check(event.json())
                        yield event.came
                    elif event.kind != "end":
                        raise WrongError(f"a stream told {event.kind}: {event.data[:200]}")
                break
            except RefusedError as refused:
                await self._wait(refused.answer)
        if not self._finished:
            raise WrongError(f"a stream ended after {self._step} steps, before its last")

    async def leave(self) -> None:
        """Close the page."""
        if self._proving is not None:
            self._proving.cancel()
            await asyncio.gather(self._proving, return_exceptions=True)
        self.wire.close()
        self._aside.close()
        await asyncio.sleep(0)  # the loop closes them

    def check(self, step: Mapping[str, Any]) -> None:
        """Compare a step with the one before it and with what is known; go on behind it."""
        row = step["rows"][0]
        _same(step["step"], self._step, "the number of a step")
        _same([token["id"] for token in row["prefix"]][1:], self._prefix, "the tokens before a step")
        chosen = row["chosen"]["id"]
        if self._right is not None:
            self._tally.compared += 1
            _same(chosen, self._right[self._step], f"token {self._step} of “{sentence(self.number, self.turn)}”")
        self._prefix.append(chosen)
        self._step, self._finished = self._step + 1, step["finished"]

    async def ask(self, target: str, body: Any = None) -> Answer:
        """Ask as the page does: wait as long as the server says where it is busy, and then ask again."""
        attempts = 0
        while self.rude or attempts < _ATTEMPTS:
            attempts += 1
            answer = await (self.wire.get(target) if body is None else self.wire.post(target, body))
            if answer.status == 200:
                return answer
            await self._wait(answer)
        raise WrongError(f"still busy after {_ATTEMPTS} attempts: {target[:80]}")

    async def _draw(self, step: Mapping[str, Any]) -> None:
        trace = step["trace"]
        told = await self.ask(f"/api/traces/{trace}")
        if not told.body.startswith(f'{{"id":"{trace}"'.encode()):
            raise WrongError(f"a trace was asked for and another came: {told.body[:80]!r}")
        await self.ask(pictures_of(trace))
        row = last_row((await self.ask(open_tensor_of(trace))).body)
        _same(row.index(max(row)), self._prefix[-1], "the largest logit of a step's trace")

    async def _prove(self, trace: str) -> None:
        began = time.perf_counter()
        answer = await self._aside.get(f"/api/traces/{trace}/proof")
        if answer.status == 200:
            self._tally.wait("proof", time.perf_counter() - began)
        elif answer.status == 503 and answer.retry_after is not None:
            self._tally.refused += 1
        else:
            self._tally.wrong.append(f"a proof was answered {answer.status}: {answer.body[:200]!r}")

    async def _wait(self, answer: Answer) -> None:
        pause = answer.retry_after
        if answer.status != 503 or pause is None:
            raise WrongError(f"{answer.status}: {answer.body[:200].decode('utf-8', 'replace')}")
        self._tally.refused += 1
        await asyncio.sleep(0 if self.rude else pause)


def _same(found: object, wanted: object, what: str) -> None:
    if found != wanted:
        raise WrongError(f"{what} is {found}, and must be {wanted}")


def _address(number: int) -> str | None:
    """An address of the loopback network for each browser, as each student has one."""
    return f"127.77.{number // 250}.{number % 250 + 1}" if sys.platform == "linux" else None
