"""The values that variables and slots begin with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...variables.variable import Variable as EagerVariable
from ..graph.build import convert
from ..graph.dtypes import DType
from ..graph.node import Tensor
from ..graph.shapes import Shape, as_shape, compatible, text
from ..ops.cast_ops import cast
from ..ops.creation_ops import fill

__all__ = ["declared_shape", "first_values_as", "initial_tensor", "shape_held", "starting"]


def initial_tensor(value: Any, dtype: Any) -> Tensor:
    """Return the node of a variable's initial value."""
    if isinstance(value, EagerVariable):
        value = value.numpy()
    return convert(value, dtype, name="initial_value")


def shape_held(first: Tensor, validated: bool, resource: Any, declared: Any) -> tuple[Shape, bool]:
    """Return what is known of a variable's shape, and whether values of other shapes may follow the first.

    Raises ValueError for an initial value whose shape is not known, unless the shape is not to be validated or the
    variable is a resource: a resource's shape is what ``declared``, or else the initial value, tells of it.
    """
    if resource:
        known = first._shape if declared is None else declared_shape(first._shape, declared)
        return known, known is None or None in known
    if validated and (first._shape is None or None in first._shape):
        raise ValueError(f"initial_value must have a shape specified: {first!r}")
    if declared is not None:
        return declared_shape(first._shape if validated else None, declared), False
    return first._shape if validated else None, False


def declared_shape(first: Shape, declared: Any) -> Shape:
    """Return the shape that a program says a variable has; ValueError where its first value has another."""
    known = as_shape(declared)
    if not compatible(first, known):
        raise ValueError(
            f"The initial value's shape ({text(first)}) is not compatible with the explicitly supplied "
            f"`shape` argument ({text(known)})."
        )
    return known


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
