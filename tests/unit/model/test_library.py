"""Models are built once, and building one keeps nobody waiting who wants another."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from glassformer.model import library
from glassformer.model.library import Library

LONG = 20.0


@pytest.fixture
def slow_copy(monkeypatch: pytest.MonkeyPatch) -> tuple[threading.Event, threading.Event, list[str]]:
    """The model `copy` is not built before it is let; when it is begun, and which ones were built, is told."""
    begun, let, built, build = threading.Event(), threading.Event(), [], library.build

    def slow(found: Any, *args: Any, **named: Any) -> Any:
        built.append(found.id)
        if found.id == "copy":
            begun.set()
            assert let.wait(LONG)
        return build(found, *args, **named)

    monkeypatch.setattr(library, "build", slow)
    return begun, let, built


def test_another_model_is_given_while_one_is_built(slow_copy: tuple[threading.Event, threading.Event, list[str]]) -> None:
    begun, let, _ = slow_copy
    models = Library()
    with ThreadPoolExecutor() as pool:
        copy = pool.submit(models.get, "copy")
        assert begun.wait(LONG)
        assert pool.submit(models.get, "tiny").result(LONG).card.id == "tiny"
        assert not copy.done()
        let.set()
        assert copy.result(LONG).card.id == "copy"


def test_who_asks_for_the_same_waits_for_it(slow_copy: tuple[threading.Event, threading.Event, list[str]]) -> None:
    begun, let, built = slow_copy
    models = Library()
    with ThreadPoolExecutor() as pool:
        asked = [pool.submit(models.get, "copy") for _ in range(3)]
        assert begun.wait(LONG)
        let.set()
        assert len({id(each.result(LONG)) for each in asked}) == 1
    assert built == ["copy"]


def test_one_that_cannot_be_built_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: Any, **named: Any) -> Any:
        raise MemoryError

    models = Library()
    with monkeypatch.context() as patch:
        patch.setattr(library, "build", broken)
        with pytest.raises(MemoryError):
            models.get("tiny")
    assert not models.holds("tiny")
    assert not models._building
    assert models.get("tiny").card.id == "tiny"
