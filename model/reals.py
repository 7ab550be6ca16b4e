"""What counts as a number that one can calculate with."""

from __future__ import annotations

import sys
from typing import Any


def is_real(value: Any) -> bool:
    """Say whether a value is a finite number; true is none, and neither is a whole number too large for a float."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max
