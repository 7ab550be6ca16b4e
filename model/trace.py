"""A trace: every tensor of one forward pass, with names, axes, tokens and sizes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from torch import Tensor

from .axes import Axes
from .batch import Batch
from .config import ModelConfig
from .errors import UnknownNameError
from .evidence import Evidence
from .legend import Entry, Legend
from .recipe import Recipe

if TYPE_CHECKING:
    from .ancestry import Ancestry
    from .explanation import Explanation
    from .gradients import Gradients


_AT_ONCE = 8192
"""Cells that numpy adds up in one go; so far its own mean and deviation and those below agree to the bit, in half of the time."""


@dataclass(frozen=True, slots=True)
class Summary:
    """Statistics of a tensor over its finite values (`std` is the population's); None where there is none.

    What is not finite is counted apart.
    """

    min: float | None
    max: float | None
    mean: float | None
    std: float | None
    finite: int
    zero: int
    nan: int
    positive_infinity: int
    negative_infinity: int


@dataclass(frozen=True)
class Record:
    """One tensor of a trace. `value` is the tensor itself: float32, int64 (ids) or bool (masks; True is allowed).

    Traces share the records of what they share: parameters, and the encoder's side of a decoding. `notes` keeps what others have
    worked out of a record, such as how it is described.
    """

    entry: Entry
    value: Tensor
    notes: dict[str, Any] = field(default_factory=dict, init=False, compare=False, repr=False)

    @property
    def name(self) -> str:
        """Full name, the module's path."""
        return self.entry.name

    @property
    def axes(self) -> Axes:
        """One named axis for each dimension."""
        return self.entry.axes

    @property
    def shape(self) -> tuple[int, ...]:
        """Size of each axis."""
        return tuple(self.value.shape)

    @property
    def dtype(self) -> str:
        """The type of the numbers, as torch names it: `float32`."""
        return str(self.value.dtype).removeprefix("torch.")

    @cached_property
    def storage(self) -> tuple[int, int]:
        """Address and bytes of the memory that the values lie in, whole; other tensors may lie in it as well."""
        storage = self.value.untyped_storage()
        return storage.data_ptr(), storage.nbytes()

    def numpy(self) -> np.ndarray:
        """Return the values as an array that shares the tensor's memory and must not be changed."""
        array = self.value.detach().numpy()
        array.flags.writeable = False
        return array

    @cached_property
    def summary(self) -> Summary:
        """Statistics over the finite values."""
        return summarise(self.numpy())


@dataclass(frozen=True)
class Trace(Mapping[str, Record]):
    """All records of one forward pass, by name, in forward order, then the parameters.

    `batch` holds the tokens, `sizes` the size of every axis, `memory_bytes` what the recorded values occupy, each storage once,
    `evidence` the proofs found so far.
    """

    recipe: Recipe
    config: ModelConfig
    legend: Legend
    batch: Batch
    sizes: Mapping[str, int]
    records: Mapping[str, Record]
    evidence: Evidence = field(default_factory=Evidence, init=False, compare=False, repr=False)

    @property
    def id(self) -> str:
        """The recipe's base64url text."""
        return self.recipe.id

    def __getitem__(self, name: str) -> Record:
        if name not in self.records:
            raise UnknownNameError(f"no tensor is named {name[:80]!r} in this trace of {self.recipe.model}", where="name")
        return self.records[name]

    def __contains__(self, name: object) -> bool:
        return name in self.records

    def __iter__(self) -> Iterator[str]:
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.records)

    def explain(self, name: str, cell: Sequence[int]) -> Explanation:
        """Write one cell out, see `model.explanation.explain`; `print` it, or let a notebook show it."""
        from .explanation import explain

        return explain(self, name, cell)

    def ancestry(self, name: str, cell: Sequence[int]) -> Ancestry:
        """Share one cell out among tokens and heads, see `model.ancestry.ancestry`; `print` it, or let a notebook show it."""
        from .ancestry import ancestry

        return ancestry(self, name, cell)

    @property
    def gradients(self) -> Gradients:
        """How the loss moves with each cell of each tensor, see `model.gradients.gradients`; worked out once."""
        from .gradients import gradients

        return gradients(self)

    def __repr__(self) -> str:
        return f"<Trace of {self.recipe.model}: {len(self)} tensors, {dict(self.sizes)}>"

    @property
    def logits(self) -> Tensor:
        """The logits (batch, tgt, vocab)."""
        return self["logits"].value

    @cached_property
    def memory_bytes(self) -> int:
        """Bytes of all recorded values, parameters excepted; a storage that several tensors view counts once."""
        return sum(dict(record.storage for record in self.records.values() if not record.entry.is_parameter).values())


def summarise(values: np.ndarray) -> Summary:
    """Return statistics over the finite values of an array of any shape."""
    size = values.size
    zero = int(size - np.count_nonzero(values))
    if size == 0:
        return Summary(None, None, None, None, 0, 0, 0, 0, 0)
    low, high = float(np.minimum.reduce(values, axis=None)), float(np.maximum.reduce(values, axis=None))
    if not (math.isfinite(low) and math.isfinite(high)):
        return _summarise_finite(values, zero)
    if size > _AT_ONCE or 0 in values.strides:
        return Summary(low, high, float(values.mean(dtype=np.float64)), float(values.std(dtype=np.float64)), size, zero, 0, 0, 0)
    wide = values.astype(np.float64)
    mean = np.add.reduce(wide, axis=None) / size
    wide -= mean
    wide *= wide
    return Summary(low, high, float(mean), math.sqrt(np.add.reduce(wide, axis=None) / size), size, zero, 0, 0, 0)


def _summarise_finite(values: np.ndarray, zero: int) -> Summary:
    finite = values[np.isfinite(values)]
    nan = int(np.isnan(values).sum())
    positive = int(np.isposinf(values).sum())
    counts = (finite.size, zero, nan, positive, values.size - finite.size - nan - positive)
    if finite.size == 0:
        return Summary(None, None, None, None, *counts)
    wide = finite.astype(np.float64)
    return Summary(float(wide.min()), float(wide.max()), float(wide.mean()), float(wide.std()), *counts)
