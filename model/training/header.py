"""The header of a safetensors file, checked before anything that it promises is believed.

The format: eight bytes with the header's length, the header as JSON, then the tensors' bytes one after the other, without holes
(https://github.com/huggingface/safetensors).
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from ..errors import WeightsError

LONGEST = 8 * 2**20
MOST_TENSORS = 4096
MOST_AXES = 8
LARGEST_SIZE = 2**31
NAME_SHOWN = 60
BYTES = {"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I64": 8, "I32": 4, "I16": 2, "I8": 1, "U8": 1, "BOOL": 1}


@dataclass(frozen=True)
class Header:
    """What a file says of itself: the shape of each tensor, by name, and texts that somebody put beside them."""

    shapes: Mapping[str, tuple[int, ...]]
    metadata: Mapping[str, str]


def read_header(content: bytes) -> Header:
    """Read the header of a file that is here as a whole.

    Raises:
        WeightsError: it is no such file, or what it says of its tensors cannot be; the reason is given.
    """
    length = int.from_bytes(content[:8], "little")
    if len(content) < 10:
        _refuse(f"it has {len(content)} bytes and does not begin with a header")
    if length > min(LONGEST, len(content) - 8):
        _refuse(f"its header claims {length} bytes; the file has {len(content)}, and a header at most {LONGEST}")
    raw = _parse(content[8 : 8 + length])
    metadata = raw.pop("__metadata__", {})
    if not isinstance(metadata, dict) or not all(isinstance(text, str) for text in metadata.values()):
        _refuse("its __metadata__ holds something else than texts")
    if len(raw) > MOST_TENSORS:
        _refuse(f"it has {len(raw)} tensors; the limit is {MOST_TENSORS}")
    places = sorted((_place(name, entry), name) for name, entry in raw.items())
    _check_places(places, len(content) - 8 - length)
    return Header({name: tuple(entry["shape"]) for name, entry in raw.items()}, metadata)


def shown(name: str) -> str:
    """Return a tensor's name as a message quotes it."""
    return name if len(name) <= NAME_SHOWN else f"{name[:NAME_SHOWN]}…"


def _parse(text: bytes) -> dict[str, Any]:
    try:
        raw = json.loads(text, object_pairs_hook=_once, parse_constant=_constant)
    except WeightsError:
        raise
    except (ValueError, RecursionError):
        _refuse("its header is no JSON")
    if not isinstance(raw, dict):
        _refuse("its header is no JSON object")
    return raw


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        _refuse("a name stands twice in its header")
    return made


def _constant(text: str) -> NoReturn:
    raise ValueError(text)


def _place(name: str, entry: Any) -> tuple[int, int]:
    """Return where a tensor's bytes begin and end, in the data."""
    if not isinstance(entry, dict) or entry.keys() != {"dtype", "shape", "data_offsets"}:
        _refuse(f"{shown(name)} needs a dtype, a shape and data_offsets, nothing else")
    kind, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
    if not isinstance(kind, str) or kind not in BYTES:
        _refuse(f"{shown(name)} has the dtype {str(kind)[:20]!r}")
    if not _are_sizes(shape) or len(shape) > MOST_AXES or any(size > LARGEST_SIZE for size in shape):
        _refuse(f"{shown(name)} has the shape {str(shape)[:60]}")
    if not _are_sizes(offsets) or len(offsets) != 2 or offsets[0] > offsets[1]:
        _refuse(f"{shown(name)} has the data_offsets {str(offsets)[:60]}")
    if (wanted := math.prod(shape) * BYTES[kind]) != offsets[1] - offsets[0]:
        _refuse(f"{shown(name)} has {offsets[1] - offsets[0]} bytes; its shape needs {wanted}")
    return offsets[0], offsets[1]


def _are_sizes(raw: Any) -> bool:
    return isinstance(raw, list) and all(isinstance(size, int) and not isinstance(size, bool) and size >= 0 for size in raw)


def _check_places(places: list[tuple[tuple[int, int], str]], total: int) -> None:
    end = 0
    for (start, stop), name in places:
        if start != end:
            _refuse(f"{shown(name)} begins at byte {start}, {'over another tensor' if start < end else 'after a hole'}")
        end = stop
    if end != total:
        _refuse(f"its tensors end at byte {end} of {total}")


def _refuse(reason: str) -> NoReturn:
    raise WeightsError(f"this is no safetensors file: {reason}", where="body")
