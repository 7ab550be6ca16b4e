"""One step of Adam written out, held against torch.optim.Adam, and the paper's learning rate against its equation 3."""

from __future__ import annotations

import math

import pytest
import torch
from glassformer.model.batch import ids_of
from glassformer.model.errors import InputError, UnknownNameError
from glassformer.model.library import Library
from glassformer.model.optimiser import AdamStep, first_step, whole_step
from glassformer.model.trace import Trace
from glassformer.model.training.schedule import Paper, curve

import glassformer


@pytest.fixture(scope="module")
def trace() -> Trace:
    return glassformer.trace("tiny", src=["dog run", "cat"], tgt=["dog run cat", "cat"])


@pytest.mark.parametrize("gradients", [[0.3], [1e-12], [0.0], [-2.0, 0.5, 0.25], [0.1] * 20])
def test_a_step_is_that_of_torch(gradients: list[float]) -> None:
    weight = torch.nn.Parameter(torch.tensor([0.7], dtype=torch.float64))
    theirs = torch.optim.Adam([weight], lr=0.01, betas=(0.9, 0.98), eps=1e-9)
    m = v = 0.0
    for step, gradient in enumerate(gradients, start=1):
        ours = AdamStep(weight.item(), gradient, 0.01, step=step, m_before=m, v_before=v)
        weight.grad = torch.tensor([gradient], dtype=torch.float64)
        theirs.step()
        m, v = ours.m, ours.v
        assert ours.after == pytest.approx(weight.item(), rel=1e-12)
        assert (m, v) == pytest.approx((theirs.state[weight]["exp_avg"].item(), theirs.state[weight]["exp_avg_sq"].item()))


def test_the_first_step_of_a_trace_is_that_of_torch_for_every_parameter(trace: Trace) -> None:
    for name, gradient in trace.gradients.items():
        if not gradient.entry.is_parameter:
            continue
        weights = torch.nn.Parameter(trace[name].value.clone())
        weights.grad = gradient.value.clone()
        torch.optim.Adam([weights], lr=3e-4, betas=(0.9, 0.98), eps=1e-9).step()
        cell = tuple(size - 1 for size in weights.shape)
        found = first_step(trace, name, cell, rate=3e-4)
        assert found.adam.after == pytest.approx(weights[cell].item(), abs=1e-7), name


def test_each_line_follows_from_the_numbers_in_it(trace: Trace) -> None:
    adam = first_step(trace, "generator.w", (3, 4)).adam
    values = {line.title: line.value for line in adam.lines}
    assert values["mean of gradients"] == pytest.approx(0.1 * adam.gradient)
    assert values["mean of their squares"] == pytest.approx(0.02 * adam.gradient**2)
    assert values["mean, corrected"] == pytest.approx(adam.gradient)
    assert values["square, corrected"] == pytest.approx(adam.gradient**2)
    assert values["update"] == pytest.approx(-math.copysign(adam.rate, adam.gradient), rel=1e-5)
    assert values["weight after"] == adam.weight + values["update"]


def test_the_rate_is_that_of_equation_3() -> None:
    paper = Paper(512)
    assert paper.rate_at(1) == pytest.approx(1.746928e-7)
    assert paper.rate_at(4000) == pytest.approx(6.987712e-4), "the top, at the end of the warm-up"
    assert paper.rate_at(4000) == pytest.approx(512**-0.5 * 4000**-0.5)
    assert paper.rate_at(16000) == pytest.approx(paper.rate_at(4000) / 2)
    points = curve(paper, 16000)
    assert (points[0][0], points[-1][0]) == (1, 16000)
    assert max(points, key=lambda point: point[1]) == (4000, paper.rate_at(4000))


def test_a_step_of_the_schedule_gives_the_rate(trace: Trace) -> None:
    assert first_step(trace, "generator.w", (0, 0), place=4000).adam.rate == Paper(8).rate_at(4000)
    given = first_step(trace, "generator.w", (0, 0), rate=0.5)
    assert (given.adam.rate, given.place) == (0.5, None)


def test_what_no_optimiser_moves_is_refused(trace: Trace) -> None:
    with pytest.raises(InputError, match="logits is worked out anew in every pass; the optimiser moves parameters only"):
        first_step(trace, "logits", (0, 0, 0))
    with pytest.raises(UnknownNameError, match="src_ids holds no real numbers"):
        first_step(trace, "src_ids", (0, 0))
    with pytest.raises(InputError, match="its shape is"):
        first_step(trace, "generator.w", (9, 9))
    for rate in (0.0, -1.0, math.nan, 101.0):
        with pytest.raises(InputError, match="must be above 0 and at most 100"):
            first_step(trace, "generator.w", (0, 0), rate=rate)
    with pytest.raises(InputError, match="step is 0; it must be from 1 to 1000000"):
        first_step(trace, "generator.w", (0, 0), place=0)


@pytest.mark.parametrize("options", [{}, {"tied_embeddings": True}, {"norm": "pre", "smoothing": 0.1}])
def test_a_step_with_every_parameter_is_that_of_torch(options: dict[str, object]) -> None:
    trace = glassformer.trace("tiny", src=["dog run", "cat"], tgt=["dog run cat", "cat"], options=options)
    network = Library().get("tiny", options).network
    weights = {name: weight.clone() for name, weight in network.state_dict().items()}
    network.requires_grad_(True)
    optimiser = torch.optim.Adam(network.parameters(), lr=0.01, betas=(0.9, 0.98), eps=1e-9)
    src, tgt, labels = (ids_of(rows) for rows in (trace.batch.src, trace.batch.tgt, trace.batch.labels or ()))
    loss = network.loss(network(src, tgt).log_softmax(-1), labels)
    loss.backward()
    optimiser.step()
    theirs = network.loss(network(src, tgt).log_softmax(-1), labels).item()
    found = whole_step(trace, rate=0.01)
    assert found.before == pytest.approx(loss.item(), rel=1e-6)
    assert found.after == pytest.approx(theirs, rel=1e-3)
    assert found.after < found.before
    assert all(torch.equal(trace[name].value, weights[name]) for name in weights if name in trace), "the trace keeps its weights"
