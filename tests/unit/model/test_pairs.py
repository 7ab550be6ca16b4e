"""Pairs of sentences as people bring them: read line by line, with messages that name the line and the limit."""

from __future__ import annotations

import pytest
from glassformer.model.errors import GlassformerError
from glassformer.model.training.pairs import Corpus, Reading, decode_text, read_corpus

GOOD = "One cat\teine Katze\none dog\tein Hund\na bird\tein Vogel\na  fish\tein Fisch\n"


def read(text: str, *, seed: int = 1, **reading: object) -> Corpus:
    return read_corpus(text, Reading(**reading), seed=seed)


@pytest.mark.parametrize(
    ("mark", "written"), [("\t", "one cat\teine Katze"), ("|", "one cat | eine Katze"), (",", '"one cat",eine Katze')]
)
def test_two_columns_are_told_by_the_first_line(mark: str, written: str) -> None:
    corpus = read(f"{written}\none dog{mark}ein Hund")
    assert {(pair.src, pair.tgt) for pair in corpus.training + corpus.held_out} == {
        ("one cat", "eine katze"),
        ("one dog", "ein hund"),
    }


def test_a_comma_inside_quotes_divides_nothing() -> None:
    corpus = read('"well, yes","na, ja"\nno,nein')
    assert {pair.tgt for pair in corpus.training + corpus.held_out} == {"na, ja", "nein"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there are no lines"),
        (" \n\n", "there are no lines"),
        ("one cat", "line 1 has one column; each line needs a source and a target"),
        (GOOD + "\nalone", "line 6 has one column"),
        (GOOD + "a\tb\tc", "line 5 has 3 columns; each line needs a source and a target, with a tab between"),
        (GOOD + "a\t ", "line 5 has an empty target"),
        (GOOD + "\tb", "line 5 has an empty source"),
        (GOOD + "a\tx y z w", "line 5: the target has 4 words; the limit is 3"),
        (GOOD + "a\tb\ufffd", "line 5 holds U+FFFD, which is no letter: save the file as UTF-8 text"),
        (GOOD + "a\tb\x00", "line 5 holds U+0000"),
        (GOOD + "a\t\ud800", "line 5 holds U+D800"),
        ("one cat\teine Katze\none cat\tdie Katze", "there is 1 source sentence; 2 are the least"),
        (GOOD * 3, "there are 12 lines; the limit is 10"),
    ],
)
def test_a_line_that_is_no_pair_is_named(text: str, message: str) -> None:
    with pytest.raises(GlassformerError) as raised:
        read(text, tokens=3, most=10)
    assert raised.value.message.startswith(message)
    assert raised.value.where == "pairs"


def test_empty_and_repeated_lines_are_left_out_and_said_so() -> None:
    corpus = read("\n" + GOOD + "\nA bird\tein  Vogel\n")
    assert len(corpus.training) + len(corpus.held_out) == 4
    assert corpus.notices == (
        "2 lines are empty and left out.",
        "1 line is repeated word for word: one of each is kept.",
    )


def test_the_test_shares_no_source_with_the_training_and_depends_on_the_seed_alone() -> None:
    text = "\n".join(f"word{i % 50}\tanswer{i}" for i in range(200))
    first, again, other = (read(text, seed=seed, held_out=0.2) for seed in (1, 1, 2))
    assert first == again
    assert first.held_out != other.held_out
    assert len({pair.src for pair in first.held_out}) == 10
    assert not {pair.src for pair in first.held_out} & {pair.src for pair in first.training}


def test_the_commonest_tokens_of_the_training_make_the_vocabulary() -> None:
    text = "\n".join(f"the the word{i}\tder der wort{i}" for i in range(30))
    corpus = read(text, vocabulary=8)
    assert corpus.tokenizer.vocabulary[:4] == ("<pad>", "<start>", "<end>", "<unk>")
    assert {"the", "der"} < set(corpus.tokenizer.vocabulary)
    assert corpus.tokenizer.vocab_size == 8
    assert "are read as <unk>: the vocabulary holds 8 tokens" in corpus.notices[-1]


def test_what_looks_like_a_special_token_is_text_that_is_not_known() -> None:
    corpus = read("<start> <pad>\t<end>\nx\ty\nz\tw", held_out=0.4)
    assert [token for token in corpus.tokenizer.vocabulary if token.startswith("<")] == ["<pad>", "<start>", "<end>", "<unk>"]
    assert [token.special for token in corpus.tokenizer.encode("<start> x")] == [False, False]


def test_letters_can_be_the_tokens() -> None:
    corpus = read("Ab\tBA\ncd\tdc\n", unit="character")
    pair = (corpus.training + corpus.held_out)[0]
    assert (
        corpus.tokenizer.decode([token.id for token in corpus.tokenizer.encode(corpus.training[0].tgt)]) == corpus.training[0].tgt
    )
    assert pair.src in ("ab", "cd")
    assert corpus.longest == 2


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_file_is_read_by_what_its_first_bytes_say(encoding: str) -> None:
    assert decode_text("Käse\tfromage".encode(encoding)) == "Käse\tfromage"


def test_a_byte_that_is_no_text_is_named_with_its_line() -> None:
    with pytest.raises(GlassformerError, match="line 2 holds the byte 0xe4, which is no UTF-8 text: save the file as UTF-8"):
        decode_text("a\tb\nK\u00e4se\tx".encode("latin-1"))
