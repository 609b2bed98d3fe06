"""Activations of ``tf.nn``, stable for any finite input, each with a derivative of its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.typing import ArrayLike, Value
from ..ops.dispatch import unwrap
from ..ops.registry import defvjp
from ..ops.vjps.elementwise import beside, keep_where
from .arguments import evaluate, to_axes, to_floats, to_number

__all__ = ["RELU", "below_largest", "leaky_relu", "log_softmax", "logsumexp", "relu", "sigmoid", "softmax", "softplus"]

# What is computed, on plain arrays


def _relu(x: Any) -> Any:
    return np.maximum(x, x.dtype.type(0))


def _leaky_relu(x: Any, alpha: Any) -> Any:
    return np.where(x > 0, x, x * x.dtype.type(alpha))


def _sigmoid(x: Any) -> Any:
    small = np.exp(-np.abs(x))  # never overflows
    return np.where(x >= 0, x.dtype.type(1), small) / (x.dtype.type(1) + small)


def _softplus(x: Any) -> Any:
    return np.maximum(x, x.dtype.type(0)) + np.log1p(np.exp(-np.abs(x)))


def _shift(x: Any, axis: Any) -> Any:
    """Return the maximum to subtract; 0 where it is infinite, so that no NaN comes from inf - inf."""
    top = np.maximum.reduce(x, axis=axis, keepdims=True, initial=-np.inf)
    finite = np.isfinite(top)
    return top if np.count_nonzero(finite) == finite.size else np.where(finite, top, 0).astype(x.dtype, copy=False)


def below_largest(x: Any, axis: Any) -> Any:
    """Return x less its maximum; where that is infinite there is a NaN, so that all along the axis becomes NaN."""
    with np.errstate(invalid="ignore"):
        return x - np.maximum.reduce(x, axis=axis, keepdims=True, initial=-np.inf)


def _softmax(x: Any, axis: Any) -> Any:
    power = np.exp(below_largest(x, axis))
    return power / np.add.reduce(power, axis=axis, keepdims=True)


def _log_softmax(x: Any, axis: Any) -> Any:
    x = below_largest(x, axis)
    x -= np.log(np.add.reduce(np.exp(x), axis=axis, keepdims=True))
    return x


def _logsumexp(x: Any, axis: Any, keepdims: bool) -> Any:
    top = _shift(x, axis)
    total = np.log(np.sum(np.exp(x - top), axis=axis, keepdims=True)) + top
    return total if keepdims else np.squeeze(total, axis=axis)


def _weights(x: Any, axis: Any) -> Any:
    """Return the softmax; beside an infinity the others have the weight 0."""
    power = np.exp(x - _shift(unwrap(x), axis))
    return power / np.sum(power, axis=axis, keepdims=True)


# The derivatives

RELU = defvjp(_relu, lambda g, y, x: beside(keep_where(g, x, ">", 0), x))
_LEAKY = defvjp(_leaky_relu, lambda g, y, x, alpha: beside(np.where(unwrap(x) > 0, g, g * alpha), x))
_SIGMOID = defvjp(_sigmoid, lambda g, y, x: g * (y * (1 - y)))
_SOFTPLUS = defvjp(_softplus, lambda g, y, x: g * sigmoid(x))
_SOFTMAX = defvjp(_softmax, lambda g, y, x, axis: (g - np.sum(g * y, axis=axis, keepdims=True)) * y)
_LOG_SOFTMAX = defvjp(_log_softmax, lambda g, y, x, axis: g - np.exp(y) * np.sum(g, axis=axis, keepdims=True))
_LOGSUMEXP = defvjp(
    _logsumexp, lambda g, y, x, axis, keepdims: (g if keepdims else np.expand_dims(g, axis)) * _weights(x, axis)
)


# What users call


def relu(features: ArrayLike, name: str | None = None) -> Value:
    """Return ``max(x, 0)``; the slope at 0 is 0.

    Args:
        features: floats of any shape.
        name: accepted for TensorFlow's sake.

    Returns:
        The result, in the shape of ``features``.

    Raises:
        TypeError: for what is not an array of real numbers.

    Example:
        >>> nn.relu(np.array([-1.0, 2.0])).tolist()
        [0.0, 2.0]
    """
    return evaluate(RELU, (to_floats("relu", "features", features),))


def leaky_relu(features: ArrayLike, alpha: float = 0.2, name: str | None = None) -> Value:
    """Return ``x`` where it is positive, else ``alpha * x``; the slope at 0 is alpha.

    Args:
        features: floats of any shape.
        alpha: the slope below 0.
        name: accepted for TensorFlow's sake.

    Returns:
        The result, in the shape of ``features``.

    Raises:
        TypeError: for what is not an array of real numbers.

    Example:
        >>> nn.leaky_relu(np.array([-1.0, 2.0]), alpha=0.5).tolist()
        [-0.5, 2.0]
    """
    alpha = to_number("leaky_relu", "alpha", alpha)
    return evaluate(_LEAKY, (to_floats("leaky_relu", "features", features), alpha))


def sigmoid(x: ArrayLike, name: str | None = None) -> Value:
    """Return ``1 / (1 + exp(-x))``.

    Args:
        x: floats of any shape.
        name: accepted for TensorFlow's sake.

    Returns:
        The result, in the shape of ``x``.

    Raises:
        TypeError: for what is not an array of real numbers.

    Example:
        >>> nn.sigmoid(np.array([0.0, 1000.0])).tolist()
        [0.5, 1.0]
    """
    return evaluate(_SIGMOID, (to_floats("sigmoid", "x", x),))


def softplus(features: ArrayLike, name: str | None = None) -> Value:
    """Return ``log(1 + exp(x))``.

    Args:
        features: floats of any shape.
        name: accepted for TensorFlow's sake.

    Returns:
        The result, in the shape of ``features``.

    Raises:
        TypeError: for what is not an array of real numbers.

    Example:
        >>> nn.softplus(np.array([0.0, 1000.0])).round(4).tolist()
        [0.6931, 1000.0]
    """
    return evaluate(_SOFTPLUS, (to_floats("softplus", "features", features),))


def softmax(logits: ArrayLike, axis: int | tuple[int, ...] | None = -1, name: str | None = None) -> Value:
    """Return ``exp(x) / sum(exp(x), axis)``. Raises ValueError for an axis that is not there.

    Args:
        logits: floats of any shape.
        axis: the axis, or several, along which the result sums to 1.
        name: accepted for TensorFlow's sake.

    Returns:
        The result, in the shape of ``logits``.

    Raises:
        TypeError: for what is not an array of real numbers.
        ValueError: for an axis that is not there.

    Example:
        >>> nn.softmax(np.log([1.0, 3.0])).round(4).tolist()
        [0.25, 0.75]
    """
    array = to_floats("softmax", "logits", logits)
    return evaluate(_SOFTMAX, (array, to_axes("softmax", array, axis)))


def log_softmax(logits: ArrayLike, axis: int | tuple[int, ...] | None = -1, name: str | None = None) -> Value:
    """Return ``x - log(sum(exp(x), axis))``. Raises ValueError for an axis that is not there.

    Args:
        logits: floats of any shape.
        axis: the axis, or several, along which the exponentials sum to 1.
        name: accepted for TensorFlow's sake.

    Returns:
        The result, in the shape of ``logits``.

    Raises:
        TypeError: for what is not an array of real numbers.
        ValueError: for an axis that is not there.

    Example:
        >>> nn.log_softmax(np.array([0.0, 0.0])).round(4).tolist()
        [-0.6931, -0.6931]
    """
    array = to_floats("log_softmax", "logits", logits)
    return evaluate(_LOG_SOFTMAX, (array, to_axes("log_softmax", array, axis)))


def logsumexp(
    x: ArrayLike, axis: int | tuple[int, ...] | None = None, keepdims: bool = False, name: str | None = None
) -> Value:
    """Return ``log(sum(exp(x), axis))``, over all axes by default.

    Args:
        x: floats of any shape.
        axis: the axis to sum over, or several.
        keepdims: keep these axes, with length 1.
        name: accepted for TensorFlow's sake.

    Returns:
        The result, in the shape of ``x`` without the axes.

    Raises:
        TypeError: for what is not an array of real numbers.
        ValueError: for an axis that is not there.

    Source: ``tf.reduce_logsumexp``.

    Example:
        >>> round(float(nn.logsumexp(np.log([1.0, 3.0]))), 4)
        1.3863
    """
    array = to_floats("logsumexp", "x", x)
    return evaluate(_LOGSUMEXP, (array, to_axes("logsumexp", array, axis), bool(keepdims)))
