"""Three kinds of server: for oneself, for a class, and for strangers. What differs from a setting's own default stands here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

Profile = Literal["local", "classroom", "public"]
MIB = 2**20

PROFILES: Mapping[str, Mapping[str, Any]] = {
    "local": {},
    "classroom": {
        "max_d_model": 256,
        "max_layers": 6,
        "max_heads": 16,
        "max_d_ff": 1024,
        "max_vocab": 32_000,
        "max_tokens": 64,
        "max_batch": 4,
        "max_steps": 64,
        "run_seconds": 1.0,
        "run_bytes": 32 * MIB,
        "store_bytes": 512 * MIB,
        "queue": 512,
        "max_connections": 4096,
        "max_connections_per_address": 4096,
        "queue_seconds": 10.0,
        "deadline_seconds": 10.0,
        "max_streams": 512,
        "model_bytes": 128 * MIB,
        "code_tries": 60,
        "data_bytes": 8 * 2**30,
        "uploads": False,
        "owners": True,
        "max_waiting_runs": 128,
        "max_runs_per_owner": 2,
        "max_run_steps": 5_000,
        "max_run_batch": 64,
        "max_pairs": 5_000,
        "max_pair_tokens": 64,
        "train_seconds": 15 * 60.0,
        "train_bytes": 128 * MIB,
        "max_checkpoints": 20,
        "checkpoint_bytes": 32 * MIB,
        "max_upload": 4 * MIB,
    },
    "public": {
        "max_d_model": 128,
        "max_layers": 4,
        "max_heads": 8,
        "max_d_ff": 512,
        "max_vocab": 8_000,
        "max_tokens": 48,
        "max_batch": 4,
        "max_steps": 48,
        "run_seconds": 0.5,
        "run_bytes": 8 * MIB,
        "max_body": 64 * 2**10,
        "store_bytes": 256 * MIB,
        "queue": 128,
        "max_connections": 2048,
        "max_connections_per_address": 64,
        "queue_per_visitor": 2,
        "queue_seconds": 10.0,
        "deadline_seconds": 5.0,
        "max_streams": 256,
        "max_streams_per_visitor": 8,
        "model_bytes": 64 * MIB,
        "docs": False,
        "data_bytes": 2**30,
        "training": False,
        "uploads": False,
        "owners": True,
        "max_runs_per_owner": 1,
        "max_upload": MIB,
    },
}
"""By profile, then by setting. A setting that is named by a flag or in the environment wins over its profile."""
