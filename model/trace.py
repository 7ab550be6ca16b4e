"""A trace: every tensor of one forward pass, with names, axes, tokens and sizes."""

from __future__ import annotations

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
from .summary import AT_ONCE, Summary, summarise, summarise_all

if TYPE_CHECKING:
    from .ancestry import Ancestry
    from .explanation import Explanation
    from .gradients import Gradients


@dataclass(frozen=True)
class Record:
    """One tensor of a trace. `value` is the tensor itself: float32, int64 (ids) or bool (masks; True is allowed).

    Traces share the records of what they share: parameters, and the encoder's side of a decoding. `notes` keeps what others have
    worked out of a record, such as how it is described.
    """

    entry: Entry
    value: Tensor

    @cached_property
    def notes(self) -> dict[str, Any]:
        """What others have worked out."""
        return {}

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
        array = (self.value.detach() if self.value.requires_grad else self.value).numpy()
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

    def summarise(self) -> None:
        """Work out the statistics of all records that have none yet: of many small ones at once, at a third of the cost."""
        small = [each for each in self.records.values() if "summary" not in vars(each) and each.value.numel() <= AT_ONCE]
        for record, summary in zip(small, summarise_all([record.numpy() for record in small]), strict=True):
            vars(record)["summary"] = summary

    @cached_property
    def memory_bytes(self) -> int:
        """Bytes of all recorded values, parameters excepted; a storage that several tensors view counts once."""
        return sum(dict(record.storage for record in self.records.values() if not record.entry.is_parameter).values())
