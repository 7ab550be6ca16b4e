"""The legend of a network: every tap and parameter with its full name, its operands and the block it stands in."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from torch import nn

from .axes import Axes
from .steps import Learned, Step
from .taps import Block, Tap, legend_of


@dataclass(frozen=True)
class Entry:
    """What is known of a tensor before anything runs.

    `step.reads` are full names. `shared_with` lists the other names of a parameter that several blocks use.
    """

    name: str
    block: str
    axes: Axes
    formula: str
    says: str
    step: Step
    shape: tuple[int, ...] | None = None
    shared_with: tuple[str, ...] = ()

    @property
    def is_parameter(self) -> bool:
        """True for a weight or bias, whose shape is known before anything runs."""
        return self.shape is not None


@dataclass(frozen=True)
class Part:
    """One block of the network, as the diagram draws it: `kind` is its class, `tensors` and `parts` its own, in forward order.

    `inputs` binds the names under which it reads tensors from outside to their full names.
    """

    name: str
    kind: str
    title: str
    says: str
    mixes: bool
    inputs: Mapping[str, str]
    tensors: tuple[str, ...]
    parts: tuple[Part, ...]

    def walk(self) -> Iterator[Part]:
        """Yield this part and all below it, outermost first."""
        yield self
        for part in self.parts:
            yield from part.walk()


@dataclass(frozen=True)
class Legend:
    """All entries of one network by name, in forward order, and its parts as a tree."""

    entries: Mapping[str, Entry]
    root: Part

    @cached_property
    def readers(self) -> Mapping[str, tuple[str, ...]]:
        """For each tensor, the names of the tensors that read it."""
        found: dict[str, list[str]] = {name: [] for name in self.entries}
        for entry in self.entries.values():
            for name in entry.step.reads:
                found[name].append(entry.name)
        return {name: tuple(readers) for name, readers in found.items()}


def describe(network: Block) -> Legend:
    """Read the legend off a network and give each tap its full name."""
    aliases: dict[int, list[str]] = {}
    for name, tensor in network.named_parameters(remove_duplicate=False):
        aliases.setdefault(id(tensor), []).append(name)

    entries: dict[str, Entry] = {}
    for path, module in network.named_modules():
        if isinstance(module, Tap):
            module.name = path
            block = path.rpartition(".")[0]
            reads = tuple(_resolve(network, block, name, aliases) for name in module.step.reads)
            step = dataclasses.replace(module.step, reads=reads)
            entries[path] = Entry(path, block, module.axes, module.formula, module.says, step)
    for name, tensor in network.named_parameters():
        names, marks = aliases[id(tensor)], legend_of(tensor)
        entries[name] = Entry(
            name,
            name.rpartition(".")[0],
            marks.axes,
            r"\text{learned}",
            marks.says,
            Learned(),
            shape=tuple(tensor.shape),
            shared_with=tuple(names[1:]),
        )
    for entry in entries.values():
        for name in entry.step.reads:
            assert name in entries, f"{entry.name} reads {name}, which is no tensor of this network"
    return Legend(entries, _part("", network, network, entries, aliases))


def _resolve(network: Block, block: str, name: str, aliases: Mapping[int, list[str]]) -> str:
    """Follow a name outwards, scope by scope, to the tensor's full name."""
    owner = network.get_submodule(block)
    head, dot, rest = name.partition(".")
    if isinstance(owner, Block) and head in owner.inputs:
        return _resolve(network, _around(network, block), owner.inputs[head] + dot + rest, aliases)
    full = f"{block}.{name}" if block else name
    parent, _, leaf = full.rpartition(".")
    found = getattr(network.get_submodule(parent), leaf, None)
    return aliases[id(found)][0] if isinstance(found, nn.Parameter) else full


def _around(network: Block, block: str) -> str:
    """Return the name of the nearest block around this one."""
    outer = block.rpartition(".")[0]
    while not isinstance(network.get_submodule(outer), Block):
        outer = outer.rpartition(".")[0]
    return outer


def _part(name: str, block: Block, network: Block, entries: Mapping[str, Entry], aliases: Mapping[int, list[str]]) -> Part:
    parts = []
    for path, module in block.named_modules():
        if path and isinstance(module, Block) and _around(network, f"{name}.{path}".lstrip(".")) == name:
            parts.append(_part(f"{name}.{path}".lstrip("."), module, network, entries, aliases))
    around = _around(network, name) if name else ""
    return Part(
        name=name,
        kind=type(block).__name__,
        title=block.title,
        says=block.says,
        mixes=block.mixes,
        inputs={key: _resolve(network, around, bound, aliases) for key, bound in block.inputs.items()},
        tensors=tuple(entry.name for entry in entries.values() if entry.block == name),
        parts=tuple(parts),
    )
