"""The worked example: every size that the texts note on the paper's figure."""

from __future__ import annotations

import pytest
from glassformer.model.library import configure, sketch
from glassformer.model.parameters import count_parameters
from glassformer.model.trace import Trace

import glassformer


@pytest.fixture(scope="module")
def trace() -> Trace:
    return glassformer.trace("tiny", src=["dog run", "cat run"], tgt=["dog run", "cat run"])


SHAPES = {
    "src_ids": (2, 3),
    "tgt_ids": (2, 2),
    "loss.labels": (2, 2),
    "src_embed.embedded": (2, 3, 8),
    "src_embed.positions": (3, 8),
    "src_embed.sum": (2, 3, 8),
    "encoder.layers.0.self_attn.queries": (2, 3, 8),
    "encoder.layers.0.self_attn.q": (2, 2, 3, 4),
    "encoder.layers.0.self_attn.scores": (2, 2, 3, 3),
    "encoder.layers.0.self_attn.weights": (2, 2, 3, 3),
    "encoder.layers.0.self_attn.heads": (2, 2, 3, 4),
    "encoder.layers.0.self_attn.concat": (2, 3, 8),
    "encoder.layers.0.feed_forward.hidden": (2, 3, 32),
    "encoder.layers.0.feed_forward.active": (2, 3, 32),
    "encoder.layers.0.feed_forward.out": (2, 3, 8),
    "memory": (2, 3, 8),
    "decoder.layers.0.self_attn.q": (2, 2, 2, 4),
    "decoder.layers.0.self_attn.masked_scores": (2, 2, 2, 2),
    "decoder.layers.0.cross_attn.k": (2, 2, 3, 4),
    "decoder.layers.0.cross_attn.v": (2, 2, 3, 4),
    "decoder.layers.0.cross_attn.q": (2, 2, 2, 4),
    "decoder.layers.0.cross_attn.weights": (2, 2, 2, 3),
    "logits": (2, 2, 5),
    "log_probs": (2, 2, 5),
}


@pytest.mark.parametrize(("name", "shape"), SHAPES.items(), ids=SHAPES.keys())
def test_a_tensor_has_the_size_noted_on_the_figure(trace: Trace, name: str, shape: tuple[int, ...]) -> None:
    assert trace[name].shape == shape


def test_ids_are_the_ones_of_the_page(trace: Trace) -> None:
    assert trace["src_ids"].value.tolist() == [[1, 3, 4], [1, 2, 4]]
    assert trace["tgt_ids"].value.tolist() == [[1, 3], [1, 2]]
    assert trace["loss.labels"].value.tolist() == [[3, 4], [2, 4]]


def test_decoder_input_and_labels_are_the_target_without_its_last_and_first_token() -> None:
    trace = glassformer.trace("copy", src="5 6 7", tgt="5 6 7")
    assert trace["tgt_ids"].value.tolist() == [[1, 5, 6, 7]]
    assert trace["loss.labels"].value.tolist() == [[5, 6, 7, 2]]


def test_parameters_are_counted_block_by_block_with_their_formula() -> None:
    blocks = {block.name: block for block in count_parameters(sketch(configure("tiny")[1])).blocks}
    assert blocks["encoder.layers.0.feed_forward"].count == 552
    assert blocks["encoder.layers.0.feed_forward"].formula == "8·32 + 32 + 32·8 + 8"
    assert blocks["encoder.layers.0.self_attn"].count == 4 * (8 * 8 + 8)


def test_the_papers_base_model_counts_its_shared_table_once() -> None:
    counted = count_parameters(sketch(configure("paper-base")[1]))
    attention, feed_forward, norm = 4 * (512 * 512 + 512), 2 * 512 * 2048 + 2048 + 512, 2 * 512
    layers = 6 * (attention + feed_forward + 2 * norm) + 6 * (2 * attention + feed_forward + 3 * norm)
    assert counted.embeddings == 37000 * 512
    assert counted.total == layers + 37000 * 512 + 37000
    assert counted.without_embeddings == layers + 37000


def test_other_sizes_work_as_well() -> None:
    one = glassformer.trace("tiny", src="dog", tgt="dog")
    assert one["decoder.layers.0.cross_attn.weights"].shape == (1, 2, 1, 2)
    second = glassformer.trace("small", src=["the cat sleeps", "a bird sings"], tgt=["the cat sleeps", "a bird sings"])
    assert second["encoder.layers.0.feed_forward.hidden"].shape == (2, 4, 16)
    assert second["src_embed.sum"].shape == (2, 4, 8)


def test_words_that_a_model_does_not_know_are_marked_and_said() -> None:
    trace = glassformer.trace("tiny", src="dog fish", tgt="dog")
    assert [(token.text, token.id, token.unknown) for token in trace.batch.src[0]] == [
        ("<start>", 1, False),
        ("dog", 3, False),
        ("fish", 0, True),
    ]
    assert trace.batch.notices == (
        "Source 1: “fish” is no word this model knows: it is fed <pad> instead, no position looks at it.",
    )


@pytest.mark.parametrize(("model", "text"), [("tiny", "<pad> <start>"), ("copy", "<end> 2 1 0"), ("pig-latin", "<start>")])
def test_plain_text_never_makes_a_special_token(model: str, text: str) -> None:
    trace = glassformer.trace(model, src=text, tgt="x")
    words = trace.batch.src[0][1:] if model == "tiny" else trace.batch.src[0]
    assert not any(token.special for token in words)


def test_statistics_leave_out_what_is_not_finite() -> None:
    summary = glassformer.trace("tiny", src="dog", tgt="dog run cat")["decoder.layers.0.self_attn.masked_scores"].summary
    assert (summary.finite, summary.negative_infinity, summary.nan) == (12, 6, 0)
    assert summary.mean is not None
    assert abs(summary.mean) < 10
