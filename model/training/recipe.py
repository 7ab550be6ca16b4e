"""The recipe of a training, as a person writes it: checked as a whole before anything is allocated."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from ..config import ModelConfig
from ..errors import ConfigError, InputError
from ..reals import is_real
from ..recipe import check_fields, check_known
from .card_file import LONGEST_TITLE
from .exercises import EXERCISES
from .pairs import UNITS
from .schedule import Cosine, Paper, Schedule

MOST = 10**9
PAIRS = "pairs"
TASKS = (*EXERCISES, PAIRS)
SCHEDULES = (Cosine.name, Paper.name)
FIXED = frozenset({"vocab_size", "pad_id", "max_length", "causal", "mask_src_padding", "mask_tgt_padding"})
"""Settings that follow from the sentences, or without which training by teacher forcing makes no sense."""
PAIRS_DEFAULTS = {"d_model": 64, "n_heads": 4, "d_ff": 128, "n_layers": 2}


@dataclass(frozen=True)
class TrainingRecipe:
    """What is trained, and how.

    Attributes:
        task: copy, reverse, sort, pig-latin, or pairs.
        name: what the model will be called; empty is the task's own title.
        options: changed settings of the network.
        steps, batch, rate: None is the task's own. rate is the highest one, or the factor of the paper's schedule.
        schedule: "cosine", or "paper" for its equation 3. warm_up: steps of the rise; None is a tenth of the steps.
        seed: of first weights, of the sentences' order and of dropout.
        pairs: for the task pairs, the text of two columns. unit: "word" or "character". vocabulary: most tokens.
            held_out: share of the sentences kept for the test.

    Raises:
        InputError: a field is of the wrong kind or out of its range; the message names value and limit.
    """

    task: str
    name: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    steps: int | None = None
    batch: int | None = None
    rate: float | None = None
    schedule: str = "cosine"
    warm_up: int | None = None
    seed: int = 1
    pairs: str = ""
    unit: str = "word"
    vocabulary: int = 4000
    held_out: float = 0.1

    def __post_init__(self) -> None:
        if self.task not in TASKS:
            raise InputError(f"no task is named {str(self.task)[:40]!r}; there are {', '.join(TASKS)}", where="task")
        if self.schedule not in SCHEDULES:
            raise InputError(f"schedule is {str(self.schedule)[:40]!r}; it must be {' or '.join(SCHEDULES)}", where="schedule")
        check_name(self.name)
        check_fields(self.task, (), self.options, self.seed)
        for setting in sorted(FIXED & self.options.keys()):
            raise ConfigError(f"{setting} follows from the task's sentences and cannot be changed", where=f"options.{setting}")
        for name in ("steps", "batch", "warm_up"):
            _check_whole(name, getattr(self, name), least=1)
        if self.rate is not None and not (is_real(self.rate) and self.rate > 0):
            raise InputError(f"rate is {str(self.rate)[:40]}; it must be a number above 0", where="rate")
        self._check_pairs()

    def _check_pairs(self) -> None:
        if not isinstance(self.pairs, str) or (self.task == PAIRS) != bool(self.pairs.strip()):
            none = "there are no pairs of sentences; paste some or choose a file: source and target side by side, a pair a line"
            raise InputError(none if self.task == PAIRS else f"the task {self.task} takes no pairs of sentences", where="pairs")
        if self.unit not in UNITS:
            raise InputError(f"unit is {str(self.unit)[:40]!r}; it must be {' or '.join(UNITS)}", where="unit")
        _check_whole("vocabulary", self.vocabulary, least=8)
        if not (is_real(self.held_out) and 0 < self.held_out < 1):
            raise InputError(f"held_out is {str(self.held_out)[:40]}; it must be a share between 0 and 1", where="held_out")

    @classmethod
    def from_dict(cls, raw: Mapping[str, Any]) -> TrainingRecipe:
        """Read a recipe as a person writes it. Raises InputError naming the field."""
        check_known(raw, {each.name for each in fields(cls)})
        if "task" not in raw:
            raise InputError(f"task is missing; there are {', '.join(TASKS)}", where="task")
        return cls(**{name: value for name, value in raw.items() if value is not None})

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as plain values, without what is at its default."""
        defaults = {each.name: each.default for each in fields(self)}
        return {
            name: value
            for name, value in asdict(self).items()
            if value != defaults[name] and not (name == "options" and not value)
        }

    def schedule_for(self, config: ModelConfig, *, steps: int, rate: float) -> Schedule:
        """Return the learning rate of every step. `rate` is the task's own, for where the recipe names none."""
        if self.schedule == Paper.name:
            warm_up = max(1, math.ceil(steps / 10)) if self.warm_up is None else self.warm_up
            return Paper(config.d_model, warm_up, 1.0 if self.rate is None else float(self.rate))
        return Cosine(steps=steps, highest=rate if self.rate is None else float(self.rate), warm_up=self.warm_up)


def check_name(name: Any) -> None:
    """Raise InputError unless this can be a model's name."""
    if not isinstance(name, str) or len(name) > LONGEST_TITLE or not all(map(str.isprintable, name)):
        raise InputError(f"a name has at most {LONGEST_TITLE} characters, all of them visible", where="name")


def _check_whole(name: str, value: Any, *, least: int) -> None:
    if value is not None and (not isinstance(value, int) or isinstance(value, bool) or not least <= value <= MOST):
        raise InputError(f"{name} is {str(value)[:40]}; it must be a whole number from {least} to {MOST}", where=name)
