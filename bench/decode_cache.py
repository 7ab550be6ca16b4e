"""What decoding costs: cached against in full, a beam against greedy, and a step with all tensors against one with none.

    python bench/decode_cache.py [--rounds N]

CPU time, since one thread computes and the machine may be shared. Each round runs every variant once, in an order that turns from
round to round, and a ratio is taken inside a round. The heap is kept, as the launcher keeps it. Run on an otherwise idle machine.
Prints a Markdown table; quartiles stand in brackets.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import torch
from glassformer.model.batch import ids_of, make_batch
from glassformer.model.decoding import Beam, Decoding, DecodingRecipe, Greedy
from glassformer.model.library import Library
from glassformer.model.running import run

from glassformer.heap import keep_heap

TOKENS = 24
LARGE = ("paper-base", "The Transformer follows this overall architecture using stacked self-attention and point-wise layers.")
TRAINED = ("pig-latin", "she pet the dog")
WARM = 1

Measured = dict[str, list[float]]


def main() -> None:
    """Print the table."""
    chosen = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    chosen.add_argument("--rounds", type=int, default=12)
    rounds = chosen.parse_args().rounds
    torch.set_num_threads(1)
    print("| compared | ratio | the second, ms | aim |\n|---|---|---|---|", flush=True)
    library = Library()
    _line(f"{TOKENS} tokens of {LARGE[0]}: cached ÷ in full", _cached_and_full(library, rounds), "below 1")
    _line(f"a step of {TRAINED[0]}: beam of 4 ÷ greedy", _beam_and_greedy(library, rounds), "at most 2.5")
    _line(f"a step of {LARGE[0]} at {TOKENS} tokens: all tensors ÷ none", _captured_and_plain(library, rounds), "at most 1.3")


def _cached_and_full(library: Library, rounds: int) -> Measured:
    """Decode so many tokens, both ways, from the encoder to the last token."""
    model, sentence = LARGE

    def decode(cache: bool) -> int:
        recipe = DecodingRecipe(model, (sentence,), TOKENS, Greedy(), cache)
        list(Decoding(recipe, library))
        return 1

    return measure({"cached": lambda: decode(True), "full": lambda: decode(False)}, rounds)


def _beam_and_greedy(library: Library, rounds: int) -> Measured:
    """Decode to the end, both ways; times are those of one step."""
    model, sentence = TRAINED

    def decode(width: int) -> int:
        recipe = DecodingRecipe(model, (sentence,), 60, Beam(width) if width > 1 else Greedy())
        return len(list(Decoding(recipe, library)))

    return measure({"beam": lambda: decode(4), "greedy": lambda: decode(1)}, rounds)


def _captured_and_plain(library: Library, rounds: int) -> Measured:
    """One step on the whole prefix: the pass alone, and the pass with a trace of everything in it."""
    model, sentence = LARGE
    decoding = Decoding(DecodingRecipe(model, (sentence,), TOKENS), library)
    first, last = decoding.step(0)[0], list(decoding)[-1]
    encoded, watched = first.trace, library.get(model, {})
    batch = make_batch(watched.card, last.recipe, max_length=watched.config.max_length)
    src, tgt, memory = ids_of(batch.src), ids_of(batch.tgt), encoded["memory"].value

    def plain() -> int:
        with torch.no_grad():
            watched.network(src, tgt, memory=memory)
        return 1

    def captured() -> int:
        run(last.recipe, library, encoded=encoded)
        return 1

    return measure({"captured": captured, "plain": plain}, rounds)


def measure(variants: dict[str, Callable[[], int]], rounds: int) -> Measured:
    """Return the CPU seconds of each variant in each round, over the number of steps that it says it took."""
    seconds: Measured = {name: [] for name in variants}
    order = list(variants)
    for i in range(rounds + WARM):
        for name in order[i % len(order) :] + order[: i % len(order)]:
            began = time.process_time()
            steps = variants[name]()
            if i >= WARM:
                seconds[name].append((time.process_time() - began) / steps)
    return seconds


def _line(title: str, measured: Measured, aim: str) -> None:
    first, second = measured.values()
    ratios = [a / b for a, b in zip(first, second, strict=True)]
    low, middle, high = statistics.quantiles(ratios, n=4) if len(ratios) > 1 else ratios * 3
    print(f"| {title} | **{middle:.2f}** [{low:.2f}–{high:.2f}] | {statistics.median(second) * 1e3:.1f} | {aim} |", flush=True)


if __name__ == "__main__":
    keep_heap()
    main()
