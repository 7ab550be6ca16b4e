"""One run in a process of its own: `python -m glassformer.worker FOLDER`, told what to do by lines of JSON.

It reads `{"do": "pause" | "resume" | "stop" | "step"}` and writes `{"state": …, "step": …}` whenever that changes. When its input
ends, it keeps a checkpoint and ends: a server that is gone leaves nothing behind that computes.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import queue
import sys
import threading
from pathlib import Path
from typing import IO, Any, cast

from filelock import Timeout

from .model.limits import Limits, TrainingLimits
from .model.training.run_folder import RunFolder
from .model.training.runner import Command, Runner, fail

NICER = 5
LOCKED = 4
COMMANDS = ("pause", "resume", "stop", "step")


def main() -> int:
    """Advance a run; return the exit status: 0, or 4 where another process is at it."""
    parser = argparse.ArgumentParser(prog="glassformer.worker")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--paused", action="store_true")
    parser.add_argument("--limits", type=_limits, default=TrainingLimits())
    asked = parser.parse_args()
    if hasattr(os, "nice"):
        os.nice(NICER)
    told: queue.SimpleQueue[Command] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin, told), daemon=True).start()

    def wait(stand_still: bool) -> Command | None:
        try:
            return told.get(block=stand_still)
        except queue.Empty:
            return None

    folder = RunFolder(asked.folder)
    try:
        Runner(folder, wait, _tell, limits=asked.limits, paused=asked.paused).run()
    except Timeout:
        return LOCKED
    except Exception as error:
        if folder.exists:
            fail(folder, error)
        raise
    return 0


def _listen(lines: IO[str], told: queue.SimpleQueue[Command]) -> None:
    for line in lines:
        with contextlib.suppress(ValueError, KeyError, TypeError):  # a line that is no command changes nothing
            if (command := json.loads(line)["do"]) in COMMANDS:
                told.put(cast(Command, command))
    told.put("leave")


def _tell(status: dict[str, Any]) -> None:
    with contextlib.suppress(BrokenPipeError):  # nobody listens any more; the end of the input says so too
        print(json.dumps({"state": status["state"], "step": status["step"]}), flush=True)


def _limits(text: str) -> TrainingLimits:
    raw = json.loads(text)
    return TrainingLimits(**{**raw, "model": Limits(**raw["model"])})


if __name__ == "__main__":
    sys.exit(main())
