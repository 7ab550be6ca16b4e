"""`glassformer verify`: what is run, what is printed, how it ends."""

from __future__ import annotations

import io

import pytest
import torch
from glassformer.model import attention
from glassformer.model.errors import GlassformerError
from rich.console import Console
from typer.testing import CliRunner

from glassformer.__main__ import command
from glassformer.verifying import Asked, recipes, report


def printed(asked: Asked) -> tuple[bool, str]:
    out = io.StringIO()
    passed = report(asked, Console(file=out, width=140))
    return passed, out.getvalue()


def test_without_sentences_the_examples_are_verified() -> None:
    asked = [(recipe.model, recipe.src) for recipe in recipes(Asked(["copy"]))]
    assert asked == [("copy", ("3 4 5 6 7 8 9 10 3 4",)), ("copy", ("7 7 7 7 7",)), ("copy", ("3 10 4 10 5", "8 9"))]


def test_all_is_every_model() -> None:
    assert {recipe.model for recipe in recipes(Asked(["all"]))} == {"tiny", "small", "copy", "pig-latin", "paper-base"}


def test_options_are_read_as_what_they_look_like() -> None:
    asked = Asked(["tiny"], src=["dog"], options=["norm=pre", "bias=false", "d_ff=16", "norm_eps=1e-3"], seed=4)
    (recipe,) = recipes(asked)
    assert dict(recipe.options) == {"norm": "pre", "bias": False, "d_ff": 16, "norm_eps": 1e-3}
    assert (recipe.seed, recipe.tgt, recipe.prefix) == (4, None, ((1,),))


def test_the_table_says_what_was_found() -> None:
    passed, text = printed(Asked(["tiny"], src=["dog run"], tgt=["dog run"]))
    assert passed
    for words in ("✓", "tiny", "dog run", "189", "3 201", "the same bits", "1 run proved"):
        assert words in text


def test_what_the_library_cannot_compute_is_said() -> None:
    passed, text = printed(Asked(["tiny"], src=["dog"], tgt=["dog"], options=["norm_eps_inside=false"]))
    assert passed
    assert "not compared" in text
    assert "adds ε under the root" in text


def test_a_sentence_is_no_markup() -> None:
    assert "[red]dog" in printed(Asked(["tiny"], src=["[red]dog"], tgt=["dog"]))[1]


def test_a_failure_is_named_and_ends_with_status_1(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attention, "softmax_over_keys", lambda scores, mask: torch.softmax(scores * 1.01, -1))
    result = CliRunner().invoke(command, ["verify", "tiny", "--src", "dog run", "--tgt", "dog run"])
    assert result.exit_code == 1
    assert "1 of 1 run failed" in result.output
    assert "✗ tiny: encoder.layers.0.self_attn.weights at (0, " in result.output


@pytest.mark.parametrize("arguments", [["nope"], ["tiny", "--option", "norm"], ["tiny", "--option", "norm=sideways"]])
def test_a_mistake_ends_with_status_2(arguments: list[str]) -> None:
    result = CliRunner().invoke(command, ["verify", *arguments])
    assert result.exit_code == 2
    assert "Traceback" not in result.output


def test_an_option_that_is_none_quotes_it() -> None:
    with pytest.raises(GlassformerError, match="'norm' is not written name=value"):
        list(recipes(Asked(["tiny"], options=["norm"])))
