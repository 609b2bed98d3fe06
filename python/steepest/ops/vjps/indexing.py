"""Derivatives of indexing: of rows as `IndexedSlices`, of anything else as an array of zeros with the values in it.

Rows are what ``x[ids]``, ``np.take(x, ids, axis=0)``, `gather` and ``nn.embedding_lookup`` read. What other functions
read (``np.sort``, ``np.take_along_axis``, ``np.repeat``, ``np.delete``) has an array for its gradient, on any axis.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ...base.arrays import to_array
from ...base.errors import must
from ...base.typing import ArrayLike, Value
from ..dispatch import apply, unwrap
from ..indexed_slices import IndexedSlices, check_rows
from ..operators import ArrayOperators
from ..registry import composite, defvjp
from ..scatter import IndexedCotangent

__all__ = ["checked_ids", "gather", "integer_ids", "picked", "rearranged"]


def gather_rows(params: Any, ids: Any) -> Any:
    """Return ``params[ids]`` for ids that have been checked, which saves ``take`` a second look."""
    return params.take(ids, axis=0, mode="clip")


_GATHER = defvjp(gather_rows, lambda g, y, x, ids: _slices(g, x, ids), linear=True)
defvjp(operator.getitem, lambda g, y, x, index: _indexed_back(g, x, index), linear=True)


def gather(params: ArrayLike, indices: ArrayLike, name: str | None = None) -> Value:
    """Return the rows ``params[indices]``, of shape ``indices.shape + params.shape[1:]``.

    The gradient with respect to a Variable or a watched Tensor is `IndexedSlices` with the indices flattened, repeats
    kept, so that its cost follows the indices and not the table.

    Args:
        params: an array of shape ``(R, ...)``: R rows.
        indices: integers in ``[0, R)`` of any shape.
        name: accepted for TensorFlow's sake.

    Raises:
        IndexError: for an index that is negative or too large; the message has its position and value.
        TypeError: for indices that are not integers.
        ValueError: for params without rows.

    Source: ``tf.gather``.

    Example:
        >>> table = st.Variable([[1.0, 2.0], [3.0, 4.0]])
        >>> with st.GradientTape() as tape:
        ...     loss = np.sum(st.gather(table, [1, 1]))
        >>> tape.gradient(loss, table).indices.tolist()
        [1, 1]
    """
    del name
    table: Any = params if hasattr(params, "ndim") else to_array("gather", "params", params)
    ids = checked_ids("gather", table, indices)
    rows: Value
    rows = table._take_rows(_GATHER, ids, ids) if isinstance(table, ArrayOperators) else apply(_GATHER, (table, ids))
    return rows


def checked_ids(who: str, params: Any, indices: Any) -> np.ndarray[Any, Any]:
    """Return indices of rows as an int32 or int64 array; IndexError, TypeError or ValueError where they are none."""
    ids = integer_ids(who, "indices", indices)
    shape = params.shape if hasattr(params, "shape") else np.shape(params)  # NumPy would read a whole Variable
    if not shape:
        raise ValueError(must(who, "params", "have rows to take", "a scalar"))
    check_rows(who, "indices", ids, shape[0])
    return ids


def integer_ids(who: str, argument: str, indices: Any) -> np.ndarray[Any, Any]:
    """Return integers as an int32 or int64 array; TypeError or ValueError where they are none."""
    ids = to_array(who, argument, unwrap(indices))
    if not ids.size and not isinstance(indices, (np.ndarray, np.generic)):
        ids = ids.astype(np.int64)
    if ids.dtype.kind not in "iu":
        raise TypeError(must(who, argument, "be integers", f"dtype {ids.dtype}"))
    return ids if ids.dtype in (np.int32, np.int64) else ids.astype(np.int64)


def _slices(g: Any, x: Any, ids: np.ndarray[Any, Any]) -> IndexedSlices:
    rows = np.reshape(g, (ids.size, *x.shape[1:]))
    flat = ids.reshape(-1)
    if flat.dtype not in (np.int32, np.int64):
        flat = flat.astype(np.int64)
    if flat.size and flat.min() < 0:
        flat = np.where(flat < 0, flat + x.shape[0], flat)
    # A copy: the caller's array of ids may be filled with the next batch while the gradient is still held.
    return IndexedSlices(rows, flat.copy(), x.shape)


def _is_rows(index: Any) -> bool:
    return isinstance(index, np.ndarray) and index.dtype.kind in "iu" and index.ndim > 0


def _indexed_back(g: Any, x: Any, index: Any) -> Any:
    if isinstance(index, tuple) and len(index) == 1:
        index = index[0]
    if isinstance(index, list):
        index = np.asarray(index) if index else np.zeros(0, np.intp)
    if _is_rows(index):
        return _slices(g, x, index)
    if isinstance(index, tuple):
        index = tuple([np.asarray(i) if isinstance(i, list) else i for i in index])
    return IndexedCotangent(g, index, x.shape)


@composite(np.take)
def _take(a: Any, indices: Any, axis: Any = None, out: Any = None, mode: str = "raise") -> Any:
    ids = np.asarray(unwrap(indices))
    if not ids.size:
        ids = ids.astype(np.intp)
    if axis is None:
        a, axis = np.ravel(a), 0
    axis = axis % a.ndim
    size = a.shape[axis]
    if mode == "wrap":
        ids = ids % size
    elif mode == "clip":
        ids = np.clip(ids, 0, size - 1)
    return a[(slice(None),) * axis + (ids,)] if axis else a[ids]


def picked(x: Any, part: Any, axis: int) -> Any:
    """Return ``part``, a slice or positions, of one axis; its gradient is an array."""
    index = (slice(None),) * (axis % x.ndim) + (part, Ellipsis)
    return x[index]


def rearranged(function: Callable[..., Any], *arrays: Any) -> Any:
    """Return what a function that moves elements makes of arrays: their elements, where it moves their positions."""
    sizes = [np.size(array) for array in arrays]
    starts = np.cumsum([0, *sizes[:-1]])
    places = [
        np.arange(start, start + size).reshape(np.shape(array))
        for start, size, array in zip(starts, sizes, arrays, strict=True)
    ]
    flat = [np.ravel(array) for array in arrays]
    return picked(flat[0] if len(flat) == 1 else np.concatenate(flat), function(*places), 0)


@composite(np.take_along_axis)
def _take_along_axis(arr: Any, indices: Any, axis: Any = -1) -> Any:
    ids = np.asarray(unwrap(indices))
    if axis is None:
        return picked(np.ravel(arr), ids, 0)
    axis = axis % arr.ndim
    shape = [1] * arr.ndim
    index: list[Any] = []
    for i, size in enumerate(arr.shape):
        along = [*shape[:i], size, *shape[i + 1 :]]
        index.append(ids if i == axis else np.arange(size).reshape(along))
    whole = (*index, Ellipsis)
    return arr[whole]


@composite(np.compress)
def _compress(condition: Any, a: Any, axis: Any = None) -> Any:
    if axis is None:
        a, axis = np.ravel(a), 0
    return picked(a, np.flatnonzero(np.asarray(unwrap(condition))), axis)


@composite(np.extract)
def _extract(condition: Any, arr: Any) -> Any:
    return np.ravel(arr)[np.ravel(np.asarray(unwrap(condition))).astype(bool)]


@composite(np.delete)
def _delete(arr: Any, obj: Any, axis: Any = None) -> Any:
    if axis is None:
        arr, axis = np.ravel(arr), 0
    return picked(arr, np.delete(np.arange(arr.shape[axis]), unwrap(obj)), axis)


@composite(np.insert)
def _insert(arr: Any, obj: Any, values: Any, axis: Any = None) -> Any:
    values = np.asarray(values) if isinstance(values, (list, tuple, int, float)) else values
    values = values if values.dtype == arr.dtype else values.astype(arr.dtype)
    return rearranged(lambda old, new: np.insert(old, unwrap(obj), new, axis), arr, values)


@composite(np.repeat)
def _repeat(a: Any, repeats: Any, axis: Any = None) -> Any:
    if axis is None:
        a, axis = np.ravel(a), 0
    n = a.shape[axis]
    times = np.broadcast_to(np.asarray(unwrap(repeats)), (n,))
    return picked(a, np.repeat(np.arange(n), times), axis)


@composite(np.trim_zeros)
def _trim_zeros(filt: Any, trim: Any = "fb", **options: Any) -> Any:
    return rearranged(
        lambda places: np.trim_zeros(np.where(unwrap(filt) == 0, 0, places + 1), trim, **options) - 1, filt
    )


# Order


@composite(np.sort)
def _sort(a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> Any:
    if axis is None:
        a, axis = np.ravel(a), 0
    return np.take_along_axis(a, np.argsort(unwrap(a), axis=axis, kind="stable"), axis)


@composite(np.partition)
def _partition(a: Any, kth: Any, axis: Any = -1, kind: Any = "introselect", order: Any = None) -> Any:
    if axis is None:
        a, axis = np.ravel(a), 0
    values = unwrap(a)
    # The element that NumPy has put at each place: equal values stand for each other.
    own, its = (
        np.argsort(v, axis=axis, kind="stable") for v in (values, np.partition(values, unwrap(kth), axis, kind))
    )
    source = np.empty_like(own)
    np.put_along_axis(source, its, own, axis)
    return np.take_along_axis(a, source, axis)


@composite(np.unique)
def _unique(
    ar: Any,
    return_index: Any = False,
    return_inverse: Any = False,
    return_counts: Any = False,
    axis: Any = None,
    **options: Any,
) -> Any:
    parts: Any = np.unique(unwrap(ar), True, return_inverse, return_counts, axis, **options)
    values = picked(np.ravel(ar), parts[1], 0) if axis is None else picked(ar, parts[1], axis)
    rest = parts[1:] if return_index else parts[2:]
    return (values, *rest) if rest else values
