"""A deadline is looked at at every tap; without one nothing is."""

from __future__ import annotations

import threading
from itertools import count
from types import SimpleNamespace

import pytest
from glassformer.model import deadline as module
from glassformer.model.deadline import Deadline, deadline, keeping, look
from glassformer.model.decoding import Decoding, DecodingRecipe
from glassformer.model.errors import DeadlineError, StoppedError
from glassformer.model.gradients import gradients
from glassformer.model.library import Library
from glassformer.model.recipe import Recipe
from glassformer.model.running import run

RECIPE = Recipe("tiny", ("dog run",), ("dog run",))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a second pass at every look at the clock; other threads of the process keep theirs."""
    seconds = count()
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: float(next(seconds))))


def looks(library: Library) -> int:
    """How often a run looks, and so how many seconds it takes by this clock."""
    limit = Deadline(1e9)
    with keeping(limit):
        run(RECIPE, library)
    return int(module.time.monotonic()) - 1


@pytest.mark.usefixtures("clock")
def test_a_run_ends_at_its_deadline_and_says_how_far_it_came() -> None:
    library = Library()
    library.get("tiny")
    needed = looks(library)
    assert needed > 100, "every tap looks"
    with keeping(Deadline(needed)):
        made = run(RECIPE, library)
    with keeping(Deadline(needed - 1)), pytest.raises(DeadlineError, match="it came as far as loss") as caught:
        run(RECIPE, library)
    assert caught.value.where == [name for name in made if name.startswith("loss.")][-1]
    with keeping(Deadline(10)), pytest.raises(DeadlineError, match=r"longer than 10 s.*as far as src_embed"):
        run(RECIPE, library)


def test_a_run_without_a_deadline_is_the_same_to_the_last_bit() -> None:
    library = Library()
    with keeping(Deadline(3600)):
        watched = run(RECIPE, library)
    assert watched.logits.equal(run(RECIPE, library).logits)
    assert deadline() is None


@pytest.mark.usefixtures("clock")
def test_gradients_look_as_well() -> None:
    made = run(RECIPE, Library())
    with keeping(Deadline(20)), pytest.raises(DeadlineError):
        gradients(made)
    assert not made.evidence.holds("gradients")
    assert gradients(made)


@pytest.mark.usefixtures("clock")
def test_building_and_cached_steps_look_and_leave_nothing_half_done_behind() -> None:
    library = Library()
    with keeping(Deadline(20)), pytest.raises(DeadlineError, match="as far as encoder"):
        library.get("small")
    assert library.entries == 0
    whole = [step.rows for step in Decoding(DecodingRecipe("tiny", ("dog",), 6, cache=True), library)]
    broken = Decoding(DecodingRecipe("tiny", ("dog",), 6, cache=True), library)
    broken.step(2)
    with keeping(Deadline(1)), pytest.raises(DeadlineError, match=r"as far as decoder\.layers\.1"):
        broken.step(3)
    assert [step.rows for step in broken] == whole


def test_a_deadline_is_that_of_its_own_thread_alone() -> None:
    seen: list[Deadline | None] = []
    with keeping(Deadline(1)):
        thread = threading.Thread(target=lambda: seen.append(deadline()))
        thread.start()
        thread.join()
    assert seen == [None]


def test_work_is_stopped_from_another_thread() -> None:
    limit = Deadline()
    with keeping(limit):
        look("a step")
        threading.Thread(target=limit.stop).run()
        with pytest.raises(StoppedError, match="as far as a step"):
            look("a step")


@pytest.mark.usefixtures("clock")
def test_time_in_which_work_gave_way_does_not_count() -> None:
    looked(Deadline(5, pause=lambda: 1.0), times=50)
    other = Deadline(5)
    with pytest.raises(DeadlineError):
        looked(other, times=50)


def looked(limit: Deadline, *, times: int) -> None:
    for _ in range(times):
        limit.check("here")
