"""Parts of variables overwritten, under the names, and with the arguments, of the generated ``gen_array_ops``."""

from __future__ import annotations

from typing import Any

from ..graph.build import convert
from ..graph.mode import executing_eagerly
from ..graph.node import Node
from ..ops.array_ops import identity
from ..ops.concat_ops import unstack
from ..ops.slice_ops import masked_key
from ..variables.handles import variable_of

__all__ = ["deep_copy", "resource_strided_slice_assign", "strided_slice_assign"]


def strided_slice_assign(
    ref: Any,
    begin: Any,
    end: Any,
    strides: Any,
    value: Any,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    name: str | None = None,
) -> Any:
    """Return the variable once a part of it is overwritten. Raises RuntimeError in eager mode."""
    if executing_eagerly():
        raise RuntimeError("strided_slice_assign op does not support eager execution. Arg 'output_ref' is a ref.")
    key = masked_key(begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    part = key(*map(_numbers, (begin, end, strides)))
    variable: Any = ref._tensor() if isinstance(ref, Node) else ref
    return variable[part].assign(value, name)


def resource_strided_slice_assign(ref: Any, *part: Any, **named: Any) -> Any:
    """Return the operation that overwrites a part of a variable: the arguments are those of `strided_slice_assign`."""
    return strided_slice_assign(variable_of(ref), *part, **{"name": "ResourceStridedSliceAssign", **named}).op


def _numbers(places: Any) -> list[Any]:
    """Return one place along each axis: integers, or tensors where a tensor has them."""
    return list(unstack(convert(places))) if isinstance(places, Node) else list(places)


def deep_copy(x: Any, name: str | None = None) -> Any:
    """Return the same values in an array of its own."""
    return identity(x, name or "DeepCopy")
