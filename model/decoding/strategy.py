"""How the next token is chosen: the best one, the best few side by side, or by chance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from ..errors import InputError
from ..reals import is_real

WIDEST = 64
_HOTTEST = 100.0


@dataclass(frozen=True)
class Strategy:
    """Base of the strategies; `width` is how many hypotheses a sentence has at most."""

    kind: ClassVar[str]

    @property
    def rows(self) -> int:
        """Rows of a pass for each sentence, at most."""
        return 1

    def as_dict(self) -> dict[str, Any]:
        """Return the strategy as plain values, without what is at its default."""
        changed = {field.name: getattr(self, field.name) for field in fields(self) if getattr(self, field.name) != field.default}
        return {"kind": self.kind, **changed}


@dataclass(frozen=True)
class Greedy(Strategy):
    """The largest logit; of equals, the lowest id."""

    kind = "greedy"


@dataclass(frozen=True)
class Beam(Strategy):
    """The `width` best hypotheses side by side (section 6.1), ranked by log-probability over the length penalty.

    `length_penalty` is α of Wu et al. (2016), equation 14: a hypothesis Y scores log P(Y) / ((5 + |Y|) / 6)^α.

    Raises:
        InputError: a width below 1 or above 64, or a penalty outside 0 to 5.
    """

    kind = "beam"
    width: int = 4
    length_penalty: float = 0.6

    def __post_init__(self) -> None:
        _check_whole("width", self.width, 1, WIDEST)
        _check_real("length_penalty", self.length_penalty, 0, 5)

    @property
    def rows(self) -> int:
        return self.width

    def penalty(self, length: int) -> float:
        """Return the divisor for a hypothesis of this many tokens: ((5 + length) / 6)^α."""
        return float(((5 + length) / 6) ** self.length_penalty)


@dataclass(frozen=True)
class Sample(Strategy):
    """A token drawn by chance: logits over the temperature, the `top_k` best, of these the fewest that hold `top_p`, then a draw.

    `top_k` 0 and `top_p` 1 keep all. Temperature 0 is the limit: the largest logit. The draw depends on `seed`, row and step
    only.

    Raises:
        InputError: a value outside its range.
    """

    kind = "sample"
    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    seed: int = 0

    def __post_init__(self) -> None:
        _check_real("temperature", self.temperature, 0, _HOTTEST)
        _check_whole("top_k", self.top_k, 0, 1_000_000)
        _check_real("top_p", self.top_p, 0, 1)
        _check_whole("seed", self.seed, 0, 2**63 - 1)
        if self.top_p == 0:
            raise InputError("top_p is 0; it must be above 0, since no token would be left", where="strategy.top_p")


STRATEGIES: Mapping[str, type[Strategy]] = {kind.kind: kind for kind in (Greedy, Beam, Sample)}


def read_strategy(raw: Any) -> Strategy:
    """Read a strategy as a person writes it: `"beam"` or `{"kind": "beam", "width": 4}`. Raises InputError naming the field."""
    raw = {"kind": raw} if isinstance(raw, str) else raw
    if not isinstance(raw, Mapping):
        raise InputError("strategy must be a word or an object", where="strategy")
    kind = STRATEGIES.get(raw.get("kind", "")) if isinstance(raw.get("kind", ""), str) else None
    if kind is None:
        raise InputError(f"strategy is {str(raw.get('kind'))[:40]!r}; it must be {', '.join(STRATEGIES)}", where="strategy.kind")
    known = {field.name for field in fields(kind)}
    for name in raw:
        if name != "kind" and name not in known:
            of = f"it has {', '.join(sorted(known))}" if known else "it has no settings"
            raise InputError(f"{kind.kind} has no setting {str(name)[:40]!r}; {of}", where="strategy")
    return kind(**{name: value for name, value in raw.items() if name != "kind"})


def _check_whole(name: str, value: Any, low: int, high: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise InputError(f"{name} is {str(value)[:40]}; it must be a whole number from {low} to {high}", where=f"strategy.{name}")


def _check_real(name: str, value: Any, low: float, high: float) -> None:
    if not is_real(value) or not low <= value <= high:
        raise InputError(f"{name} is {str(value)[:40]}; it must be a number from {low:g} to {high:g}", where=f"strategy.{name}")
