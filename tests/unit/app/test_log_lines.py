"""A line of the log: what it says, what has no way in, and that a log which cannot be written costs lines and nothing else."""

from __future__ import annotations

import ast
import json
import logging
import os
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeGuard

import pytest
from glassformer.app.observing import logs as observing_logs
from glassformer.app.observing.lines import LineFormatter, describe_exception, facts_of, json_line, text_line
from glassformer.app.observing.logs import LineHandler, flush_logs, logs, lost_lines
from glassformer.app.settings import Settings

TYPED = "smørrebrød"
LEVELS = ("debug", "info", "warning", "error", "exception", "critical")
REQUEST = {"method": "GET", "route": "/api/traces/{id}", "id": "0a1b2c3d", "status": 200, "bytes": 2345, "ms": 3.14}


def record(message: str, *args: object, name: str = "glassformer.app", **more: object) -> logging.LogRecord:
    made = logging.LogRecord(name, logging.WARNING, __file__, 1, message, args, None)
    made.__dict__.update(more)
    return made


def fault(message: str) -> BaseException:
    try:
        try:
            {}[message]
        except KeyError as error:
            raise ValueError(message) from error
    except ValueError as error:
        return error


def fill(descriptor: int) -> None:
    while os.write(descriptor, b"x" * 4096):
        pass


@contextmanager
def written(path: Path, **settings: object) -> Iterator[Callable[[], list[str]]]:
    with path.open("wb") as file, logs(Settings(**settings), descriptor=file.fileno()):  # type: ignore[arg-type]

        def lines() -> list[str]:
            flush_logs()
            return path.read_text("utf-8").splitlines()

        yield lines


def test_a_line_of_json_says_when_what_and_for_which_request() -> None:
    said = json.loads(json_line(facts_of(record("request", facts=REQUEST, request_id="f00d"))))
    assert list(said)[:4] == ["time", "level", "event", "request_id"]
    assert said["time"].endswith("Z")
    assert {name: said[name] for name in REQUEST} == REQUEST


def test_a_line_of_text_stands_in_columns() -> None:
    line = text_line(facts_of(record("request", facts=REQUEST | {"visitor": "127.0.0.1"}, request_id="f00d")), colour=False)
    assert line[12:] == " 200 GET         3.1 ms    2.3 kB /api/traces/{id} 0a1b2c3d visitor=127.0.0.1 f00d"


def test_colours_change_nothing_but_colours() -> None:
    said = facts_of(record("a training has ended", facts={"run": "run-1"}))
    painted = text_line(said, colour=True)
    assert "\x1b[" in painted
    assert "".join(part.partition("m")[2] for part in painted.split("\x1b[")) == text_line(said, colour=False)


@pytest.mark.parametrize("form", ["json", "text"])
@pytest.mark.parametrize("hostile", ["a\nb", "\x1b[2J", "%s%n", "\u202e\u2066", "\x7f\x85\u2028", "\ud800"])
def test_whatever_is_in_a_value_a_line_is_one_line_of_printable_characters(form: str, hostile: str) -> None:
    line = LineFormatter(form).format(record("request", facts=REQUEST | {"visitor": hostile}))
    assert all(letter.isprintable() for letter in line)
    line.encode()


def test_an_exception_is_types_and_places_and_never_its_message() -> None:
    told = describe_exception(fault(TYPED))
    assert [error["type"] for error in told] == ["ValueError", "KeyError"]
    assert told[0]["at"][0].endswith(" fault")
    for form in ("json", "text"):
        made = record("fault", exc_info=(ValueError, fault(TYPED), None))
        assert TYPED not in LineFormatter(form).format(made)
        assert json.dumps(TYPED)[1:-1] not in LineFormatter(form).format(made)
    assert TYPED in logging.Formatter().format(made), "the standard formatter says it, so the test would see it"


@pytest.mark.parametrize(
    ("name", "message", "args"),
    [
        ("asyncio", f"Task exception was never retrieved\nfuture: <Task exception=KeyError('{TYPED}')>", ()),
        ("asyncio", f"Exception in callback call('{TYPED}')", ()),
        ("uvicorn.error", "%s is strange", (TYPED,)),
        ("some.library", f'it was "{TYPED}"', ()),
    ],
)
def test_of_what_libraries_log_only_the_first_plain_words_are_told(name: str, message: str, args: tuple[str, ...]) -> None:
    made = record(message, *args, name=name)
    assert TYPED in made.getMessage()
    event = facts_of(made)["event"]
    assert event.startswith(f"{name}: ")
    assert TYPED not in event


def test_an_exception_in_one_of_our_own_messages_is_its_type_or_the_systems_words() -> None:
    for error, word in (
        (KeyError(TYPED), "KeyError"),
        (OSError(28, "No space left on device", TYPED), "No space left on device"),
    ):
        made = record("it did not work: %s, %d times", error, 3)
        assert TYPED in made.getMessage()
        assert facts_of(made)["event"] == f"it did not work: {word}, 3 times"


@pytest.mark.parametrize(
    ("setting", "said"),
    [("requests", ["request", "odd", "fault"]), ("errors", ["odd", "fault"]), ("off", [])],
)
def test_the_setting_says_what_is_logged(tmp_path: Path, setting: str, said: list[str]) -> None:
    with written(tmp_path / "log", log=setting) as lines:
        ours = logging.getLogger("glassformer.app")
        ours.info("request")
        ours.warning("odd")
        ours.error("fault")
        assert [json.loads(line)["event"] for line in lines()] == said


def log_calls() -> Iterator[tuple[str, ast.Call]]:
    root = Path(__file__).resolve().parents[3]
    for file in [*root.glob("app/**/*.py"), *root.glob("glassformer/**/*.py")]:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in LEVELS:
                on = node.func.value
                if isinstance(on, ast.Name) and on.id == "logger":
                    yield f"{file.relative_to(root)}:{node.lineno}", node


def test_messages_of_ours_are_constant_words_and_never_made_of_text() -> None:
    """What fills them is an id, a number or an exception itself, which the formatter turns into its type."""
    calls = list(log_calls())
    assert len(calls) >= 8
    for place, call in calls:
        message, *values = call.args
        assert isinstance(message, ast.Constant), place
        made = [node for value in values for node in ast.walk(value) if isinstance(node, ast.JoinedStr | ast.NamedExpr)]
        called = [
            node.func.id for value in values for node in ast.walk(value) if isinstance(node, ast.Call) and is_name(node.func)
        ]
        assert not made, place
        assert not {"str", "repr", "format"} & set(called), place


def is_name(node: ast.expr) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name)


def test_logs_are_as_before_afterwards(tmp_path: Path) -> None:
    before = logging.getLogger().handlers[:], logging.getLogger("glassformer").level, threading.excepthook, sys.unraisablehook
    with written(tmp_path / "log", log="requests"):
        assert logging.getLogger().handlers != before[0]
    after = logging.getLogger().handlers[:], logging.getLogger("glassformer").level, threading.excepthook, sys.unraisablehook
    assert after == before


def test_what_a_thread_dies_of_is_logged_without_its_message(tmp_path: Path) -> None:
    def die() -> None:
        raise KeyError(TYPED)

    with written(tmp_path / "log") as lines:
        thread = threading.Thread(target=die)
        thread.start()
        thread.join()
        said = [json.loads(line) for line in lines()]
    assert [(line["event"], line["exception"][0]["type"]) for line in said] == [("fault of a thread", "KeyError")]


def test_a_full_disk_costs_lines_and_nothing_else() -> None:
    """Written by hand, the same line raises: the test would see it."""
    if not Path("/dev/full").exists():
        pytest.skip("/dev/full is Linux'")
    with open("/dev/full", "wb", buffering=0) as full, logs(Settings(), descriptor=full.fileno()):
        with pytest.raises(OSError, match="space"):
            os.write(full.fileno(), b"line\n")
        for _ in range(10):
            logging.getLogger("glassformer.app").warning("odd")
        flush_logs()
        assert lost_lines() == 10


def test_a_closed_pipe_costs_lines_and_nothing_else() -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb"), logs(Settings(), descriptor=write):
        logging.getLogger("glassformer.app").warning("odd")
        flush_logs()
        assert lost_lines() == 1


def test_a_reader_who_sleeps_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A handler that writes by itself would wait here for ever: the pipe is full."""
    monkeypatch.setattr(observing_logs, "MOST_LINES", 50)
    read, write = os.pipe()
    with os.fdopen(read, "rb"), os.fdopen(write, "wb", buffering=0):
        os.set_blocking(write, False)
        with pytest.raises(BlockingIOError):
            fill(write)
        os.set_blocking(write, True)
        with logs(Settings(), descriptor=write):
            for _ in range(200):
                logging.getLogger("glassformer.app").warning("odd")
            assert lost_lines() >= 149
            os.read(read, 1 << 20)  # the reader wakes up, so that all can end


def test_a_record_that_cannot_be_formatted_costs_one_line() -> None:
    with open(os.devnull, "wb") as nowhere, warnings.catch_warnings():
        handler = LineHandler(nowhere.fileno(), "json")
        handler.handle(record("%d", "no number"))
        handler.handle(record("fine"))
        handler.flush()
        assert handler.lost == 1
        handler.close()
