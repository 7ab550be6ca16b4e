"""Weights on disk: a safetensors file, and beside it a card that says where they come from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor

from ..catalogue import card
from ..errors import UnknownNameError, WeightsError
from ..transformer import Transformer
from .header import shown

WEIGHTS = Path(__file__).parent.parent / "weights"
LARGEST_HEADER = 100_000
NAMES_SHOWN = 10


def write_weights(network: Transformer, facts: Mapping[str, Any], *, id: str, folder: Path | None = None) -> Path:
    """Write `{id}.safetensors` and the card `{id}.json` into a folder (model/weights unless told), and return the first."""
    folder = folder or WEIGHTS
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{id}.safetensors"
    path.write_bytes(save({name: weights.detach() for name, weights in network.named_parameters()}))
    (folder / f"{id}.json").write_text(json.dumps(facts, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def read_card(card_id: str, folder: Path | None = None) -> dict[str, Any] | None:
    """Return the facts about a model's training, or None where no card is stored."""
    made = card(card_id)
    if made.weights is not None:
        return dict(json.loads(made.weights.with_name("config.json").read_text(encoding="utf-8"))["training"])
    path = (folder or WEIGHTS) / f"{made.id}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None


def load_weights(network: Transformer, card_id: str, folder: Path | None = None) -> None:
    """Fill a network with the weights of a model of the catalogue, in place.

    The file is read whole, not mapped into memory, so that a file that changes meanwhile does no harm.

    Raises:
        UnknownNameError: there is no such model, or no longer.
        WeightsError: no such file, no safetensors file, larger than the network, or weights that are missing, extra, of another
            shape, no float32 or not finite; the message lists the first ten. The network is then as it was.
    """
    made = card(card_id)
    if made.weights is not None and not made.weights.is_file():
        raise UnknownNameError(f"the checkpoint {made.id} is no longer kept", where="model")
    fill_from(made.weights or (folder or WEIGHTS) / f"{made.id}.safetensors", network, where=card_id)


def fill_from(path: Path, network: Transformer, *, where: str = "") -> None:
    """Fill a network with the weights of a file, in place. Raises WeightsError as `load_weights` does."""
    wanted = dict(network.named_parameters())
    found = _read(path, limit=4 * sum(weights.numel() for weights in wanted.values()) + LARGEST_HEADER)
    check_fit(found, {name: tuple(weights.shape) for name, weights in wanted.items()}, file=path.name, where=where)
    with torch.no_grad():
        for name, weights in wanted.items():
            weights.copy_(found[name])


def check_fit(found: Mapping[str, Tensor], wanted: Mapping[str, tuple[int, ...]], *, file: str, where: str) -> None:
    """Raise WeightsError, listing the first ten faults, unless a file's tensors are those of a network with these shapes."""
    check_shapes({name: tuple(value.shape) for name, value in found.items()}, wanted, file=file, where=where)
    _raise_for([fault for name in wanted for fault in _faults(name, found[name])], file, where)


def check_shapes(found: Mapping[str, tuple[int, ...]], wanted: Mapping[str, tuple[int, ...]], *, file: str, where: str) -> None:
    """Raise WeightsError as `check_fit` does, by what a file's header says."""
    wrong = [f"{name} is missing" for name in wanted if name not in found]
    wrong += [f"{shown(name)} is extra" for name in found if name not in wanted]
    wrong += [f"{name} is {found[name]}, not {shape}" for name, shape in wanted.items() if found.get(name, shape) != shape]
    _raise_for(wrong, file, where)


def _raise_for(wrong: list[str], file: str, where: str) -> None:
    if wrong:
        more = f" and {len(wrong) - NAMES_SHOWN} more" if len(wrong) > NAMES_SHOWN else ""
        raise WeightsError(f"{file} does not fit the model: {'; '.join(wrong[:NAMES_SHOWN])}{more}", where=where)


def _read(path: Path, *, limit: int) -> dict[str, Tensor]:
    if not path.is_file():
        raise WeightsError(f"there is no file {path.name}", where=path.stem)
    if path.stat().st_size > limit:
        raise WeightsError(f"{path.name} has {path.stat().st_size} bytes; this model takes at most {limit}", where=path.stem)
    try:
        return load(path.read_bytes())
    except (SafetensorError, KeyError) as error:
        raise WeightsError(f"{path.name} is no safetensors file: {error}", where=path.stem) from error


def _faults(name: str, found: Tensor) -> list[str]:
    if found.dtype != torch.float32:
        return [f"{name} is {str(found.dtype).removeprefix('torch.')}, not float32"]
    return [] if bool(found.isfinite().all()) else [f"{name} holds a number that is not finite"]
