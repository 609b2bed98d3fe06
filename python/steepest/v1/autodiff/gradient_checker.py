"""Gradients beside differences of values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..graph.default_session import get_default_session
from ..graph.node import Tensor
from ..ops.creation_ops import placeholder
from .gradients import gradients

__all__ = ["compute_gradient", "compute_gradient_error"]


def compute_gradient(
    x: Any,
    x_shape: Any,
    y: Any,
    y_shape: Sequence[int],
    x_init_value: Any = None,
    delta: float = 1e-3,
    init_targets: Any = None,
    extra_feed_dict: Any = None,
) -> Any:
    """Return the Jacobian of y by x, ``[size of x, size of y]``, by gradients and by differences.

    Args:
        x, y: nodes of floats; for a list of x a list of such pairs is returned.
        x_shape, y_shape: their shapes.
        x_init_value: where it is taken; by default random values from a fixed seed.
        delta: half the distance of the two points of a difference.
        init_targets: operations to run before.
        extra_feed_dict: other values to feed.

    Source: ``tf.test.compute_gradient``.
    """
    if isinstance(x, list):
        values = [None] * len(x) if x_init_value is None else x_init_value
        shared = (y, y_shape)
        return [
            compute_gradient(each, shape, *shared, value, delta, init_targets, extra_feed_dict)
            for each, shape, value in zip(x, x_shape, values, strict=True)
        ]
    session: Any = get_default_session()
    for target in [] if init_targets is None else init_targets if isinstance(init_targets, list) else [init_targets]:
        session.run(target)
    dtype, of_y = x.dtype.as_numpy_dtype, y.dtype.as_numpy_dtype
    # The program's own generator, as in TensorFlow: tests seed it, and count on what it draws.
    drawn = x_init_value is None
    start = np.random.random_sample(tuple(x_shape)) if drawn else np.asarray(x_init_value)  # noqa: NPY002
    start = start.astype(dtype)
    feeds = dict(extra_feed_dict or {})
    fed = _seed_of(y)
    sizes: Any = fed.get_shape().as_list() if fed.get_shape().is_fully_defined() else y_shape
    seed = np.zeros(tuple(sizes), of_y)
    (gradient,) = gradients(y, x, grad_ys=fed)
    units, of_units = _units(dtype), _units(of_y)
    pairs = start.size * len(units), seed.size * len(of_units)
    by_gradient, by_difference = np.zeros(pairs, units[0].real.dtype), np.zeros(pairs, units[0].real.dtype)
    for k in range(pairs[1] if gradient is not None else 0):
        seed.flat[k // len(of_units)] = of_units[k % len(of_units)]
        found = session.run(gradient, {**feeds, x: start, fed: seed})
        if hasattr(found, "indices"):
            dense = np.zeros_like(start)
            np.add.at(dense, found.indices, found.values)
            found = dense
        by_gradient[:, k] = _numbers(found)
        seed.flat[k // len(of_units)] = 0
    if gradient is not None and not (start.size and seed.size):
        _check_empty(session.run(gradient, {**feeds, x: start, fed: seed}), start)
    for k in range(pairs[0]):
        sides = []
        for step in (delta, -delta):
            moved = start.copy()
            moved.flat[k // len(units)] += dtype(step) * units[k % len(units)].astype(dtype)
            sides.append(_numbers(session.run(y, {**feeds, x: moved})))
        by_difference[k] = (sides[0] - sides[1]) / (2 * delta)
    return by_gradient, by_difference


def _check_empty(gradient: Any, x: Any) -> None:
    """Raise ValueError for a gradient of no numbers that has not the shape of x."""
    if np.shape(gradient) != x.shape:
        raise ValueError(f"Empty gradient has wrong shape: expected {x.shape}, got {np.shape(gradient)}")


def _units(dtype: Any) -> Any:
    """Return the directions in which a number can go: of complex ones two, and the Jacobian has rows for each."""
    return np.array([1, 1j], dtype) if np.dtype(dtype).kind == "c" else np.ones(1, dtype)


def _numbers(value: Any) -> Any:
    """Return the real numbers that values are made of, a complex one's parts beside each other."""
    flat = np.ravel(value)
    return np.stack([flat.real, flat.imag], -1).ravel() if flat.dtype.kind == "c" else flat


def _seed_of(y: Any) -> Tensor:
    """Return a node of the shape of y that is fed."""
    with y.graph.as_default():
        node: Tensor = placeholder(y.dtype.base_dtype, y.get_shape())
    return node


def compute_gradient_error(
    x: Any,
    x_shape: Sequence[int],
    y: Any,
    y_shape: Sequence[int],
    x_init_value: Any = None,
    delta: float = 1e-3,
    init_targets: Any = None,
    extra_feed_dict: Any = None,
) -> float:
    """Return the largest difference of what `compute_gradient` returns."""
    found = compute_gradient(x, x_shape, y, y_shape, x_init_value, delta, init_targets, extra_feed_dict)
    pairs = found if isinstance(found, list) else [found]
    return max(float(np.abs(a - b).max(initial=0)) for a, b in pairs)
