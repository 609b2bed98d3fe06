"""Arrays whose memory is placed well: what `numpy.empty` and `numpy.zeros` return, but quicker to train.

An update walks several arrays side by side: parameter, gradient, slots. NumPy's arrays begin anywhere in a cache line,
so that half of the loads touch two lines; large ones all begin at the same place of a page, so that loads and stores of
different arrays look alike to the processor and may wait for each other; and small pages take time to look up. Arrays
of this module begin with a cache line, at places of a page that differ, and from 2 MiB on their memory is aligned for
huge pages, which are asked for where the system has them (Linux's ``madvise``). Slots are placed beside their parameter
in the same way. Measured on a Zen 4 core, against arrays of NumPy's: momentum in cache 13 % less time, Adam on 600,000
elements 19 %, on ten million 2 %.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

import numpy as np

from .. import _core
from .arrays import to_dtype
from .dtypes import is_real
from .errors import describe, must
from .typing import Array, DTypeLike, Parameter, Shape

__all__ = ["beside", "empty", "empty_like", "result_like", "zeros", "zeros_like"]

_NEXT = -1


def empty(shape: Shape, dtype: DTypeLike = np.float32) -> Array:
    """Return a new array of this shape and type, its values arbitrary; made for parameters and gradients.

    Raises:
        MemoryError: for too large a shape.
        TypeError: for a type that is not of floats, integers or booleans, a shape that is not of integers.
        ValueError: for a negative size.

    Example:
        >>> w = st.empty((2, 3))
        >>> w.shape, w.dtype.name
        ((2, 3), 'float32')
    """
    return _allocate("empty", shape, dtype, zero=False)


def zeros(shape: Shape, dtype: DTypeLike = np.float32) -> Array:
    """Return a new array of zeros; else as `empty`.

    Example:
        >>> st.zeros(2, np.float64).tolist()
        [0.0, 0.0]
    """
    return _allocate("zeros", shape, dtype, zero=True)


def empty_like(prototype: Parameter, dtype: DTypeLike | None = None) -> Array:
    """Return a new C-contiguous array in the shape of another array or Variable, and its type unless one is given."""
    return _allocate_like("empty_like", prototype, dtype, zero=False)


def result_like(values: Array) -> Array:
    """Return what `empty_like` returns for an array of the core's types, without its checks, in half the time."""
    return _core.allocate(values.dtype, values.shape, _NEXT, False)


def zeros_like(prototype: Parameter, dtype: DTypeLike | None = None) -> Array:
    """Return a new array of zeros in the shape of another array or Variable; else as `empty_like`."""
    return _allocate_like("zeros_like", prototype, dtype, zero=True)


def beside(values: Array, parameter: Array | None, position: int) -> Array:
    """Return a copy of ``values`` in memory that goes well with the parameter's, as its slot number ``position``."""
    start = 0 if parameter is None else _core.address(parameter)
    placed = _core.allocate(
        values.dtype, values.shape, (start + (position + 1) * _core.SLOT_STEP_BYTES) % _core.PAGE_BYTES, False
    )
    placed[...] = values
    return placed


def _allocate_like(who: str, prototype: Any, dtype: Any, zero: bool) -> Array:
    if not hasattr(prototype, "shape"):
        raise TypeError(must(who, "prototype", "be an array or a Variable", describe(prototype)))
    return _allocate(who, prototype.shape, prototype.dtype if dtype is None else dtype, zero)


def _allocate(who: str, shape: Any, dtype: Any, zero: bool) -> Array:
    element = to_dtype(who, dtype)
    if not is_real(element):
        raise TypeError(must(who, "dtype", "be of floats, integers or booleans", element))
    sizes = tuple(shape) if isinstance(shape, Iterable) else (shape,)
    try:
        sizes = tuple(operator.index(size) for size in sizes)
    except TypeError:
        raise TypeError(must(who, "shape", "be an integer or a tuple of integers", describe(shape))) from None
    if any(size < 0 for size in sizes):
        raise ValueError(must(who, "shape", "have no negative size", repr(sizes)))
    if any(size >= 2**63 for size in sizes):
        raise ValueError(must(who, "shape", "have sizes below 2**63", repr(sizes)))
    return _core.allocate(element, sizes, _NEXT, zero)
