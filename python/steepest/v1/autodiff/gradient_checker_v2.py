"""Gradients of a function beside differences of its values: TensorFlow's ``gradient_checker_v2``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..graph.default_session import get_default_session
from ..graph.mode import executing_eagerly
from ..graph.session import Session
from ..ops.creation_ops import placeholder
from ..ops.sparse_ops import convert_to_tensor
from .gradient_checker import _check_empty, _numbers, _units
from .gradient_checker import compute_gradient as _of_nodes
from .tapes import GradientTape

__all__ = ["compute_gradient", "max_error"]


def compute_gradient(
    f: Callable[..., Any], x: Sequence[Any], delta: float | None = None
) -> tuple[list[Any], list[Any]]:
    """Return the Jacobians of ``f(*x)``, ``[size of f, size of x]``: those by gradients, and those by differences.

    Raises ValueError where x is no list or tuple.
    """
    if not isinstance(x, (list, tuple)):
        raise ValueError(f"`x` must be a list; got {type(x)}")
    step = 1.0 / 1024 if delta is None else delta
    pairs = (_eagerly if executing_eagerly() else _in_graph)(f, list(x), step)
    return [one for one, _ in pairs], [other for _, other in pairs]


def _in_graph(f: Callable[..., Any], x: list[Any], delta: float) -> list[Any]:
    session: Any = get_default_session() or Session()
    values = [session.run(convert_to_tensor(each)) for each in x]
    places = [placeholder(value.dtype, value.shape) for value in values]
    y = f(*places)
    feeds = dict(zip(places, values, strict=True))
    size = np.shape(session.run(y, feeds))
    found = []
    with session.as_default():
        for place, value in zip(places, values, strict=True):
            others = {k: v for k, v in feeds.items() if k is not place}
            one, other = _of_nodes(place, value.shape, y, size, value, delta, None, others)
            found.append((one.T, other.T))
    return found


def _eagerly(f: Callable[..., Any], x: list[Any], delta: float) -> list[Any]:
    values = [np.array(convert_to_tensor(each)) for each in x]
    found = []
    for k, value in enumerate(values):
        inputs = [convert_to_tensor(each) for each in values]
        with GradientTape(persistent=True) as tape:
            tape.watch(inputs[k])
            y = f(*inputs)
        size, of_y = int(np.prod(y.shape, dtype=np.int64)), np.asarray(y).dtype
        units, of_units = _units(value.dtype), _units(of_y)
        pairs = size * len(of_units), value.size * len(units)
        exact, measured = np.zeros(pairs, units[0].real.dtype), np.zeros(pairs, units[0].real.dtype)
        for row in range(pairs[0]):
            seed = np.zeros(size, of_y)
            seed[row // len(of_units)] = of_units[row % len(of_units)]
            gradient = tape.gradient(y, inputs[k], convert_to_tensor(seed.reshape(y.shape)))
            exact[row] = 0 if gradient is None else _numbers(np.asarray(convert_to_tensor(gradient)))
        if not (size and value.size):
            gradient = tape.gradient(y, inputs[k], convert_to_tensor(np.zeros(y.shape, of_y)))
            _check_empty(value if gradient is None else np.asarray(convert_to_tensor(gradient)), value)
        for column in range(pairs[1]):
            sides = []
            for step in (delta, -delta):
                moved = value.copy()
                moved.flat[column // len(units)] += value.dtype.type(step) * units[column % len(units)]
                sides.append(_numbers(np.asarray(f(*inputs[:k], convert_to_tensor(moved), *inputs[k + 1 :]))))
            measured[:, column] = (sides[0] - sides[1]) / (2 * delta)
        found.append((exact, measured))
    return found


def max_error(grad1: Sequence[Any], grad2: Sequence[Any]) -> float:
    """Return the largest difference between two lists of Jacobians."""
    errors = [float(np.abs(a - b).max(initial=0)) for a, b in zip(grad1, grad2, strict=True)]
    return max(errors, default=0.0)
