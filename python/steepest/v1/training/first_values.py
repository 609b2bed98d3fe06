"""The values that variables and slots begin with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...variables.variable import Variable as EagerVariable
from ..graph.build import convert
from ..graph.dtypes import DType
from ..graph.node import Tensor
from ..graph.shapes import Shape
from ..ops.cast_ops import cast
from ..ops.creation_ops import fill

__all__ = ["first_values_as", "initial_tensor", "starting"]


def initial_tensor(value: Any, dtype: Any) -> Tensor:
    """Return the node of a variable's initial value."""
    if isinstance(value, EagerVariable):
        value = value.numpy()
    return convert(value, dtype, name="initial_value")


def first_values_as(variable: Any, dtype: Any) -> Tensor:
    """Return the node of the values that a variable begins with, in the type of a slot that begins with them."""
    values: Tensor = cast(variable.initialized_value(), dtype)
    return values


def starting(initial: Any, shape: Shape | Callable[[], Tensor], dtype: DType) -> Any:
    """Return the function that makes a slot's first value, from an initializer or a number.

    Raises ValueError for an initializer where the shape is known to a session only.
    """
    if callable(initial):
        if callable(shape):
            raise ValueError(f"the shape of a slot must be known to {initial!r:.60}")
        return lambda: initial(shape, dtype=dtype)
    name, start = "zeros" if initial == 0 else "Const", np.asarray(initial, dtype.dtype)
    return lambda: fill(shape() if callable(shape) else shape, start, name=name)
