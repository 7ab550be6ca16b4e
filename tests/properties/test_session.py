"""Trainings that stop anywhere and go on to the same bits, what they keep, and what they say when they break."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
import torch
from glassformer.model.errors import GlassformerError, UnknownNameError, WeightsError
from glassformer.model.limits import TrainingLimits
from glassformer.model.training.card_file import describe_card, read_card_file
from glassformer.model.training.checkpoint import Checkpoint, checkpoints, kept_steps, thin, write_checkpoint
from glassformer.model.training.divergence import find_broken
from glassformer.model.training.evaluation import evaluate
from glassformer.model.training.exercises import EXERCISES
from glassformer.model.training.pace import Pace
from glassformer.model.training.plan import make_plan
from glassformer.model.training.recipe import TrainingRecipe
from glassformer.model.training.run_folder import RunFolder, all_in
from glassformer.model.training.schedule import Paper
from glassformer.model.training.session import DivergedError, Session

SMALL = {"d_model": 8, "n_heads": 2, "d_ff": 8, "n_layers": 1}
TIED = {**SMALL, "dropout": 0.3, "smoothing": 0.1, "tied_embeddings": True}


def lesson(**changes: Any) -> Any:
    raw = {"task": "reverse", "steps": 30, "batch": 4, "options": SMALL, **changes}
    return make_plan(TrainingRecipe.from_dict(raw), TrainingLimits()).lesson


def advanced(session: Session, steps: int) -> Session:
    for _ in range(steps):
        session.advance()
    return session


def kept(session: Session, folder: Path) -> Checkpoint:
    return write_checkpoint(folder, session, describe_card(session.lesson.card, {}))


def same(first: Session, second: Session) -> bool:
    return all(torch.equal(value, second.weights[name]) for name, value in first.weights.items()) and all(
        torch.equal(value, second.state[name]) for name, value in first.state.items()
    )


# Going on


@pytest.mark.parametrize("options", [SMALL, TIED], ids=["plain", "dropout, smoothing, tied"])
@pytest.mark.parametrize("step", [0, 1, 7, 8, 9])
def test_a_session_taken_up_again_goes_on_to_the_same_bits(tmp_path: Path, step: int, options: dict[str, Any]) -> None:
    taught = lesson(options=options)
    whole = advanced(Session(taught), 12)
    checkpoint = kept(advanced(Session(taught), step), tmp_path)
    resumed = Session(taught)
    checkpoint.restore(resumed)
    assert resumed.step == step
    assert same(advanced(resumed, 12 - step), whole)


def test_looking_at_held_out_pairs_changes_nothing() -> None:
    looked, other = (Session(lesson(options=TIED)) for _ in range(2))
    for _ in range(3):
        looked.advance()
        evaluate(looked)
        other.advance()
    assert same(looked, other)
    assert looked.network.training


def test_dropout_is_thrown_from_the_seed_and_leaves_the_global_random_numbers_alone() -> None:
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    advanced(Session(lesson(options=TIED)), 2)
    assert torch.equal(torch.rand(3), expected)


# What is kept


def test_a_checkpoint_is_there_as_a_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session(lesson())
    kept(session, tmp_path)
    session.advance()
    monkeypatch.setattr("os.fsync", lambda _: (_ for _ in ()).throw(OSError("the disk is full")))
    with pytest.raises(OSError, match="full"):
        kept(session, tmp_path)
    assert [each.step for each in checkpoints(tmp_path)] == [0]


def test_a_checkpoint_that_cannot_be_read_says_so(tmp_path: Path) -> None:
    made = kept(Session(lesson()), tmp_path)
    (made.folder / "state.safetensors").write_bytes(b"no")
    with pytest.raises(WeightsError, match=r"0/state\.safetensors cannot be read"):
        made.restore(Session(lesson()))


@pytest.mark.parametrize("last", [10, 100, 1000])
def test_checkpoints_are_kept_ever_sparser(last: int) -> None:
    steps: set[int] = set()
    for step in range(0, last + 1):
        steps = kept_steps(steps | {step}, 20)
        assert len(steps) <= 20
        assert {0, *range(max(0, step - 5), step + 1)} <= steps
    ages = sorted(last - step for step in steps)
    gaps = [b - a for a, b in zip(ages, ages[1:], strict=False)]
    assert max(gaps[:5]) == 1
    assert all(gap <= max(4, 0.75 * age) for gap, age in zip(gaps, ages[1:], strict=True))


def test_checkpoints_have_a_bound_in_bytes_too(tmp_path: Path) -> None:
    session = Session(lesson())
    for _ in range(10):
        made = kept(session, tmp_path)
        session.advance()
    thin(tmp_path, most=40, most_bytes=8 * made.bytes)
    assert len(checkpoints(tmp_path)) == 8
    thin(tmp_path, most=40, most_bytes=1)
    assert [each.step for each in checkpoints(tmp_path)] == [0, 4, 5, 6, 7, 8, 9]


def test_a_second_writer_is_kept_out_and_readers_see_it(tmp_path: Path) -> None:
    run = RunFolder.make(tmp_path, about={}, recipe=TrainingRecipe("copy"))
    assert not run.locked
    with run.lock():
        assert RunFolder(run.path).locked
    assert not run.locked


def test_the_log_is_cut_where_a_run_goes_on_and_a_half_line_is_left_alone(tmp_path: Path) -> None:
    run = RunFolder.make(tmp_path, about={}, recipe=TrainingRecipe("copy"))
    run.log({"step": step, "loss": 1.0} for step in range(1, 6))
    with (run.path / "log.jsonl").open("a") as file:
        file.write('{"step": 6, "lo')
    assert [point["step"] for point in run.points(after=3)] == [4, 5]
    run.cut_log(4)
    assert [point["step"] for point in run.points()] == [1, 2, 3, 4]
    assert all_in(tmp_path)[0].recipe == TrainingRecipe("copy")


def test_a_card_comes_back_from_its_file_as_it_was() -> None:
    card = lesson(options=TIED).card
    assert read_card_file(describe_card(card, {"task": "reverse"}), id=card.id) == card


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"glassformer": 2}, "reads cards of format 1"),
        ({"config": {}}, "lacks one: vocab_size"),
        ({"config": {"vocab_size": 11, "colour": 1}}, "colour"),
        ({"config": {"vocab_size": 12, "d_model": 8, "n_heads": 2}}, "vocab_size is 12 and the vocabulary has 11"),
        ({"tokenizer": {"unit": "word", "vocabulary": ["a", "b"]}}, "must begin with <pad> and <start>"),
        ({"tokenizer": {"unit": "sound", "vocabulary": []}}, "unit is 'sound'"),
        ({"tokenizer": {"unit": "word", "vocabulary": ["<pad>", "<start>", "<end>", "a", "a"]}}, "stands twice"),
        ({"decode_steps": 0}, "decode_steps is 0"),
        ({"title": "x" * 81}, "title must be text of at most 80"),
        ({"examples": [{"title": "", "src": ["a"], "tgt": []}]}, "as many targets as sources"),
    ],
)
def test_a_card_that_is_none_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(GlassformerError, match=message):
        read_card_file({**describe_card(lesson().card, {}), **change}, id="run")


# Breaking


def test_a_step_that_diverges_changes_nothing_and_says_where_it_broke(tmp_path: Path) -> None:
    session = advanced(Session(lesson(options=TIED)), 2)
    with torch.no_grad():
        session.network.encoder.layers[0].feed_forward.w_1[3, 5] = 1e38
        session.network.encoder.layers[0].feed_forward.w_2[5] = 1e10
    before = {name: value.clone() for name, value in {**session.weights, **session.state}.items()}
    with pytest.raises(DivergedError) as raised:
        session.advance()
    assert raised.value.progress.step == 3
    assert session.step == 2
    assert all(torch.equal(value, before[name]) for name, value in {**session.weights, **session.state}.items())
    broken = find_broken(session)
    assert (broken.step, broken.tensor, broken.gradient) == (3, "encoder.layers.0.feed_forward.out", False)
    assert "stands in encoder.layers.0.feed_forward.out" in broken.says


def test_a_weight_that_is_no_number_is_named_before_what_follows_from_it() -> None:
    session = Session(lesson())
    with torch.no_grad():
        session.network.decoder.layers[0].cross_attn.w_k[1, 2] = math.nan
    with pytest.raises(DivergedError):
        session.advance()
    broken = find_broken(session)
    assert (broken.tensor, broken.cell, broken.value) == ("decoder.layers.0.cross_attn.w_k", (1, 2), "NaN")


# Schedules, pace, tasks


def test_the_papers_schedule_is_equation_3() -> None:
    schedule = Paper(d_model=512, warm_up=4000)
    assert schedule.rate_at(4000) == pytest.approx(6.987712e-4, rel=1e-6)
    assert schedule.rate_at(1) == pytest.approx(512**-0.5 * 4000**-1.5)
    assert schedule.rate_at(16000) == pytest.approx(schedule.rate_at(4000) / 2)


def test_pace_waits_longer_for_what_costs_more() -> None:
    now = [0.0]
    pace = Pace(1.0, 0.02, clock=lambda: now[0])
    assert pace.due
    pace.do(lambda: now.__setitem__(0, 0.1))
    now[0] = 5.0
    assert not pace.due
    now[0] = 5.2
    assert pace.due
    pace.do(lambda: None)
    now[0] = 6.1
    assert not pace.due


@pytest.mark.parametrize(("task", "answer"), [("copy", "5 3 9 3"), ("reverse", "3 9 3 5"), ("sort", "3 3 5 9")])
def test_tasks_on_numbers_mean_what_they_say(task: str, answer: str) -> None:
    tests = EXERCISES[task].task.held_out()["ten numbers"]
    find = {"copy": lambda x: x, "reverse": lambda x: x[::-1], "sort": lambda x: sorted(x, key=int)}[task]
    assert " ".join(find(["5", "3", "9", "3"])) == answer
    assert all(pair.tgt.split() == find(pair.src.split()) for pair in tests)
    assert EXERCISES[task].base.examples[0].tgt[0].split() == find(EXERCISES[task].base.examples[0].src[0].split())


def test_an_unknown_checkpoint_is_named_with_those_there_are(tmp_path: Path) -> None:
    run = RunFolder.make(tmp_path, about={}, recipe=TrainingRecipe("copy"))
    with pytest.raises(UnknownNameError, match="has no checkpoint yet"):
        run.checkpoint()
    kept(Session(lesson()), run.checkpoints_folder)
    with pytest.raises(UnknownNameError, match="keeps no checkpoint of step 5; it keeps those of 0"):
        run.checkpoint(5)
