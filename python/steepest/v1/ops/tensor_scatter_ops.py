"""Tensors with other values at some positions: set there, added, subtracted, or the larger or smaller of both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...ops.dispatch import apply, unwrap
from ...ops.registry import Primitive
from ...ops.scatter import IndexedCotangent
from ..graph.bound_names import name_functions
from ..graph.build import call
from ..graph.run_values import array_of
from .position_ops import check_updates, scattered_places
from .sparse_ops import convert_to_tensor

__all__ = [
    "tensor_scatter_add",
    "tensor_scatter_nd_add",
    "tensor_scatter_nd_max",
    "tensor_scatter_nd_min",
    "tensor_scatter_nd_sub",
    "tensor_scatter_nd_update",
    "tensor_scatter_sub",
    "tensor_scatter_update",
]

Scatter = Callable[..., Any]


def _added(x: Any, new: Any, places: Any) -> Any:
    return x + IndexedCotangent(new, places, x.shape).dense()


def _subtracted(x: Any, new: Any, places: Any) -> Any:
    return x - IndexedCotangent(new, places, x.shape).dense()


def _replaced(x: Any, new: Any, places: Any) -> Any:
    """Return x with the updates set one after another: of those for one position the last stays."""
    count = len(places)
    outer, inner = x.shape[:count], x.shape[count:]
    updates = np.reshape(new, (places[0].size if places else -1, *inner))
    if not len(updates):
        return x
    number, order = np.full(outer, -1, np.int64), np.arange(len(updates))
    number[places] = order.reshape(places[0].shape) if places else order[-1]
    there = np.reshape(number >= 0, (*outer, *[1] * len(inner)))
    return np.where(there, updates[np.maximum(number, 0)], x)


def _chosen(x: Any, new: Any, places: Any, function: Any) -> Any:
    out = np.array(array_of(x))
    function.at(out, places, array_of(new))
    return out


def _shares(y: Any, x: Any, new: Any, places: Any) -> tuple[Any, Any, Any]:
    """Return which elements and which updates are the result, and the share of a gradient that each of equal ones has.

    Formula: one over the number of the elements and updates that are the result at a position.
    """
    result = unwrap(y)
    old, taken = np.equal(unwrap(x), result), np.equal(unwrap(new), result[places])
    count = old.astype(result.dtype)
    np.add.at(count, places, taken)
    return old, taken, (1 / np.maximum(count, 1)).astype(result.dtype)


def _to_tensor(g: Any, y: Any, x: Any, new: Any, places: Any, *_: Any) -> Any:
    old, _taken, share = _shares(y, x, new, places)
    return np.where(old, g * share, np.zeros((), share.dtype))


def _to_updates(g: Any, y: Any, x: Any, new: Any, places: Any, *_: Any) -> Any:
    _old, taken, share = _shares(y, x, new, places)
    return np.where(taken, g[places] * share[places], np.zeros((), share.dtype))


_EXTREMES = Primitive(_chosen, (_to_tensor, _to_updates))


def _extreme(function: Any) -> Scatter:
    return lambda x, new, places: apply(_EXTREMES, (x, new, places, function))


def _operation(op_type: str, function: Scatter, text: str) -> Scatter:
    def operation(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> Any:
        def compute(x: Any, new: Any, where: Any) -> Any:
            return function(x, new, scattered_places(where, new.shape, x.shape, "tensor"))

        def shape_fn(shape: Any, new: Any, where: Any) -> Any:
            check_updates(where, new, shape, "tensor")
            return shape

        base = convert_to_tensor(tensor)
        inputs = (base, convert_to_tensor(updates, base.dtype.base_dtype), convert_to_tensor(indices))
        return call(op_type, compute, inputs, name=name, shape=shape_fn, same=False)

    operation.__doc__ = f"""Return the tensor, at the positions ``indices[..., :]`` {text}.

    Raises InvalidArgumentError for positions that are not in the tensor, ValueError for shapes that do not fit.
    """
    return operation


tensor_scatter_add = _operation("TensorScatterAdd", _added, "with ``updates`` added; repeated positions sum")
tensor_scatter_sub = _operation("TensorScatterSub", _subtracted, "with ``updates`` subtracted, repeated ones each")
tensor_scatter_update = _operation(
    "TensorScatterUpdate", _replaced, "with ``updates`` in its place, at a repeated one the last"
)
tensor_scatter_nd_max = _operation("TensorScatterMax", _extreme(np.maximum), "the larger of it and ``updates``")
tensor_scatter_nd_min = _operation("TensorScatterMin", _extreme(np.minimum), "the smaller of it and ``updates``")
tensor_scatter_nd_add, tensor_scatter_nd_sub, tensor_scatter_nd_update = (
    tensor_scatter_add,
    tensor_scatter_sub,
    tensor_scatter_update,
)

name_functions(__name__)
