"""Initial weights, batches, training, scoring, and weights on disk; and what the shipped weights can do."""

import json
import math
import random
from pathlib import Path

import pytest
import safetensors.torch
import torch
from glassformer.model.batch import ids_of
from glassformer.model.batch import make_batch as recipe_batch
from glassformer.model.catalogue import card
from glassformer.model.config import ModelConfig
from glassformer.model.errors import UnknownNameError, WeightsError
from glassformer.model.initial import draw_weights
from glassformer.model.recipe import Recipe
from glassformer.model.training import load_weights, read_card, save, train
from glassformer.model.training.batches import Stream, make_batch
from glassformer.model.training.schedule import Cosine
from glassformer.model.training.scores import Score, exact_matches, greedy
from glassformer.model.training.store import WEIGHTS, write_weights
from glassformer.model.training.tasks import Pair, task
from glassformer.model.training.trainer import fit
from glassformer.model.transformer import Transformer


def tiny_network(seed: int = 1) -> Transformer:
    network = Transformer(card("tiny").config).eval()
    draw_weights(network, seed=seed)
    return network


def trained_network(id: str) -> Transformer:
    network = Transformer(card(id).config).eval()
    load_weights(network, id)
    return network


# Initial weights


def test_same_seed_draws_the_same_weights_and_another_seed_others() -> None:
    first, second, other = (tiny_network(seed).state_dict() for seed in (7, 7, 8))
    assert all(torch.equal(first[name], second[name]) for name in first)
    assert not torch.equal(first["src_embed.table"], other["src_embed.table"])


def test_drawing_leaves_the_global_random_numbers_alone() -> None:
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    tiny_network()
    assert torch.equal(torch.rand(3), expected)


def test_initial_weights_have_the_spread_of_their_distribution() -> None:
    network = Transformer(ModelConfig(vocab_size=500, d_model=64, n_heads=4, d_ff=256, n_layers=1))
    draw_weights(network, seed=1)
    layer = network.encoder.layers[0]
    bound = math.sqrt(6 / (64 + 256))
    w_1 = layer.feed_forward.w_1.detach()
    assert 0.99 * bound < w_1.abs().max() <= bound
    assert w_1.std() == pytest.approx(bound / math.sqrt(3), rel=0.03)
    assert network.src_embed.table.detach().std() == pytest.approx(1 / 8, rel=0.03)
    assert layer.feed_forward.b_1.eq(0).all()
    assert layer.self_attn_residual.norm.gain.eq(1).all()
    assert layer.self_attn_residual.norm.offset.eq(0).all()


def test_a_switch_leaves_the_weights_that_both_variants_have() -> None:
    plain = tiny_network()
    changed = Transformer(card("tiny").config.with_options({"norm": "pre", "bias": False, "positions": "learned"}))
    draw_weights(changed, seed=1)
    before = dict(plain.named_parameters())
    shared = [name for name, _ in changed.named_parameters() if name in before]
    assert len(shared) > 50
    assert all(torch.equal(before[name], weights) for name, weights in changed.named_parameters() if name in before)


def test_tied_embeddings_are_drawn_once() -> None:
    network = Transformer(card("tiny").config.with_options({"tied_embeddings": True}))
    draw_weights(network, seed=1)
    assert torch.equal(network.src_embed.table, tiny_network().src_embed.table)
    assert network.generator.w is network.src_embed.table


# Batches


def test_decoder_input_is_all_but_the_last_and_labels_all_but_the_first() -> None:
    # RC-43: target [1,5,6,7,2].
    batch = make_batch([Pair("5 6 7", "5 6 7")], card("copy"))
    assert batch.src_ids.tolist() == [[5, 6, 7]]
    assert batch.tgt_ids.tolist() == [[1, 5, 6, 7]]
    assert batch.labels.tolist() == [[5, 6, 7, 2]]


def test_shorter_sentences_are_padded_on_the_right() -> None:
    batch = make_batch([Pair("9", "9"), Pair("3 4", "3 4")], card("copy"))
    assert batch.src_ids.tolist() == [[9, 0], [3, 4]]
    assert batch.tgt_ids.tolist() == [[1, 9, 0], [1, 3, 4]]
    assert batch.labels.tolist() == [[9, 2, 0], [3, 4, 2]]


def test_source_opens_with_start_only_where_the_card_says_so() -> None:
    batch = make_batch([Pair("dog run", "dog run")], card("tiny"))
    assert batch.src_ids.tolist() == [[1, 3, 4]]
    assert batch.tgt_ids.tolist() == [[1, 3]]
    assert batch.labels.tolist() == [[3, 4]]


@pytest.mark.parametrize("id", ["tiny", "copy", "pig-latin"])
def test_training_sees_the_batch_that_a_trace_of_the_same_sentences_shows(id: str) -> None:
    for example in card(id).examples:
        shown = recipe_batch(card(id), Recipe(model=id, src=example.src, tgt=example.tgt), max_length=64)
        fed = make_batch([Pair(*pair) for pair in zip(example.src, example.tgt, strict=True)], card(id))
        assert shown.labels is not None
        assert torch.equal(fed.src_ids, ids_of(shown.src))
        assert torch.equal(fed.tgt_ids, ids_of(shown.tgt))
        assert torch.equal(fed.labels, ids_of(shown.labels))


def test_batches_depend_on_the_seed_alone() -> None:
    first, second, other = (Stream(task("copy").draw, card("copy"), batch=64, seed=seed).batch() for seed in (1, 1, 2))
    assert torch.equal(first.src_ids, second.src_ids)
    assert torch.equal(first.labels, second.labels)
    assert first.src_ids.shape != other.src_ids.shape or not torch.equal(first.src_ids, other.src_ids)


def test_padding_changes_neither_loss_nor_gradient() -> None:
    network = Transformer(card("copy").config)
    draw_weights(network, seed=1)
    short, long = Pair("9 3", "9 3"), Pair("3 4 5 6 7", "3 4 5 6 7")

    def summed(pairs: list[Pair]) -> tuple[torch.Tensor, torch.Tensor]:
        batch = make_batch(pairs, card("copy"))
        mean = network.loss(network(batch.src_ids, batch.tgt_ids).log_softmax(-1), batch.labels)
        total = mean * batch.labels.ne(0).sum()
        return total.detach(), torch.autograd.grad(total, network.encoder.layers[0].self_attn.w_v)[0]

    together, gradient = summed([short, long])
    alone, others = zip(summed([short]), summed([long]), strict=True)
    torch.testing.assert_close(together, sum(alone))
    torch.testing.assert_close(gradient, sum(others), rtol=1e-4, atol=1e-5)


# Training


def test_same_seed_trains_to_the_same_bits() -> None:
    first, second = (fit(task("copy"), seed=4, steps=3).state_dict() for _ in range(2))
    start = Transformer(card("copy").config)
    draw_weights(start, seed=4)
    assert all(torch.equal(first[name], second[name]) for name in first)
    assert not torch.equal(first["src_embed.table"], start.state_dict()["src_embed.table"])


def test_another_seed_trains_to_other_weights() -> None:
    first, other = (fit(task("copy"), seed=seed, steps=2).state_dict() for seed in (4, 5))
    assert not torch.equal(first["generator.w"], other["generator.w"])


def test_training_reports_its_steps_and_lowers_the_loss() -> None:
    told: list[tuple[int, int, float, float]] = []
    fit(task("copy"), seed=1, steps=25, report=lambda *facts: told.append(facts))
    assert [(step, steps) for step, steps, _, _ in told] == [(1, 25), (20, 25), (25, 25)]
    assert told[-1][2] < 0.9 * told[0][2]


def test_training_and_scoring_run_on_one_thread_and_then_give_back_what_there_was() -> None:
    seen: list[int] = []
    network = tiny_network()
    network.register_forward_pre_hook(lambda *_: seen.append(torch.get_num_threads()))
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        fit(task("copy"), seed=1, steps=1, report=lambda *_: seen.append(torch.get_num_threads()))
        greedy(network, ["dog run"], card("tiny"))
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)
    assert set(seen) == {1}
    assert len(seen) == 1 + card("tiny").decode_steps


def test_learning_rate_rises_in_a_line_and_falls_to_nothing() -> None:
    rates = [Cosine(steps=100, highest=2.0).rate_at(step) for step in range(1, 101)]
    assert rates[:10] == pytest.approx([0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0])
    assert rates[9:] == sorted(rates[9:], reverse=True)
    assert 0 < rates[-1] < 0.001
    assert Cosine(steps=1, highest=2.0).rate_at(1) == 2.0


# Scores


def test_greedy_is_right_exactly_where_every_teacher_forced_prediction_is() -> None:
    # By induction: fed the right prefix, the best token at each position is the right one, so greedy decoding writes the target.
    network, made, rng = trained_network("copy"), card("copy"), random.Random(8)
    with torch.no_grad():
        network.generator.w += 0.6 * torch.randn(network.generator.w.shape, generator=torch.Generator().manual_seed(1))
    pairs = [Pair(text, text) for text in (" ".join(str(rng.randint(3, 10)) for _ in range(n)) for n in (1, 2, 3, 4, 5) * 12)]
    batch = make_batch(pairs, made)
    best = network(batch.src_ids, batch.tgt_ids).argmax(-1)
    forced = (best.eq(batch.labels) | batch.labels.eq(made.tokenizer.pad_id)).all(-1).tolist()
    written = greedy(network, [pair.src for pair in pairs], made)
    assert [text == pair.tgt for text, pair in zip(written, pairs, strict=True)] == forced
    assert 10 < sum(forced) < 50
    assert exact_matches(network, pairs, made) == Score(right=sum(forced), total=60)


def test_a_sentence_that_never_ends_counts_as_wrong() -> None:
    made = card("copy")
    network = Transformer(made.config).eval()
    draw_weights(network, seed=1)
    with torch.no_grad():
        network.generator.b[3] = 1e4
    assert greedy(network, ["3 3"], made) == [None]
    assert exact_matches(network, [Pair("3 3", "3 3")], made).accuracy == 0


# Weights on disk


def write(folder: Path, changes: dict[str, torch.Tensor | None]) -> None:
    tensors = {name: weights.detach().clone() for name, weights in tiny_network().named_parameters()}
    for name, tensor in changes.items():
        tensors.pop(name, None)
        if tensor is not None:
            tensors[name] = tensor
    safetensors.torch.save_file(tensors, folder / "tiny.safetensors")


def test_saved_weights_come_back_bit_for_bit_with_their_card(tmp_path: Path) -> None:
    outcome = train("copy", seed=2, steps=3)
    path = save(outcome, tmp_path)
    network = Transformer(card("copy").config)
    load_weights(network, "copy", tmp_path)
    assert path == tmp_path / "copy.safetensors"
    assert all(torch.equal(found, outcome.network.state_dict()[name]) for name, found in network.state_dict().items())
    facts = read_card("copy", tmp_path)
    assert facts == json.loads(json.dumps(outcome.facts))
    assert facts is not None
    assert (facts["seed"], facts["steps"]) == (2, 3)
    assert facts["command"] == "glassformer train copy --seed 2 --steps 3"
    assert facts["accuracy"]["ten numbers"]["total"] == 1000
    assert facts["parameters"] == sum(weights.numel() for weights in network.parameters())


def test_saved_files_are_as_readable_as_any_other(tmp_path: Path) -> None:
    (tmp_path / "plain").write_bytes(b"")
    path = write_weights(tiny_network(), {}, id="tiny", folder=tmp_path / "new")
    modes = {file.stat().st_mode for file in (tmp_path / "plain", path, path.with_suffix(".json"))}
    assert len(modes) == 1


def test_model_without_a_stored_card_has_none(tmp_path: Path) -> None:
    assert read_card("tiny", tmp_path) is None


def test_unknown_model_is_refused_before_any_path_is_made() -> None:
    for name in ("../copy", "/etc/passwd", "copy.safetensors", ""):
        with pytest.raises(UnknownNameError):
            load_weights(tiny_network(), name)
        with pytest.raises(UnknownNameError):
            read_card(name)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"generator.w": None}, "generator.w is missing"),
        ({"generator.z": torch.zeros(2)}, "generator.z is extra"),
        ({"generator.w": torch.zeros(8, 5)}, r"generator.w is \(8, 5\), not \(5, 8\)"),
        ({"generator.w": torch.zeros(5, 8, dtype=torch.float16)}, "generator.w is float16, not float32"),
        ({"generator.b": torch.full((5,), math.nan)}, "generator.b holds a number that is not finite"),
    ],
)
def test_weights_that_do_not_fit_are_named_and_change_nothing(
    tmp_path: Path, changes: dict[str, torch.Tensor | None], message: str
) -> None:
    write(tmp_path, changes)
    network = tiny_network(seed=9)
    with pytest.raises(WeightsError, match=message):
        load_weights(network, "tiny", tmp_path)
    assert torch.equal(network.src_embed.table, tiny_network(seed=9).src_embed.table)


def test_error_lists_the_first_ten_and_counts_the_rest(tmp_path: Path) -> None:
    write(tmp_path, {f"spare.{n:02}": torch.zeros(1) for n in range(13)})
    with pytest.raises(WeightsError) as caught:
        load_weights(tiny_network(), "tiny", tmp_path)
    assert caught.value.message.count("is extra") == 10
    assert caught.value.message.endswith("and 3 more")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        bytes(8),
        (2**63).to_bytes(8, "little") + b"{}",
        (200_000_000).to_bytes(8, "little") + b"{}",
        (9).to_bytes(8, "little") + b"not JSON!",
        (50_000).to_bytes(8, "little") + b"[" * 50_000,
        b"\x80\x04\x95\x0c\x00\x00\x00\x00\x00\x00\x00\x8c\x08pickled!\x94.",
        json.dumps({"w": {"dtype": "F32", "shape": [-1], "data_offsets": [0, 4]}}).encode(),
    ],
)
def test_what_is_no_safetensors_file_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "tiny.safetensors").write_bytes(content)
    with pytest.raises(WeightsError, match=r"tiny\.safetensors is no safetensors file"):
        load_weights(tiny_network(), "tiny", tmp_path)


def test_file_of_another_format_inside_is_refused(tmp_path: Path) -> None:
    header = json.dumps({"w": {"dtype": "F8_E8M0", "shape": [4], "data_offsets": [0, 4]}}).encode()
    (tmp_path / "tiny.safetensors").write_bytes(len(header).to_bytes(8, "little") + header + bytes(4))
    with pytest.raises(WeightsError):
        load_weights(tiny_network(), "tiny", tmp_path)


def test_file_larger_than_the_model_is_refused_unread(tmp_path: Path) -> None:
    with (tmp_path / "tiny.safetensors").open("wb") as file:
        file.truncate(10**9)
    with pytest.raises(WeightsError, match="has 1000000000 bytes; this model takes at most"):
        load_weights(tiny_network(), "tiny", tmp_path)


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=r"there is no file tiny\.safetensors"):
        load_weights(tiny_network(), "tiny", tmp_path)


# The shipped weights


def test_copy_model_copies_a_thousand_sequences_it_never_saw() -> None:
    network, made = trained_network("copy"), card("copy")
    assert exact_matches(network, task("copy").held_out()["ten numbers"], made) == Score(right=1000, total=1000)


def test_copy_model_copies_shorter_and_repeated_sequences() -> None:
    network, made = trained_network("copy"), card("copy")
    rng = random.Random(11)
    texts = [" ".join(str(rng.randint(3, 10)) for _ in range(length)) for length in range(1, 11) for _ in range(30)]
    texts += [" ".join([str(number)] * length) for number in range(3, 11) for length in range(1, 11)]
    assert greedy(network, texts, made) == texts


def test_pig_latin_model_is_right_on_words_it_never_saw() -> None:
    score = exact_matches(trained_network("pig-latin"), task("pig-latin").held_out()["words"][:300], card("pig-latin"))
    assert score.total == 300
    assert score.accuracy >= 0.98


def test_pig_latin_model_translates_short_sentences() -> None:
    sentences = {
        "she pet the dog": "eshay etpay ethay ogday",
        "he is in the house": "ehay isway inway ethay ousehay",
        "the quick cat sat": "ethay ickquay atcay atsay",
        "it is under the tree": "itway isway underway ethay eetray",
    }
    assert greedy(trained_network("pig-latin"), list(sentences), card("pig-latin")) == list(sentences.values())


@pytest.mark.parametrize("id", ["copy", "pig-latin"])
def test_examples_of_the_catalogue_come_out_right(id: str) -> None:
    network = trained_network(id)
    for example in card(id).examples:
        assert tuple(greedy(network, example.src, card(id))) == example.tgt


@pytest.mark.parametrize("id", ["copy", "pig-latin"])
def test_card_tells_what_the_shipped_weights_are(id: str) -> None:
    facts = read_card(id)
    assert facts is not None
    assert facts["parameters"] == sum(weights.numel() for weights in trained_network(id).parameters())
    assert (facts["rules"], facts["data"], facts["steps"]) == (task(id).rules, task(id).data, task(id).steps)
    assert set(facts["accuracy"]) == set(task(id).held_out())


def test_shipped_weights_stay_below_three_megabytes() -> None:
    assert sum(path.stat().st_size for path in WEIGHTS.glob("*.safetensors")) <= 3_000_000
