"""Multiplications of matrix products, counted while some work runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

_aten = torch.ops.aten
_FIRST: Mapping[Any, int] = {
    _aten.mm: 0,
    _aten.bmm: 0,
    _aten.addmm: 1,
    _aten.baddbmm: 1,
    _aten.mv: 0,
    _aten.addmv: 1,
    _aten.dot: 0,
}
"""Where the first factor stands among the arguments of each product; the second follows it."""
_OTHERS = frozenset(
    {_aten.matmul, _aten.linear, _aten.einsum, _aten.convolution, _aten.addbmm, _aten.addr, _aten.vdot}
    | {_aten.scaled_dot_product_attention, _aten._scaled_dot_product_flash_attention_for_cpu}
)
"""Operations that multiply matrices in a way that is not counted here; torch does what the network asks by those above."""


def count(work: Callable[[], object]) -> int:
    """Count the multiplications of all matrix products in some work, which runs without gradients."""
    counter = _Counter()
    with torch.no_grad(), counter:
        work()
    return counter.multiplications


class _Counter(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Sees every operation that runs. torch's own counter does as well, and imports sympy and a compiler, which takes seconds."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.multiplications: int = 0

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Let torch wrap nothing around what is below: it would import its compiler to say that this is not to be compiled."""
        return False

    def __torch_dispatch__(
        self, func: Any, types: Sequence[type], args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        assert func.overloadpacket not in _OTHERS, f"{func} multiplies, and is not counted"
        result = func(*args, **(kwargs or {}))
        first = _FIRST.get(func.overloadpacket)
        if first is not None:
            self.multiplications += _multiplications(args[first].shape, args[first + 1].shape)
        return result


def _multiplications(first: torch.Size, second: torch.Size) -> int:
    """Return how often two numbers are multiplied in (…, m, k) x (…, k, n); a vector has no n."""
    return first.numel() * (second[-1] if len(second) > 1 else 1)
