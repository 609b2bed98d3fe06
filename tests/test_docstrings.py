"""The docstrings of optimizers, hooks, schedules, checkpoints and clip functions document every argument."""

from __future__ import annotations

import inspect
import re
from typing import Any

import pytest

import steepest as st
import steepest.mpi

PUBLIC: dict[str, Any] = {
    **{name: getattr(st, name) for name in st.__all__ if name.endswith("Optimizer")},
    **{
        f"{module.__name__.rpartition('.')[2]}.{name}": getattr(module, name)
        for module in (st.hooks, st.schedules, st.clip, st.checkpoint, steepest.mpi)
        for name in module.__all__
        if not name.isupper() and not name.endswith("Error")
    },
}


METHODS = {
    f"{cls.__name__}.{name}": method
    for cls in (
        st.Optimizer,
        st.AdagradDecayOptimizer,
        st.hooks.Hook,
        st.CheckFinite,
        st.Checkpoint,
        st.CheckpointManager,
    )
    for name, method in vars(cls).items()
    if inspect.isfunction(method) and not name.startswith("_") and method.__doc__
}


@pytest.mark.parametrize("name", [*PUBLIC, *METHODS])
def test_every_argument_is_documented(name: str) -> None:
    public = METHODS.get(name) or PUBLIC[name]
    lines = re.findall(r"^ +(\w+(?:, \w+)*): ", inspect.getdoc(public) or "", re.M)
    documented = {argument for line in lines for argument in line.split(", ")}
    assert set(inspect.signature(public).parameters) - {"self"} <= documented
