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
print(*sorted({"sympy", "torch._dynamo"} & sys.modules.keys()))
"""


def test_proofs_gradients_and_ancestry_load_no_compiler() -> None:
    """Seen to fail with torch.unravel_index, which imports sympy to check its arguments."""
    made = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert made.stdout.split() == []
