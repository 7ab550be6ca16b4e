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
    def unlabelled(self) -> Mapping[str, Entry]:
        """The entries of a pass without labels, which has no loss."""
        return {name: entry for name, entry in self.entries.items() if not name.startswith("loss.")}

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

    modules = dict(network.named_modules())
    entries: dict[str, Entry] = {}
    for path, module in modules.items():
        if isinstance(module, Tap):
            module.name = path
            block = path.rpartition(".")[0]
            reads = tuple(_resolve(modules, block, name, aliases) for name in module.step.reads)
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
    return Legend(entries, _tree(modules, entries, aliases))


def _resolve(modules: Mapping[str, nn.Module], block: str, name: str, aliases: Mapping[int, list[str]]) -> str:
    """Follow a name outwards, scope by scope, to the tensor's full name."""
    owner = modules[block]
    head, dot, rest = name.partition(".")
    if isinstance(owner, Block) and head in owner.inputs:
        return _resolve(modules, _around(modules, block), owner.inputs[head] + dot + rest, aliases)
    full = f"{block}.{name}" if block else name
    parent, _, leaf = full.rpartition(".")
    found = getattr(modules[parent], leaf, None)
    return aliases[id(found)][0] if isinstance(found, nn.Parameter) else full


def _around(modules: Mapping[str, nn.Module], block: str) -> str:
    """Return the name of the nearest block around this one."""
    outer = block.rpartition(".")[0]
    while not isinstance(modules[outer], Block):
        outer = outer.rpartition(".")[0]
    return outer


def _tree(modules: Mapping[str, nn.Module], entries: Mapping[str, Entry], aliases: Mapping[int, list[str]]) -> Part:
    blocks = [path for path, module in modules.items() if path and isinstance(module, Block)]
    inside: dict[str, list[str]] = {}
    for path in blocks:
        inside.setdefault(_around(modules, path), []).append(path)
    own: dict[str, list[str]] = {}
    for entry in entries.values():
        own.setdefault(entry.block, []).append(entry.name)

    def part(name: str) -> Part:
        block = modules[name]
        assert isinstance(block, Block)
        around = _around(modules, name) if name else ""
        return Part(
            name=name,
            kind=type(block).__name__,
            title=block.title,
            says=block.says,
            mixes=block.mixes,
            inputs={key: _resolve(modules, around, bound, aliases) for key, bound in block.inputs.items()},
            tensors=tuple(own.get(name, ())),
            parts=tuple(map(part, inside.get(name, ()))),
        )

    return part("")
