"""Clipping of each element."""

from __future__ import annotations

from typing import Any, TypeAlias, overload

import numpy as np

from ...autodiff.tape import is_recorded
from ...base.dtypes import is_real
from ...base.errors import describe, must
from ...base.typing import Array, ArrayLike
from ...ops.indexed_slices import IndexedSlices
from ...ops.tensor import Tensor
from ...variables.variable import Variable
from ..gradient_values import as_values, values_of, with_values
from ..hook_kinds import CLIP_BY_VALUE
from ..hyperparameters import scalar
from ..updates import array_of
from .scale import Recordable, transformed

__all__ = ["clip_by_value"]

Bound: TypeAlias = "ArrayLike | Variable"
"""A number, or an array that broadcasts to the gradient."""


@overload
def clip_by_value(t: None, clip_value_min: Bound, clip_value_max: Bound, name: str | None = None) -> None: ...
@overload
def clip_by_value(
    t: IndexedSlices, clip_value_min: Bound, clip_value_max: Bound, name: str | None = None
) -> IndexedSlices: ...
@overload
def clip_by_value(
    t: Recordable, clip_value_min: Bound, clip_value_max: Bound, name: str | None = None
) -> Array | Tensor: ...
@overload
def clip_by_value(t: ArrayLike, clip_value_min: Bound, clip_value_max: Bound, name: str | None = None) -> Array: ...
def clip_by_value(t: Any, clip_value_min: Bound, clip_value_max: Bound, name: str | None = None) -> Any:
    """Return ``max(min(t, clip_value_max), clip_value_min)``, element by element.

    Args:
        t: a gradient of shape S: an array, anything that converts to one, `IndexedSlices` (the stored values are
            clipped, duplicates are kept) or None. NaN stays NaN; infinities become the bounds.
        clip_value_min: the lower bound: a scalar, or an array that broadcasts to S. Where it is above the upper bound
            the result is the lower one.
        clip_value_max: the upper bound, in the same forms.
        name: ignored; TensorFlow 1 has it.

    Returns:
        A new array of shape S and t's dtype (integers stay integers), IndexedSlices, or None.

    Raises:
        TypeError: for a bound of None, or t that is not numeric.
        TypeError: for bounds that are not integers where t's dtype is one.
        ValueError: for bounds that do not broadcast to S.

    Example:
        >>> st.clip_by_value(np.array([-3.0, 0.5, 7.0]), -1.0, 1.0).tolist()
        [-1.0, 0.5, 1.0]

    Source: ``tf.clip_by_value``.
    """
    del name
    who = "clip_by_value"
    if t is None:
        return None
    bounds = (("clip_value_min", clip_value_min), ("clip_value_max", clip_value_max))
    for argument, bound in bounds:
        if bound is None:
            raise TypeError(must(who, argument, "be a number or an array", bound, "use -np.inf or np.inf for no bound"))
    values = values_of(t)
    numbers = isinstance(clip_value_min, (int, float)) and isinstance(clip_value_max, (int, float))
    if not numbers:  # which fit any shape, and asking takes as long as clipping some thousand elements
        shape = np.shape(values.value) if is_recorded(values) else array_of(values).shape
        for argument, bound in bounds:
            _check_fits(who, argument, bound, shape)
    if is_recorded(values):
        return with_values(t, np.maximum(np.minimum(values, clip_value_max), clip_value_min))
    array = array_of(values)
    if array.dtype.kind in "iu":
        clipped = np.maximum(np.minimum(array, clip_value_max), clip_value_min)
        if clipped.dtype.kind not in "iu":
            raise TypeError(must(who, "bounds", "be integers for an integer t", (clip_value_min, clip_value_max)))
        return with_values(t, clipped.astype(array.dtype))
    array = as_values(who, array)
    if not numbers and (np.ndim(clip_value_min) or np.ndim(clip_value_max)):
        low, high = (array_of(bound).astype(array.dtype) for _, bound in bounds)
        return with_values(t, np.maximum(np.minimum(array, high), low))
    lowest, highest = (scalar(who, argument, bound) for argument, bound in bounds)
    return with_values(t, transformed(array, CLIP_BY_VALUE, lowest, highest))


def _check_fits(who: str, argument: str, bound: Any, shape: tuple[int, ...]) -> None:
    if not is_real(array_of(bound).dtype):
        raise TypeError(must(who, argument, "be real numbers", describe(bound)))
    try:
        fits = np.broadcast_shapes(np.shape(array_of(bound)), shape) == shape
    except ValueError:
        fits = False
    if not fits:
        got = f"shape {np.shape(array_of(bound))}"
        raise ValueError(must(who, argument, f"broadcast to t's shape {shape} without enlarging it", got))
