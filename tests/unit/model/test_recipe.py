"""Recipes: a trace's id holds all that it is made from."""

from __future__ import annotations

import base64
import contextlib
import json

import pytest
from glassformer.model.errors import GlassformerError, InputError, RecipeError
from glassformer.model.recipe import Recipe
from hypothesis import given, settings
from hypothesis import strategies as st

import glassformer

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


@given(
    model=texts.filter(bool),
    pairs=st.lists(st.tuples(texts, texts), min_size=1, max_size=4),
    options=st.dictionaries(texts, st.booleans() | st.integers(-9, 9) | texts, max_size=3),
    seed=st.none() | st.integers(0, 2**63 - 1),
)
@settings(max_examples=60, deadline=None)
def test_an_id_reads_back_as_its_recipe(
    model: str, pairs: list[tuple[str, str]], options: dict[str, object], seed: int | None
) -> None:
    recipe = Recipe(model, tuple(src for src, _ in pairs), tuple(tgt for _, tgt in pairs), options=options, seed=seed)
    assert Recipe.from_id(recipe.id) == recipe
    assert Recipe.from_id(recipe.id).id == recipe.id


def test_the_order_in_which_fields_are_written_does_not_matter() -> None:
    one = Recipe.from_dict({"model": "tiny", "src": ["dog"], "tgt": ["dog"], "options": {"norm": "pre", "bias": False}})
    two = Recipe.from_dict({"options": {"bias": False, "norm": "pre"}, "tgt": ["dog"], "src": "dog", "model": "tiny"})
    assert one.id == two.id


def coded(raw: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(raw, separators=(",", ":"), sort_keys=True).encode()).decode().rstrip("=")


@pytest.mark.parametrize(
    "id",
    [
        "",
        "x",
        "%%%%",
        "eyJ",
        coded([]),
        coded({"model": "tiny"}),
        coded({"model": "tiny", "src": ["a"], "tgt": ["a"], "more": 1}),
        base64.urlsafe_b64encode(b'{"model": "tiny", "src": ["a"], "tgt": ["a"]}').decode().rstrip("="),
        coded({"model": "tiny", "src": "a", "tgt": "a"}),
        "A" * 20000,
        coded({"model": "tiny", "src": ["a"], "tgt": ["a"], "seed": True}),
    ],
)
def test_what_is_no_canonical_recipe_is_refused(id: str) -> None:
    with pytest.raises(RecipeError):
        Recipe.from_id(id)


def test_changing_one_character_gives_another_recipe_or_none() -> None:
    recipe = Recipe("tiny", ("dog run",), ("dog",))
    for place in range(len(recipe.id)):
        for letter in "aZ0_":
            changed = recipe.id[:place] + letter + recipe.id[place + 1 :]
            with contextlib.suppress(GlassformerError):
                assert Recipe.from_id(changed).id == changed


def test_a_recipe_too_long_for_a_link_is_refused_with_both_numbers() -> None:
    with pytest.raises(InputError, match=r"too long for a link: 50\d\d bytes of at most 4500"):
        Recipe("tiny", ("x" * 5000,), ("x",))


@pytest.mark.parametrize("seed", [-1, 2**63, 1.5, "1", True])
def test_a_seed_that_is_none_is_refused_with_its_value(seed: object) -> None:
    with pytest.raises(InputError, match="seed is"):
        glassformer.trace("tiny", src="dog", tgt="dog", seed=seed)  # type: ignore[arg-type]


def test_half_a_character_is_refused() -> None:
    with pytest.raises(InputError, match="lone surrogate"):
        glassformer.trace("tiny", src="\ud800", tgt="dog")


def test_the_same_seed_gives_the_same_bits_and_another_seed_gives_others() -> None:
    first, second, third = (glassformer.trace("tiny", src="dog", tgt="dog", seed=seed).logits for seed in (7, 7, 8))
    assert first.equal(second)
    assert not first.equal(third)
