"""Names of functions that a builder made: the ones they are bound to, as programs print and compare them."""

from __future__ import annotations

import sys
from types import FunctionType

__all__ = ["name_functions"]


def name_functions(module: str) -> None:
    """Give each function of the module that another function made the first public name it is bound to.

    ``tf.nn.relu.__name__`` is "relu": programs put it into names of scopes, and register activations by it.
    """
    names = vars(sys.modules[module])
    public = set(names["__all__"])
    for name, function in names.items():
        if name in public and isinstance(function, FunctionType) and "<locals>" in function.__qualname__:
            function.__name__ = function.__qualname__ = name
            function.__module__ = module
