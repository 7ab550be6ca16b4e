"""What recording costs: the watched network recorded, unrecorded, and with its taps taken out of the source.

CPU time, since one thread computes and the machine may be shared; each round runs every variant once, in turn, and a ratio is
taken inside a round. The heap is kept as the launcher keeps it; GLASSFORMER_PLAIN_HEAP=1 measures with the system's own.
Run on an otherwise idle machine: `python bench/record.py`.
"""

from __future__ import annotations

import ast
import importlib
import statistics
import sys
import time
import types
from collections.abc import Callable
from pathlib import Path

import glassformer.model as package
import torch
from glassformer.model.config import ModelConfig
from glassformer.model.initial import draw_weights
from glassformer.model.recorder import install, recording
from glassformer.model.taps import Tap
from glassformer.model.transformer import Transformer
from torch import nn

from glassformer.heap import keep_heap

NETWORK = ("masks", "layers", "attention", "ends", "transformer")
CASES = {
    "tiny (batch 2, source 3, target 2)": (ModelConfig(vocab_size=5, d_model=8, n_heads=2, d_ff=32, n_layers=2), 2, 3, 2, 300),
    "paper-base (source and target 128)": (ModelConfig(vocab_size=37000, tied_embeddings=True), 1, 128, 128, 12),
}


class Untap(ast.NodeTransformer):
    """Replace `self.tap(value)` by `value`."""

    def __init__(self, taps: dict[str, set[str]]) -> None:
        self.taps_of = taps
        self.taps: set[str] = set()

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self.taps = self.taps_of.get(node.name, set())
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        at = node.func
        if isinstance(at, ast.Attribute) and isinstance(at.value, ast.Name) and at.value.id == "self" and at.attr in self.taps:
            return node.args[0]
        return node


def bare_transformer() -> type[nn.Module]:
    """Return the network's class with every tap taken out of its source."""
    taps: dict[str, set[str]] = {}
    for module in Transformer(CASES[next(iter(CASES))][0]).modules():
        own = {name for name, child in module.named_children() if isinstance(child, Tap)}
        taps.setdefault(type(module).__name__, set()).update(own)
    folder = Path(package.__file__).parent
    bare = types.ModuleType("bare_glassformer")
    bare.__path__ = [str(folder)]
    sys.modules["bare_glassformer"] = bare
    for name in ("axes", "config", "errors", "steps", "taps"):
        sys.modules[f"bare_glassformer.{name}"] = importlib.import_module(f"glassformer.model.{name}")
    for name in NETWORK:
        tree = ast.fix_missing_locations(Untap(taps).visit(ast.parse((folder / f"{name}.py").read_text())))
        module = types.ModuleType(f"bare_glassformer.{name}")
        module.__package__ = "bare_glassformer"
        sys.modules[module.__name__] = module
        exec(compile(tree, f"{name}.py", "exec"), module.__dict__)
    return sys.modules["bare_glassformer.transformer"].Transformer  # type: ignore[no-any-return]


def measure(variants: dict[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    """Return the CPU seconds of each variant in each round."""
    seconds: dict[str, list[float]] = {name: [] for name in variants}
    order = list(variants)
    for i in range(rounds + 2):
        for name in order[i % len(order) :] + order[: i % len(order)]:
            began = time.process_time()
            variants[name]()
            if i >= 2:
                seconds[name].append(time.process_time() - began)
    return seconds


def main() -> None:
    """Print the table."""
    torch.set_num_threads(1)
    bare_class = bare_transformer()
    print("| model | recorded ÷ unrecorded | recorded ÷ without taps | unrecorded, ms | tensors |\n|---|---|---|---|---|")
    for title, (config, batch, src, tgt, rounds) in CASES.items():
        watched = Transformer(config).eval().requires_grad_(False)
        draw_weights(watched, seed=1)
        install(watched)
        bare = bare_class(config).eval().requires_grad_(False)
        bare.load_state_dict(watched.state_dict())
        src_ids, tgt_ids = torch.randint(1, config.vocab_size, (batch, src)), torch.randint(1, config.vocab_size, (batch, tgt))
        counted: list[int] = []

        def recorded() -> None:
            with recording() as kept:
                watched(src_ids, tgt_ids, tgt_ids)
            counted.append(len(kept.values))

        def plain() -> None:
            watched(src_ids, tgt_ids, tgt_ids)

        def without() -> None:
            bare(src_ids, tgt_ids, tgt_ids)

        with torch.no_grad():
            assert torch.equal(watched(src_ids, tgt_ids), bare(src_ids, tgt_ids))
            found = measure({"recorded": recorded, "plain": plain, "bare": without}, rounds)
        to_plain = [a / b for a, b in zip(found["recorded"], found["plain"], strict=True)]
        to_bare = [a / b for a, b in zip(found["recorded"], found["bare"], strict=True)]
        middle = statistics.median(found["plain"]) * 1e3
        print(f"| {title} | {_spread(to_plain)} | {_spread(to_bare)} | {middle:.2f} | {counted[-1]} |")


def _spread(ratios: list[float]) -> str:
    low, middle, high = statistics.quantiles(ratios, n=4)
    return f"**{middle:.2f}** [{low:.2f}–{high:.2f}]"


if __name__ == "__main__":
    keep_heap()
    main()
