"""Operations that join tensors and cut them."""

from __future__ import annotations

import builtins
import itertools
from typing import Any

import numpy as np

from ..ops.dispatch import plain
from .array_ops import identity
from .build import call, convert
from .constants import constant_value
from .mode import executing_eagerly

__all__ = ["concat", "meshgrid", "split", "stack", "unstack"]


def concat(values: Any, axis: Any, name: str = "concat") -> Any:
    """Join tensors along an axis.

    Raises ValueError where their other sizes are known to differ.
    """
    parts = list(values) if isinstance(values, (list, tuple)) else [values]
    if isinstance(axis, (list, tuple)) or (isinstance(parts, int)):
        parts, axis = list(axis), values  # the order of arguments before TensorFlow 1.0
    at = int(constant_value(axis))

    def rule(*given: Any) -> Any:
        if any(s is None for s in given):
            return None
        ndim = len(given[0])
        along = at % ndim if ndim else 0
        if any(len(s) != ndim for s in given) or not ndim:
            raise ValueError(f"Shapes must be equal rank and at least 1, but are {[len(s) for s in given]}")
        sizes: list[Any] = []
        for i in builtins.range(ndim):
            column = [s[i] for s in given]
            if i == along:
                sizes.append(None if None in column else sum(column))
                continue
            known = {s for s in column if s is not None}
            if len(known) > 1:
                raise ValueError(f"Dimension {i} in both shapes must be equal, but are {sorted(known)}")
            sizes.append(known.pop() if known else None)
        return tuple(sizes)

    if len(parts) == 1:
        return identity(parts[0], name)
    return call("ConcatV2", lambda *arrays: np.concatenate(arrays, axis=at), parts, name=name, shape=rule)


def stack(values: Any, axis: int = 0, name: str = "stack") -> Any:
    """Put tensors of one shape beside each other along a new axis. Raises ValueError where the shapes differ."""
    parts = list(values) if isinstance(values, (list, tuple)) else unstack(values)

    def rule(*given: Any) -> Any:
        if any(s is None for s in given):
            return None
        merged = list(given[0])
        for s in given[1:]:
            if len(s) != len(merged) or any(None not in (a, b) and a != b for a, b in zip(s, merged, strict=True)):
                raise ValueError(f"Shapes must be equal, but are {list(given[0])} and {list(s)}")
            merged = [b if a is None else a for a, b in zip(merged, s, strict=True)]
        merged.insert(axis if axis >= 0 else len(merged) + 1 + axis, len(given))
        return tuple(merged)

    return call("Pack", lambda *arrays: np.stack(arrays, axis=axis), parts, name=name, shape=rule)


def _cut(kind: str, value: Any, edges: list[int], axis: int, name: str | None, squeezed: bool) -> list[Any]:
    """Return the pieces between the edges along an axis."""

    def piece(first: int, last: int) -> Any:
        def take(x: Any) -> Any:
            index = (slice(None),) * (axis % np.ndim(x)) + ((first if squeezed else slice(first, last)),)
            return x[index]

        return take

    def rule(first: int, last: int) -> Any:
        def of(given: Any) -> Any:
            if given is None:
                return None
            at = axis % len(given)
            return (*given[:at], *(() if squeezed else (last - first,)), *given[at + 1 :])

        return of

    pairs = itertools.pairwise(edges)
    return [call(kind, piece(a, b), (value,), name=name, shape=rule(a, b)) for a, b in pairs]


def _size_along(value: Any, axis: int, who: str) -> int:
    known: Any = np.shape(value) if executing_eagerly() else convert(value)._shape
    if known is None or known[axis] is None:
        raise ValueError(f"{who}: Cannot infer argument `num` from shape {known}")
    return int(known[axis])


def unstack(value: Any, num: int | None = None, axis: int = 0, name: str = "unstack") -> list[Any]:
    """Return the list of slices along an axis. Raises ValueError where their number is not known."""
    count = _size_along(value, axis, "unstack") if num is None else num
    return _cut("Unpack", value, list(builtins.range(count + 1)), axis, name, True)


def split(value: Any, num_or_size_splits: Any, axis: int = 0, num: Any = None, name: str = "split") -> list[Any]:
    """Cut a tensor into pieces along an axis: a number of equal ones, or pieces of given sizes.

    Raises ValueError where the axis does not divide.
    """
    if isinstance(num_or_size_splits, (int, np.integer)):
        count, total = int(num_or_size_splits), _size_along(value, axis, "split")
        if total % count:
            raise ValueError(
                f"Dimension size, given by scalar input {axis}, must be evenly divisible by {count} but is {total}"
            )
        sizes = [total // count] * count
    else:
        sizes = [int(s) for s in np.asarray(constant_value(num_or_size_splits)).tolist()]
        if -1 in sizes:
            sizes[sizes.index(-1)] = _size_along(value, axis, "split") - sum(s for s in sizes if s > 0)
    return _cut("Split", value, [0, *np.cumsum(sizes).tolist()], axis, name, False)


def meshgrid(*args: Any, indexing: str = "xy", name: str = "meshgrid") -> list[Any]:
    """Return the coordinate grids of vectors."""

    def grid(k: int) -> Any:
        return lambda *vectors: np.meshgrid(*(np.asarray(plain(v)) for v in vectors), indexing=indexing)[k]  # type: ignore[call-overload]

    return [call("Meshgrid", grid(k), args, name=name, differentiable=False) for k in builtins.range(len(args))]
