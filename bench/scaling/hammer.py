"""Asking as fast as answers come, with wrk, for addresses that were written down before."""

from __future__ import annotations

import os
import random
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from glassformer.model.decoding import DecodingRecipe
from glassformer.model.recipe import Recipe

MODEL = "pig-latin"
CONNECTIONS = 16
STEPS = 8  # of each decoding; every word that is drawn has more letters
NAMES = (
    "decoder.layers.0.cross_attn.weights",
    "decoder.layers.1.feed_forward.hidden",
    "encoder.layers.0.self_attn.scores",
    "probs",
)
SCRIPT = """
local addresses, place = {}, 0
for line in io.lines(os.getenv("ADDRESSES")) do addresses[#addresses + 1] = line end
request = function()
  place = place % #addresses + 1
  return wrk.format("GET", addresses[place])
end
"""


def steps(random: random.Random, count: int) -> Iterator[str]:
    """Addresses of steps that nobody has asked for, of as many decodings at a time as there are connections."""
    for _ in range(count // (STEPS * CONNECTIONS) + 1):
        ids = [DecodingRecipe.from_dict({"model": MODEL, "src": _word(random), "max_steps": 24}).id for _ in range(CONNECTIONS)]
        yield from (f"/api/decodings/{id}/steps/{index}" for index in range(STEPS) for id in ids)


def pulls(random: random.Random) -> Iterator[str]:
    """Addresses of tensors of at most 16 kB: a class that looks at the same few traces."""
    for _ in range(8):
        id = Recipe.from_dict({"model": MODEL, "src": _word(random), "tgt": _word(random)}).id
        yield from (f"/api/traces/{id}/tensors/{name}" for name in NAMES)


def rate(port: int, addresses: list[str], folder: Path, *, seconds: float) -> float:
    """Return answers a second.

    Raises:
        RuntimeError: an answer was no success, or steps were asked for twice.
    """
    listed, script = folder / "addresses", folder / "ask.lua"
    listed.write_text("\n".join(addresses), "utf-8")
    script.write_text(SCRIPT, "utf-8")
    command = [
        "wrk",
        "-t1",
        f"-c{CONNECTIONS}",
        f"-d{seconds:g}s",
        "--timeout",
        "30s",
        "-s",
        str(script),
        f"http://127.0.0.1:{port}",
    ]
    shown = subprocess.run(
        command, capture_output=True, text=True, check=True, env={**os.environ, "ADDRESSES": str(listed)}
    ).stdout
    if "Non-2xx" in shown or "Socket errors" in shown:
        raise RuntimeError(shown)
    found, answers = re.search(r"Requests/sec:\s+([\d.]+)", shown), re.search(r"(\d+) requests in", shown)
    assert found is not None, shown
    assert answers is not None, shown
    if "/steps/" in addresses[0] and int(answers[1]) > len(addresses):
        raise RuntimeError(f"{answers[1]} answers, and only {len(addresses)} steps to ask for")
    return float(found[1])


def _word(random: random.Random) -> str:
    return "".join(random.choices("abcdefghijklmnopqrstuvwxyz", k=12))
