"""Everything that uses torch happens here, in one thread of its own, never on the event loop."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from ..model.batch import make_batch, source_rows
from ..model.budget import check_run, check_sizes, estimate
from ..model.decoding import Decoding, DecodingRecipe, DecodingStep
from ..model.decoding.forced import Beside, compare_forced, forced_recipe
from ..model.decoding.saving import Meter, Saving
from ..model.errors import InputError
from ..model.gradients import Gradients, gradients
from ..model.library import Library, configure, sketch
from ..model.proof import Proof, prove
from ..model.recipe import Recipe
from ..model.running import run
from ..model.trace import Trace
from ..model.verdict import Verdict, pieces, verify
from .errors import BusyError
from .observing_request import Timed
from .settings import Settings
from .store import TraceStore

T = TypeVar("T")
_DONE = object()


class Compute:
    """The models, the traces in memory, the one thread that computes, and two that write what is too large for the loop."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._limits = settings.limits
        self._library = Library(settings.max_models)
        self._decodings: OrderedDict[str, Decoding] = OrderedDict()
        self._meters: dict[str, Meter] = {}
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="compute", initializer=_step_back)
        self._writers = ThreadPoolExecutor(max_workers=2, thread_name_prefix="write", initializer=_step_back)
        self._waiting = 0
        self.traces = TraceStore(settings.store_bytes)

    async def call(self, work: Callable[[], T]) -> T:
        """Run a function in the compute thread.

        Raises:
            BusyError: too many runs wait already.
        """
        if self._waiting >= self._settings.queue:
            raise BusyError(f"{self._waiting} runs are waiting, and no more are let in; try again in a moment")
        self._waiting += 1
        timed = Timed(work)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, timed)
        finally:
            self._waiting -= 1
            timed.note()

    async def write(self, work: Callable[[], T]) -> T:
        """Run a function that turns results into an answer, beside the compute thread."""
        return await asyncio.get_running_loop().run_in_executor(self._writers, work)

    async def trace(self, recipe: Recipe) -> Trace:
        """Return the trace of a recipe, from memory or computed now."""
        id = recipe.id
        found = self.traces.get(id)
        return await self.call(lambda: self._run(recipe)) if found is None else found

    async def decoding(self, recipe: DecodingRecipe) -> Decoding:
        """Return a decoding, from memory or begun now; nothing runs yet.

        Raises:
            GlassformerError: the recipe does not fit the model or the limits.
        """
        if recipe.id not in self._decodings:
            await self.call(lambda: self._check_decoding(recipe))
            self._decodings.setdefault(recipe.id, Decoding(recipe, self._library))  # another may have come meanwhile
            self._drop_decodings()
        self._decodings.move_to_end(recipe.id)
        return self._decodings[recipe.id]

    async def step(self, decoding: Decoding, index: int) -> DecodingStep:
        """Return one step of a decoding, from memory or computed now."""
        known = decoding.known(index)
        return await self.call(lambda: self._step(decoding, index)) if known is None else known

    async def saving(self, decoding: Decoding, index: int) -> Saving:
        """Return what a cache saves at a step; the steps before it are counted as well, one piece of work each."""
        id = decoding.recipe.id
        if id not in self._meters:
            self._meters[id] = await self.call(lambda: Meter(decoding, self._library))
            self._drop_decodings()
        meter = self._meters[id]
        for each in range(meter.known, index):
            await self.call(partial(meter.measure, each))
        return await self.call(partial(meter.measure, index))

    async def forced(self, decoding: Decoding, targets: Sequence[str]) -> tuple[Trace, tuple[Beside, ...]]:
        """Return the whole targets beside what the decoding wrote; the trace of the targets is kept like any other."""
        trace = await self.trace(forced_recipe(decoding.recipe, targets))
        return trace, await self.write(lambda: compare_forced(decoding, trace))

    async def gradients(self, trace: Trace) -> Gradients:
        """Return the gradients of a trace's loss, kept with it or worked out now; they weigh as much as the trace."""
        found = await self.call(lambda: gradients(trace))
        self.traces.reweigh(trace)
        return found

    async def proof(self, trace: Trace, name: str) -> Proof | None:
        """Return the proof of a tensor, kept with the trace or worked out now."""
        return await self.call(lambda: prove(trace, name))

    async def verdict(self, trace: Trace) -> Verdict:
        """Return the proof of a whole trace; it is worked out in pieces, and what others want is computed in between."""
        work = pieces(trace)
        while await self.call(lambda: next(work, _DONE)) is not _DONE:
            pass
        return await self.call(lambda: verify(trace))

    @property
    def waiting(self) -> int:
        """Pieces of work that wait or are computed."""
        return self._waiting

    @property
    def idle(self) -> bool:
        """True while nothing runs or waits."""
        return self._waiting == 0

    def close(self) -> None:
        """Let the compute thread end."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._writers.shutdown(wait=False, cancel_futures=True)

    def _drop_decodings(self) -> None:
        """Drop the least recently used decodings, and what was measured for them, until the rest is within the limits."""
        held = sum(decoding.held_bytes for decoding in self._decodings.values())
        while len(self._decodings) > 1 and (
            len(self._decodings) > self._settings.max_decodings or held > self._settings.store_bytes // 4
        ):
            _, dropped = self._decodings.popitem(last=False)
            held -= dropped.held_bytes
        self._meters = {id: meter for id, meter in self._meters.items() if id in self._decodings}

    def _run(self, recipe: Recipe) -> Trace:
        found = self.traces.get(recipe.id)
        if found is None:
            self._check_run(recipe)
            found = run(recipe, self._library)
            self.traces.put(found)
        return found

    def _step(self, decoding: Decoding, index: int) -> DecodingStep:
        step, trace = decoding.step(index)
        if trace is not None:
            self.traces.put(trace)
        return step

    def _check_run(self, recipe: Recipe) -> None:
        found, config, _ = configure(recipe.model, recipe.options)
        check_sizes(config, self._limits)
        batch = make_batch(found, recipe, max_length=min(config.max_length, self._limits.tokens))
        longest = max(batch.sizes["src"], batch.sizes["tgt"])
        cost = estimate(sketch(config), {**config.sizes, **batch.sizes})
        check_run(cost, self._limits, batch=batch.sizes["batch"], longest=longest)

    def _check_decoding(self, recipe: DecodingRecipe) -> None:
        found, config, _ = configure(recipe.model, recipe.options)
        check_sizes(config, self._limits)
        if recipe.max_steps > self._limits.steps:
            raise InputError(f"max_steps is {recipe.max_steps}; the limit is {self._limits.steps}", where="max_steps")
        rows, _ = source_rows(found, recipe.src, max_length=min(config.max_length, self._limits.tokens))
        batch = len(rows) * recipe.strategy.rows
        if batch > self._limits.batch and recipe.strategy.rows > 1:
            beam = f"{len(rows)} sentences with a beam of {recipe.strategy.rows} are {batch} rows"
            raise InputError(f"{beam}; the limit is {self._limits.batch}", where="strategy.width")
        sizes = {"batch": batch, "src": len(rows[0]), "tgt": min(recipe.max_steps, config.max_length)}
        cost = estimate(sketch(config), {**config.sizes, **sizes})
        check_run(cost, self._limits, batch=batch, longest=sizes["src"])


def _step_back() -> None:
    """Let every other thread of the process go first, where a thread can be told so (Linux)."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), os.getpriority(os.PRIO_PROCESS, 0) + 5)
