"""Losses of ``tf.nn``, stable for any finite logits, each with a derivative of its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.arrays import to_array
from ..base.errors import must
from ..base.typing import ArrayLike, Value
from ..ops.dispatch import unwrap
from ..ops.registry import defvjp
from .activations import below_largest, log_softmax, sigmoid, softmax
from .arguments import check_named, evaluate, to_axes, to_floats

__all__ = [
    "l2_loss",
    "sigmoid_cross_entropy_with_logits",
    "softmax_cross_entropy_with_logits",
    "sparse_softmax_cross_entropy_with_logits",
]

# What is computed, on plain arrays


def _cross_entropy(logits: Any, labels: Any) -> Any:
    return -np.sum(labels * log_softmax(logits), axis=-1)


def _sparse_cross_entropy(logits: Any, labels: Any, parts: list[Any]) -> Any:
    x = below_largest(logits, -1)
    power = np.exp(x)
    total, hot = np.add.reduce(power, axis=-1), _hot(x, labels)
    parts[:] = power, total, hot  # for the derivative
    return np.log(total) - x.reshape(-1)[hot].reshape(labels.shape)


def _sigmoid_cross_entropy(labels: Any, logits: Any) -> Any:
    return np.maximum(logits, logits.dtype.type(0)) - logits * labels + np.log1p(np.exp(-np.abs(logits)))


def _l2_loss(t: Any) -> Any:
    return np.sum(t * t) / t.dtype.type(2)


# The derivatives

_CROSS = defvjp(_cross_entropy, lambda g, y, x, labels: np.expand_dims(g, -1) * _cross_slope(x, labels))
_SPARSE = defvjp(_sparse_cross_entropy, lambda g, y, x, ids, parts: _sparse_back(g, x, ids, *parts))
_SIGMOID_CROSS = defvjp(_sigmoid_cross_entropy, lambda g, y, z, x: -g * x, lambda g, y, z, x: g * (sigmoid(x) - z))
_L2 = defvjp(_l2_loss, lambda g, y, t: g * t)
_L2 = defvjp(_l2_loss, lambda g, y, t: g * t)


def _cross_slope(x: Any, labels: Any) -> Any:
    return softmax(x) * np.sum(labels, axis=-1, keepdims=True) - labels  # a row's labels need not sum to one


def _sparse_back(g: Any, x: Any, labels: Any, power: Any, total: Any, hot: Any) -> Any:
    if not isinstance(x, np.ndarray):  # under an outer tape
        return g[..., None] * (softmax(x) - (np.arange(x.shape[-1]) == labels[..., None]))
    slope = np.ascontiguousarray(power / total[..., None])
    slope.reshape(-1)[hot] -= 1
    return np.multiply(slope, g[..., None], out=slope)


def _hot(x: Any, labels: Any) -> Any:
    """Return where the labels' elements are in the flattened logits, one label for each row."""
    return np.arange(0, labels.size * x.shape[-1], x.shape[-1] or 1) + labels.reshape(-1)


# What users call


def softmax_cross_entropy_with_logits(
    _sentinel: Any = None,
    labels: ArrayLike | None = None,
    logits: ArrayLike | None = None,
    dim: int = -1,
    name: str | None = None,
) -> Value:
    """Return ``-sum(labels * log_softmax(logits), dim)``: one loss for each row, of the shape without ``dim``.

    As in TensorFlow 1 the gradient goes to the logits only.

    Args:
        _sentinel: not to be used: labels and logits are given by name.
        labels: probabilities, in the shape of ``logits``.
        logits: floats, of shape ``(N, C)`` for N rows and C classes, or with more axes.
        dim: the axis of the classes.
        name: accepted for TensorFlow's sake.

    Returns:
        The losses, of shape ``(N,)``.

    Raises:
        TypeError: for logits that are not real numbers.
        ValueError: unless labels and logits come by name and have one shape.

    Example:
        >>> labels, logits = np.array([[0.0, 1.0]]), np.log([[1.0, 3.0]])
        >>> nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits).round(4).tolist()
        [0.2877]
    """
    who = "softmax_cross_entropy_with_logits"
    check_named(who, _sentinel, labels, logits)
    x = to_floats(who, "logits", logits)
    p = to_array(who, "labels", unwrap(labels))
    if p.shape != x.shape or not x.ndim:
        raise ValueError(must(who, "labels", f"have the logits' shape {x.shape}", f"shape {p.shape}"))
    (axis,) = to_axes(who, x, dim)
    if axis != x.ndim - 1:
        x, p = np.moveaxis(x, axis, -1), np.moveaxis(p, axis, -1)
    return evaluate(_CROSS, (x, p.astype(x.dtype, copy=False)))


def sparse_softmax_cross_entropy_with_logits(
    _sentinel: Any = None, labels: ArrayLike | None = None, logits: ArrayLike | None = None, name: str | None = None
) -> Value:
    """Return ``-log_softmax(logits)[..., labels]``: one loss for each row.

    Args:
        _sentinel: not to be used: labels and logits are given by name.
        labels: integers in ``[0, C)``, of shape ``(N,)``.
        logits: floats, of shape ``(N, C)`` for N rows and C classes, or with more axes before the last.
        name: accepted for TensorFlow's sake.

    Returns:
        The losses, of shape ``(N,)``.

    Raises:
        IndexError: for a label outside the classes.
        TypeError: for labels that are not integers, or logits that are not real numbers.
        ValueError: unless labels and logits come by name with these shapes.

    Example:
        >>> logits = np.log([[1.0, 3.0]])
        >>> nn.sparse_softmax_cross_entropy_with_logits(labels=[1], logits=logits).round(4).tolist()
        [0.2877]
    """
    who = "sparse_softmax_cross_entropy_with_logits"
    check_named(who, _sentinel, labels, logits)
    x = to_floats(who, "logits", logits)
    ids = to_array(who, "labels", unwrap(labels))
    if ids.dtype.kind not in "iu":
        raise TypeError(must(who, "labels", "be integers", f"dtype {ids.dtype}"))
    if not x.ndim or ids.shape != x.shape[:-1]:
        raise ValueError(must(who, "labels", f"have shape {x.shape[:-1]}", f"shape {ids.shape}"))
    places = ids.astype(np.intp, copy=False)  # of which as unsigned numbers the negative ones are too large
    if ids.size and np.maximum.reduce(places.view(np.uintp), axis=None) >= x.shape[-1]:
        at = tuple(int(i) for i in np.argwhere((ids < 0) | (ids >= x.shape[-1]))[0])
        raise IndexError(must(who, "labels", f"be in [0, {x.shape[-1]})", f"{ids[at]} at position {at}"))
    return evaluate(_SPARSE, (x, places, []))


def sigmoid_cross_entropy_with_logits(
    _sentinel: Any = None, labels: ArrayLike | None = None, logits: ArrayLike | None = None, name: str | None = None
) -> Value:
    """Return ``-z * log(sigmoid(x)) - (1 - z) * log(1 - sigmoid(x))`` for labels z and logits x, element by element.

    Args:
        _sentinel: not to be used: labels and logits are given by name.
        labels: probabilities, in the shape of ``logits``.
        logits: floats of any shape.
        name: accepted for TensorFlow's sake.

    Returns:
        The losses, in the shape of ``logits``.

    Raises:
        TypeError: for logits that are not real numbers.
        ValueError: unless labels and logits come by name and have one shape.

    Example:
        >>> logits = np.array([0.0, 1000.0])
        >>> nn.sigmoid_cross_entropy_with_logits(labels=[1.0, 1.0], logits=logits).round(4).tolist()
        [0.6931, 0.0]
    """
    who = "sigmoid_cross_entropy_with_logits"
    check_named(who, _sentinel, labels, logits)
    x = to_floats(who, "logits", logits)
    z: Any = labels if hasattr(labels, "ndim") else to_array(who, "labels", labels)
    if z.shape != x.shape:
        raise ValueError(must(who, "labels", f"have the logits' shape {x.shape}", f"shape {z.shape}"))
    if z.dtype != x.dtype:
        z = z.astype(x.dtype)
    return evaluate(_SIGMOID_CROSS, (z, x))


def l2_loss(t: ArrayLike, name: str | None = None) -> Value:
    """Return ``sum(t ** 2) / 2``, a scalar.

    Args:
        t: floats of any shape.
        name: accepted for TensorFlow's sake.

    Returns:
        The sum over all elements.

    Raises:
        TypeError: for what is not an array of real numbers.

    Example:
        >>> float(nn.l2_loss(np.array([3.0, 4.0])))
        12.5
    """
    return evaluate(_L2, (to_floats("l2_loss", "t", t),))
