"""Recording: forward hooks on the taps, installed once, write to the recording that is open in the current context.

Hooks registered for each request would mix requests: two threads share the module, so each would also fire the other's hook.
Here the hook is shared and the place it writes to is a context variable, which every thread and task has for itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from torch import Tensor

from .axes import bind_sizes
from .deadline import Deadline, deadline
from .errors import RecordingError
from .legend import Legend, describe
from .taps import Block, Tap


@dataclass
class Recording:
    """What the taps have shown so far: values by name, in the order in which they fired. `deadline` is looked at at each tap."""

    copies: bool = False
    graph: bool = False
    deadline: Deadline | None = None
    values: dict[str, Tensor] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    _versions: list[tuple[Tap, Tensor, int]] = field(default_factory=list)

    def note(self, tap: Tap, value: Tensor) -> None:
        """Keep a tensor; called by the hook. Raises DeadlineError, StoppedError."""
        if self.deadline is not None:
            self.deadline.check(tap.name)
        if value.requires_grad and not self.graph:
            value = value.detach()
        if self.copies:
            value = value.clone()
        self._versions.append((tap, value, value._version))

    def close(self) -> None:
        """Check the whole pass: each tap once, sizes that agree, no value changed since.

        Raises:
            RecordingError: the message names the tap.
        """
        bound = set()  # most taps have the axes and the shape of one before them
        for tap, value, version in self._versions:
            if tap.name in self.values:
                raise RecordingError(f"{tap.name} fired twice in one forward pass", where=tap.name)
            if value._version != version:
                raise RecordingError(
                    f"{tap.name} was changed in place after it was recorded; record with copies=True to keep what it was",
                    where=tap.name,
                )
            sizes = (id(tap.axes), value.shape)
            if sizes not in bound:
                bind_sizes(self.sizes, tap.axes, value.shape, tap=tap.name)
                bound.add(sizes)
            self.values[tap.name] = value
        self._versions.clear()


_open: ContextVar[Recording | None] = ContextVar("open_recording", default=None)


def install(network: Block) -> Legend:
    """Name the taps of a network and hook them, once for its life; return its legend.

    Outside `recording()` the hooks do nothing.
    """
    legend = describe(network)
    for module in network.modules():
        if isinstance(module, Tap):
            assert not module._forward_hooks, f"{module.name} is hooked already"
            module.register_forward_hook(_note)
    return legend


@contextmanager
def recording(*, copies: bool = False, graph: bool = False) -> Iterator[Recording]:
    """Record every forward pass of a network with installed hooks in this context, and no other's.

    Values are kept by reference, without a copy; `close` proves that none has changed since. `copies` keeps clones instead, for a
    module that works in place; `graph` keeps what autograd knows of them, for gradients.
    """
    opened = Recording(copies=copies, graph=graph, deadline=deadline())
    token = _open.set(opened)
    try:
        yield opened
    finally:
        _open.reset(token)
    opened.close()


def _note(tap: Tap, args: tuple[Tensor], value: Tensor) -> None:
    opened = _open.get()
    if opened is not None:
        opened.note(tap, value)
