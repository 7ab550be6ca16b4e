"""Checkpoints: all that a training needs to go on as if it had never stopped, each in a folder of its own.

`weights.safetensors` and `config.json` are the model; `state.safetensors` (Adam's m and v, dropout's die) and `state.json` (the
step, where the data stand) are what the next step needs besides.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor

from ..errors import WeightsError
from .files import read_json, remove_folder, write_folder
from .session import Session

WEIGHTS, CARD, STATE, POSITION = "weights.safetensors", "config.json", "state.safetensors", "state.json"
RECENT = 6
"""How many of the last checkpoints are kept in any case."""


@dataclass(frozen=True)
class Checkpoint:
    """One kept checkpoint: the state after `step` steps."""

    step: int
    folder: Path

    @property
    def bytes(self) -> int:
        """What it takes on the disk."""
        return sum(path.stat().st_size for path in self.folder.iterdir())

    @property
    def can_go_on(self) -> bool:
        """False for a model that came without the state of its training."""
        return (self.folder / POSITION).is_file()

    def restore(self, session: Session) -> Any:
        """Bring a session of the same lesson here; return what was noted beside it.

        Raises:
            WeightsError: the checkpoint is gone or cannot be read.
        """
        kept = read_json(self.folder / POSITION)
        if kept is None:
            raise WeightsError(f"the checkpoint of step {self.step} is gone, or holds no state to go on from", where="step")
        session.restore(self.step, read_tensors(self.folder / WEIGHTS), read_tensors(self.folder / STATE), kept["position"])
        return kept["notes"]


def write_checkpoint(folder: Path, session: Session, card: Mapping[str, Any], notes: Any = None) -> Checkpoint:
    """Keep where a session stands; `notes` is JSON that `restore` returns."""
    made = Checkpoint(session.step, folder / f"{session.step}")
    write_folder(
        made.folder,
        {
            WEIGHTS: save(session.weights),
            STATE: save(session.state),
            CARD: json.dumps(card, ensure_ascii=False).encode(),
            POSITION: json.dumps({"position": session.stream.position, "notes": notes}).encode(),
        },
    )
    return made


def checkpoints(folder: Path) -> list[Checkpoint]:
    """Return the checkpoints in a folder, the first step first."""
    found = [int(path.name) for path in folder.iterdir() if path.name.isdecimal()] if folder.is_dir() else []
    return [Checkpoint(step, folder / f"{step}") for step in sorted(found)]


def thin(folder: Path, *, most: int, most_bytes: int) -> None:
    """Remove checkpoints until there are no more than `most`, nor more bytes than `most_bytes` as far as `RECENT` allows."""
    found = checkpoints(folder)
    if not found:
        return
    room = min(most, most_bytes // max(found[-1].bytes, 1))
    keep = kept_steps([each.step for each in found], room)
    for each in found:
        if each.step not in keep:
            remove_folder(each.folder)


def kept_steps(steps: Iterable[int], most: int) -> set[int]:
    """Say which checkpoints are kept when there is room for `most`: the first, the recent ones, ever fewer between them.

    Dropped is, one after the other, the step whose neighbours are closest together beside their distance from the last step.
    """
    kept = sorted(steps)
    while len(kept) > max(most, RECENT + 1):
        last = kept[-1]
        places = range(1, len(kept) - RECENT)
        kept.pop(min(places, key=lambda place: (kept[place + 1] - kept[place - 1]) / (last - kept[place])))
    return set(kept)


def read_tensors(path: Path) -> dict[str, Tensor]:
    """Read a file of tensors whole: one that is mapped into memory ends the process when it is cut short.

    Raises WeightsError.
    """
    try:
        return load(path.read_bytes())
    except (OSError, SafetensorError) as error:
        raise WeightsError(f"{path.parent.name}/{path.name} cannot be read: {error}", where="step") from error
