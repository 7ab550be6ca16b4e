"""Our counts beside the paper's, worked out by hand, and the sizes that can be chosen."""

from __future__ import annotations

from typing import Any

import pytest
from glassformer.model.config import ModelConfig
from glassformer.model.library import configure, sketch
from glassformer.model.limits import Limits
from glassformer.model.paper import compare
from glassformer.model.parameters import count_parameters
from glassformer.model.sizes import size_ranges

BIG = {"d_model": 1024, "d_ff": 4096, "n_heads": 16}


def config(model: str, **options: Any) -> ModelConfig:
    return configure(model, options)[1]


def test_base_counts_63_million_and_says_what_they_are() -> None:
    found = compare(config("paper-base"), sketch(config("paper-base")))
    assert found is not None
    assert (found.counted, found.printed.millions, found.difference) == (63_119_496, 65, 1_880_504)
    assert {item.title: item.count for item in found.items} == {
        "one table for all three": 37000 * 512,
        "matrices of attention": 18 * 4 * 512 * 512,
        "matrices of feed-forward": 12 * 2 * 512 * 2048,
        "biases of attention": 18 * 4 * 512,
        "biases of feed-forward": 12 * (2048 + 512),
        "layer norms": 30 * 2 * 512,
        "bias of the output": 37000,
    }
    assert sum(item.count for item in found.items) == found.counted


@pytest.mark.parametrize(("options", "millions"), [({}, 65), (BIG, 213)])
def test_so_many_rows_round_to_the_printed_number_and_no_others(options: dict[str, int], millions: int) -> None:
    chosen = config("paper-base", **options)
    found = compare(chosen, sketch(chosen))
    assert found is not None
    counts = [
        found.counted + (rows - 37000) * (chosen.d_model + 1) for rows in (found.rows[0] - 1, *found.rows, found.rows[1] + 1)
    ]
    assert [(count + 500_000) // 1_000_000 for count in counts] == [millions - 1, millions, millions, millions + 1]


@pytest.mark.parametrize(
    ("title", "options"),
    [("positions learned as well", {"positions": "learned"}), ("three tables apart", {"tied_embeddings": False})],
)
def test_other_ways_to_count_are_what_such_a_network_has(title: str, options: dict[str, Any]) -> None:
    found = compare(config("paper-base"), sketch(config("paper-base")))
    assert found is not None
    told = next(item.count for item in found.otherwise if item.title == title)
    assert told == count_parameters(sketch(config("paper-base", **options))).total


@pytest.mark.parametrize("options", [{"n_layers": 5}, {"norm": "pre"}, {"tied_embeddings": False}, {"bias": False}])
def test_another_model_is_not_held_against_the_paper(options: dict[str, Any]) -> None:
    assert compare(config("paper-base", **options), sketch(config("paper-base", **options))) is None


def test_parts_add_up_and_a_shared_table_counts_where_it_stands_first() -> None:
    counted = count_parameters(sketch(config("tiny", tied_embeddings=True)))
    assert counted.parts[""] == counted.total == sum(each.count for each in counted.each)
    assert (counted.parts["src_embed"], counted.parts["tgt_embed"], counted.parts["generator"]) == (5 * 8, 0, 5)
    assert counted.parts["encoder"] == counted.parts["encoder.layers.0"] + counted.parts["encoder.layers.1"]
    assert counted.each[0].shared_with == ("tgt_embed.table", "generator.w")
    assert sum(each.share for each in counted.each) == pytest.approx(1)


def test_heads_stop_at_what_divides_d_model() -> None:
    ranges = {size.name: size for size in size_ranges(config("tiny", d_model=12, n_heads=3), Limits(), trained=False)}
    assert ranges["n_heads"].stops == (1, 2, 3, 4, 6, 12)
    assert ranges["d_model"].stops[:8] == (1, 2, 3, 4, 6, 8, 12, 16)
    assert (ranges["n_layers"].axis, ranges["n_layers"].most) == (None, 12)


def test_a_trained_model_can_change_its_heads_alone() -> None:
    fixed = {size.name: size.fixed for size in size_ranges(config("copy"), Limits(), trained=True)}
    assert fixed == {"d_model": True, "n_heads": False, "n_layers": True, "d_ff": True, "vocab_size": True}
