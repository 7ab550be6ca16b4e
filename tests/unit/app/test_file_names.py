"""Names of files out of what somebody typed."""

from __future__ import annotations

import pytest
from glassformer.app.file_names import file_name


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Pig Latin", "Pig Latin.json"),
        ("größer שלום 日本", "größer שלום 日本.json"),
        ("../../etc/passwd", "_.._etc_passwd.json"),
        ("C:\\Windows\\x", "C__Windows_x.json"),
        (".hidden", "hidden.json"),
        ("-rf", "rf.json"),
        ("~root", "root.json"),
        ("x. .", "x.json"),
        ('a*b?c"d<e>f|g', "a_b_c_d_e_f_g.json"),
        ("gpj.\u202eexe\u200b\u0007\n", "gpj._exe___.json"),
        ("CON", "CON_.json"),
        ("com1", "com1_.json"),
        ("Conny", "Conny.json"),
        ("...", "run-1.json"),
        ("", "run-1.json"),
    ],
)
def test_a_title_becomes_a_name_that_leads_nowhere(title: str, name: str) -> None:
    assert file_name(title, "json", otherwise="run-1") == name
