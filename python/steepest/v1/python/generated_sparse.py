"""TensorFlow's generated operations of sparse tensors, which take and give the parts of these one by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..graph.build import call, shape_of
from ..graph.run_values import array_of
from ..ops import sparse_array_ops, sparse_cross_ops, sparse_joining_ops, sparse_math_ops, sparse_serial_ops
from ..ops.sparse_ops import SparseTensor, convert_to_tensor
from ..ops.sparse_reshape_ops import sparse_reshape as _reshaped

__all__ = [
    "serialize_many_sparse",
    "serialize_sparse",
    "sparse_add",
    "sparse_concat",
    "sparse_cross_hashed",
    "sparse_cross_v2",
    "sparse_fill_empty_rows",
    "sparse_reduce_max",
    "sparse_reduce_max_sparse",
    "sparse_reduce_sum",
    "sparse_reduce_sum_sparse",
    "sparse_reorder",
    "sparse_reshape",
    "sparse_slice",
    "sparse_softmax",
    "sparse_sparse_maximum",
    "sparse_sparse_minimum",
    "sparse_split",
    "sparse_tensor_dense_add",
]


class _Parts(NamedTuple):
    """A sparse tensor as an operation gives it."""

    output_indices: Any
    output_values: Any
    output_shape: Any


class _Ordered(NamedTuple):
    """Places in order, with their values."""

    output_indices: Any
    output_values: Any


class _Reshaped(NamedTuple):
    """Places in another shape, and that shape."""

    output_indices: Any
    output_shape: Any


class _Sum(NamedTuple):
    """A sum of sparse tensors."""

    sum_indices: Any
    sum_values: Any
    sum_shape: Any


class _Filled(NamedTuple):
    """Rows that have values, which rows had none, and where each value went."""

    output_indices: Any
    output_values: Any
    empty_row_indicator: Any
    reverse_index_map: Any


class _Pieces(NamedTuple):
    """The pieces of a sparse tensor."""

    output_indices: list[Any]
    output_values: list[Any]
    output_shape: list[Any]


def _sparse(indices: Any, values: Any, shape: Any) -> SparseTensor:
    """Return the sparse tensor of parts; ValueError, in TensorFlow's words, for ones that do not fit each other."""
    indices, shape = (convert_to_tensor(part, "int64") for part in (indices, shape))
    values = convert_to_tensor(values)
    places, known, sizes = (shape_of(part) for part in (indices, values, shape))
    if places and known and None not in (places[0], known[0]) and places[0] != known[0]:
        raise ValueError(f"Number of elements in indices ({places[0]}) and values ({known[0]}) do not match")
    if places and sizes and len(places) == 2 and None not in (places[1], sizes[0]) and places[1] != sizes[0]:
        raise ValueError(f"Index rank ({places[1]}) and shape rank ({sizes[0]}) do not match")
    return SparseTensor(indices, values, shape)


def _parts(sparse: SparseTensor) -> _Parts:
    return _Parts(sparse.indices, sparse.values, sparse.dense_shape)


def serialize_sparse(
    sparse_indices: Any, sparse_values: Any, sparse_shape: Any, out_type: Any = "string", name: str | None = None
) -> Any:
    """Return `tf.serialize_sparse` of a sparse tensor's parts."""
    return sparse_serial_ops.serialize_sparse(_sparse(sparse_indices, sparse_values, sparse_shape), name, out_type)


def serialize_many_sparse(
    sparse_indices: Any, sparse_values: Any, sparse_shape: Any, out_type: Any = "string", name: str | None = None
) -> Any:
    """Return `tf.serialize_many_sparse` of a sparse tensor's parts."""
    return sparse_serial_ops.serialize_many_sparse(_sparse(sparse_indices, sparse_values, sparse_shape), name, out_type)


def sparse_add(
    a_indices: Any,
    a_values: Any,
    a_shape: Any,
    b_indices: Any,
    b_values: Any,
    b_shape: Any,
    thresh: Any,
    name: str | None = None,
) -> _Sum:
    """Return the parts of `tf.sparse_add` of two sparse tensors."""
    del name
    both = _sparse(a_indices, a_values, a_shape), _sparse(b_indices, b_values, b_shape)
    return _Sum(*_parts(sparse_math_ops.sparse_add(*both, thresh)))


def sparse_tensor_dense_add(a_indices: Any, a_values: Any, a_shape: Any, b: Any, name: str | None = None) -> Any:
    """Return `tf.sparse_add` of a sparse tensor's parts and a dense one."""
    del name
    return sparse_math_ops.sparse_add(_sparse(a_indices, a_values, a_shape), b)


def sparse_concat(
    indices: list[Any], values: list[Any], shapes: list[Any], concat_dim: int, name: str | None = None
) -> _Parts:
    """Return the parts of `tf.sparse_concat` of sparse tensors."""
    several = [_sparse(*parts) for parts in zip(indices, values, shapes, strict=True)]
    return _parts(sparse_joining_ops.sparse_concat(concat_dim, several, name))


def sparse_cross_v2(
    indices: list[Any],
    values: list[Any],
    shapes: list[Any],
    dense_inputs: list[Any],
    sep: Any,
    name: str | None = None,
) -> _Parts:
    """Return the parts of `tf.sparse.cross`: texts with a separator between them."""
    columns = list(zip(indices, values, shapes, strict=True))
    return _Parts(*sparse_cross_ops.crossed_texts(columns, list(dense_inputs), sep, name))


def sparse_cross_hashed(
    indices: list[Any],
    values: list[Any],
    shapes: list[Any],
    dense_inputs: list[Any],
    num_buckets: Any,
    strong_hash: Any,
    salt: Any,
    name: str | None = None,
) -> _Parts:
    """Return the parts of crosses as hashes; with ``strong_hash`` texts are hashed with ``salt``, two integers."""
    columns = list(zip(indices, values, shapes, strict=True))
    hashed = sparse_cross_ops.salted_hashes
    return _Parts(*hashed(columns, list(dense_inputs), num_buckets, strong_hash, salt, name))


def sparse_fill_empty_rows(
    indices: Any, values: Any, dense_shape: Any, default_value: Any, name: str | None = None
) -> _Filled:
    """Return the parts of `tf.sparse_fill_empty_rows`, and where each value went."""
    sparse = _sparse(indices, values, dense_shape)
    filled, empty = sparse_array_ops.sparse_fill_empty_rows(sparse, default_value, name)
    went = call("ReverseIndexMap", _places_of_rows, (sparse.indices, empty), shape=_count, dtype="int64", **_PLAIN)
    return _Filled(filled.indices, filled.values, empty, went)


_PLAIN: dict[str, Any] = {"same": False, "differentiable": False}


def _places_of_rows(where: Any, empty: Any) -> Any:
    """Return for each value its place among those that are sorted by rows, with one more in each empty row."""
    rows, added = array_of(where)[:, 0], np.cumsum(array_of(empty), dtype=np.int64)
    places = np.empty(len(rows), np.int64)
    places[np.argsort(rows, kind="stable")] = np.arange(len(rows))
    return places + added[rows]


def _count(where: Any, *_: Any) -> Any:
    return None if where is None else where[:1]


def _reducing(function: Callable[..., Any], sparsely: bool) -> Callable[..., Any]:
    def operation(
        input_indices: Any,
        input_values: Any,
        input_shape: Any,
        reduction_axes: Any,
        keep_dims: bool = False,
        name: str | None = None,
    ) -> Any:
        sparse = _sparse(input_indices, input_values, input_shape)
        reduced = function(sparse, reduction_axes, keep_dims, name=name)
        return _parts(reduced) if sparsely else reduced

    operation.__doc__ = f"Return `tf.{function.__name__}` of a sparse tensor's parts."
    return operation


sparse_reduce_max = _reducing(sparse_math_ops.sparse_reduce_max, False)
sparse_reduce_max_sparse = _reducing(sparse_math_ops.sparse_reduce_max_sparse, True)
sparse_reduce_sum = _reducing(sparse_math_ops.sparse_reduce_sum, False)
sparse_reduce_sum_sparse = _reducing(sparse_math_ops.sparse_reduce_sum_sparse, True)


def sparse_reorder(input_indices: Any, input_values: Any, input_shape: Any, name: str | None = None) -> _Ordered:
    """Return the places and values of `tf.sparse_reorder`."""
    ordered = sparse_array_ops.sparse_reorder(_sparse(input_indices, input_values, input_shape), name)
    return _Ordered(ordered.indices, ordered.values)


def sparse_reshape(input_indices: Any, input_shape: Any, new_shape: Any, name: str | None = None) -> _Reshaped:
    """Return the places and the shape of `tf.sparse_reshape`."""
    places = convert_to_tensor(input_indices, "int64")
    reshaped = _reshaped(SparseTensor(places, places[:, 0], input_shape), new_shape, name)
    return _Reshaped(reshaped.indices, reshaped.dense_shape)


def sparse_slice(indices: Any, values: Any, shape: Any, start: Any, size: Any, name: str | None = None) -> _Parts:
    """Return the parts of `tf.sparse_slice`."""
    start, size = (convert_to_tensor(part, "int64") for part in (start, size))
    return _parts(sparse_array_ops.sparse_slice(_sparse(indices, values, shape), start, size, name))


def sparse_softmax(sp_indices: Any, sp_values: Any, sp_shape: Any, name: str | None = None) -> Any:
    """Return the values of `tf.sparse_softmax`."""
    return sparse_math_ops.sparse_softmax(_sparse(sp_indices, sp_values, sp_shape), name).values


def _comparing(function: Callable[..., Any]) -> Callable[..., Any]:
    def operation(
        a_indices: Any,
        a_values: Any,
        a_shape: Any,
        b_indices: Any,
        b_values: Any,
        b_shape: Any,
        name: str | None = None,
    ) -> _Ordered:
        made = function(_sparse(a_indices, a_values, a_shape), _sparse(b_indices, b_values, b_shape), name)
        return _Ordered(made.indices, made.values)

    operation.__doc__ = f"Return the places and values of `tf.{function.__name__}`."
    return operation


sparse_sparse_maximum = _comparing(sparse_math_ops.sparse_maximum)
sparse_sparse_minimum = _comparing(sparse_math_ops.sparse_minimum)


def sparse_split(
    split_dim: Any, indices: Any, values: Any, shape: Any, num_split: int, name: str | None = None
) -> _Pieces:
    """Return the parts of the pieces of `tf.sparse_split`."""
    sparse = _sparse(indices, values, shape)
    pieces = sparse_joining_ops.sparse_split(sp_input=sparse, num_split=num_split, axis=split_dim, name=name)
    return _Pieces(*(list(part) for part in zip(*map(_parts, pieces), strict=True)))
