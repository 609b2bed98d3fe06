"""The derivative of ``np.pad``, in each of its modes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.errors import must
from ..dispatch import apply, unwrap
from ..registry import composite, defvjp
from .indexing import picked, rearranged

_STATISTICS = {"maximum": np.max, "minimum": np.min, "mean": np.mean, "median": np.median}


@composite(np.pad)
def _pad(array: Any, pad_width: Any, mode: Any = "constant", **options: Any) -> Any:
    if isinstance(pad_width, dict):
        ends: list[Any] = [pad_width.get(i, pad_width.get(i - array.ndim, 0)) for i in range(array.ndim)]
        pad_width = [(w, w) if isinstance(w, int) else tuple(w) for w in ends]
    if callable(mode):
        remedy = "build the result with np.concatenate"
        raise TypeError(must("pad", "mode", "be a name for recorded values", "a function that fills an array", remedy))
    widths = np.broadcast_to(np.asarray(pad_width), (array.ndim, 2)).tolist()
    np.pad(unwrap(array), widths, mode, **unwrap(options))  # NumPy has words for what it cannot do
    if mode == "constant":
        return apply(_PADDED, (array, widths, options))
    if options.get("reflect_type") == "odd":
        return _by_axis(array, widths, _oddly, mode == "symmetric")
    if mode in _STATISTICS:
        lengths = _pairs(options.get("stat_length"), array.ndim)
        return _by_axis(array, widths, _statistic, _STATISTICS[mode], lengths)
    if mode == "linear_ramp":
        return _by_axis(array, widths, _ramp, _pairs(options.get("end_values", 0), array.ndim))
    # Edges, reflections and periods are elements of the array.
    return rearranged(lambda places: np.pad(places, widths, mode, **options), array)


def padded(array: Any, widths: Any, options: dict[str, Any]) -> Any:
    """Pad with constants."""
    return np.pad(array, widths, "constant", **options)


_PADDED = defvjp(padded, lambda g, y, x, widths, options: g[_inner(x, widths)], linear=True)


def _inner(x: Any, widths: Any) -> tuple[slice, ...]:
    return tuple(slice(before, before + size) for (before, _), size in zip(widths, x.shape, strict=True))


def _pairs(values: Any, ndim: int) -> Any:
    return [(None, None)] * ndim if values is None else np.broadcast_to(np.asarray(values), (ndim, 2)).tolist()


def _by_axis(array: Any, widths: Any, pad: Any, *arguments: Any) -> Any:
    """Pad one axis after the other, each with what the axes before have got."""
    for axis, (before, after) in enumerate(widths):
        if before or after:
            array = pad(array, axis, before, after, *arguments)
    return array


def _wide(part: Any, axis: int, width: int) -> Any:
    return np.broadcast_to(part, tuple(width if i == axis else size for i, size in enumerate(np.shape(part))))


def _statistic(x: Any, axis: int, before: int, after: int, statistic: Any, lengths: Any) -> Any:
    first, last = lengths[axis]
    size = x.shape[axis]
    left = picked(x, slice(0, first), axis)
    right = picked(x, slice(None if last is None else max(size - last, 0), None), axis)
    ends = (statistic(part, axis=axis, keepdims=True) for part in (left, right))
    return np.concatenate([_wide(next(ends), axis, before), x, _wide(next(ends), axis, after)], axis=axis)


def _ramp(x: Any, axis: int, before: int, after: int, end_values: Any) -> Any:
    shape = [1] * x.ndim
    shape[axis] = -1
    first, last = end_values[axis]
    rising = (np.arange(before) / max(before, 1)).reshape(shape)
    falling = (np.arange(after)[::-1] / max(after, 1)).reshape(shape)
    left = first + rising * (picked(x, slice(0, 1), axis) - first)
    right = last + falling * (picked(x, slice(-1, None), axis) - last)
    return np.concatenate([left, x, right], axis=axis)


def _oddly(x: Any, axis: int, before: int, after: int, with_edge: bool) -> Any:
    """Reflect about the points at the edges: twice the edge minus the mirrored elements, as often as it takes."""
    skip = 0 if with_edge else 1
    while before or after:
        reach = x.shape[axis] - skip
        if reach == 0:  # a single element is its own mirror image
            return np.concatenate([_wide(x, axis, before), x, _wide(x, axis, after)], axis=axis)
        if before:
            width = min(before, reach)
            mirrored = np.flip(picked(x, slice(skip, skip + width), axis), axis)
            x = np.concatenate([2 * picked(x, slice(0, 1), axis) - mirrored, x], axis=axis)
            before -= width
        if after:
            size = x.shape[axis]
            width = min(after, reach)
            mirrored = np.flip(picked(x, slice(size - skip - width, size - skip), axis), axis)
            x = np.concatenate([x, 2 * picked(x, slice(-1, None), axis) - mirrored], axis=axis)
            after -= width
    return x
