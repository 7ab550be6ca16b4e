"""The contract between the network and what is shown of it: described, complete, proven, unchanged."""

from __future__ import annotations

import threading
from typing import Any

import pytest
import torch
from glassformer.model.legend import Legend
from glassformer.model.proof import Proof, check
from glassformer.model.recorder import Recording, recording
from glassformer.model.steps import Named, Target
from glassformer.model.taps import Tap
from glassformer.model.transformer import Transformer
from networks import LABELS, SRC, TGT, VARIANTS, make, watch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

each_variant = pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS.keys())


@each_variant
def test_taps_described_are_the_tensors_recorded(options: dict[str, Any]) -> None:
    network, legend = make(**options)
    described = [name for name, entry in legend.entries.items() if not entry.is_parameter]
    assert sorted(described) == sorted(watch(network).values)


@each_variant
def test_every_parameter_is_described_once(options: dict[str, Any]) -> None:
    network, legend = make(**options)
    described = {name: entry.shape for name, entry in legend.entries.items() if entry.is_parameter}
    assert described == {name: tuple(weights.shape) for name, weights in network.named_parameters()}


@each_variant
@pytest.mark.parametrize("train", [False, True], ids=["eval", "train"])
def test_every_tensor_equals_its_replay(options: dict[str, Any], train: bool) -> None:
    network, legend = make(train=train, **options)
    recorded = watch(network)
    failures = [proof for name in recorded.values if (proof := _prove(network, legend, recorded, name)) and not proof.passes]
    assert failures == []


class Operations(TorchDispatchMode):
    """Collects the results of all operations that are no views, and keeps them alive so that no address is used twice."""

    def __init__(self) -> None:
        super().__init__()
        self.results: list[tuple[str, tuple[Any, ...], Tensor]] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = func(*args, **(kwargs or {}))
        for result in out if isinstance(out, tuple | list) else [out]:
            if isinstance(result, Tensor):
                self.results.append((func.name(), args, result))
        return out


# What a forward pass computes besides its taps, and why nobody needs to see it apart.
UNTAPPED = {
    "aten::clone": "a tapped tensor laid out anew in memory, for the matrix product after it",
    "aten::_unsafe_view": "the same tensor under another shape",
    "aten::add.Tensor": "variance + ε, or deviation before ε is added: shown inside `deviation`'s formula",
    "aten::sqrt": "√variance before ε is added: shown inside `deviation`'s formula",
    "aten::ones": "the constant 1 of dropout outside training",
    "aten::new_ones": "the constant 1 of dropout outside training",
    "aten::fill_.Scalar": "the constant 1 of dropout outside training",
    "aten::nll_loss_forward": "the second result of the loss, its total weight, which is not used",
}


@each_variant
@pytest.mark.parametrize("train", [False, True], ids=["eval", "train"])
def test_no_float_is_computed_untapped(options: dict[str, Any], train: bool) -> None:
    network, _ = make(train=train, **options)
    operations = Operations()
    with operations:
        recorded = watch(network)
    tapped = {(value.untyped_storage().data_ptr(), value.numel()) for value in recorded.values.values()}
    owned = {weights.untyped_storage().data_ptr() for weights in [*network.parameters(), *network.buffers()]}
    for name, args, result in operations.results:
        place = result.untyped_storage().data_ptr()
        if not result.is_floating_point() or (place, result.numel()) in tapped or place in owned:
            continue
        if any(isinstance(arg, Tensor) and arg.untyped_storage().data_ptr() == place for arg in args):
            continue  # a view of what has been looked at already
        assert name in UNTAPPED, f"{name} computes {tuple(result.shape)} that no tap shows"
        if name == "aten::clone":
            assert torch.equal(result, args[0]), "a copy that is none"


# These take a tensor's shape and none of its values.
SHAPE_ONLY = {"aten::empty_like", "aten::ones_like", "aten::new_ones", "aten::full_like"}


class Flow(TorchDispatchMode):
    """Follows which tapped tensors and parameters each result was made from."""

    def __init__(self, network: Transformer) -> None:
        super().__init__()
        self.origins: dict[int, set[str]] = {}
        self.alive: list[Tensor] = []
        for name, weights in network.named_parameters():
            self.origins[id(weights)] = {name}

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = func(*args, **(kwargs or {}))
        made_from: set[str] = set()
        for arg in [*args, *(kwargs or {}).values()]:
            if isinstance(arg, Tensor):
                made_from |= self.origins.get(id(arg), set())
        for result in out if isinstance(out, tuple | list) else [out]:
            if isinstance(result, Tensor):
                self.alive.append(result)
                self.origins[id(result)] = set() if func.name() in SHAPE_ONLY else made_from
        return out


@each_variant
def test_declared_operands_are_the_ones_that_flow_in(options: dict[str, Any]) -> None:
    network, legend = make(train="dropout" in options, **options)
    flow = Flow(network)
    found: dict[str, set[str]] = {}

    def note(tap: Tap, args: Any, value: Tensor) -> None:
        found[tap.name] = flow.origins.get(id(value), set())
        flow.origins[id(value)] = {tap.name}

    for module in network.modules():
        if isinstance(module, Tap):
            module.register_forward_hook(note)
    with flow:
        network(SRC.clone(), TGT.clone(), LABELS.clone())
    assert found == {name: set(entry.step.reads) for name, entry in legend.entries.items() if not entry.is_parameter}


@each_variant
def test_logits_are_bit_identical_with_and_without_recording(options: dict[str, Any]) -> None:
    network, _ = make(**options)
    unwatched = network(SRC, TGT, LABELS)
    assert torch.equal(unwatched, watch(network).values["logits"])
    assert torch.equal(unwatched, network(SRC, TGT, LABELS))


def test_every_thread_gets_its_own_trace() -> None:
    network, _ = make()
    sources = [torch.tensor([[1, 2 + i % 3, 2 + i // 3 % 3]]) for i in range(9)]
    expected = [network(src, src).clone() for src in sources]
    names = watch(network, sources[0], sources[0], None).values.keys()
    wrong: list[int] = []

    def work(i: int) -> None:
        for _ in range(20):
            with recording() as recorded:
                logits = network(sources[i], sources[i])
            same = torch.equal(recorded.values["src_ids"], sources[i]) and torch.equal(recorded.values["logits"], expected[i])
            if not (same and torch.equal(logits, expected[i]) and len(recorded.values) == len(names)):
                wrong.append(i)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(sources))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_nothing_is_recorded_outside_a_recording() -> None:
    network, _ = make()
    recorded = watch(network)
    before = len(recorded.values)
    network(SRC, TGT, LABELS)
    assert len(recorded.values) == before


def _prove(network: Transformer, legend: Legend, recorded: Recording, name: str) -> Proof | None:
    entry = legend.entries[name]
    if entry.step.leaf:
        return None
    tensors = dict(network.named_parameters()) | recorded.values
    operands = [Named(legend.entries[read].axes, tensors[read]) for read in entry.step.reads]
    return check(entry, recorded.values[name], operands, Target(entry.axes, {**network.config.sizes, **recorded.sizes}))
