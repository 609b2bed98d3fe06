"""Tensors as `tf.print`, `tf.Print` and `tf.Assert` show them: the shortest numbers, and of many elements some."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["decoded", "printed", "summarized"]

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


def _element(value: Any, quoted: bool = True) -> str:
    if isinstance(value, np.ndarray):
        value = value.item() if value.dtype == object else value[()]
    if isinstance(value, (bytes, str)):
        escaped = decoded(value).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
        return f'"{escaped}"' if quoted else escaped
    if isinstance(value, (bool, np.bool_)):
        return str(int(value))
    if isinstance(value, np.floating) or np.asarray(value).dtype.kind in "fV":
        kind = np.float64 if np.asarray(value).dtype == np.float64 else np.float32
        number = kind(value)
        few, all_digits = _DIGITS[np.dtype(kind).char]
        short = f"{number:.{few}g}"
        return short if kind(short) == number or np.isnan(number) else f"{number:.{all_digits}g}"
    return str(value)


def summarized(array: Any, limit: int) -> str:
    """Return the first elements of an array in the older form, of `tf.Print` and `tf.Assert`: ``[1 2][3...]...``."""
    count = array.size if limit < 0 else limit
    elements = (_element(each, quoted=False) for each in array.reshape(-1)[:count])
    text = _rows(array.shape, 0, elements, [0, count])
    return f"{text}..." if array.size > count else text


def _rows(shape: Any, depth: int, elements: Any, told: list[int]) -> str:
    """Return the part of an axis that is told; ``told`` counts the elements, up to its second number."""
    if not shape:
        return next(elements, "")
    if depth == len(shape) - 1:
        here = min(shape[depth], told[1] - told[0])
        told[0] += here
        shown = " ".join(next(elements) for _ in range(here))
        return f"{shown}..." if depth and here < shape[depth] else shown
    parts = []
    for _ in range(shape[depth]):
        if told[0] >= told[1]:
            break
        parts.append(f"[{_rows(shape, depth + 1, elements, told)}]")
    return "".join(parts)
