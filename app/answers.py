"""Answers as bytes: JSON without NaN, and tensors as safetensors, .npy or .csv."""

from __future__ import annotations

import io
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import orjson
from fastapi import Response

from ..model.axes import Axes

JSON = "application/json"
SAFETENSORS = "application/vnd.safetensors"
NPY = "application/vnd.numpy.npy"
CSV = "text/csv; charset=utf-8"

_TYPES: Mapping[str, np.dtype[Any]] = {"f": np.dtype("<f4"), "l": np.dtype("<i8"), "q": np.dtype("<i8"), "?": np.dtype("u1")}
_CODES = {"f": "F32", "l": "I64", "q": "I64", "B": "U8"}
"""By the character that numpy has for a type of numbers: what is sent, and its name in a safetensors file."""


@dataclass(frozen=True)
class Slice:
    """Some cells of a tensor.

    `values` has one dimension for each of `axes`; along each, it starts at `start` and takes every `step`-th of `shape` cells.
    """

    name: str
    axes: Axes
    values: np.ndarray
    start: tuple[int, ...]
    step: tuple[int, ...]
    shape: tuple[int, ...]


def json_answer(body: Any, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return JSON; numbers that are not finite become the strings "NaN", "Infinity" and "-Infinity"."""
    return Response(json_bytes(body), status_code=status, media_type=JSON, headers=dict(headers or {}))


def json_bytes(body: Any) -> bytes:
    """Return JSON as bytes."""
    return orjson.dumps(body)


def number(value: float | None) -> float | str | None:
    """Return a number as JSON can say it."""
    if value is None or math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def safetensors_bytes(slices: list[Slice]) -> bytes:
    """Return tensors as one safetensors file, with what their cells are in the metadata.

    The format is a header in JSON and the values behind it. Its own library writes the metadata in another order each time, and
    an answer must be the same bytes from every process. Wide numbers come first, so that all are aligned.
    """
    arrays = sorted(((piece.name, _plain(piece.values)) for piece in slices), key=lambda pair: -pair[1].itemsize)
    header: dict[str, Any] = {"__metadata__": {piece.name: _about(piece) for piece in slices}}
    end = 0
    for name, array in arrays:
        begin, end = end, end + array.nbytes
        header[name] = {"dtype": _CODES[array.dtype.char], "shape": array.shape, "data_offsets": [begin, end]}
    head = orjson.dumps(header)
    head += b" " * (-len(head) % 8)
    return b"".join([len(head).to_bytes(8, "little"), head, *(array.tobytes() for _, array in arrays)])


def npy_bytes(piece: Slice) -> bytes:
    """Return one tensor as a .npy file."""
    out = io.BytesIO()
    np.save(out, _plain(piece.values), allow_pickle=False)
    return out.getvalue()


def csv_bytes(piece: Slice) -> bytes:
    """Return one tensor as text: a column for each axis' index in the whole tensor, and the value, all digits of it."""
    lines = [",".join([*(axis.name for axis in piece.axes), "value"])]
    values = _plain(piece.values)
    for place in np.ndindex(values.shape):
        cell = (start + step * i for i, start, step in zip(place, piece.start, piece.step, strict=True))
        value = values[place]
        text = str(number(float(value))) if not math.isfinite(value) else str(value)
        lines.append(",".join([*map(str, cell), text]))
    return ("\n".join(lines) + "\n").encode()


def _plain(values: np.ndarray) -> np.ndarray:
    return np.asarray(values, dtype=_TYPES[values.dtype.char], order="C")


def _about(piece: Slice) -> str:
    about: dict[str, Any] = {"axes": " ".join(str(axis) for axis in piece.axes)}
    if any(piece.start):
        about["start"] = piece.start
    if any(step != 1 for step in piece.step):
        about["step"] = piece.step
    if piece.shape != piece.values.shape:
        about["shape"] = piece.shape
    return orjson.dumps(about).decode()
