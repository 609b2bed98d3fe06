"""Tensors as `tf.print` shows them: the shortest numbers, the ends of long axes, axes below each other."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["decoded", "printed"]

_DIGITS = {"f": (6, 9), "d": (15, 17)}  # what is tried first, and what tells all numbers of the type apart


def printed(array: Any, summarize: int) -> str:
    """Return an array as text; of an axis longer than twice ``summarize`` the ends alone, unless it is negative."""
    if array.dtype == object and not array.ndim:
        return decoded(array.item())
    return _axis(array, 0, array.ndim, summarize)


def decoded(item: Any) -> str:
    """Return bytes as text, and anything else as Python shows it."""
    return item.decode("utf-8", "replace") if isinstance(item, bytes) else str(item)


def _axis(array: Any, depth: int, axes: int, summarize: int) -> str:
    if depth == axes:
        return _element(array[()])
    between = " " if depth == axes - 1 else "\n" * (axes - depth - 1) + " " * (depth + 1)
    if summarize >= 0 and len(array) > 2 * summarize:
        ends = [array[k, ...] for k in (*range(summarize), *range(len(array) - summarize, len(array)))]
        parts = [_axis(each, depth + 1, axes, summarize) for each in ends]
        parts.insert(summarize, "...")
    else:
        parts = [_axis(array[k, ...], depth + 1, axes, summarize) for k in range(len(array))]
    return f"[{between.join(parts)}]"


def _element(value: Any) -> str:
    if isinstance(value, np.ndarray):
        value = value.item() if value.dtype == object else value[()]
    if isinstance(value, (bytes, str)):
        escaped = decoded(value).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
        return f'"{escaped}"'
    if isinstance(value, (bool, np.bool_)):
        return str(int(value))
    if isinstance(value, np.floating) or np.asarray(value).dtype.kind in "fV":
        kind = np.float64 if np.asarray(value).dtype == np.float64 else np.float32
        number = kind(value)
        few, all_digits = _DIGITS[np.dtype(kind).char]
        short = f"{number:.{few}g}"
        return short if kind(short) == number or np.isnan(number) else f"{number:.{all_digits}g}"
    return str(value)
