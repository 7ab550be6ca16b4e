"""BLEU and chrF as they are shown: the cases that libraries get wrong, and what is undefined said to be so."""

from __future__ import annotations

import pytest
from glassformer.model.training.translation import bleu, chrf


@pytest.mark.parametrize(
    ("written", "target", "score"),
    [
        ("a b c d", "a b c d", 100),
        ("the cat sat on the mat", "the cat sat on a mat", 53.7285),
        ("a b c d", "a b c d e f", 60.6531),
    ],
)
def test_bleu_is_what_it_is_by_hand(written: str, target: str, score: float) -> None:
    found = bleu([written], [target])
    assert found.score == pytest.approx(score, abs=1e-4)
    assert found.score is not None
    assert found.score <= 100


def test_bleu_counts_over_the_corpus_and_does_not_average_sentences() -> None:
    assert bleu(["a b c", "a b c d e"], ["a b c", "a b c d e"]).score == 100


def test_bleu_without_four_words_is_undefined_and_says_why() -> None:
    found = bleu(["a b c"], ["a b c"])
    assert found.score is None
    assert found.why == "no sentence that was written has 4 words, so there are no 4-grams to compare (0 / 0)"


def test_bleu_of_nothing_is_undefined() -> None:
    assert bleu([""], ["a b"]).why.startswith("no sentence that was written has 1 word,")
    assert chrf(["", " "], ["a", "b"]).score is None


def test_a_score_carries_the_settings_it_depends_on() -> None:
    assert bleu(["a"], ["a"]).signature.startswith("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:")
    assert chrf(["a"], ["a"]).signature.startswith("nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:")


def test_chrf_of_the_same_text_is_full() -> None:
    assert chrf(["ogday"], ["ogday"]).score == pytest.approx(100)
