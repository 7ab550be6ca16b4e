"""Pig Latin by rule: what the network has to find out by itself.

1. The consonants that a word begins with move to its end, and "ay" follows: string, ingstray.
2. "qu" moves together, alone or after other consonants: queen, eenquay; square, aresquay.
3. "y" is a consonant only as the first letter: yes, esyay; rhythm, ythmrhay.
4. A word that begins with a vowel stays as it is, and "way" follows: apple, appleway.
5. A word of consonants alone stays as it is, and "ay" follows: hmm, hmmay.
"""

from __future__ import annotations

import re

_PARTS = re.compile(r"(y?(?:qu|[bcdfghjklmnpqrstvwxz])*)([a-z]*)")


def pig_latin(phrase: str) -> str:
    """Return a phrase of small letters a to z, its words set apart by single spaces, in Pig Latin."""
    return " ".join(map(_word, phrase.split(" ")))


def onset_and_rest(word: str) -> tuple[str, str]:
    """Cut a word where Pig Latin cuts it: the leading consonants, and what stays."""
    found = _PARTS.fullmatch(word)
    assert found, f"{word!r} is no word of small letters"
    return found[1], found[2]


def _word(word: str) -> str:
    onset, rest = onset_and_rest(word)
    return f"{rest}{onset}ay" if onset else f"{rest}way"
