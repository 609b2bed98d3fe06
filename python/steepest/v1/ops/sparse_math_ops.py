"""Arithmetic of sparse tensors: sums, products with dense ones, reductions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...ops.dispatch import unwrap
from ...ops.scatter import IndexedCotangent, scattered
from ..graph import shape_inference
from ..graph.bound_names import name_functions
from ..graph.build import call, convert, dtype_of, shape_of
from ..graph.composites import is_sparse
from ..graph.dtypes import as_dtype
from ..graph.mode import executing_eagerly
from ..graph.run_values import array_of
from .cast_ops import cast
from .sparse_array_ops import check_alike, checked_sparse, count_of, produced, rank_of, sizes_of, target_of, with_sizes
from .sparse_ops import SparseTensor, convert_to_tensor

__all__ = [
    "sparse_add",
    "sparse_maximum",
    "sparse_minimum",
    "sparse_reduce_max",
    "sparse_reduce_max_sparse",
    "sparse_reduce_sum",
    "sparse_reduce_sum_sparse",
    "sparse_softmax",
]


def _union(first: Any, second: Any, sizes: Any) -> tuple[Any, Any, Any]:
    """Return the places of two sparse tensors together, and for each of the first's and the second's where it is."""
    both = np.concatenate([array_of(first), array_of(second)])
    places, which = np.unique(both, axis=0, return_inverse=True)
    which = which.reshape(-1)
    return places.astype(np.int64), which[: len(array_of(first))], which[len(array_of(first)) :]


def _check_same(a: Any, b: Any) -> None:
    if len(array_of(a)) != len(array_of(b)):
        raise ValueError(f"Operands do not have the same ranks: {array_of(a).tolist()} and {array_of(b).tolist()}")
    if not np.array_equal(array_of(a), array_of(b)):
        raise ValueError(f"Operands' shapes do not match: {array_of(a).tolist()} and {array_of(b).tolist()}")


def sparse_add(a: Any, b: Any, threshold: Any = None, thresh: Any = None) -> Any:
    """Return the sum of two sparse tensors, of which sums below ``threshold`` are left out, or of one and a tensor.

    Raises TypeError where neither is sparse.
    """
    least = threshold if threshold is not None else thresh if thresh is not None else 0
    if not (_sparse(a) or _sparse(b)):
        raise TypeError("At least one input should be SparseTensor; do you mean to use tf.add()?")
    if not (_sparse(a) and _sparse(b)):
        sparse, dense = (checked_sparse(a), b) if _sparse(a) else (checked_sparse(b), a)

        def added(where: Any, values: Any, x: Any) -> Any:
            places = array_of(where)
            if (outside := (places < 0) | (places >= x.shape)).any():
                row, axis = (int(at) for at in np.argwhere(outside)[0])
                found = (
                    f"a_indices({row},{axis}) = {places[row, axis]}, dense tensor shape: {' '.join(map(str, x.shape))}"
                )
                raise ValueError(f"Sparse tensor has an invalid index on dimension {axis}: {found}")
            return x + IndexedCotangent(values, tuple(array_of(where).T), x.shape).dense()

        return call(
            "SparseTensorDenseAdd",
            added,
            (sparse.indices, sparse.values, dense),
            shape=lambda where, values, x: x,
            dtype=sparse.dtype,
            same=False,
        )
    one, two = checked_sparse(a), checked_sparse(b)
    check_alike("SparseAdd", one, two)

    def summed(where: Any, values: Any, sizes: Any, where_b: Any, values_b: Any, sizes_b: Any) -> Any:
        _check_same(sizes, sizes_b)
        places, at, at_b = _union(where, where_b, sizes)
        total = scattered(values, at, (len(places),)) + scattered(values_b, at_b, (len(places),))
        alone = np.bincount(np.concatenate([at, at_b]), minlength=len(places)) == 1  # these stay, as in TensorFlow
        kept = np.flatnonzero(alone | (np.abs(unwrap(total)) >= least))
        return places[kept], total[kept], array_of(sizes)

    made = produced("SparseAdd", summed, [*one._sparse_parts, *two._sparse_parts], one.dtype, rank_of(one))
    sizes = sizes_of(one)
    return made if sizes is None else with_sizes(made, sizes)


def _sparse(value: Any) -> bool:
    return is_sparse(value) or type(value).__name__ == "SparseTensorValue"


def _elementwise(op_type: str, function: Callable[..., Any], text: str) -> Callable[..., Any]:
    def operation(sp_a: Any, sp_b: Any, name: str | None = None) -> SparseTensor:
        one, two = checked_sparse(sp_a), checked_sparse(sp_b)

        def compute(where: Any, values: Any, sizes: Any, where_b: Any, values_b: Any, sizes_b: Any) -> Any:
            _check_same(sizes, sizes_b)
            places, at, at_b = _union(where, where_b, sizes)
            left, right = np.zeros((2, len(places)), values.dtype)
            left[at], right[at_b] = array_of(values), array_of(values_b)
            return places, function(left, right)

        inputs = [*one._sparse_parts, *two._sparse_parts]
        sizes = one.dense_shape
        return produced(op_type, compute, inputs, one.dtype, rank_of(one), name, differentiable=False, sizes=sizes)

    operation.__doc__ = text
    return operation


sparse_maximum = _elementwise("SparseSparseMaximum", np.maximum, "Return the larger of two, element by element.")
sparse_minimum = _elementwise("SparseSparseMinimum", np.minimum, "Return the smaller of two, element by element.")


def _axes(options: tuple[Any, Any]) -> Any:
    axis, old = options
    axis = old if axis is None else axis
    return axis if axis is None else tuple(np.atleast_1d(np.asarray(axis)).tolist())


def _apart(axes: Any, sizes: Any) -> Any:
    """Return axes, each once where several numbers are one axis."""
    return axes if axes is None or sizes is None else tuple(dict.fromkeys(_counted(axis, len(sizes)) for axis in axes))


def _counted(axis: int, ndim: int) -> int:
    return axis + ndim if -ndim <= axis < 0 else axis


def _reduced(op_type: str, reduce: Any, sp_input: Any, axes: Any, keep: bool, name: str | None, flows: bool) -> Any:
    sparse = checked_sparse(sp_input)
    if not executing_eagerly():
        known = shape_inference.shape_value(convert(sparse.dense_shape))
    else:
        known = tuple(np.asarray(array_of(sparse.dense_shape)).tolist())
    outside = known is not None and axes is not None and any(not -len(known) <= axis < len(known) for axis in axes)
    shape = None if outside else shape_inference.reduced(keep)(_apart(axes, known), known)

    def compute(where: Any, values: Any, sizes: Any) -> Any:
        target = target_of(sizes)
        along = shape_inference.axes_of(_apart(axes, target), len(target))
        return reduce(array_of(where), values, target, along, keep)

    return call(
        op_type,
        compute,
        sparse._sparse_parts,
        name=name,
        shape=shape,
        dtype=sparse.dtype,
        same=False,
        differentiable=flows,
    )


def _sum(where: Any, values: Any, sizes: Any, axes: Any, keep: bool) -> Any:
    dense = IndexedCotangent(values, tuple(where.T), sizes).dense()
    return np.sum(dense, axis=axes, keepdims=keep, dtype=values.dtype)


def _lowest_of(dtype: Any) -> Any:
    """Return the lowest value of a type."""
    return -np.inf if dtype.kind == "f" else np.iinfo(dtype).min


def _max(where: Any, values: Any, sizes: Any, axes: Any, keep: bool) -> Any:
    values = array_of(values)
    filled = np.full(sizes, _lowest_of(values.dtype), values.dtype)
    present = np.zeros(sizes, bool)
    filled[tuple(where.T)], present[tuple(where.T)] = values, True
    found = np.max(filled, axis=axes, keepdims=keep)
    return np.where(np.any(present, axis=axes, keepdims=keep), found, values.dtype.type(0))


def sparse_reduce_sum(
    sp_input: Any,
    axis: Any = None,
    keepdims: Any = None,
    reduction_axes: Any = None,
    keep_dims: Any = None,
    name: str | None = None,
) -> Any:
    """Return the sums along axes, as a dense tensor."""
    keep = bool(keep_dims if keepdims is None else keepdims)
    return _reduced("SparseReduceSum", _sum, sp_input, _axes((axis, reduction_axes)), keep, name, True)


def sparse_reduce_max(
    sp_input: Any,
    axis: Any = None,
    keepdims: Any = None,
    reduction_axes: Any = None,
    keep_dims: Any = None,
    name: str | None = None,
) -> Any:
    """Return the largest values along axes, as a dense tensor; 0 where there are none."""
    keep = bool(keep_dims if keepdims is None else keepdims)
    return _reduced("SparseReduceMax", _max, sp_input, _axes((axis, reduction_axes)), keep, name, False)


def _sparsely(op_type: str, add: Any, function: Any) -> Any:
    def operation(
        sp_input: Any,
        axis: Any = None,
        keepdims: Any = None,
        reduction_axes: Any = None,
        keep_dims: Any = None,
        name: str | None = None,
    ) -> SparseTensor:
        sparse, axes = checked_sparse(sp_input), _axes((axis, reduction_axes))
        keep = bool(keep_dims if keepdims is None else keepdims)
        dtype = np.dtype(dtype_of(sparse.values).as_numpy_dtype)

        def reduced(where: Any, values: Any, sizes: Any) -> Any:
            where, total = array_of(where), np.array(target_of(sizes), np.int64)
            along = shape_inference.axes_of(axes, len(total))
            rest = [k for k in range(len(total)) if k not in along]
            places, which = np.unique(where[:, rest], axis=0, return_inverse=True)
            out = np.full(len(places), 0 if add is np.add else _lowest_of(dtype), dtype)
            add.at(out, which.ravel(), array_of(values))
            if keep:
                spread = np.zeros((len(places), len(total)), np.int64)
                spread[:, rest] = places
                return spread, out, np.where(np.isin(np.arange(len(total)), along), 1, total)
            return places.reshape(len(places), len(rest)).astype(np.int64), out, total[rest]

        known = rank_of(sparse)
        left = None if known is None else known if keep else known - len(shape_inference.axes_of(axes, known))
        return produced(op_type, reduced, [*sparse._sparse_parts], sparse.dtype, left, name, differentiable=False)

    operation.__doc__ = f"Do what `{function.__name__}` does, and return it where there are values."
    return operation


sparse_reduce_sum_sparse = _sparsely("SparseReduceSumSparse", np.add, sparse_reduce_sum)
sparse_reduce_max_sparse = _sparsely("SparseReduceMaxSparse", np.maximum, sparse_reduce_max)


def sparse_softmax(sp_input: Any, name: str | None = None) -> SparseTensor:
    """Return the softmax over the values that each row of the last axis has."""
    sparse = checked_sparse(sp_input)

    def softened(where: Any, values: Any, sizes: Any) -> Any:
        lead = target_of(sizes)[:-1]
        rows = np.ravel_multi_index(tuple(array_of(where)[:, :-1].T), lead)
        count = int(np.prod(lead))
        largest = np.full(count, -np.inf)
        np.maximum.at(largest, rows, array_of(values))
        terms = np.exp(values - largest[rows].astype(values.dtype))
        return terms / scattered(terms, rows, (count,))[rows]

    parts, known = sparse._sparse_parts, (count_of(sparse),)
    values = call("SparseSoftmax", softened, parts, name=name, shape=known, dtype=sparse.dtype, same=False)
    return SparseTensor(sparse.indices, values, sparse.dense_shape)


def with_dense(op_type: str, function: Callable[..., Any], sparse: SparseTensor, dense: Any) -> SparseTensor:
    """Return a sparse tensor whose values are computed with those of a dense one that is broadcast to its shape."""

    def compute(where: Any, values: Any, sizes: Any, x: Any) -> Any:
        target = tuple(array_of(sizes).tolist())
        own = np.shape(x)
        if len(own) > len(target) or any(a not in (1, b) for a, b in zip(own[::-1], target[::-1], strict=False)):
            raise ValueError(
                f"{op_type} broadcasts dense to sparse only; got incompatible shapes: {list(target)} vs. {list(own)}"
            )
        return function(values, np.broadcast_to(x, target)[tuple(array_of(where).T)])

    known = shape_of(sparse.values)
    values, dtype = sparse.values, sparse.dtype
    if op_type == "SparseDenseCwiseDiv" and as_dtype(dtype).is_integer:  # as of dense ones: `/` is a float
        dtype = as_dtype("float32" if as_dtype(dtype).size < 4 else "float64")
        dense = dense if hasattr(dense, "dtype") else convert_to_tensor(dense, sparse.dtype)
        values, dense = cast(values, dtype), cast(dense, dtype)
    dense = dense if executing_eagerly() else convert(dense, None if hasattr(dense, "dtype") else sparse.dtype)
    inputs = [sparse.indices, values, sparse.dense_shape, dense]
    values = call(op_type, compute, inputs, shape=known, dtype=dtype, same=False)
    return SparseTensor(sparse.indices, values, sparse.dense_shape)


def _give_operators() -> None:
    sparse: Any = SparseTensor
    sparse.__mul__ = lambda self, other: with_dense("SparseDenseCwiseMul", np.multiply, self, other)
    sparse.__rmul__ = sparse.__mul__
    sparse.__truediv__ = lambda self, other: with_dense("SparseDenseCwiseDiv", np.true_divide, self, other)
    sparse.__div__ = sparse.__truediv__


_give_operators()

name_functions(__name__)
