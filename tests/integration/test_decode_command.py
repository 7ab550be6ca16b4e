"""`glassformer decode` on the command line."""

from __future__ import annotations

from typer.testing import CliRunner

from glassformer.__main__ import command


def test_a_hypothesis_that_ends_in_a_space_is_told_from_one_that_does_not() -> None:
    words = ["decode", "pig-latin", "she", "--strategy", "beam", "--width", "2", "--steps", "7"]
    result = CliRunner().invoke(command, words)
    assert result.exit_code == 0, result.output
    written = [line.split()[1] for line in result.output.splitlines() if line[:1].isdigit()]
    assert "eshay" in written
    assert any(text.endswith("␣") for text in written), written
