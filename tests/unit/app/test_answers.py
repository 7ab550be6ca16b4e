"""Tensors as bytes: what the format's own library reads out of them, and the same bytes each time."""

from __future__ import annotations

import json

import numpy as np
from glassformer.app.answers import Slice, safetensors_bytes
from glassformer.model.axes import parse_axes
from safetensors.numpy import load

ARRAYS = {
    "scores": np.array([[-np.inf, 1.5, -0.0], [np.nan, 1e-45, 3e38]], dtype=np.float32),
    "ids": np.array([3, 2**40, -1]),
    "allowed": np.array([[True, False], [False, True]]).T[:, ::-1],
    "mean": np.float32(2.5),
    "none": np.zeros((0, 4), dtype=np.float32),
}
AXES = {"scores": "query key", "ids": "src", "allowed": "query key", "mean": "", "none": "src d_model"}


def slices() -> list[Slice]:
    return [
        Slice(name, parse_axes(AXES[name]), np.asarray(array), (0,) * array.ndim, (1,) * array.ndim, array.shape)
        for name, array in ARRAYS.items()
    ]


def test_the_formats_own_library_reads_every_value_back() -> None:
    found = load(safetensors_bytes(slices()))
    assert found.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        wanted = array.astype(np.uint8) if array.dtype == bool else array
        assert found[name].dtype == wanted.dtype
        assert found[name].tobytes() == wanted.tobytes()
        assert found[name].shape == wanted.shape


def test_values_stand_at_multiples_of_their_width() -> None:
    content = safetensors_bytes(slices())
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    assert header.pop("__metadata__")["scores"] == '{"axes":"query key"}'
    width = {"F32": 4, "I64": 8, "U8": 1}
    assert all((8 + length + entry["data_offsets"][0]) % width[entry["dtype"]] == 0 for entry in header.values())


def test_the_same_tensors_are_the_same_bytes_each_time() -> None:
    """The library's own writer fails here: it puts the metadata in another order at each call."""
    assert len({safetensors_bytes(slices()) for _ in range(10)}) == 1
