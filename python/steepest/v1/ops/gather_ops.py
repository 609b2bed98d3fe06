"""Rows and elements by position: gather, scatter, where, masks, unique."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.scatter import IndexedCotangent
from ...ops.vjps.indexing import gather as _gather
from ..graph import shape_inference
from ..graph.build import call, convert, convert_all, dtype_of, shape_of
from ..graph.constants import constant_value
from ..graph.dtypes import as_dtype
from ..graph.mode import executing_eagerly
from ..graph.results import Unique, UniqueWithCounts
from ..graph.run_values import array_of
from ..graph.shapes import compatible, text

__all__ = [
    "boolean_mask",
    "gather",
    "gather_nd",
    "invert_permutation",
    "scatter_nd",
    "searchsorted",
    "sequence_mask",
    "unique",
    "unique_with_counts",
    "where",
]


def gather(
    params: Any,
    indices: Any,
    validate_indices: Any = None,
    name: str | None = None,
    axis: Any = None,
    batch_dims: int = 0,
) -> Any:
    """Return ``params`` at the indices along ``axis`` (0 by default); the gradient of rows is `IndexedSlices`.

    Raises TypeError for indices that are not integers; when a session runs, InvalidArgumentError for one that is not
    there. Source: ``tf.gather``.
    """
    del validate_indices, batch_dims
    if not executing_eagerly() and not convert(indices).dtype.is_integer and np.size(constant_value(indices)):
        raise TypeError(
            f"Value passed to parameter 'indices' has DataType {convert(indices).dtype.name}; it must be integer"
        )
    along = 0 if axis is None else int(shape_inference.static_argument("gather", "axis", axis))
    if along == 0:
        return call(
            "GatherV2", _rows, (params, indices), name=name, shape=shape_inference.gathered, rows_of=0, same=False
        )

    def shape_fn(x: Any, ids: Any) -> Any:
        if x is None or ids is None:
            return None
        if not -len(x) <= along < len(x):
            raise ValueError(f"Shape must be at least rank {along + 1} but is rank {len(x)}")
        at = along % len(x)
        return (*x[:at], *ids, *x[at + 1 :])

    return call(
        "GatherV2",
        lambda x, ids: np.take(x, array_of(ids), axis=shape_inference.axes_of(along, x.ndim)[0]),
        (params, indices),
        name=name,
        shape=shape_fn,
        same=False,
    )


def _rows(params: Any, ids: Any) -> Any:
    return _gather(params, array_of(ids))


def gather_nd(params: Any, indices: Any, name: str | None = None) -> Any:
    """Return ``params[tuple(indices[..., :])]``: the last axis of ``indices`` holds positions."""

    def take(x: Any, where: Any) -> Any:
        where = array_of(where)
        for axis in range(where.shape[-1]):
            bad = (where[..., axis] < 0) | (where[..., axis] >= x.shape[axis])
            if bad.any():
                raise IndexError(f"indices{list(np.argwhere(bad)[0])} do not index into param shape {x.shape}")
        return x[tuple(where[..., k] for k in range(where.shape[-1]))]

    def shape_fn(x: Any, where: Any) -> Any:
        if x is not None and where is not None and where[-1] is not None and where[-1] > len(x):
            raise ValueError(f"indices.shape[-1] must be <= params.rank, but saw indices {where} and params {x}")
        return None if x is None or where is None or where[-1] is None else (*where[:-1], *x[where[-1] :])

    known = shape_of(indices)
    if known is not None and known[-1] == 1:  # whole rows: the gradient is sparse
        return call(
            "GatherNd",
            lambda x, ids: _rows(x, array_of(ids)[..., 0]),
            (params, indices),
            name=name,
            shape=shape_fn,
            same=False,
            rows_of=0,
        )
    return call("GatherNd", take, (params, indices), name=name, shape=shape_fn, same=False)


def scatter_nd(indices: Any, updates: Any, shape: Any, name: str | None = None) -> Any:
    """Return zeros of ``shape`` with ``updates`` added at ``indices``."""
    sizes = tuple(int(size) for size in shape_inference.static_argument("scatter_nd", "shape", shape).ravel())

    def put(values: Any, where: Any) -> Any:
        where = array_of(where)
        return IndexedCotangent(values, tuple(where[..., k] for k in range(where.shape[-1])), sizes).dense()

    return call("ScatterNd", put, (updates, indices), name=name, shape=sizes, same=False)


def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Any:
    """Return the elements of ``x`` where the condition holds, else of ``y``; without both, positions.

    A condition of one axis chooses whole rows of x and y. Raises ValueError for only one of x and y.
    Source: ``tf.where`` of TensorFlow 1.
    """
    if x is None and y is None:
        return call(
            "Where",
            lambda c: np.argwhere(array_of(c)).astype(np.int64),
            (condition,),
            name=name,
            shape=lambda c: (None, None if c is None else len(c)),
            dtype="int64",
            differentiable=False,
        )
    if x is None or y is None:
        raise ValueError("x and y must both be non-None or both be None.")
    if not executing_eagerly():
        x, y = convert_all("Select", (x, y))
        condition = convert(condition)
        if not condition.dtype.is_bool:
            raise TypeError(f"Input 'condition' of 'Select' Op has type {condition.dtype.name} that is not bool")

    def compute(c: Any, a: Any, b: Any) -> Any:
        c = array_of(c)
        shape_fn(c.shape, a.shape, b.shape)
        if c.ndim == 1 and a.ndim > 1:
            c = c.reshape(-1, *([1] * (a.ndim - 1)))
        return np.where(c, a, b)

    def shape_fn(c: Any, a: Any, b: Any) -> Any:
        chosen = shape_inference.merged(a, b)  # only the condition is broadcast
        if chosen is None or not c:
            return chosen
        return shape_inference.merged(c if len(c) != 1 else (*c, *chosen[1:]), chosen)

    tensors = (condition, x, y)
    dtype = dtype_of(x)
    return call("Select", compute, tensors, name=name, shape=shape_fn, dtype=dtype, same=False)


def boolean_mask(tensor: Any, mask: Any, name: str = "boolean_mask", axis: Any = None) -> Any:
    """Return the elements (or rows) of ``tensor`` where ``mask`` is true."""
    at = 0 if axis is None else int(axis)

    def take(x: Any, m: Any) -> Any:
        return x[(slice(None),) * at + tuple(np.nonzero(array_of(m)))]

    def shape_fn(x: Any, m: Any) -> Any:
        if m is not None and len(m) == 0:
            raise ValueError("mask cannot be scalar.")
        if x is not None and m is not None and not compatible(x[at : at + len(m)], m):
            raise ValueError(f"Shapes {text(x)} and {text(m)} are incompatible")
        return None if x is None or m is None else (*x[:at], None, *x[at + len(m) :])

    return call("BooleanMask", take, (tensor, mask), name=name, shape=shape_fn, same=False)


def _unique(x: Any) -> tuple[Any, Any, Any]:
    values, first, inverse, counts = np.unique(array_of(x), return_index=True, return_inverse=True, return_counts=True)
    order = np.argsort(first, kind="stable")  # TensorFlow keeps the order of first appearance
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return values[order], place[inverse.ravel()], counts[order]


def unique(x: Any, out_idx: Any = "int32", name: str | None = None) -> Any:
    """Return the different values in order of their first appearance, and for each element which of them it is."""
    values, positions, _ = unique_with_counts(x, out_idx, name)
    return Unique(values, positions)


def unique_with_counts(x: Any, out_idx: Any = "int32", name: str | None = None) -> Any:
    """Return what `unique` returns, and how often each value comes."""
    index_dtype = as_dtype(out_idx)

    def compute(values: Any) -> Any:
        different, positions, counts = _unique(values)
        return different, positions.astype(index_dtype.dtype), counts.astype(index_dtype.dtype)

    if executing_eagerly():
        return UniqueWithCounts(*call("Unique", compute, (x,)))
    tensor = convert(x)
    parts = call(
        "UniqueWithCounts",
        compute,
        (tensor,),
        name=name,
        shape=[(None,), tensor._shape, (None,)],
        dtype=[tensor.dtype.base_dtype, index_dtype, index_dtype],
        outputs=3,
        differentiable=False,
    )
    return UniqueWithCounts(*parts)


def sequence_mask(lengths: Any, maxlen: Any = None, dtype: Any = "bool", name: str | None = None) -> Any:
    """Return for each length a row that is true before it; ``maxlen`` is by default the largest length."""
    dtype = as_dtype(dtype)

    def compute(sizes: Any, *limit: Any) -> Any:
        sizes = array_of(sizes)
        width = int(array_of(limit[0])) if limit else int(sizes.max(initial=0))
        return (np.arange(width) < sizes[..., None]).astype(dtype.dtype)

    inputs = (lengths,) if maxlen is None else (lengths, maxlen)
    known = None if maxlen is None else constant_value(maxlen)
    if maxlen is None and (fixed := constant_value(lengths)) is not None:
        known = np.max(fixed, initial=0)

    def shape_fn(sizes: Any, *_: Any) -> Any:
        return None if sizes is None else (*sizes, None if known is None else int(known))

    return call(
        "SequenceMask", compute, inputs, name=name, shape=shape_fn, dtype=dtype, same=False, differentiable=False
    )


def invert_permutation(x: Any, name: str | None = None) -> Any:
    """Return the permutation that undoes ``x``. Raises InvalidArgumentError, when a session runs, for repeats."""

    def inverse(p: Any) -> Any:
        p = array_of(p)
        if not np.array_equal(np.sort(p), np.arange(p.size)):
            raise ValueError(f"a permutation must hold each of 0 to {p.size - 1} once, got {p.tolist()}")
        return np.argsort(p).astype(p.dtype)

    def shape_fn(shape: Any) -> Any:
        if shape is not None and len(shape) != 1:
            raise ValueError(f"Shape must be rank 1 but is rank {len(shape)}")
        return (None,) if shape is None else shape

    return call(
        "InvertPermutation",
        inverse,
        (x,),
        name=name,
        shape=shape_fn,
        differentiable=False,
    )


def searchsorted(
    sorted_sequence: Any, values: Any, side: str = "left", out_type: Any = "int32", name: str | None = None
) -> Any:
    """Return where values belong in a sorted vector."""
    dtype = as_dtype(out_type)
    return call(
        "SearchSorted",
        lambda s, v: np.searchsorted(array_of(s), array_of(v), side=side).astype(dtype.dtype),  # type: ignore[call-overload]
        (sorted_sequence, values),
        name=name,
        shape=lambda s, v: v,
        dtype=dtype,
        differentiable=False,
    )
