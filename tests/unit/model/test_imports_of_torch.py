"""What stops everybody for most of a second when it is first asked for: parts of torch that load a compiler and sympy."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys, glassformer
trace = glassformer.trace("tiny", src="dog run", tgt="dog run")
assert glassformer.verify(trace).passes
trace.gradients
trace.ancestry("probs", (0, 1, 3))
trace.explain("probs", (0, 1, 3))
from glassformer.model.decoding import Decoding, DecodingRecipe
from glassformer.model.decoding.saving import Meter
from glassformer.model.library import Library
library = Library()
assert Meter(Decoding(DecodingRecipe(model="tiny", src=("dog run",), max_steps=3), library), library).measure(1).full > 0
print(*sorted({"sympy", "torch._dynamo"} & sys.modules.keys()))
"""


def test_proofs_gradients_ancestry_and_counting_load_no_compiler() -> None:
    """Seen to fail with torch.unravel_index, which imports sympy to check its arguments, with torch's counter of operations,

    with a dispatch mode that torch wraps, and with tensors that have no values (`meta`).
    """
    made = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert made.stdout.split() == []
