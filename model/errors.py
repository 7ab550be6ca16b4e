"""What a person can do wrong, one exception for each kind; every message names the value and the limit."""

from __future__ import annotations

from typing import ClassVar


class GlassformerError(Exception):
    """Base of every mistake that is the user's to mend.

    `code` is the stable word a program can test for; `where` names the field or tensor concerned.
    """

    code: ClassVar[str] = "error"

    def __init__(self, message: str, *, where: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.where = where


class ConfigError(GlassformerError, ValueError):
    """A model's settings contradict each other or a limit."""

    code = "bad_config"


class InputError(GlassformerError, ValueError):
    """A sentence, an id, a mask or a slice that this model cannot take."""

    code = "bad_input"


class EmptyInputError(InputError):
    """Nothing to run on."""

    code = "empty_input"


class RecipeError(GlassformerError, ValueError):
    """A text that is no recipe of a trace or of a decoding."""

    code = "bad_recipe"


class UnknownNameError(GlassformerError, LookupError):
    """A model, tensor or axis of this name does not exist here."""

    code = "not_found"


class OverBudgetError(GlassformerError):
    """The run would cost more operations or bytes than allowed; refused before anything is allocated."""

    code = "over_budget"


class DeadlineError(GlassformerError):
    """A piece of work took longer than it may; the message says how far it came."""

    code = "deadline"


class StoppedError(GlassformerError):
    """Nobody waits for a piece of work any more."""

    code = "stopped"


class OutOfMemoryError(GlassformerError):
    """The machine gave no more memory."""

    code = "out_of_memory"


class NotFiniteError(GlassformerError):
    """A decoding has nothing to choose from: scores that are no numbers."""

    code = "not_finite"


class FinishedError(GlassformerError):
    """A step was asked for after a decoding had come to its end."""

    code = "finished"


class WeightsError(GlassformerError, ValueError):
    """A file of weights does not fit its model."""

    code = "bad_checkpoint"


class StorageFullError(GlassformerError):
    """The disk, or the room that there is for trainings, is full; what is there already stays as it is."""

    code = "storage_full"


class RecordingError(GlassformerError, RuntimeError):
    """The watched network broke a rule of watching; the message names the tap."""

    code = "recording"
