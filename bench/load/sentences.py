"""What browsers type: short sentences, another one each time, the same in every run."""

from __future__ import annotations

import random

_LIST = """
apple bread brown chair cloud cold cup dog door dream egg fish fly fruit glass grass green hand hat horse house ice jump lake lamp
leaf light line milk moon mouse night open paper pet pink plant play queen quick rain red river road rock run salt sea sheep ship
sing sky sleep small snow song star stone street string sun swim table three train tree under wall warm water wind wood world
yellow young zebra
"""
WORDS = _LIST.split()


def sentence(browser: int, turn: int) -> str:
    """The sentence that a browser types for the n-th time: three words, about 14 letters."""
    return " ".join(random.Random(browser * 1000 + turn).choices(WORDS, k=3))
