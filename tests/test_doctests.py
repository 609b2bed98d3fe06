"""The examples in the docstrings of public names run and give what they say."""

from __future__ import annotations

import doctest
import inspect
import types
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from thread_comm import on_ranks

import steepest
import steepest.mpi
import steepest.testing

ROOMS = [
    steepest,
    steepest.checkpoint,
    steepest.nn,
    steepest.testing,
    steepest.hooks,
    steepest.schedules,
    steepest.clip,
    steepest.mpi,
]
# Public names that must have an example, by room. A room whose functions and classes all must: its `__all__`.
DEMANDED: list[tuple[types.ModuleType | type, list[str]]] = [
    (steepest.nn, steepest.nn.__all__),
    (
        steepest,
        [
            "GradientTape",
            "IndexedSlices",
            "Variable",
            "custom_gradient",
            "debug",
            "gather",
            "gradients_function",
            "implicit_gradients",
            "implicit_value_and_gradients",
            "stop_gradient",
            "value_and_gradients_function",
        ],
    ),
    (steepest.testing, ["check_vjp"]),
    (steepest, [name for name in steepest.__all__ if name.endswith("Optimizer")]),
    (steepest.hooks, steepest.hooks.__all__),
    (steepest.schedules, steepest.schedules.__all__),
    (steepest.clip, steepest.clip.__all__),
    (steepest.mpi, steepest.mpi.__all__),
    (steepest.checkpoint, [name for name in steepest.checkpoint.__all__ if not name.isupper()]),
    (steepest.Optimizer, ["state_dict", "load_state_dict"]),
]
GLOBALS = {"np": np, "nn": steepest.nn, "st": steepest, "steepest": steepest, "comm": on_ranks(1, lambda comm: comm)[0]}


def public_objects() -> Iterator[tuple[str, Any]]:
    seen = set()
    for room in ROOMS:
        for name in room.__all__:
            thing = getattr(room, name)
            if (inspect.isclass(thing) or inspect.isfunction(thing)) and id(thing) not in seen:
                seen.add(id(thing))
                yield f"{room.__name__}.{name}", thing


def examples(name: str, thing: Any) -> list[doctest.DocTest]:
    """Return the examples of a function, or of a class and of the methods that it defines."""
    things = {name: thing}
    if inspect.isclass(thing):
        for base in thing.__mro__:
            for key, value in vars(base).items() if base.__module__.startswith("steepest") else ():
                things.setdefault(f"{name}.{key}", value)
    parser = doctest.DocTestParser()
    tests = []
    for key, value in things.items():
        docstring = getattr(value, "__doc__", None)
        if isinstance(docstring, str):
            test = parser.get_doctest(docstring, dict(GLOBALS), key, None, 0)
            if test.examples:
                tests.append(test)
    return tests


WITH_EXAMPLES = [test for name, thing in public_objects() for test in examples(name, thing)]


@pytest.fixture(autouse=True)
def _fresh():
    steepest.reset_default_store()
    yield
    steepest.reset_default_store()


@pytest.mark.parametrize("test", WITH_EXAMPLES, ids=lambda test: test.name)
def test_the_examples_give_what_they_say(test):
    report: list[str] = []
    failed = doctest.DocTestRunner().run(test, out=report.append).failed
    assert not failed, "".join(report)


@pytest.mark.parametrize(("room", "names"), DEMANDED, ids=lambda value: getattr(value, "__name__", None))
def test_public_names_have_an_example(room, names):
    missing = [name for name in names if ">>> " not in (getattr(room, name).__doc__ or "")]
    assert not missing
