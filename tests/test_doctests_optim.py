"""The examples in the docstrings of optimizers, hooks, schedules and clip functions run and print what they say."""

from __future__ import annotations

import doctest
import inspect
import re
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


METHODS = {
    f"{cls.__name__}.{name}": method
    for cls in (st.Optimizer, st.AdagradDecayOptimizer, st.hooks.Hook, st.CheckFinite)
    for name, method in vars(cls).items()
    if inspect.isfunction(method) and not name.startswith("_") and method.__doc__
}


@pytest.mark.parametrize("name", [*PUBLIC, *METHODS])
def test_every_argument_is_documented(name: str) -> None:
    public = METHODS.get(name) or PUBLIC[name]
    lines = re.findall(r"^ +(\w+(?:, \w+)*): ", inspect.getdoc(public) or "", re.M)
    documented = {argument for line in lines for argument in line.split(", ")}
    assert set(inspect.signature(public).parameters) - {"self"} <= documented
