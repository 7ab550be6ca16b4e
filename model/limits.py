"""The largest model and the largest run that are let in. Apart from the rest, so that settings can be read without torch."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Largest sizes of a model and of a run, and the budget of one run."""

    d_model: int = 1024
    n_layers: int = 12
    n_heads: int = 32
    d_ff: int = 4096
    vocab_size: int = 50_000
    tokens: int = 512
    batch: int = 8
    steps: int = 256
    run_seconds: float = 10.0
    run_bytes: int = 512 * 2**20


@dataclass(frozen=True)
class TrainingLimits:
    """Largest training that is let in, and what it may keep on the disk.

    `seconds` and `bytes` are estimated before it starts. `most_checkpoints` and `checkpoint_bytes` bound what one run keeps.
    """

    model: Limits = Limits()
    steps: int = 100_000
    batch: int = 256
    pairs: int = 50_000
    tokens: int = 128
    seconds: float = 6 * 3600.0
    bytes: int = 2**30
    most_checkpoints: int = 40
    checkpoint_bytes: int = 256 * 2**20
