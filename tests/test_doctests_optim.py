"""The examples in the docstrings of optimizers, hooks, schedules and clip functions run and print what they say."""

from __future__ import annotations

import doctest
import inspect
from typing import Any

import numpy as np
import pytest

import steepest as st

PUBLIC: dict[str, Any] = {
    **{name: getattr(st, name) for name in st.__all__ if name.endswith("Optimizer")},
    **{
        f"{module.__name__.rpartition('.')[2]}.{name}": getattr(module, name)
        for module in (st.hooks, st.schedules, st.clip)
        for name in module.__all__
    },
}


@pytest.mark.parametrize("name", PUBLIC)
def test_the_example_prints_what_it_says(name: str) -> None:
    # `np` and `st` are there as in NumPy's own examples. Only what is written in this docstring, not in a base class'.
    text = vars(PUBLIC[name]).get("__doc__") if inspect.isclass(PUBLIC[name]) else PUBLIC[name].__doc__
    examples = doctest.DocTestParser().get_doctest(text or "", {"np": np, "st": st}, name, None, 0)
    assert examples.examples, "has no example"
    printed: list[str] = []
    assert doctest.DocTestRunner().run(examples, out=printed.append).failed == 0, "".join(printed)


@pytest.mark.parametrize("name", PUBLIC)
def test_every_argument_is_documented(name: str) -> None:
    documented = inspect.getdoc(PUBLIC[name]) or ""
    for argument in inspect.signature(PUBLIC[name]).parameters:
        assert f"\n    {argument}: " in documented.replace(", ", ": \n    "), argument
