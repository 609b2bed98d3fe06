"""Rows of arrays overwritten or added to, and arrays made for that: the functions of ``ops.inplace_ops``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...ops.dispatch import unwrap
from ..graph.build import call, convert_all
from ..graph.run_values import array_of
from ..ops.array_ops import expand_dims, reshape, shape
from ..ops.cast_ops import cast
from ..ops.creation_ops import zeros
from ..ops.sparse_ops import convert_to_tensor

__all__ = [
    "alias_inplace_add",
    "alias_inplace_sub",
    "alias_inplace_update",
    "empty",
    "empty_like",
    "inplace_add",
    "inplace_sub",
    "inplace_update",
]


def empty(shape: Any, dtype: Any, init: bool = False, name: str | None = None) -> Any:
    """Return zeros, also where TensorFlow promises nothing: without ``init``."""
    return zeros(shape, dtype, name)


def empty_like(x: Any, init: bool | None = None) -> Any:
    """Return zeros of the shape and type of ``x``, also where TensorFlow promises nothing: without ``init``."""
    tensor = convert_to_tensor(x)
    return zeros(shape(tensor), tensor.dtype)


def _at_rows(op_type: str, change: Callable[[Any, Any, Any], None]) -> Callable[..., Any]:
    def changed(values: Any, rows: Any, new: Any) -> Any:
        out = np.array(unwrap(values))
        where, parts = array_of(rows), array_of(new)
        if where.ndim != 1:
            raise ValueError(f"i must be a vector. {where.shape}")
        if parts.shape[1:] != out.shape[1:]:
            raise ValueError(f"x and v shape doesn't match: {list(out.shape)} vs. {list(parts.shape)}")
        if len(parts) != len(where):
            raise ValueError(f"i and x shape doesn't match at index 0: {len(where)} and {len(parts)}")
        change(out, where % max(len(out), 1), parts)
        return out

    def operation(x: Any, i: Any, v: Any, name: str | None = None) -> Any:
        whole = convert_to_tensor(x)
        part = convert_to_tensor(v, whole.dtype)
        if i is None:
            flat = operation(reshape(whole, [1, -1]), [0], reshape(part, [1, -1]), name)
            return reshape(flat, shape(whole))
        rows = cast(i, "int32")
        if rows.shape.ndims == 0:
            rows, part = reshape(rows, [1]), expand_dims(part, 0)
        tensors = convert_all(op_type, [whole, part])
        inputs = (tensors[0], rows, tensors[1])
        return call(op_type, changed, inputs, name=name, shape=lambda s, *_: s, same=False, differentiable=False)

    return operation


_updated = _at_rows("InplaceUpdate", np.ndarray.__setitem__)
_added = _at_rows("InplaceAdd", np.add.at)
_subtracted = _at_rows("InplaceSub", np.subtract.at)


def inplace_update(x: Any, i: Any, v: Any, name: str | None = None) -> Any:
    """Return ``x`` with rows ``i`` overwritten by ``v``; a number ``i`` is one row, None all. ``x`` stays as it is."""
    return _updated(x, i, v, name)


def inplace_add(x: Any, i: Any, v: Any, name: str | None = None) -> Any:
    """Return ``x`` with ``v`` added to rows ``i``; ``x`` itself stays as it is."""
    return _added(x, i, v, name)


def inplace_sub(x: Any, i: Any, v: Any, name: str | None = None) -> Any:
    """Return ``x`` with ``v`` subtracted from rows ``i``; ``x`` itself stays as it is."""
    return _subtracted(x, i, v, name)


# Here they leave `x` as it is too: arrays of a run are never changed.
alias_inplace_add, alias_inplace_sub, alias_inplace_update = inplace_add, inplace_sub, inplace_update
