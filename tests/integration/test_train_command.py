"""`glassformer train`: a person's own pairs, a run left and taken up again, and what does not fit said in one line."""

from __future__ import annotations

from pathlib import Path

import pytest
from glassformer.model.shelf import open_own_shelf
from typer.testing import CliRunner

from glassformer.__main__ import command

SMALL = ["--option", "d_model=8", "--option", "n_heads=2", "--option", "d_ff=8", "--option", "n_layers=1", "--batch", "2"]
ANIMALS = "one cat\teine Katze\none dog\tein Hund\ntwo cats\tzwei Katzen\n\ntwo dogs\tzwei Hunde\n"


def run(*words: str) -> tuple[int, str]:
    made = CliRunner().invoke(command, ["train", *words])
    return made.exit_code, made.output


def test_a_file_of_pairs_becomes_a_model_that_decodes(tmp_path: Path) -> None:
    file = tmp_path / "animals.tsv"
    file.write_text(ANIMALS, "utf-8")
    status, said = run(str(file), *SMALL, "--steps", "4", "--held-out", "0.25")
    assert status == 0, said
    assert "1 line is empty and left out." in said
    made = open_own_shelf().runs()[0]
    assert (made.status["state"], made.name or made.about["title"]) == ("finished", "animals")
    decoded = CliRunner().invoke(command, ["decode", made.id, "one cat", "--steps", "2"])
    assert decoded.exit_code == 0, decoded.output
    status, said = run(made.id)
    assert status == 0
    assert f"{made.id} is trained" in said


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nothing"], "'nothing' is no task and no file; there are copy, reverse, sort, pig-latin"),
        (["sort", "--option", "d_model=31"], "d_model 31 does not divide by n_heads 4"),
        (["sort", "--option", "wide"], "is not written name=value"),
        (["run-00000000"], "no run is named 'run-00000000'"),
        (["run-00000000", "--batch", "3"], "goes on with its own recipe"),
    ],
)
def test_what_does_not_fit_is_said_in_one_line(words: list[str], message: str) -> None:
    status, said = run(*words)
    assert status == 2
    assert message in said


def test_a_file_that_is_no_text_is_named_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "old.txt"
    file.write_bytes("a\tb\nK\u00e4se\tx".encode("latin-1"))
    assert "line 2 holds the byte 0xe4" in run(str(file))[1]
