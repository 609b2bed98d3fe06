"""Derivatives of the functions that move elements without computing with them."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from ...base.errors import must
from ..dispatch import apply
from ..registry import composite, defvjp

defvjp(np.reshape, lambda g, y, x, *args, **kwargs: np.reshape(g, x.shape, order=_order(args, kwargs)), linear=True)
defvjp(np.transpose, lambda g, y, x, axes=None: np.transpose(g, _inverse(axes, x.ndim)), linear=True)
defvjp(np.swapaxes, lambda g, y, x, axis1, axis2: np.swapaxes(g, axis1, axis2), linear=True)
defvjp(np.moveaxis, lambda g, y, x, source, destination: np.moveaxis(g, destination, source), linear=True)
defvjp(np.expand_dims, lambda g, y, x, axis: np.reshape(g, x.shape), linear=True)
defvjp(np.squeeze, lambda g, y, x, axis=None: np.reshape(g, x.shape), linear=True)
defvjp(np.broadcast_to, lambda g, y, x, shape, subok=False: g, linear=True)
defvjp(np.flip, lambda g, y, x, axis=None: np.flip(g, axis), linear=True)
defvjp(np.roll, lambda g, y, x, shift, axis=None: np.roll(g, _negated(shift), axis), linear=True)
defvjp(np.triu, lambda g, y, x, k=0: np.triu(g, k), linear=True)
defvjp(np.tril, lambda g, y, x, k=0: np.tril(g, k), linear=True)


def along(axis: int, part: Any) -> tuple[Any, ...]:
    """Return the index that takes ``part`` of one axis and all of the others before it."""
    return (*(slice(None) for _ in range(axis)), part)


def _order(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return kwargs.get("order") or (args[1] if len(args) > 1 else "C")


def _inverse(axes: Any, ndim: int) -> Any:
    return None if axes is None else tuple(int(i) for i in np.argsort([int(a) % ndim for a in axes]))


def _negated(shift: Any) -> Any:
    return tuple(-s for s in shift) if isinstance(shift, (tuple, list)) else -shift


@composite(np.ravel)
def _ravel(a: Any, order: Any = "C") -> Any:
    return np.reshape(a, (-1,), order=_checked_order("ravel", order))


def _checked_order(who: str, order: Any) -> Any:
    if order not in ("C", "F", None):
        raise TypeError(must(who, "order", "be 'C' or 'F' for recorded values", order))
    return order or "C"


# Joining and splitting


def concatenate(*parts: Any, axis: Any = 0, **options: Any) -> Any:
    """Join arrays, as ``np.concatenate`` does; a function of its arguments rather than of a list."""
    return np.concatenate(parts, axis, **options)


def _pieces(positions: list[int], g: Any, y: Any, *parts: Any, axis: Any = 0, **options: Any) -> list[Any]:
    """Cut out of the gradient what belongs to each of the joined arrays."""
    if axis is None:
        ends = list(itertools.accumulate(map(np.size, parts), initial=0))
        return [np.reshape(g[ends[i] : ends[i + 1]], parts[i].shape) for i in positions]
    axis = axis % g.ndim
    ends = list(itertools.accumulate((np.shape(part)[axis] for part in parts), initial=0))
    return [g[along(axis, slice(ends[i], ends[i + 1]))] for i in positions]


_CONCATENATE = defvjp(concatenate, vjp_argnums=_pieces, linear=True)


@composite(np.concatenate)
def _concatenate(arrays: Any, axis: Any = 0, **options: Any) -> Any:
    if options:
        return apply(_CONCATENATE, tuple(arrays), {"axis": axis, **options})
    return apply(_CONCATENATE, tuple(arrays), None if axis == 0 else {"axis": axis})


def stack(*parts: Any, axis: int = 0, **options: Any) -> Any:
    """Put arrays beside each other, as ``np.stack`` does; a function of its arguments rather than of a list."""
    return np.stack(parts, axis, **options)


_STACK = defvjp(
    stack,
    vjp_argnums=lambda positions, g, y, *parts, axis=0, **options: [g[along(axis % g.ndim, i)] for i in positions],
    linear=True,
)


@composite(np.stack)
def _stack(arrays: Any, axis: int = 0, **options: Any) -> Any:
    return apply(_STACK, tuple(arrays), {"axis": axis, **options})


@composite(np.vstack)
def _vstack(tup: Any, **options: Any) -> Any:
    return np.concatenate([np.atleast_2d(a) for a in tup], axis=0, **options)


@composite(np.hstack)
def _hstack(tup: Any, **options: Any) -> Any:
    parts = [np.atleast_1d(a) for a in tup]
    return np.concatenate(parts, axis=0 if parts[0].ndim == 1 else 1, **options)


@composite(np.dstack)
def _dstack(tup: Any) -> Any:
    return np.concatenate([np.atleast_3d(a) for a in tup], axis=2)


@composite(np.column_stack)
def _column_stack(tup: Any) -> Any:
    return np.concatenate([a if np.ndim(a) > 1 else np.reshape(a, (-1, 1)) for a in tup], axis=1)


@composite(np.append)
def _append(arr: Any, values: Any, axis: Any = None) -> Any:
    return (
        np.concatenate([arr, values], axis=axis) if axis is not None else np.hstack([np.ravel(arr), np.ravel(values)])
    )


@composite(np.split)
def _split(x: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    if isinstance(indices_or_sections, (int, np.integer)) and x.shape[axis] % indices_or_sections:
        rule = f"divide the axis of {x.shape[axis]} equally"
        raise ValueError(
            must("split", "indices_or_sections", rule, indices_or_sections, "array_split makes unequal parts")
        )
    return _array_split(x, indices_or_sections, axis)


@composite(np.array_split)
def _array_split(x: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    axis = axis % x.ndim
    size = x.shape[axis]
    if isinstance(indices_or_sections, (int, np.integer)):
        each, more = divmod(size, int(indices_or_sections))
        edges = np.cumsum([0] + [each + 1] * more + [each] * (int(indices_or_sections) - more)).tolist()
    else:
        edges = [0, *(int(i) for i in indices_or_sections), None]
    return [x[along(axis, slice(a, b))] for a, b in itertools.pairwise(edges)]


@composite(np.vsplit)
def _vsplit(x: Any, indices_or_sections: Any) -> Any:
    return np.split(x, indices_or_sections, 0)


@composite(np.hsplit)
def _hsplit(x: Any, indices_or_sections: Any) -> Any:
    return np.split(x, indices_or_sections, 1 if x.ndim > 1 else 0)


# Repeating


@composite(np.tile)
def _tile(x: Any, reps: Any) -> Any:
    counts = tuple(int(r) for r in np.atleast_1d(reps))
    ndim = max(x.ndim, len(counts))
    counts = (1,) * (ndim - len(counts)) + counts
    shape = (1,) * (ndim - x.ndim) + x.shape
    apart = tuple(s for size in shape for s in (1, size))
    wide = tuple(s for pair in zip(counts, shape, strict=True) for s in pair)
    tiled = tuple(c * s for c, s in zip(counts, shape, strict=True))
    return np.reshape(np.broadcast_to(np.reshape(x, apart), wide), tiled)


# Small relatives


def _atleast(shape_of: Any) -> Any:
    def each(*arrays: Any) -> Any:
        results = [np.reshape(a, shape_of(np.shape(a))) for a in arrays]
        return results[0] if len(results) == 1 else tuple(results)

    return each


def _shape_3d(shape: tuple[int, ...]) -> tuple[int, ...]:
    return {0: (1, 1, 1), 1: (1, *shape, 1), 2: (*shape, 1)}.get(len(shape), shape)


composite(np.atleast_1d)(_atleast(lambda shape: shape or (1,)))
composite(np.atleast_2d)(_atleast(lambda shape: (1,) * (2 - len(shape)) + shape))
composite(np.atleast_3d)(_atleast(_shape_3d))


@composite(np.flipud)
def _flipud(x: Any) -> Any:
    return np.flip(x, 0)


@composite(np.fliplr)
def _fliplr(x: Any) -> Any:
    return np.flip(x, 1)


@composite(np.broadcast_arrays)
def _broadcast_arrays(*args: Any) -> Any:
    shape = np.broadcast_shapes(*(np.shape(a) for a in args))
    return tuple(np.broadcast_to(a, shape) for a in args)
