"""What the model writes when nobody else is there: `python -m bench.load.oracle` reads sentences and prints token ids, as JSON.

It computes by itself, in a process of its own and without a server, so that what browsers are told under load can be compared.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence

from .browser import MAX_STEPS, MODEL
from .sentences import sentence

Expected = Mapping[str, Sequence[int]]
"""By sentence: the ids of the tokens, one a step."""


def ask_oracle(browsers: Iterable[int], turns: int = 2) -> Expected:
    """Return what these browsers must be told in their first turns."""
    wanted = [sentence(browser, turn) for browser in browsers for turn in range(turns)]
    made = subprocess.run([sys.executable, "-m", __name__], input=json.dumps(wanted), capture_output=True, text=True, check=True)
    found: Expected = json.loads(made.stdout)
    return found


def _write() -> None:
    import torch
    from glassformer.model.decoding import Decoding, DecodingRecipe
    from glassformer.model.library import Library

    torch.set_num_threads(1)
    library, found = Library(1), {}
    for src in json.load(sys.stdin):
        recipe = DecodingRecipe.from_dict({"model": MODEL, "src": [src], "max_steps": MAX_STEPS})
        found[src] = [step.rows[0].chosen.id for step in Decoding(recipe, library)]
    print(json.dumps(found))


if __name__ == "__main__":
    _write()
