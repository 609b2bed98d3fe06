"""Names of functions that a builder made: the ones they are bound to, as programs print and compare them."""

from __future__ import annotations

from types import FunctionType
from typing import Any

__all__ = ["name_functions"]


def name_functions(module: dict[str, Any]) -> None:
    """Give each function of the module that another function made the first public name it is bound to.

    ``tf.nn.relu.__name__`` is "relu": programs put it into names of scopes, and register activations by it.
    """
    public = set(module["__all__"])
    for name, function in module.items():
        if name in public and isinstance(function, FunctionType) and "<locals>" in function.__qualname__:
            function.__name__ = function.__qualname__ = name
            function.__module__ = module["__name__"]
