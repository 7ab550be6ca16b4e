"""Everything that uses torch happens here, in threads of its own, never on the event loop."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import TypeVar
from weakref import WeakKeyDictionary

from ..model.admission import Admission
from ..model.budget import Cost
from ..model.decoding import Decoding, DecodingRecipe, DecodingStep
from ..model.decoding.forced import Beside, compare_forced, forced_recipe
from ..model.decoding.saving import Meter, Saving
from ..model.errors import OutOfMemoryError
from ..model.gradients import Gradients, gradients
from ..model.library import Library
from ..model.proof import Proof, proof_key, prove
from ..model.recipe import Recipe
from ..model.running import run
from ..model.trace import Trace
from ..model.verdict import Verdict, pieces, verify
from .decodings import DecodingStore, Kept
from .queueing.queue import FairQueue
from .settings import Settings
from .store import TraceStore

T = TypeVar("T")
_DONE = object()
LONG_SECONDS = 0.01
"""A run estimated to take longer, and what is asked of its trace, goes to a thread of its own and gives way to shorter ones."""
LONG_BYTES = 2 * 2**20
"""Weights of more bytes take longer than that to make."""
GIVE_WAY_SECONDS = 0.05
"""The longest that such a run waits at one tap, so that it comes to its end whatever else is going on."""
_LONG = "takes long"
_NO_MEMORY = ("not enough memory", "can't allocate memory", "cannot allocate memory", "bad_alloc")


class Compute:
    """The models, traces and decodings in memory, and the threads: one computes, one does what takes long, two write answers.

    What takes long stops at every tap while the first thread is at work, so that hardly ever two compute at once.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._admission = Admission(settings.limits)
        self.models = Library(settings.max_models, settings.model_bytes)
        self.traces = TraceStore(settings.store_bytes)
        self.decodings = DecodingStore(settings.max_decodings, settings.store_bytes // 4)
        self.computing = FairQueue("compute", settings)
        self.long = FairQueue("long", settings, pause=self._give_way)
        self.writing = FairQueue("write", settings, threads=2)
        self._costs: WeakKeyDictionary[Decoding, Cost] = WeakKeyDictionary()

    async def call(self, work: Callable[[], T], *, key: Hashable | None = None, long: bool = False, aside: bool = False) -> T:
        """Run a function in the compute thread, in its turn; see `FairQueue.call`. `long` says that it gives way to others."""
        queue = self.long if long else self.computing
        return await queue.call(partial(self._sparing, work), key=key, aside=aside)

    async def write(self, work: Callable[[], T], *, key: Hashable | None = None) -> T:
        """Run a function that turns results into an answer, beside the compute thread."""
        return await self.writing.call(partial(self._sparing, work), key=key)

    async def trace(self, recipe: Recipe) -> Trace:
        """Return the trace of a recipe, from memory or computed now."""
        found = self.traces.get(recipe.id)
        if found is None:
            found = await self.call(lambda: self._run(recipe), key=("trace", recipe.id))
        if found is None:
            found = await self.call(lambda: self._run(recipe, long=True), key=("trace", recipe.id), long=True)
            assert found is not None
        return found

    async def about(
        self, trace: Trace, work: Callable[[], T], *, key: Hashable | None = None, long: bool = False, aside: bool = False
    ) -> T:
        """Run a function that works something out about a trace, in its turn: that of long runs where it is, or the trace was."""
        return await self.call(work, key=key, long=long or trace.evidence.holds(_LONG), aside=aside)

    async def decoding(self, recipe: DecodingRecipe) -> Decoding:
        """Return a decoding, from memory or begun now; nothing runs yet.

        Raises:
            GlassformerError: the recipe does not fit the model or the limits.
        """
        return (await self._kept(recipe)).decoding

    async def step(self, decoding: Decoding, index: int) -> DecodingStep:
        """Return one step of a decoding, from memory or computed now; those before it are a piece of work each."""
        for each in range(len(decoding.steps), index):
            await self._step(decoding, each)
        return await self._step(decoding, index)

    async def saving(self, decoding: Decoding, index: int) -> Saving:
        """Return what a cache saves at a step; the steps before it are counted as well, one piece of work each."""
        await self.step(decoding, index)
        kept = await self._kept(decoding.recipe)
        long = self._takes_long(kept.decoding)
        if kept.meter is None:
            kept.meter = await self.call(lambda: Meter(kept.decoding, self.models), key=("meter", decoding.recipe.id), long=long)
        meter = kept.meter
        for each in range(meter.known, index + 1):
            await self.call(partial(meter.measure, each), key=("saving", id(meter), each), long=long)
            self._weigh(kept)
        return meter.savings[index]

    async def forced(self, decoding: Decoding, targets: Sequence[str]) -> tuple[Trace, tuple[Beside, ...]]:
        """Return the whole targets beside what the decoding wrote; the trace of the targets is kept like any other."""
        trace = await self.trace(forced_recipe(decoding.recipe, targets))
        return trace, await self.write(lambda: compare_forced(decoding, trace))

    async def gradients(self, trace: Trace) -> Gradients:
        """Return the gradients of a trace's loss, kept with it or worked out now; they weigh as much as the trace."""
        if trace.evidence.holds("gradients"):
            return gradients(trace)
        found = await self.about(trace, lambda: gradients(trace), key=("gradients", trace.id), long=True)
        self.traces.reweigh(trace)
        return found

    async def proof(self, trace: Trace, name: str) -> Proof | None:
        """Return the proof of a tensor, kept with the trace or worked out now."""
        if trace[name].entry.step.leaf or trace.evidence.holds(proof_key(name)):
            return prove(trace, name)
        return await self.about(trace, lambda: prove(trace, name), key=("proof", trace.id, name))

    async def verdict(self, trace: Trace) -> Verdict:
        """Return the proof of a whole trace; it is worked out in pieces, each when nobody waits for anything else.

        The page asks for it by itself while a run is looked at, and it costs what twenty steps do: a class would wait for proofs.
        """
        if not trace.evidence.holds("verdict"):
            work = pieces(trace)
            while await self.about(trace, lambda: next(work, _DONE), aside=True) is not _DONE:
                pass
            await self.about(trace, lambda: verify(trace), key=("verdict", trace.id), aside=True)
        return verify(trace)

    @property
    def waiting(self) -> int:
        """Pieces of work that wait or are computed."""
        return sum(queue.waiting + queue.running for queue in (self.computing, self.long, self.writing))

    @property
    def idle(self) -> bool:
        """True while nothing runs or waits."""
        return self.waiting == 0

    def close(self) -> None:
        """Let the threads end."""
        self.computing.close()
        self.long.close()
        self.writing.close()

    async def _kept(self, recipe: DecodingRecipe) -> Kept:
        kept = self.decodings.get(recipe.id)
        if kept is None:
            made = await self.call(lambda: self._begin(recipe), key=("decoding", recipe.id))
            kept = self.decodings.put(made)
            self._weigh(kept)
        return kept

    async def _step(self, decoding: Decoding, index: int) -> DecodingStep:
        known = decoding.known(index)
        if known is None:
            key, long = ("step", id(decoding), index), self._takes_long(decoding)
            known = await self.call(lambda: self._advance(decoding, index, long=long), key=key, long=long)
            if known is None:
                known = await self.call(lambda: self._advance(decoding, index, long=True), key=key, long=True)
                assert known is not None
            kept = self.decodings.get(decoding.recipe.id)
            if kept is not None:
                self._weigh(kept)
        return known

    def _weigh(self, kept: Kept) -> None:
        self.decodings.reweigh(kept)
        self.traces.share(self.decodings.bytes)

    def _run(self, recipe: Recipe, *, long: bool = False) -> Trace | None:
        """Run a recipe; None for one that takes long, itself or building its model, unless this is the thread for that."""
        found = self.traces.get(recipe.id)
        if found is None:
            cost = self._admission.check_run(recipe)
            if not long and (cost.seconds > LONG_SECONDS or self._builds_long(recipe, cost)):
                return None
            found = run(recipe, self.models)
            self._keep(found, cost)
        return found

    def _keep(self, trace: Trace, cost: Cost) -> None:
        if cost.seconds > LONG_SECONDS:
            trace.evidence.once(_LONG, lambda: True)
        self.traces.put(trace)

    def _builds_long(self, recipe: Recipe | DecodingRecipe, cost: Cost) -> bool:
        return cost.parameter_bytes > LONG_BYTES and not self.models.holds(recipe.model, recipe.options, seed=recipe.seed)

    def _give_way(self) -> float:
        """Wait while something shorter is computed; return for how long."""
        if self.computing.quiet.is_set():
            return 0.0
        began = time.monotonic()
        self.computing.quiet.wait(GIVE_WAY_SECONDS)
        return time.monotonic() - began

    def _begin(self, recipe: DecodingRecipe) -> Decoding:
        cost = self._admission.check_decoding(recipe)
        begun = Decoding(recipe, self.models)
        self._costs[begun] = cost
        return begun

    def _takes_long(self, decoding: Decoding) -> bool:
        """Say whether a step of a decoding does."""
        return self._costs[decoding].seconds > LONG_SECONDS

    def _advance(self, decoding: Decoding, index: int, *, long: bool) -> DecodingStep | None:
        """Take a step; None where building its model takes long and has to come first, unless this is the thread for that."""
        cost = self._costs[decoding]
        if not long and self._builds_long(decoding.recipe, cost):
            return None
        step, trace = decoding.step(index)
        if trace is not None:
            self._keep(trace, cost)
        return step

    def _sparing(self, work: Callable[[], T]) -> T:
        """Do some work; where the machine has no memory for it, drop half of what is kept and say so."""
        try:
            return work()
        except (MemoryError, RuntimeError) as error:
            if not (isinstance(error, MemoryError) or any(words in str(error).lower() for words in _NO_MEMORY)):
                raise
        self.traces.halve()
        self.models.spare()
        raise OutOfMemoryError("the server has no memory left for this; it has dropped half of what it kept, so try again")
