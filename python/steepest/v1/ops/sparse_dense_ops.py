"""Dense arrays of sparse tensors, and their products with matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.dispatch import conjugated, is_recorded, unwrap
from ...ops.scatter import scattered
from ..graph.build import call, convert, shape_of
from ..graph.mode import executing_eagerly
from ..graph.run_values import array_of
from ..graph.shape_inference import shape_value
from .gather_ops import taken_dense
from .sparse_ops import SparseTensor

__all__ = ["sparse_tensor_dense_matmul", "sparse_tensor_to_dense", "sparse_to_dense"]


def check_indices(where: Any, shape: Any) -> None:
    """Raise ValueError for a place that is not in the shape."""
    listed = where.reshape(len(where), -1)
    outside = np.any((listed < 0) | (listed >= np.array(shape, np.int64)), axis=1)
    if np.any(outside):
        at = int(np.argmax(outside))
        told = f"indices[{at}] = {_told(listed[at])}"
        raise ValueError(f"{told} is out of bounds: need 0 <= index < {_told(np.array(shape))}")


def _check_order(where: Any, shape: tuple[int, ...]) -> None:
    """Raise ValueError unless places are in the shape and come in order and once each."""
    check_indices(where, shape)
    listed = where.reshape(len(where), -1)
    steps = np.diff(np.ravel_multi_index(tuple(listed.T), shape))
    if np.any(steps <= 0):
        at = int(np.argmax(steps <= 0)) + 1
        why = "repeated" if steps[at - 1] == 0 else "out of order"
        raise ValueError(f"indices[{at}] = {_told(listed[at])} is {why}")


def _told(place: Any) -> str:
    return str(place.tolist()).replace(" ", "")


def _check_dense(where: Any, shape: tuple[int, ...], values: Any, empty: Any) -> None:
    """Raise ValueError, in TensorFlow's words, for parts of a dense array that do not fit each other."""
    count = where.shape[0] if where.ndim else 1
    if np.shape(values) not in ((), (count,)):
        told = _told(np.array(np.shape(values)))
        raise ValueError(f"sparse_values has incorrect shape {told}, should be [] or [{count}]")
    if np.ndim(empty):
        raise ValueError("default_value should be a scalar")


def sparse_to_dense(
    sparse_indices: Any,
    output_shape: Any,
    sparse_values: Any,
    default_value: Any = 0,
    validate_indices: bool = True,
    name: str | None = None,
) -> Any:
    """Return an array of ``output_shape`` with values at ``sparse_indices``, and ``default_value`` elsewhere.

    Gradients flow to values that are floats, and to a tensor ``default_value``.
    """

    def compute(where: Any, sizes: Any, values: Any, *given: Any) -> Any:
        if array_of(sizes).ndim != 1:
            raise ValueError(f"output_shape must be rank 1, got shape {list(array_of(sizes).shape)}")
        where, shape = array_of(where), tuple(int(size) for size in unwrap(sizes))
        if not shape and np.size(unwrap(values)) == 1:
            return np.reshape(values, ())
        blank = given[0] if given else empty
        _check_dense(where, shape, unwrap(values), blank)
        index = tuple(np.moveaxis(where, -1, 0)) if where.ndim > 1 else (where,)
        if validate_indices and where.ndim and where.size:
            _check_order(where, shape)
        dtype = array_of(values).dtype
        if not is_recorded(values) and not is_recorded(blank):
            out = np.full(shape, array_of(blank), dtype)
            out[index] = array_of(values)
            return out
        places = np.atleast_1d(np.ravel_multi_index(index, shape))
        elsewhere = np.ones(shape, dtype)
        elsewhere[index] = 0
        one_each = np.reshape(values, (-1,)) * np.ones(places.size, dtype)
        return elsewhere * blank + np.reshape(scattered(one_each, places, (elsewhere.size,)), shape)

    empty = default_value.encode() if isinstance(default_value, str) else default_value
    inputs = (sparse_indices, output_shape, sparse_values)
    filling = (default_value,) if hasattr(default_value, "dtype") and not isinstance(default_value, np.generic) else ()
    if executing_eagerly():
        return call("SparseToDense", compute, (*inputs, *filling), same=False)
    where, sizes, values = (convert(value) for value in inputs)
    if (known := shape_of(sizes)) is not None and len(known) != 1:
        raise ValueError(f"Shape must be rank 1 but is rank {len(known)}")
    return call(
        "SparseToDense",
        compute,
        (where, sizes, values, *filling),
        name=name,
        shape=shape_value(sizes),
        dtype=values.dtype.base_dtype,
        same=False,
        differentiable=values.dtype.has_gradients,
    )


def sparse_tensor_to_dense(
    sp_input: SparseTensor, default_value: Any = None, validate_indices: bool = True, name: str | None = None
) -> Any:
    """Return the array that a sparse tensor stands for; elsewhere are zeros, or empty strings."""
    parts = sp_input.indices, sp_input.dense_shape, sp_input.values
    blank = "" if sp_input.dtype == "string" else 0
    return sparse_to_dense(*parts, blank if default_value is None else default_value, validate_indices, name)


def _check_inside(where: Any, shape: list[int], turned: bool) -> None:
    """Raise ValueError for a place that is not in the matrix, whose rows are m and columns k, or turned."""
    for axis, letter in ((0, "k" if turned else "m"), (1, "m" if turned else "k")):
        outside = np.flatnonzero((where[:, axis] < 0) | (where[:, axis] >= shape[axis]))
        if outside.size:
            at = int(outside[0])
            raise ValueError(
                f"{letter} ({int(where[at, axis])}) from index[{at},{axis}] out of bounds (>={shape[axis]})"
            )


def sparse_tensor_dense_matmul(
    sp_a: SparseTensor, b: Any, adjoint_a: bool = False, adjoint_b: bool = False, name: str | None = None
) -> Any:
    """Return the product of a sparse matrix and a matrix; gradients flow to both."""
    sp_a = SparseTensor.from_value(sp_a)

    def product(values: Any, where: Any, sizes: Any, dense: Any) -> Any:
        where, shape = array_of(where), [int(size) for size in unwrap(sizes)]
        _check_inside(where, shape, adjoint_a)
        rows, columns = (where[:, 1], where[:, 0]) if adjoint_a else (where[:, 0], where[:, 1])
        right = conjugated(np.transpose(dense)) if adjoint_b else dense
        values = conjugated(values) if adjoint_a else values
        count = shape[1] if adjoint_a else shape[0]
        return scattered(np.reshape(values, (-1, 1)) * taken_dense(right, columns, 0), rows, (count, right.shape[1]))

    def shape_fn(values: Any, where: Any, sizes: Any, dense: Any) -> Any:
        matrix_shape = shape_value(sp_a.dense_shape) or (None, None)
        inner = matrix_shape[0 if adjoint_a else 1], None if dense is None else dense[1 if adjoint_b else 0]
        if None not in inner and inner[0] != inner[1]:
            raise ValueError(f"Dimensions must be equal, but are {inner[0]} and {inner[1]}")
        return (
            matrix_shape[1] if adjoint_a else matrix_shape[0],
            None if dense is None else dense[0 if adjoint_b else 1],
        )

    return call(
        "SparseTensorDenseMatMul",
        product,
        (sp_a.values, sp_a.indices, sp_a.dense_shape, b),
        name=name,
        shape=shape_fn,
        same=False,
    )
