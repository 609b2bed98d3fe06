"""Slots as TensorFlow's internal ``slot_creator`` makes them: variables beside a variable or a tensor."""

from __future__ import annotations

from typing import Any

from ..graph.build import convert
from ..graph.dtypes import as_dtype
from ..graph.mode import executing_eagerly
from ..graph.shapes import as_shape
from ..ops.array_ops import shape as shape_of_value
from ..ops.creation_ops import zeros
from ..variables.slot_creator import variable_beside
from ..variables.variables import Variable

__all__ = ["create_slot", "create_slot_with_initializer", "create_zeros_slot"]


def create_slot(primary: Any, val: Any, name: str, colocate_with_primary: bool = True) -> Variable:
    """Return a variable named ``<primary>/<name>`` that begins with ``val``, is not trained, and is where that is."""
    if executing_eagerly():
        own: Variable = type(primary)(val, trainable=False, name=f"{primary.name.removesuffix(':0')}/{name}")
        return own
    known = convert(val).shape.is_fully_defined() if not callable(val) else True

    def new_variable(full_name: str) -> Any:
        kind = getattr(primary, "_is_resource", None)
        return Variable(val, trainable=False, validate_shape=known, name=full_name, use_resource=kind)

    slot: Variable = variable_beside(primary, name, new_variable, colocate_with_primary)
    return slot


def create_slot_with_initializer(
    primary: Any, initializer: Any, shape: Any, dtype: Any, name: str, colocate_with_primary: bool = True
) -> Variable:
    """Return a slot that begins with what an initializer gives for a shape and a type."""
    sizes = list(as_shape(shape) or ())
    first = lambda: initializer(sizes, dtype=as_dtype(dtype).base_dtype)  # noqa: E731
    return create_slot(primary, first, name, colocate_with_primary)


def create_zeros_slot(primary: Any, name: str, dtype: Any = None, colocate_with_primary: bool = True) -> Variable:
    """Return a slot of zeros, of the primary's shape."""
    kind = primary.dtype.base_dtype if dtype is None else dtype
    sizes = primary.get_shape()
    first = zeros(sizes if sizes.is_fully_defined() else shape_of_value(primary), kind)
    return create_slot(primary, first, name, colocate_with_primary)
