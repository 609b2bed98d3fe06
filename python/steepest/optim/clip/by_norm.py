"""Clipping of one gradient by its norm, or by its norm over its size."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeAlias, overload

import numpy as np

from ...autodiff.tape import is_recorded
from ...base.arrays import to_array
from ...base.dtypes import compute_dtype
from ...base.errors import must
from ...base.typing import Array, ArrayLike, Hyper
from ...ops.dispatch import unwrap
from ...ops.indexed_slices import IndexedSlices
from ...ops.tensor import Tensor
from ..gradient_values import as_values, values_of, with_values
from ..hyperparameters import scalar
from .scale import Recordable, common_norm, scaled

__all__ = ["clip_by_average_norm", "clip_by_norm"]

Axes: TypeAlias = int | Sequence[int] | None
"""An axis, several, or None for all."""


@overload
def clip_by_norm(t: None, clip_norm: Hyper, axes: Axes = None, name: str | None = None) -> None: ...
@overload
def clip_by_norm(t: IndexedSlices, clip_norm: Hyper, axes: Axes = None, name: str | None = None) -> IndexedSlices: ...
@overload
def clip_by_norm(t: Recordable, clip_norm: Hyper, axes: Axes = None, name: str | None = None) -> Array | Tensor: ...
@overload
def clip_by_norm(t: ArrayLike, clip_norm: Hyper, axes: Axes = None, name: str | None = None) -> Array: ...
def clip_by_norm(t: Any, clip_norm: Hyper, axes: Axes = None, name: str | None = None) -> Any:
    """Return ``t * clip_norm / norm`` where the Euclidean norm of ``t`` exceeds ``clip_norm``, else ``t``.

    Args:
        t: a gradient of shape S: an array, anything that converts to one, `IndexedSlices` (duplicates are summed for
            the norm) or None.
        clip_norm: the largest norm, in the gradient's units; a negative one counts as 0.
        axes: the axes that a norm is taken over, one norm for each place along the others; by default one norm for all
            of t.
        name: ignored; TensorFlow 1 has it.

    Returns:
        A new array of shape S and t's dtype, IndexedSlices, or None.

    Raises:
        TypeError: for a clip_norm of None, or t that is not numeric.
        ValueError: for an axis that t does not have.
        IndexError: for `IndexedSlices` with a row outside their dense shape.

    Example:
        >>> st.clip_by_norm(np.array([6.0, 8.0]), 5.0).tolist()  # the norm is 10
        [3.0, 4.0]
        >>> st.clip_by_norm(np.array([[6.0, 8.0], [0.6, 0.8]]), 5.0, axes=1).tolist()  # one norm for each row
        [[3.0, 4.0], [0.6, 0.8]]

    Source: ``tf.clip_by_norm``. Unlike there, a norm neither overflows nor underflows, and what is not clipped
    keeps its bits.
    """
    del name
    who = "clip_by_norm"
    if t is None:
        return None
    limit = max(scalar(who, "clip_norm", clip_norm), 0.0)
    if axes is not None:
        return _clip_along(who, t, limit, axes)
    norm = common_norm(who, [t])
    return scaled(who, t, 1.0 if norm <= limit else limit / norm)


def _clip_along(who: str, t: Any, limit: float, axes: int | Sequence[int]) -> Any:
    values = values_of(t)
    if is_recorded(values):
        total = np.sum(np.square(values), axis=_as_axis(axes), keepdims=True)
        inside = unwrap(total) <= limit * limit
        norm = np.sqrt(np.where(inside, values.dtype.type(1), total))  # a root of 0 has no derivative
        return with_values(t, np.where(inside, values, values * limit / norm))
    array = as_values(who, values)
    try:
        axis = np.lib.array_utils.normalize_axis_tuple(axes, array.ndim) if hasattr(np.lib, "array_utils") else axes
        wide = array.astype(np.float64)
        largest = np.max(np.abs(wide), axis=_as_axis(axis), keepdims=True, initial=0.0)
    except (ValueError, TypeError) as error:
        raise ValueError(must(who, "axes", f"be axes of an array of {array.ndim} dimensions", axes)) from error
    scale = np.ldexp(1.0, np.frexp(np.where(np.isfinite(largest) & (largest > 0), largest, 1.0))[1])
    norm = np.sqrt(np.sum(np.square(wide / scale), axis=_as_axis(axis), keepdims=True)) * scale
    with np.errstate(divide="ignore", invalid="ignore"):
        factor = np.where(norm <= limit, 1.0, limit / norm)
        arithmetic = compute_dtype(array.dtype)
        clipped = (array.astype(arithmetic) * factor.astype(arithmetic)).astype(array.dtype)
    return with_values(t, clipped)


def _as_axis(axes: Any) -> Any:
    return axes if isinstance(axes, int) else tuple(axes)


@overload
def clip_by_average_norm(t: None, clip_norm: Hyper, name: str | None = None) -> None: ...
@overload
def clip_by_average_norm(t: IndexedSlices, clip_norm: Hyper, name: str | None = None) -> IndexedSlices: ...
@overload
def clip_by_average_norm(t: Recordable, clip_norm: Hyper, name: str | None = None) -> Array | Tensor: ...
@overload
def clip_by_average_norm(t: ArrayLike, clip_norm: Hyper, name: str | None = None) -> Array: ...
def clip_by_average_norm(t: Any, clip_norm: Hyper, name: str | None = None) -> Any:
    """Return ``t * clip_norm / average`` where ``average = norm(t) / size(t)`` exceeds ``clip_norm``, else ``t``.

    Args:
        t: a gradient of shape S: an array, anything that converts to one, `IndexedSlices` or None. Slices count as the
            dense array that they stand for, which needs their ``dense_shape``.
        clip_norm: the largest average, in the gradient's units.
        name: ignored; TensorFlow 1 has it.

    Returns:
        A new array of shape S and t's dtype, IndexedSlices, or None.

    Raises:
        TypeError: for a clip_norm of None, or t that is not numeric.
        ValueError: for `IndexedSlices` without a dense shape.
        IndexError: for `IndexedSlices` with a row outside their dense shape.

    Example:
        >>> st.clip_by_average_norm(np.array([6.0, 8.0]), 2.5).tolist()  # the norm is 10, of 2 elements
        [3.0, 4.0]

    Source: ``tf.clip_by_average_norm``.
    """
    del name
    who = "clip_by_average_norm"
    if t is None:
        return None
    limit = scalar(who, "clip_norm", clip_norm)
    if isinstance(t, IndexedSlices) and t.dense_shape is None:
        raise ValueError(must(who, "t", "have a dense_shape", repr(t), "give it to IndexedSlices"))
    sparse = isinstance(t, IndexedSlices) and t.dense_shape is not None
    shape = t.dense_shape if sparse else to_array(who, "t", unwrap(values_of(t))).shape
    size = math.prod(shape)
    average = common_norm(who, [t]) / size if size else 0.0
    return scaled(who, t, 1.0 if average <= limit else limit / average)
