"""A trained model's card as a file, `config.json`: settings, vocabulary, examples, and how it was trained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from ..catalogue import Example, ModelCard
from ..config import ModelConfig
from ..errors import WeightsError
from ..tokenizers import END, PAD, START, CharacterTokenizer, ListTokenizer, NumberTokenizer, WordTokenizer

FORMAT = 1
LONGEST_TITLE = 80
LONGEST_TEXT = 500
MOST_EXAMPLES = 12
FIELDS = ("glassformer", "title", "says", "config", "tokenizer", "examples", "decode_steps", "training")

TOKENIZERS: Mapping[str, type[ListTokenizer]] = {kind.unit: kind for kind in (WordTokenizer, NumberTokenizer, CharacterTokenizer)}


def describe_card(card: ModelCard, training: Mapping[str, Any]) -> dict[str, Any]:
    """Return a card as plain values for JSON; `training` are facts about how it learned."""
    tokenizer = card.tokenizer
    assert isinstance(tokenizer, ListTokenizer), f"{card.id} has no list of tokens to write down"
    return {
        "glassformer": FORMAT,
        "title": card.title,
        "says": card.says,
        "config": card.config.as_dict(),
        "tokenizer": {"unit": tokenizer.unit, "vocabulary": list(tokenizer.vocabulary)},
        "examples": [{"title": made.title, "src": list(made.src), "tgt": list(made.tgt)} for made in card.examples],
        "decode_steps": card.decode_steps,
        "training": dict(training),
    }


def read_card_file(raw: Any, *, id: str) -> ModelCard:
    """Read what `describe_card` wrote, from whatever hand it comes.

    Raises:
        WeightsError, ConfigError: it is no such card; the message names the field.
    """
    raw = _object(raw, "the card")
    if raw.get("glassformer") != FORMAT:
        raise _wrong(f"glassformer is {str(raw.get('glassformer'))[:20]!r}; this program reads cards of format {FORMAT}")
    _check_known(raw, FIELDS, "the card")
    settings = _object(raw.get("config"), "config")
    known = {field.name for field in fields(ModelConfig)}
    if strange := sorted(settings.keys() - known) or (["vocab_size"] if "vocab_size" not in settings else []):
        raise _wrong(f"config has a setting too many or lacks one: {strange[0][:40]}")
    config = ModelConfig(**settings)
    tokenizer = _tokenizer(_object(raw.get("tokenizer"), "tokenizer"))
    if tokenizer.vocab_size != config.vocab_size or config.pad_id != tokenizer.pad_id:
        raise _wrong(f"vocab_size is {config.vocab_size} and the vocabulary has {tokenizer.vocab_size} tokens")
    steps = raw.get("decode_steps")
    if not isinstance(steps, int) or isinstance(steps, bool) or not 1 <= steps <= config.max_length:
        raise _wrong(f"decode_steps is {str(steps)[:20]}; it must be a whole number from 1 to {config.max_length}")
    return ModelCard(
        id=id,
        title=_text(raw.get("title"), "title", LONGEST_TITLE),
        says=_text(raw.get("says"), "says", LONGEST_TEXT),
        config=config,
        tokenizer=tokenizer,
        examples=tuple(_example(made) for made in _list(raw.get("examples"), "examples", MOST_EXAMPLES)),
        decode_steps=steps,
        trained=True,
    )


def _tokenizer(raw: Mapping[str, Any]) -> ListTokenizer:
    _check_known(raw, ("unit", "vocabulary"), "the tokeniser")
    kind = TOKENIZERS.get(str(raw.get("unit")))
    if kind is None:
        raise _wrong(f"the tokeniser's unit is {str(raw.get('unit'))[:20]!r}; it must be {' or '.join(TOKENIZERS)}")
    tokens = [_text(token, "a token", LONGEST_TEXT) for token in _list(raw.get("vocabulary"), "vocabulary", 10**6)]
    if tokens[:2] != [PAD, START] or END not in tokens:
        raise _wrong(f"the vocabulary must begin with {PAD} and {START} and hold {END}")
    if len(set(tokens)) != len(tokens):
        raise _wrong("a token stands twice in the vocabulary")
    return kind(tuple(tokens))


def _example(raw: Any) -> Example:
    raw = _object(raw, "an example")
    _check_known(raw, ("title", "src", "tgt"), "an example")
    src, tgt = (
        tuple(_text(text, "an example", LONGEST_TEXT) for text in _list(raw.get(side), f"{side} of an example", 8))
        for side in ("src", "tgt")
    )
    if not src or len(src) != len(tgt):
        raise _wrong("an example needs sentences, and as many targets as sources")
    return Example(_text(raw.get("title"), "the title of an example", LONGEST_TITLE), src, tgt)


def _object(raw: Any, what: str) -> Mapping[str, Any]:
    if not isinstance(raw, Mapping):
        raise _wrong(f"{what} must be an object")
    return raw


def _check_known(raw: Mapping[str, Any], known: Sequence[str], what: str) -> None:
    """Raise for a field that we do not write: somebody expects something of it that would not happen."""
    if strange := sorted(raw.keys() - set(known)):
        raise _wrong(f"{what} has a field {strange[0][:40]!r}, which is not known")


def _list(raw: Any, what: str, most: int) -> Sequence[Any]:
    if not isinstance(raw, list) or len(raw) > most:
        raise _wrong(f"{what} must be a list of at most {most}")
    return raw


def _text(raw: Any, what: str, longest: int) -> str:
    if not isinstance(raw, str) or len(raw) > longest or any("\ud800" <= letter <= "\udfff" for letter in raw):
        raise _wrong(f"{what} must be text of at most {longest} characters")
    return raw


def _wrong(message: str) -> WeightsError:
    return WeightsError(f"this is no model of Glassformer: {message}", where="config")
