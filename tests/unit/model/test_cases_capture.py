"""Reported faults of capturing tensors: probes that change, mix, leak, or show what is no longer true."""

from __future__ import annotations

import gc
import threading

import pytest
import torch
from glassformer.model.errors import RecordingError
from glassformer.model.recorder import install, recording
from glassformer.model.steps import Given, Same
from glassformer.model.taps import Block, Tap
from networks import LABELS, SRC, TGT, make, watch
from torch import Tensor, nn

import glassformer


class InPlace(Block):
    """An identity that is recorded, then a ReLU that overwrites it."""

    def __init__(self) -> None:
        super().__init__({})
        self.x = Tap("n", "x", Given())

    def forward(self, x: Tensor) -> Tensor:
        return self.x(x).relu_()


def test_a_value_changed_after_it_was_recorded_is_an_error_and_never_shown() -> None:
    module = InPlace()
    install(module)
    with pytest.raises(RecordingError, match=r"x was changed in place.*copies=True"), recording():
        module(torch.tensor([1.23, -4.56]))


def test_copies_keep_what_was_recorded() -> None:
    module = InPlace()
    install(module)
    with recording(copies=True) as recorded:
        module(torch.tensor([1.23, -4.56]))
    assert torch.equal(recorded.values["x"], torch.tensor([1.23, -4.56]))


class Twice(Block):
    """A block whose tap fires twice in a pass."""

    def __init__(self) -> None:
        super().__init__({})
        self.x = Tap("n", "x", Given())

    def forward(self, x: Tensor) -> Tensor:
        return self.x(self.x(x))


def test_a_tap_that_fires_twice_is_named() -> None:
    module = Twice()
    install(module)
    with pytest.raises(RecordingError, match="x fired twice"), recording():
        module(torch.ones(2))


class Mismatch(Block):
    """A block whose two tensors disagree about the size of an axis."""

    def __init__(self) -> None:
        super().__init__({})
        self.x = Tap("n", "x", Given())
        self.y = Tap("n", "x", Same(("x",)))

    def forward(self, x: Tensor) -> Tensor:
        return self.y(self.x(x)[1:])


def test_an_axis_with_two_sizes_is_named() -> None:
    module = Mismatch()
    install(module)
    with pytest.raises(RecordingError, match="y: axis n has 2; n is 3 elsewhere"), recording():
        module(torch.ones(3))


def test_a_tensor_with_other_dimensions_than_its_axes_is_named() -> None:
    module = InPlace()
    install(module)
    with pytest.raises(RecordingError, match=r"x has 2 dimensions \(2, 2\); its axes are \(n\)"), recording(copies=True):
        module(torch.ones(2, 2))


def test_probes_do_not_pile_up_and_survive_no_error() -> None:
    network, _ = make()
    counts = [len(watch(network).values) for _ in range(3)]
    with pytest.raises(IndexError), recording():
        network(torch.tensor([[99]]), TGT)
    assert len({*counts, len(watch(network).values)}) == 1
    assert all(len(module._forward_hooks) == 1 for module in network.modules() if isinstance(module, Tap))
    assert not network.training


def test_records_hold_no_gradient_graph() -> None:
    network, _ = make()
    network.requires_grad_(True)
    assert not any(value.requires_grad for value in watch(network).values.values())


def test_memory_is_flat_after_many_traces() -> None:
    network, _ = make()
    gc.collect()
    before = sum(issubclass(type(thing), Tensor) for thing in gc.get_objects())
    for _ in range(50):
        watch(network)
    gc.collect()
    assert sum(issubclass(type(thing), Tensor) for thing in gc.get_objects()) <= before + 5


def test_two_threads_never_see_each_other() -> None:
    network, _ = make()
    found: dict[int, list[Tensor]] = {1: [], 2: []}
    barrier = threading.Barrier(2)

    def work(token: int) -> None:
        for _ in range(2):
            barrier.wait()
            with recording() as recorded:
                network(torch.tensor([[token]]), torch.tensor([[token]]))
            found[token].append(recorded.values["src_ids"])

    threads = [threading.Thread(target=work, args=(token,)) for token in found]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {token: [int(ids) for ids in seen] for token, seen in found.items()} == {1: [1, 1], 2: [2, 2]}


def test_the_output_projection_is_recorded() -> None:
    recorded = watch(make()[0])
    for block in ("encoder.layers.0.self_attn", "decoder.layers.0.self_attn", "decoder.layers.0.cross_attn"):
        assert recorded.values[f"{block}.out"].dim() == 3
        assert recorded.values[f"{block}.weights"].dim() == 4


def test_records_are_dense_and_keep_the_length_of_the_padded_batch() -> None:
    recorded = watch(make()[0])
    assert recorded.values["memory"].shape == (2, 4, 8)
    assert not recorded.values["memory"].is_nested


def test_dropout_rests_while_one_inspects() -> None:
    first = glassformer.trace("tiny", src="dog run", tgt="dog", options={"dropout": 0.2})
    second = glassformer.trace("tiny", src="dog run", tgt="dog", options={"dropout": 0.2})
    plain = glassformer.trace("tiny", src="dog run", tgt="dog")
    assert torch.equal(first.logits, second.logits)
    assert torch.equal(first.logits, plain.logits)


def test_dropout_in_training_is_zero_or_grows_and_goes_by_the_seed() -> None:
    def weights(seed: int) -> Tensor:
        trace = glassformer.trace("tiny", src="dog run", tgt="dog", options={"dropout": 0.2, "mode": "train"}, seed=seed)
        return trace["encoder.layers.0.self_attn.dropout.multiplier"].value

    multipliers = torch.stack([weights(seed) for seed in range(20)])
    assert set(multipliers.unique().tolist()) == {0.0, 1.25}
    assert torch.equal(weights(1), weights(1))
    assert not torch.equal(weights(1), weights(2))


def test_the_watched_model_is_the_one_that_is_not_compiled() -> None:
    """A probe on a compiled module may never fire; ours is asked whether every tap spoke."""
    network, _ = make()
    assert not isinstance(network, nn.Module) or not hasattr(network, "_orig_mod")
    with recording() as recorded:
        network.forward(SRC, TGT, LABELS)
    assert len(recorded.values) == len(watch(network).values)
