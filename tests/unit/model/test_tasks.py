"""What the models are trained on: Pig Latin by rule, numbers to copy, and the words that are kept for the test."""

import random

import pytest
from glassformer.model.catalogue import card
from glassformer.model.errors import UnknownNameError
from glassformer.model.training.pig_latin import onset_and_rest, pig_latin
from glassformer.model.training.tasks import TASKS, draw_copy, draw_phrase, task
from glassformer.model.training.words import content_words, function_words, held_out_words, is_held_out, training_words


@pytest.mark.parametrize(
    ("english", "latin"),
    [
        ("pet", "etpay"),
        ("she", "eshay"),
        ("string", "ingstray"),
        ("glass", "assglay"),
        ("tree", "eetray"),
        ("apple", "appleway"),
        ("under", "underway"),
        ("i", "iway"),
        ("queen", "eenquay"),
        ("square", "aresquay"),
        ("equal", "equalway"),
        ("qatar", "atarqay"),
        ("u", "uway"),
        ("yes", "esyay"),
        ("yttrium", "iumyttray"),
        ("my", "ymay"),
        ("rhythm", "ythmrhay"),
        ("eye", "eyeway"),
        ("xylophone", "ylophonexay"),
        ("hmm", "hmmay"),
        ("tv", "tvay"),
        ("she pet the dog", "eshay etpay ethay ogday"),
        ("a quick yellow bird", "away ickquay ellowyay irdbay"),
    ],
)
def test_pig_latin_follows_its_rules(english: str, latin: str) -> None:
    assert pig_latin(english) == latin


def test_pig_latin_keeps_every_letter_of_every_word() -> None:
    for word in content_words():
        ending = "way" if word[0] in "aeiou" else "ay"
        assert sorted(pig_latin(word)) == sorted(word + ending), word


def test_pig_latin_refuses_what_is_no_word() -> None:
    with pytest.raises(AssertionError, match="'Dog' is no word of small letters"):
        onset_and_rest("Dog")


def test_words_are_plain_small_letters_and_stand_once() -> None:
    for words in (content_words(), function_words()):
        assert all(word.isascii() and word.isalpha() and word.islower() for word in words)
        assert list(words) == sorted(set(words))
    assert len(content_words()) > 7000


def test_held_out_words_are_never_drawn_for_training() -> None:
    rng = random.Random(3)
    seen = {word for _ in range(5000) for word in draw_phrase(rng).src.split()}
    assert len(held_out_words()) == 800
    assert not seen & set(held_out_words())
    assert not set(training_words()) & set(held_out_words())
    assert not any(is_held_out(word) for word in function_words())


def test_phrases_have_one_to_five_words_and_fit_the_model() -> None:
    rng = random.Random(4)
    pairs = [draw_phrase(rng) for _ in range(5000)]
    longest = card("pig-latin").config.max_length
    assert {len(pair.src.split(" ")) for pair in pairs} == {1, 2, 3, 4, 5}
    assert all(len(pair.src) <= 32 and 1 + len(pair.tgt) <= longest and pair.tgt == pig_latin(pair.src) for pair in pairs)


def test_copies_have_one_to_ten_numbers_and_spare_the_test_sequences() -> None:
    rng = random.Random(5)
    pairs = [draw_copy(rng) for _ in range(5000)]
    tests = {pair.src for pair in task("copy").held_out()["ten numbers"]}
    assert {len(pair.src.split()) for pair in pairs} == set(range(1, 11))
    assert {number for pair in pairs for number in pair.src.split()} == {str(number) for number in range(3, 11)}
    assert all(pair.src == pair.tgt and pair.src not in tests for pair in pairs)
    assert len(tests) == 1000
    assert all(len(numbers.split()) == 10 for numbers in tests)


def test_every_task_trains_a_model_of_the_catalogue_that_knows_its_tokens() -> None:
    for id, made in TASKS.items():
        pair = made.draw(random.Random(6))
        assert made.id == id
        assert card(id).trained
        assert not any(token.unknown for text in (pair.src, pair.tgt) for token in card(id).tokenizer.encode(text))


def test_unknown_task_is_named_with_those_there_are() -> None:
    with pytest.raises(UnknownNameError, match="no task is named 'sort'; there are copy, pig-latin"):
        task("sort")
