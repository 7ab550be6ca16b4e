"""The process that trains: killed at any moment, it goes on from its last checkpoint to the bits of a run that never stopped.

Python and torch take seconds to start, so only what is about a process starts one; the rest calls its main function here.
"""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partialmethod
from pathlib import Path

import pytest
import torch
from glassformer.model.errors import InputError
from glassformer.model.limits import TrainingLimits
from glassformer.model.training.plan import make_plan
from glassformer.model.training.recipe import TrainingRecipe
from glassformer.model.training.run_folder import RunFolder
from glassformer.model.training.runner import Runner
from glassformer.model.training.session import Session
from glassformer.model.training.threads import one_thread
from safetensors.torch import load

from glassformer import worker as working

PAIRS = "one cat | eine Katze\none dog | ein Hund\ntwo cats | zwei Katzen\n"
OPTIONS = {"d_model": 8, "n_heads": 2, "d_ff": 8, "n_layers": 1, "dropout": 0.2}
RECIPE = TrainingRecipe("pairs", pairs=PAIRS, options=OPTIONS, steps=150, batch=2)


@contextmanager
def worker(run: RunFolder, *more: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "glassformer.worker", str(run.path), *more],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            assert pipe is not None
            with suppress(BrokenPipeError):
                pipe.close()


def tell(process: subprocess.Popen[str], command: str) -> None:
    assert process.stdin is not None
    process.stdin.write(json.dumps({"do": command}) + "\n")
    process.stdin.flush()


def hear(process: subprocess.Popen[str], state: str, step: int = 0) -> int:
    assert process.stdout is not None
    for line in process.stdout:
        news = json.loads(line)
        if news["state"] == state and news["step"] >= step:
            return int(news["step"])
    pytest.fail(f"the worker ended before it was {state} at step {step}: {process.stderr and process.stderr.read()}")


def here(monkeypatch: pytest.MonkeyPatch, run: RunFolder, *more: str) -> int:
    """Call the worker's main function in this process, with nobody at its input."""
    monkeypatch.setattr(sys, "argv", ["glassformer.worker", str(run.path), *more])
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    monkeypatch.setattr(os, "nice", lambda more: None)
    return working.main()


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    return RunFolder.make(tmp_path, about={"steps": RECIPE.steps}, recipe=RECIPE)


def test_a_run_that_is_killed_goes_on_to_the_bits_of_one_that_was_not(run: RunFolder) -> None:
    with worker(run) as process:
        hear(process, "running")
        tell(process, "pause")
        kept = hear(process, "paused")
        tell(process, "resume")
        hear(process, "running", step=kept)
        os.kill(process.pid, signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    assert run.status["state"] == "running"
    assert run.state == "interrupted"
    assert run.checkpoint().step < RECIPE.steps

    assert Runner(run, lambda still: None, lambda status: None, limits=TrainingLimits()).run() == "finished"
    whole = Session(make_plan(RECIPE, TrainingLimits()).lesson)
    with one_thread():
        while not whole.finished:
            whole.advance()
    found = load((run.checkpoint(RECIPE.steps).folder / "weights.safetensors").read_bytes())
    assert found.keys() == whole.weights.keys()
    assert all(torch.equal(value, whole.weights[name]) for name, value in found.items())
    steps = [point["step"] for point in run.points() if "loss" in point]
    assert steps == list(range(1, RECIPE.steps + 1))


def test_a_worker_takes_single_steps_and_ends_with_a_checkpoint_when_its_server_is_gone(run: RunFolder) -> None:
    """What is no command changes nothing."""
    with worker(run, "--paused") as process:
        hear(process, "paused")
        assert process.stdin is not None
        process.stdin.write('nonsense\n{"do": "explode"}\n[]\n')
        tell(process, "step")
        assert hear(process, "paused", step=1) == 1
        assert run.locked
        tell(process, "step")
        assert hear(process, "paused", step=2) == 2
        process.stdin.close()
        hear(process, "paused", step=2)
        assert process.wait() == 0
        assert (run.locked, run.state) == (False, "paused")
    assert [each.step for each in run.checkpoints()] == [0, 1, 2]


def test_two_workers_never_advance_the_same_run(run: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    with run.lock():
        monkeypatch.setattr(RunFolder, "lock", partialmethod(RunFolder.lock, seconds=0.05))
        assert here(monkeypatch, run) == working.LOCKED
    assert run.checkpoints() == []


def test_a_run_whose_recipe_no_longer_fits_says_why(run: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError):
        here(monkeypatch, run, "--limits", json.dumps({"steps": 10, "model": {}}))
    assert (run.status["state"], run.status["message"]) == ("failed", "steps is 150; the limit is 10")
