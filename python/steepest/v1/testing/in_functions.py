"""Assertions in the bodies of functions: what they compare is known when the function runs."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Node
from ..ops.script_ops import py_func

__all__ = ["py_func_if_in_function"]


def py_func_if_in_function(func: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that is called at once, but in the body of a function at each run, with values of tensors.

    Source: TensorFlow's ``test_util``.
    """

    @functools.wraps(func)
    def decorated(*args: Any, **kwargs: Any) -> Any:
        if executing_eagerly() or not get_default_graph().building_function:
            return func(*args, **kwargs)
        places = [place for place, arg in enumerate(args) if isinstance(arg, Node)]

        def with_values(*values: Any) -> None:
            filled = dict(zip(places, values, strict=True))
            func(*(filled.get(place, arg) for place, arg in enumerate(args)), **kwargs)

        return py_func(with_values, [args[place] for place in places], [])

    return decorated
