"""What a sparse gradient is: some rows of an array, and which rows they are."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ..base.arrays import to_array
from ..base.errors import describe, must
from ..base.typing import Array, Value
from .dispatch import Operand, any_recorded, unwrap
from .scatter import add_rows, scattered
from .symbolic import Symbolic

__all__ = ["IndexedSlices", "check_rows"]


def check_rows(who: str, argument: str, indices: Array, rows: int) -> None:
    """Raise IndexError, with position and value, for the first of the indices that is not in ``[0, rows)``."""
    if indices.size and (indices.min() < 0 or indices.max() >= rows):
        flat = indices.ravel()
        position = int(np.flatnonzero((flat < 0) | (flat >= rows))[0])
        place = position if indices.ndim < 2 else tuple(int(i) for i in np.unravel_index(position, indices.shape))
        raise IndexError(must(who, argument, f"be in [0, {rows})", f"{flat[position]} at position {place}"))


def _sizes(dense_shape: Any) -> tuple[int, ...]:
    who = "IndexedSlices"
    try:
        sizes = tuple([operator.index(size) for size in dense_shape])
    except TypeError:
        raise TypeError(must(who, "dense_shape", "be a tuple of integers", describe(dense_shape))) from None
    if any(size < 0 for size in sizes):
        raise ValueError(must(who, "dense_shape", "have no negative size", repr(sizes)))
    if not sizes:
        raise ValueError(must(who, "dense_shape", "have an axis of rows", repr(sizes)))
    return sizes


class IndexedSlices:
    """Rows of a larger array: row ``indices[k]`` has ``values[k]``; rows that come several times are summed.

    Args:
        values: array or Tensor of shape ``(N, ...)``; in graph mode a node, and so ``indices``.
        indices: N integers, int32 or int64 (a list becomes int64).
        dense_shape: the shape ``(R, ...)`` of the whole array. It is needed to make the array, and R bounds the
            indices.

    Raises:
        TypeError: for indices of other types, or a dense_shape that is not of integers.
        ValueError: for indices that are not 1-D, or not one for each row.

    Source: ``tf.IndexedSlices``.

    Example:
        >>> slices = st.IndexedSlices([[1.0], [2.0]], [2, 2], dense_shape=(3, 1))
        >>> slices.to_dense().tolist()
        [[0.0], [0.0], [3.0]]
    """

    __slots__ = ("__weakref__", "dense_shape", "indices", "values")
    __array_ufunc__ = None  # array * slices must not build an array of objects

    def __init__(self, values: Any, indices: Any, dense_shape: Any = None) -> None:
        who = "IndexedSlices"
        if isinstance(values, Symbolic) or isinstance(indices, Symbolic):
            self.values, self.indices = values, indices  # known when a session runs
            self.dense_shape: tuple[int, ...] | None = dense_shape
            return
        if not isinstance(values, (np.ndarray, Operand)):
            values = to_array(who, "values", values)
        if values.dtype.kind in "OSU":
            raise TypeError(must(who, "values", "be numbers", f"dtype {values.dtype}"))
        tensor = indices if isinstance(indices, Operand) else None
        if isinstance(indices, Operand):
            indices = indices._value  # type: ignore[attr-defined]
        if not isinstance(indices, np.ndarray):
            indices = to_array(who, "indices", indices)
            indices = indices if indices.size else indices.astype(np.int64)
        if indices.dtype not in (np.int32, np.int64):
            raise TypeError(must(who, "indices", "be int32 or int64", f"dtype {indices.dtype}"))
        if indices.ndim != 1:
            raise ValueError(
                must(who, "indices", "be 1-D", describe(indices), "flatten them, and the values' first axes")
            )
        if not values.ndim or values.shape[0] != indices.shape[0]:
            rule = f"have one row for each of {indices.shape[0]} indices"
            raise ValueError(must(who, "values", rule, f"shape {values.shape}"))
        self.values = values
        self.indices = indices if tensor is None else tensor
        self.dense_shape = None if dense_shape is None else _sizes(dense_shape)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the values."""
        return self.values.dtype  # type: ignore[no-any-return]

    @property
    def shape(self) -> tuple[int, ...] | None:
        """The dense shape, None where it is not known."""
        return self.dense_shape

    def to_dense(self) -> Value:
        """Return the whole array; repeated rows are summed in the order in which they come.

        Raises:
            IndexError: for a row outside the dense shape.
            ValueError: without a dense shape.
        """
        if self.dense_shape is None:
            raise ValueError(must("IndexedSlices", "dense_shape", "be given to make it dense", None))
        indices = unwrap(self.indices)  # a tensor, where TensorFlow's eager mode has given the slices
        check_rows("IndexedSlices", "indices", indices, self.dense_shape[0])
        if any_recorded(self.values):
            recorded: Value = scattered(self.values, indices, self.dense_shape)
            return recorded
        values = np.asarray(self.values)
        return add_rows(np.zeros(self.dense_shape, values.dtype), indices, values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        if copy is False:
            raise ValueError(must("np.asarray", "copy", "be None or True for IndexedSlices", copy))
        return np.asarray(self.to_dense(), dtype=dtype)

    def __neg__(self) -> IndexedSlices:
        return IndexedSlices(-self.values, self.indices, self.dense_shape)

    def __repr__(self) -> str:
        if isinstance(self.indices, Symbolic):
            return f"IndexedSlices(indices={self.indices!r}, values={self.values!r}, dense_shape={self.dense_shape!r})"
        shown = np.array2string(unwrap(self.indices), threshold=6, edgeitems=3, separator=", ")
        return (
            f"IndexedSlices(indices={shown}, values of shape {self.values.shape} and dtype {self.dtype}, "
            f"dense_shape={self.dense_shape})"
        )
