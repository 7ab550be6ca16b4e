"""The models that come with Glassformer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from string import ascii_lowercase

from .config import ModelConfig
from .errors import UnknownNameError
from .shelves import SHELVES, Sees
from .tokenizers import (
    END,
    PAD,
    START,
    UNKNOWN,
    CharacterTokenizer,
    HashTokenizer,
    NumberTokenizer,
    Tokenizer,
    WordTokenizer,
)


@dataclass(frozen=True)
class Example:
    """Sentences to start from, one pair or several."""

    title: str
    src: tuple[str, ...]
    tgt: tuple[str, ...]


@dataclass(frozen=True)
class ModelCard:
    """A model as the catalogue lists it.

    `trained` is true when weights are stored, in the file `weights` or `model/weights/{id}.safetensors`; otherwise they are drawn
    from `seed`.
    `start_src` says whether <start> opens the source as well as the target.
    `decode_steps` ends a decoding that meets no end token.
    """

    id: str
    title: str
    says: str
    config: ModelConfig
    tokenizer: Tokenizer
    examples: tuple[Example, ...]
    decode_steps: int
    seed: int = 1
    trained: bool = False
    start_src: bool = False
    weights: Path | None = None


def card(id: str) -> ModelCard:
    """Return the card of a model that comes with the program or was trained here.

    Raises:
        UnknownNameError: there is none; the message names those of the program.
    """
    if id not in CATALOGUE:
        if (found := SHELVES.find(id)) is not None:
            return found
        known = f"there are {', '.join(CATALOGUE)}, and what was trained here and not deleted"
        raise UnknownNameError(f"no model is named {id[:40]!r}; {known}", where="model")
    return CATALOGUE[id]


def cards(sees: Sees = lambda owner: True) -> list[ModelCard]:
    """Return the cards of all models: those that come with the program, then those trained here, the newest first.

    Of these, `sees` says whose stand in the list.
    """
    return [*CATALOGUE.values(), *SHELVES.cards(sees)]


def pinned(id: str) -> str:
    """Return the id whose weights never change: a model trained here takes the step of its last checkpoint with it."""
    found = None if id in CATALOGUE else SHELVES.find(id)
    return id if found is None else found.id


def _tiny() -> ModelCard:
    return ModelCard(
        id="tiny",
        title="tiny",
        says="The worked example: five tokens, eight numbers each. Its weights are random; it has learned nothing, "
        "and every number fits on the screen.",
        config=ModelConfig(vocab_size=5, d_model=8, n_heads=2, d_ff=32, n_layers=2, max_length=64),
        tokenizer=WordTokenizer((PAD, START, "cat", "dog", "run")),
        examples=(
            Example("the worked example", ("dog run", "cat run"), ("dog run", "cat run")),
            Example("one sentence", ("dog run",), ("dog run",)),
            Example("different lengths, padded", ("dog run cat", "cat"), ("dog run cat", "cat")),
        ),
        decode_steps=8,
        start_src=True,
    )


def _small() -> ModelCard:
    words = ("the", "a", "cat", "dog", "bird", "runs", "sleeps", "sings")
    return ModelCard(
        id="small",
        title="small",
        says="Ten tokens, d_model 8, two heads, d_ff 16: the second set of sizes that texts use. Random weights.",
        config=ModelConfig(vocab_size=10, d_model=8, n_heads=2, d_ff=16, n_layers=2, max_length=64),
        tokenizer=WordTokenizer((PAD, START, *words)),
        examples=(Example("two sentences", ("the cat sleeps", "a bird sings"), ("the cat sleeps", "a bird sings")),),
        decode_steps=8,
        start_src=True,
    )


def _copy() -> ModelCard:
    return ModelCard(
        id="copy",
        title="copy",
        says="Trained to write its source again: eleven tokens, up to ten numbers.",
        config=ModelConfig(vocab_size=11, d_model=32, n_heads=4, d_ff=64, n_layers=2, max_length=16),
        tokenizer=NumberTokenizer((PAD, START, END, *map(str, range(3, 11)))),
        examples=(
            Example("ten numbers", ("3 4 5 6 7 8 9 10 3 4",), ("3 4 5 6 7 8 9 10 3 4",)),
            Example("the same number again and again", ("7 7 7 7 7",), ("7 7 7 7 7",)),
            Example("two lengths", ("3 10 4 10 5", "8 9"), ("3 10 4 10 5", "8 9")),
        ),
        decode_steps=12,
        trained=True,
    )


def _pig_latin() -> ModelCard:
    return ModelCard(
        id="pig-latin",
        title="Pig Latin",
        says="Trained to turn English into Pig Latin, letter by letter. "
        "Look at its cross-attention: it walks along the word it reads.",
        config=ModelConfig(vocab_size=31, d_model=64, n_heads=4, d_ff=128, n_layers=2, max_length=64),
        tokenizer=CharacterTokenizer((PAD, START, END, UNKNOWN, " ", *ascii_lowercase)),
        examples=(
            Example("she pet the dog", ("she pet the dog",), ("eshay etpay ethay ogday",)),
            Example("a cluster", ("string",), ("ingstray",)),
            Example("a vowel", ("apple",), ("appleway",)),
            Example("three words at once", ("glass", "tree", "under"), ("assglay", "eetray", "underway")),
        ),
        decode_steps=60,
        trained=True,
    )


def _paper_base() -> ModelCard:
    return ModelCard(
        id="paper-base",
        title="paper base",
        says="The sizes of the paper's base model: d_model 512, 8 heads, 6 + 6 layers, 37 000 tokens. Random weights.",
        config=ModelConfig(vocab_size=37000, max_length=512, tied_embeddings=True, dropout=0.1),
        tokenizer=HashTokenizer(37000),
        examples=(
            Example(
                "one sentence",
                ("i arrived at the bank after crossing the river",),
                ("je suis arrivé à la banque après avoir traversé la rivière",),
            ),
        ),
        decode_steps=24,
    )


CATALOGUE: Mapping[str, ModelCard] = {made.id: made for made in (_tiny(), _small(), _copy(), _pig_latin(), _paper_base())}
