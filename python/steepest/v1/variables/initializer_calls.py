"""What a new variable begins with: the value, or the function without arguments, that an initializer stands for."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph.dtypes import DType, as_dtype
from ..graph.node import Node
from .initializers import GlorotUniform, Zeros

__all__ = ["ValueFunction", "initial_value", "initializer_of", "takes_nothing"]


def initializer_of(initializer: Any, scope: Any = None) -> Any:
    """Return an initializer, or the scope's where it is None; of a class of them a new one."""
    initializer = scope.initializer if initializer is None and scope is not None else initializer
    return initializer() if isinstance(initializer, type) else initializer


class ValueFunction:
    """A function without arguments that returns the initial value, and with it shape and type."""

    def __init__(self, function: Callable[[], Any]) -> None:
        self.function = function


def takes_nothing(function: Callable[..., Any]) -> bool:
    """Tell whether a function can be called without arguments."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    return all(p.default is not p.empty or p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters)


def initial_value(initializer: Any, shape: Any, dtype: DType | None, default_dtype: Any) -> tuple[Any, DType | None]:
    """Return what ``Variable`` takes: a value, a node, or a function without arguments, and the type it must have.

    ``dtype`` is the type that the program gave, ``default_dtype`` that or the scope's, which values do not take.
    """
    initializer = initializer_of(initializer)
    if isinstance(initializer, ValueFunction):
        return initializer.function, None
    if isinstance(initializer, Node):
        return initializer, None
    if initializer is None or callable(initializer):
        drawn_dtype = as_dtype("float32" if default_dtype is None else default_dtype)
        if initializer is None and drawn_dtype.is_complex:
            raise ValueError(f"An initializer for a variable of {drawn_dtype} is required")
        default = GlorotUniform() if drawn_dtype.is_floating else Zeros()
        return _calling(initializer or default, shape, drawn_dtype), drawn_dtype
    return (initializer if dtype is None else np.asarray(initializer, dtype.dtype)), None


def _listens(initializer: Any) -> bool:
    """Whether an initializer must be told that it is asked for a whole variable: with ``partition_info=None``."""
    try:
        told = inspect.signature(initializer).parameters.get("partition_info")
    except (TypeError, ValueError):
        return False
    return told is not None and told.default is told.empty


def _calling(initializer: Any, shape: Any, dtype: Any) -> Callable[[], Any]:
    """Return the function that calls an initializer, also one that takes only a shape, or NumPy's types."""
    whole = {"partition_info": None} if _listens(initializer) else {}

    def call() -> Any:
        try:
            return initializer(shape, dtype=dtype, **whole)
        except TypeError as error:
            if "dtype" not in str(error):
                raise
            return initializer(shape)

    return call
