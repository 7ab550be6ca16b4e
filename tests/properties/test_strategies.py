"""Beam search, sampling and kept keys and values, each against an independent way to the same result."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
import torch
from glassformer.model.decoding import Beam, Decoding, DecodingRecipe, Sample
from glassformer.model.decoding.beam import Hypothesis, expand, keep
from glassformer.model.decoding.choosing import choose, filter_logits
from glassformer.model.decoding.forced import compare_forced, forced_recipe
from glassformer.model.decoding.saving import Meter
from glassformer.model.decoding.strategy import read_strategy
from glassformer.model.errors import InputError
from glassformer.model.library import Library
from glassformer.model.recipe import Recipe
from glassformer.model.running import run
from glassformer.model.tokenizers import HashTokenizer
from hypothesis import given, settings
from hypothesis import strategies as st

LIBRARY = Library()
Table = dict[tuple[int, ...], np.ndarray]

logits_rows = st.lists(st.floats(-6, 6, width=32), min_size=2, max_size=12).map(lambda row: np.array(row, dtype=np.float32))


def decode(model: str, *src: str, **more: Any) -> Decoding:
    """Decode to the end."""
    decoding = Decoding(DecodingRecipe.from_dict({"model": model, "src": list(src), **more}), LIBRARY)
    list(decoding)
    return decoding


def written(decoding: Decoding) -> list[list[int]]:
    """Return the ids of the best hypothesis of each sentence."""
    return [[node.token.id for node in decoding.path(decoding.best(i))] for i in range(len(decoding.recipe.src))]


# Beam search


def random_model(vocab: int, length: int, seed: int) -> Table:
    """Draw a table of log-probabilities for every prefix: a model small enough to search exhaustively."""
    generator = np.random.default_rng(seed)
    table = {}
    for size in range(length):
        for prefix in itertools.product(range(vocab), repeat=size):
            logits = generator.normal(size=vocab) * 2
            table[prefix] = logits - np.log(np.exp(logits).sum())
    return table


def search(
    table: dict[tuple[int, ...], np.ndarray], beam: Beam, length: int, end: int | None
) -> list[tuple[float, tuple[int, ...]]]:
    """Run the beam's own bookkeeping over a table of log-probabilities; return what is kept, the best first."""
    live: list[tuple[tuple[int, ...], float]] = [((), 0.0)]
    ended: list[Hypothesis] = []
    texts: dict[int, tuple[int, ...]] = {}
    for step in range(length):
        grown = []
        for row, (prefix, total) in enumerate(live):
            order = np.argsort(-table[prefix], kind="stable")
            grown += expand(row, row, total, step, order, table[prefix], beam, end=end)
        kept, _ = keep(ended, grown, beam.width)
        before, live, ended = live, [], []
        for hypothesis in kept:
            if hypothesis.row is None:
                ended.append(hypothesis)
                continue
            prefix = (*before[hypothesis.row][0], hypothesis.id)
            if hypothesis.ended or step == length - 1:
                key = len(texts)
                texts[key] = prefix
                ended.append(Hypothesis(None, key, hypothesis.id, 0, hypothesis.total, len(prefix), hypothesis.score, True))
            else:
                live.append((prefix, hypothesis.total))
    return [(hypothesis.score, texts[hypothesis.node]) for hypothesis in ended]


def exhaustive(
    table: dict[tuple[int, ...], np.ndarray], alpha: float, length: int, end: int | None
) -> tuple[float, tuple[int, ...]]:
    """Score every sequence that ends with the end token or at the longest length, by the formula as the paper writes it."""
    vocab = len(table[()])
    found = []
    for size in range(1, length + 1):
        for sequence in itertools.product(range(vocab), repeat=size):
            whole = sequence[-1] == end or size == length
            if whole and end not in sequence[:-1]:
                total = math.fsum(float(table[sequence[:i]][id]) for i, id in enumerate(sequence))
                found.append((total / ((5 + size) ** alpha / 6**alpha), sequence))
    return max(found)


@settings(max_examples=30)
@given(seed=st.integers(0, 10_000), alpha=st.sampled_from([0.0, 0.6, 1.0, 2.0]), end=st.sampled_from([None, 1]))
def test_a_beam_wide_enough_for_every_sequence_is_exhaustive_search(seed: int, alpha: float, end: int | None) -> None:
    table = random_model(3, 3, seed)
    kept = search(table, Beam(27, alpha), 3, end)
    score, sequence = exhaustive(table, alpha, 3, end)
    assert kept[0][1] == sequence
    assert kept[0][0] == pytest.approx(score)


@pytest.mark.parametrize(("model", "src"), [("copy", ("5 6 7", "8")), ("pig-latin", ("the dog",)), ("tiny", ("dog run", "cat"))])
def test_a_beam_of_one_is_greedy(model: str, src: tuple[str, ...]) -> None:
    greedy = decode(model, *src, max_steps=14)
    beam = decode(model, *src, max_steps=14, strategy={"kind": "beam", "width": 1})
    assert written(beam) == written(greedy)
    assert beam.best(0).total == pytest.approx(greedy.best(0).total, abs=1e-6)


def test_a_wider_beam_never_scores_worse_than_greedy_here() -> None:
    greedy, beam = decode("tiny", "dog run", max_steps=6), decode("tiny", "dog run", max_steps=6, strategy="beam")
    assert beam.best(0).total >= greedy.best(0).total


def test_a_beam_step_is_one_batch_of_prefixes_that_share_their_sentence() -> None:
    decoding = decode("tiny", "dog run", "cat", max_steps=4, strategy={"kind": "beam", "width": 3})
    step = decoding.steps[2]
    assert [row.sentence for row in step.rows] == [0, 0, 0, 1, 1, 1]
    assert step.recipe.rows == (0, 0, 0, 1, 1, 1)
    assert step.recipe.src == ("dog run", "cat")
    assert step.trace.sizes["batch"] == 6
    memory = step.trace["memory"].value
    assert torch.equal(memory[0], memory[2])
    assert torch.equal(memory[:4:3], decoding.steps[0].trace["memory"].value), "the encoder ran once, in the first step"
    again = run(Recipe.from_id(step.recipe.id), Library())
    assert all(torch.equal(step.trace[name].value, again[name].value) for name in again), "a link shows the same bits"


def test_the_tree_holds_every_hypothesis_and_what_became_of_it() -> None:
    decoding = decode("pig-latin", "a", strategy={"kind": "beam", "width": 3})
    nodes = decoding.nodes
    assert [node.id for node in nodes] == list(range(len(nodes)))
    assert {node.fate for node in nodes} == {"passed", "died", "end", "dropped"}
    for node in nodes[1:]:
        parent = nodes[node.parent or 0]
        assert node.total == pytest.approx(parent.total + node.log_prob)
        assert (node.length, node.sentence) == (parent.length + 1, parent.sentence)
        assert node.score == pytest.approx(node.total / ((5 + node.length) / 6) ** 0.6)
        row = decoding.steps[node.step].rows[node.row]
        assert row.node == node.parent
        assert [token.id for token in row.prefix] == [each.token.id for each in decoding.path(parent)]
    best = decoding.best(0)
    assert best.fate == "end"
    assert best.score == max(node.score for node in nodes if node.fate == "end")


# Sampling


@given(row=logits_rows, top_k=st.integers(0, 12), top_p=st.floats(0.01, 1), temperature=st.floats(0.05, 5))
def test_top_k_and_top_p_keep_the_fewest_of_the_best(row: np.ndarray, top_k: int, top_p: float, temperature: float) -> None:
    order = np.argsort(-row, kind="stable")
    kept = filter_logits(row, order, Sample(temperature, top_k, top_p))
    chances = kept.chances
    assert chances.sum() == pytest.approx(1)
    left = [int(id) for id in order if chances[id] > 0 or not (kept.by_k[id] or kept.by_p[id])]
    assert left == [int(id) for id in order[: len(left)]], "what is left are the best"
    assert len(left) <= (top_k or len(row))

    powers = np.exp(row.astype(np.float64) / temperature - (row.astype(np.float64) / temperature).max())
    powers[order[top_k or len(row) :]] = 0
    shares = powers[order] / powers.sum()
    if len(left) > 1:
        assert math.fsum(shares[: len(left) - 1]) < top_p + 1e-9, "one fewer would not hold top_p"
    assert math.fsum(shares[: len(left)]) >= top_p - 1e-9 or len(left) == (top_k or len(row))


@given(row=logits_rows, seed=st.integers(0, 99), step=st.integers(0, 9))
def test_a_draw_is_repeatable_and_falls_where_it_says(row: np.ndarray, seed: int, step: int) -> None:
    wide = row.astype(np.float64)
    log_probs = wide - np.log(np.exp(wide).sum())
    tokenizer = HashTokenizer(len(row))
    strategy = Sample(temperature=0.9, top_k=4, seed=seed)
    first, again = (choose(row, log_probs, tokenizer, strategy, row=1, step=step) for _ in range(2))
    assert (first.id, first.draw) == (again.id, again.draw)
    assert first.draw is not None
    chances = filter_logits(row, first.order, strategy).chances[first.order]
    place = list(first.order).index(first.id)
    assert chances[:place].sum() - 1e-9 <= first.draw <= chances[: place + 1].sum() + 1e-9
    assert first.id in [candidate.token.id for candidate in first.top]


@pytest.mark.parametrize("temperature", [0, 1e-6])
def test_sampling_at_a_temperature_towards_zero_is_greedy(temperature: float) -> None:
    greedy = decode("tiny", "dog run", "cat", max_steps=6)
    assert written(
        decode("tiny", "dog run", "cat", max_steps=6, strategy={"kind": "sample", "temperature": temperature})
    ) == written(greedy)


def test_draws_follow_the_chances() -> None:
    logits = np.log(np.array([0.5, 0.3, 0.2], dtype=np.float32))
    tokenizer = HashTokenizer(3)
    drawn = [choose(logits, logits, tokenizer, Sample(seed=3), row=0, step=step).id for step in range(4000)]
    assert np.bincount(drawn, minlength=3) / 4000 == pytest.approx([0.5, 0.3, 0.2], abs=0.03)


def test_equal_logits_go_to_the_lowest_id_and_say_so() -> None:
    tokenizer = HashTokenizer(4)
    tied = choose(np.array([1, 3, 3, 2], dtype=np.float32), np.zeros(4), tokenizer, read_strategy("greedy"), row=0, step=0)
    assert (tied.id, tied.tied, tied.margin) == (1, 2, 0)
    near = choose(np.array([10, 10.0078125], dtype=np.float32), np.zeros(2), tokenizer, read_strategy("greedy"), row=0, step=0)
    assert (near.id, near.tied, near.margin) == (1, 1, 0.0078125)


# Kept keys and values


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"norm": "pre"},
        {"activation": "gelu", "bias": False},
        {"positions": "learned"},
        {"tied_embeddings": True, "mask_tgt_padding": False},
    ],
)
@pytest.mark.parametrize("strategy", ["greedy", "beam"])
def test_cached_equals_full(options: dict[str, Any], strategy: str) -> None:
    asked = {"max_steps": 7, "strategy": strategy, "options": options}
    full, cached = (decode("tiny", "dog run cat", "cat", cache=cache, **asked) for cache in (False, True))
    assert written(cached) == written(full)
    for ours, theirs in zip(cached.steps, full.steps, strict=True):
        assert ours.recipe == theirs.recipe
        for one, other in zip(ours.rows, theirs.rows, strict=True):
            assert [c.logit for c in one.top] == pytest.approx([c.logit for c in other.top], abs=1e-5)


def test_cached_equals_full_to_twelve_places_in_float64() -> None:
    library = Library()
    recipe = DecodingRecipe.from_dict({"model": "tiny", "src": ["dog run cat"], "max_steps": 8})
    library.get("tiny").network.double()
    saving = [Meter(Decoding(recipe, library), library).measure(7)][0]
    assert saving.max_abs < 1e-12
    assert (saving.positions, saving.changed) == (8, 0)


def test_earlier_rows_never_move_when_later_tokens_come() -> None:
    decoding = decode("tiny", "dog run", max_steps=6)
    traces = [step.trace for step in decoding.steps]
    for name in ("decoder.layers.1.self_attn.k", "decoder.layers.1.self_attn.v", "decoder.layers.1.cross_attn.k", "logits"):
        for before, after in itertools.pairwise(traces):
            old, new = before[name].value, after[name].value
            kept = new[..., : old.shape[-2], :]
            assert (kept - old).abs().max() <= 2e-6


def test_without_the_causal_mask_a_cache_is_refused() -> None:
    with pytest.raises(InputError, match="a cache needs the causal mask"):
        DecodingRecipe.from_dict({"model": "tiny", "src": "dog", "cache": True, "options": {"causal": False}})
    with pytest.raises(InputError, match="a cache needs the causal mask"):
        Meter(Decoding(DecodingRecipe.from_dict({"model": "tiny", "src": "dog", "options": {"causal": False}}), LIBRARY), LIBRARY)


def test_what_a_cache_saves_is_counted() -> None:
    decoding = decode("tiny", "dog run", max_steps=5)
    meter = Meter(decoding, LIBRARY)
    first, last = meter.measure(0), meter.measure(4)
    d, ff, vocab, src = 8, 32, 5, 3

    def products(length: int) -> int:
        """Multiplications of one decoder layer on a whole prefix, by hand: projections, scores, mixes, feed-forward."""
        own = 4 * length * d * d + 2 * length * length * d
        cross = 2 * length * d * d + 2 * src * d * d + 2 * length * src * d
        return own + cross + 2 * length * d * ff

    assert last.full == 2 * products(5) + 5 * d * vocab
    assert last.full_total == sum(2 * products(n) + n * d * vocab for n in range(1, 6))
    assert first.cached == first.full, "the first step has nothing to reuse"
    one = 4 * d * d + 2 * 5 * d + 2 * d * d + 2 * src * d + 2 * d * ff
    assert last.cached == 2 * one + d * vocab
    own, cross = last.layers[:2]
    assert (own.shape, own.reused, own.new, own.bytes) == ((1, 2, 5, 4), 4, 1, 2 * 5 * 8 * 4)
    assert (cross.shape, cross.reused, cross.new) == ((1, 2, 3, 4), 3, 0)
    assert [layer.new for layer in first.layers[:2]] == [1, 3]


# Teacher forcing beside free running


def test_forced_and_free_running_part_where_the_target_is_another() -> None:
    decoding = decode("copy", "5 6 7")
    same = compare_forced(decoding, run(forced_recipe(decoding.recipe, ["5 6 7"]), LIBRARY))[0]
    assert (same.parts, same.differs) == (None, None)
    other = compare_forced(decoding, run(forced_recipe(decoding.recipe, ["5 2 7"]), LIBRARY))[0]
    assert other.parts == 2
    assert [place.forced.fed.text for place in other.positions if place.forced] == ["<start>", "5", "2", "7"]
    assert [place.free.fed.text for place in other.positions if place.free] == ["<start>", "5", "6", "7"]
    assert [place.label.text for place in other.positions if place.label] == ["5", "2", "7", "<end>"]
    longer = compare_forced(decoding, run(forced_recipe(decoding.recipe, ["5"]), LIBRARY))[0]
    assert longer.positions[3].forced is None
    with pytest.raises(InputError, match="1 sentences and 2 targets"):
        forced_recipe(decoding.recipe, ["5", "6"])


# What is refused


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ("best", "strategy is 'best'; it must be greedy, beam, sample"),
        ({"kind": "beam", "width": 0}, "width is 0; it must be a whole number from 1 to 64"),
        ({"kind": "beam", "width": 2.5}, "width is 2.5"),
        ({"kind": "beam", "length_penalty": -1}, "length_penalty is -1"),
        ({"kind": "sample", "temperature": -0.1}, "temperature is -0.1; it must be a number from 0 to 100"),
        ({"kind": "sample", "top_p": 0}, "top_p is 0"),
        ({"kind": "sample", "top_p": True}, "top_p is True"),
        ({"kind": "sample", "width": 3}, "sample has no setting 'width'; it has seed, temperature, top_k, top_p"),
        ({"kind": "greedy", "width": 3}, "greedy has no setting 'width'; it has no settings"),
        (["beam"], "strategy must be a word or an object"),
    ],
)
def test_a_strategy_that_does_not_exist_is_refused(raw: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_strategy(raw)
    assert message in caught.value.message


def test_a_strategy_is_part_of_the_link() -> None:
    recipe = DecodingRecipe.from_dict({"model": "tiny", "src": "dog", "strategy": {"kind": "beam", "width": 4}, "cache": True})
    assert recipe.as_dict()["strategy"] == {"kind": "beam"}
    assert DecodingRecipe.from_id(recipe.id) == recipe
    assert "strategy" not in DecodingRecipe.from_dict({"model": "tiny", "src": "dog"}).as_dict()
