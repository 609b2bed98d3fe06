"""Clipping of gradients between compute and apply, with TensorFlow 1's names.

``None`` passes through every function. Norms are accumulated in double precision and sum the duplicates of
`IndexedSlices` first; a NaN or an infinity in a gradient shows in the result.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import _core
from ..autodiff.tape import is_recorded
from ..base.allocation import result_like
from ..base.dtypes import Array, code_of, compute_dtype
from ..base.errors import must
from ..ops.dispatch import unwrap
from ..ops.indexed_slices import IndexedSlices
from .duplicates import as_values, native_gradient
from .hook_kinds import CLIP_BY_VALUE, SCALE
from .hyperparameters import scalar
from .updates import array_of

__all__ = ["clip_by_average_norm", "clip_by_global_norm", "clip_by_norm", "clip_by_value", "global_norm"]


def _transformed(values: Array, kind: int, a: float, b: float) -> Array:
    out = result_like(values)
    code = code_of(values.dtype)
    assert code is not None
    _core.transform(code, values, out, [(kind, a, b)])
    return out


def _with_values(gradient: Any, values: Any) -> Any:
    """Return ``values`` in the form of ``gradient``: slices stay slices, with the same indices and dense shape."""
    if isinstance(gradient, IndexedSlices):
        return IndexedSlices(values, gradient.indices, gradient.dense_shape)
    return values


def _values_of(gradient: Any) -> Any:
    return gradient.values if isinstance(gradient, IndexedSlices) else gradient


def _scaled(who: str, gradient: Any, factor: Any) -> Any:
    values = _values_of(gradient)
    if is_recorded(values) or is_recorded(factor):
        return _with_values(gradient, values * factor)
    array = as_values(who, values)
    if factor == 1:
        out = result_like(array)
        np.copyto(out, array)
        return _with_values(gradient, out)
    return _with_values(gradient, _transformed(array, SCALE, float(factor), 0.0))


def _norm(who: str, gradients: Sequence[Any]) -> Any:
    """Return the common norm of gradients: a float64 scalar, or a recorded tensor where one of them is recorded."""
    if any(is_recorded(_values_of(t)) for t in gradients):
        dense = [t.to_dense() if isinstance(t, IndexedSlices) and t.dense_shape else _values_of(t) for t in gradients]
        return np.sqrt(sum(np.sum(np.square(values)) for values in dense))
    return np.float64(_core.common_norm(who, [native_gradient(who, t) for t in gradients]))


def clip_by_value(t: Any, clip_value_min: Any, clip_value_max: Any, name: str | None = None) -> Any:
    """Return ``max(min(t, clip_value_max), clip_value_min)``, element by element.

    Args:
        t: an array, anything that converts to one, `IndexedSlices` (the stored values are clipped, duplicates are
            kept) or None. NaN stays NaN; infinities become the bounds.
        clip_value_min, clip_value_max: scalars, or arrays that broadcast to ``t`` without enlarging it. Where the
            minimum is above the maximum the result is the minimum.
        name: accepted for TensorFlow's sake.

    Returns:
        A new array of t's dtype, or IndexedSlices, or None.

    Raises:
        TypeError: for a bound of None, or t that is not numeric. ValueError: for bounds that enlarge t.

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
    values = _values_of(t)
    numbers = isinstance(clip_value_min, (int, float)) and isinstance(clip_value_max, (int, float))
    if not numbers:  # which fit any shape, and asking takes as long as clipping some thousand elements
        shape = np.shape(values.value) if is_recorded(values) else array_of(values).shape
        for argument, bound in bounds:
            _check_fits(who, argument, bound, shape)
    if is_recorded(values):
        return _with_values(t, np.maximum(np.minimum(values, clip_value_max), clip_value_min))
    array = array_of(values)
    if array.dtype.kind in "iu":
        clipped = np.maximum(np.minimum(array, clip_value_max), clip_value_min)
        if clipped.dtype.kind not in "iu":
            raise TypeError(must(who, "bounds", "be integers for an integer t", (clip_value_min, clip_value_max)))
        return _with_values(t, clipped.astype(array.dtype))
    array = as_values(who, array)
    if not numbers and (np.ndim(clip_value_min) or np.ndim(clip_value_max)):
        low, high = (array_of(bound).astype(array.dtype) for _, bound in bounds)
        return _with_values(t, np.maximum(np.minimum(array, high), low))
    lowest, highest = (scalar(who, argument, bound) for argument, bound in bounds)
    return _with_values(t, _transformed(array, CLIP_BY_VALUE, lowest, highest))


def _check_fits(who: str, argument: str, bound: Any, shape: tuple[int, ...]) -> None:
    try:
        fits = np.broadcast_shapes(np.shape(array_of(bound)), shape) == shape
    except ValueError:
        fits = False
    if not fits:
        got = f"shape {np.shape(array_of(bound))}"
        raise ValueError(must(who, argument, f"broadcast to t's shape {shape} without enlarging it", got))


def clip_by_norm(t: Any, clip_norm: Any, axes: int | Sequence[int] | None = None, name: str | None = None) -> Any:
    """Return ``t * clip_norm / norm`` where the Euclidean norm of ``t`` exceeds ``clip_norm``, else ``t``.

    Args:
        t: an array, anything that converts to one, `IndexedSlices` (duplicates are summed for the norm) or None.
        clip_norm: a number; a negative one counts as 0.
        axes: an axis or several: one norm for each place along the others; by default one norm for all of t.
        name: accepted for TensorFlow's sake.

    Raises:
        TypeError: for a clip_norm of None. ValueError: for an axis that t does not have.

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
    norm = _norm(who, [t])
    return _scaled(who, t, 1.0 if norm <= limit else limit / norm)


def _clip_along(who: str, t: Any, limit: float, axes: int | Sequence[int]) -> Any:
    values = _values_of(t)
    if is_recorded(values):
        total = np.sum(np.square(values), axis=_as_axis(axes), keepdims=True)
        inside = unwrap(total) <= limit * limit
        norm = np.sqrt(np.where(inside, values.dtype.type(1), total))  # a root of 0 has no derivative
        return _with_values(t, np.where(inside, values, values * limit / norm))
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
    return _with_values(t, clipped)


def _as_axis(axes: Any) -> Any:
    return axes if isinstance(axes, int) else tuple(axes)


def _checked_list(who: str, t_list: Any) -> list[Any]:
    if not isinstance(t_list, (list, tuple)):
        raise TypeError(must(who, "t_list", "be a list or tuple: `t_list` should be a sequence of tensors", t_list))
    return list(t_list)


def global_norm(t_list: Sequence[Any], name: str | None = None) -> Any:
    """Return the Euclidean norm of everything in the list: ``sqrt(sum over t of sum(t * t))``, a float64 scalar.

    None is passed over; duplicates of `IndexedSlices` are summed first; an empty list gives 0.

    Raises:
        TypeError: for what is not a list or a tuple.

    Source: ``tf.global_norm``. Unlike there, the types in the list may differ, and the norm is accumulated and
    returned in double precision.
    """
    del name
    who = "global_norm"
    return _norm(who, [t for t in _checked_list(who, t_list) if t is not None])


def clip_by_global_norm(
    t_list: Sequence[Any], clip_norm: Any, use_norm: Any = None, name: str | None = None
) -> tuple[list[Any], Any]:
    """Scale all gradients together by ``clip_norm / max(global_norm, clip_norm)``.

    Args:
        t_list: a list or tuple of arrays, `IndexedSlices` and None.
        clip_norm: a number, at least 0.
        use_norm: the norm to use instead of ``global_norm(t_list)``.
        name: accepted for TensorFlow's sake.

    Returns:
        ``(list, norm)``: the list in the order of t_list, None where None was; the norm before clipping. Where the
        norm is not finite, every gradient is NaN.

    Raises:
        TypeError: for what is not a list or a tuple, or a clip_norm of None. ValueError: for a negative clip_norm.

    Source: ``tf.clip_by_global_norm`` (Pascanu, Mikolov, Bengio, 2013).
    """
    del name
    who = "clip_by_global_norm"
    gradients = _checked_list(who, t_list)
    limit = scalar(who, "clip_norm", clip_norm)
    if not limit >= 0:
        raise ValueError(must(who, "clip_norm", "be at least 0", f"{limit!r}"))
    norm = global_norm(gradients) if use_norm is None else np.float64(scalar(who, "use_norm", use_norm))
    factor = 1.0 if norm <= limit else limit / norm if np.isfinite(norm) else np.nan
    return [None if t is None else _scaled(who, t, factor) for t in gradients], norm


def clip_by_average_norm(t: Any, clip_norm: Any, name: str | None = None) -> Any:
    """Return ``t * clip_norm / average`` where ``average = norm(t) / size(t)`` exceeds ``clip_norm``, else ``t``.

    `IndexedSlices` count as the dense array that they stand for, which needs their ``dense_shape``.

    Raises:
        ValueError: for slices without a dense shape. TypeError: for a clip_norm of None.

    Source: ``tf.clip_by_average_norm``.
    """
    del name
    who = "clip_by_average_norm"
    if t is None:
        return None
    limit = scalar(who, "clip_norm", clip_norm)
    if isinstance(t, IndexedSlices) and t.dense_shape is None:
        raise ValueError(must(who, "t", "have a dense_shape", repr(t), "give it to IndexedSlices"))
    shape = t.dense_shape if isinstance(t, IndexedSlices) and t.dense_shape is not None else np.shape(_values_of(t))
    size = math.prod(shape)
    average = _norm(who, [t]) / size if size else 0.0
    return _scaled(who, t, 1.0 if average <= limit else limit / average)
