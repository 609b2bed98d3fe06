"""Activations, losses and lookups of ``tf.nn``, stable for any finite logits, each with a derivative of its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from .base.errors import must
from .ops.dispatch import any_recorded, apply, unwrap
from .ops.registry import defvjp
from .ops.vjps.indexing import gather
from .variables.names import get_default_store

__all__ = [
    "dropout",
    "embedding_lookup",
    "l2_loss",
    "leaky_relu",
    "log_softmax",
    "logsumexp",
    "relu",
    "sigmoid",
    "sigmoid_cross_entropy_with_logits",
    "softmax",
    "softmax_cross_entropy_with_logits",
    "softplus",
    "sparse_softmax_cross_entropy_with_logits",
]

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


def _softmax(x: Any, axis: Any) -> Any:
    power = np.exp(x - _shift(x, axis))
    return power / np.add.reduce(power, axis=axis, keepdims=True)


def _log_softmax(x: Any, axis: Any) -> Any:
    x = x - _shift(x, axis)
    x -= np.log(np.add.reduce(np.exp(x), axis=axis, keepdims=True))
    return x


def _logsumexp(x: Any, axis: Any, keepdims: bool) -> Any:
    top = _shift(x, axis)
    total = np.log(np.sum(np.exp(x - top), axis=axis, keepdims=True)) + top
    return total if keepdims else np.squeeze(total, axis=axis)


def _cross_entropy(logits: Any, labels: Any) -> Any:
    return -np.sum(labels * _log_softmax(logits, -1), axis=-1)


def _sparse_cross_entropy(logits: Any, labels: Any, kept: list[Any]) -> Any:
    x = logits - _shift(logits, -1)
    power = np.exp(x)
    total, hot = np.add.reduce(power, axis=-1), _hot(x, labels)
    kept[:] = power, total, hot  # for the derivative
    return np.log(total) - x.reshape(-1)[hot].reshape(labels.shape)


def _sigmoid_cross_entropy(labels: Any, logits: Any) -> Any:
    return np.maximum(logits, logits.dtype.type(0)) - logits * labels + np.log1p(np.exp(-np.abs(logits)))


def _l2_loss(t: Any) -> Any:
    return np.sum(t * t) / t.dtype.type(2)


# The derivatives

_RELU = defvjp(_relu, lambda g, y, x: g * (unwrap(x) > 0))
_LEAKY = defvjp(_leaky_relu, lambda g, y, x, alpha: np.where(unwrap(x) > 0, g, g * alpha))
_SIGMOID = defvjp(_sigmoid, lambda g, y, x: g * (y * (1 - y)))
_SOFTPLUS = defvjp(_softplus, lambda g, y, x: g * sigmoid(x))
_SOFTMAX = defvjp(_softmax, lambda g, y, x, axis: (g - np.sum(g * y, axis=axis, keepdims=True)) * y)
_LOG_SOFTMAX = defvjp(_log_softmax, lambda g, y, x, axis: g - np.exp(y) * np.sum(g, axis=axis, keepdims=True))
_LOGSUMEXP = defvjp(
    _logsumexp, lambda g, y, x, axis, keepdims: (g if keepdims else np.expand_dims(g, axis)) * softmax(x, axis)
)
_CROSS = defvjp(_cross_entropy, lambda g, y, x, labels: np.expand_dims(g, -1) * _cross_slope(x, labels))
_SPARSE = defvjp(_sparse_cross_entropy, lambda g, y, x, ids, kept: _sparse_back(g, x, ids, *kept))
_SIGMOID_CROSS = defvjp(_sigmoid_cross_entropy, lambda g, y, z, x: -g * x, lambda g, y, z, x: g * (sigmoid(x) - z))
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


def _floats(who: str, argument: str, value: Any) -> Any:
    if not hasattr(value, "ndim"):
        value = np.asarray(value)
    if value.dtype.kind in "biu":
        value = value.astype(np.float64)
    if value.dtype.kind != "f" and value.dtype.name != "bfloat16":
        raise TypeError(must(who, argument, "be an array of floats", value))
    return value


def relu(features: Any, name: str | None = None) -> Any:
    """Return ``max(x, 0)``; the slope at 0 is 0."""
    return apply(_RELU, (_floats("relu", "features", features),))


def leaky_relu(features: Any, alpha: float = 0.2, name: str | None = None) -> Any:
    """Return ``x`` where it is positive, else ``alpha * x``; the slope at 0 is alpha."""
    return apply(_LEAKY, (_floats("leaky_relu", "features", features), alpha))


def sigmoid(x: Any, name: str | None = None) -> Any:
    """Return ``1 / (1 + exp(-x))``."""
    return apply(_SIGMOID, (_floats("sigmoid", "x", x),))


def softplus(features: Any, name: str | None = None) -> Any:
    """Return ``log(1 + exp(x))``."""
    return apply(_SOFTPLUS, (_floats("softplus", "features", features),))


def _axis(who: str, x: Any, axis: Any) -> Any:
    axes = tuple(range(x.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    for a in axes:
        if not -x.ndim <= a < x.ndim:
            raise ValueError(must(who, "axis", f"be one of the {x.ndim} axes", axis))
    return tuple(int(a) % x.ndim for a in axes)


def softmax(logits: Any, axis: Any = -1, name: str | None = None) -> Any:
    """Return ``exp(x) / sum(exp(x), axis)``. Raises ValueError for an axis that is not there."""
    x = _floats("softmax", "logits", logits)
    return apply(_SOFTMAX, (x, _axis("softmax", x, axis)))


def log_softmax(logits: Any, axis: Any = -1, name: str | None = None) -> Any:
    """Return ``x - log(sum(exp(x), axis))``. Raises ValueError for an axis that is not there."""
    x = _floats("log_softmax", "logits", logits)
    return apply(_LOG_SOFTMAX, (x, _axis("log_softmax", x, axis)))


def logsumexp(x: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """Return ``log(sum(exp(x), axis))``, over all axes by default.

    Raises ValueError for an axis that is not there. Source: ``tf.reduce_logsumexp``.
    """
    x = _floats("logsumexp", "x", x)
    return apply(_LOGSUMEXP, (x, _axis("logsumexp", x, axis), bool(keepdims)))


def _named(who: str, sentinel: Any, labels: Any, logits: Any) -> None:
    if sentinel is not None or labels is None or logits is None:
        got = "a positional argument" if sentinel is not None else "no labels" if labels is None else "no logits"
        raise ValueError(must(who, "labels and logits", "be given by name", got, "write labels=..., logits=..."))


def softmax_cross_entropy_with_logits(
    _sentinel: Any = None, labels: Any = None, logits: Any = None, dim: int = -1, name: str | None = None
) -> Any:
    """Return ``-sum(labels * log_softmax(logits), dim)``: one loss for each row, of the shape without ``dim``.

    ``labels`` are probabilities of the logits' shape. As in TensorFlow 1 the gradient goes to the logits only.

    Raises ValueError unless labels and logits come by name and have one shape.
    """
    who = "softmax_cross_entropy_with_logits"
    _named(who, _sentinel, labels, logits)
    x = _floats(who, "logits", logits)
    labels = np.asarray(unwrap(labels))
    if labels.shape != x.shape or not x.ndim:
        raise ValueError(must(who, "labels", f"have the logits' shape {x.shape}", f"shape {labels.shape}"))
    (axis,) = _axis(who, x, dim)
    if axis != x.ndim - 1:
        x, labels = np.moveaxis(x, axis, -1), np.moveaxis(labels, axis, -1)
    return apply(_CROSS, (x, labels.astype(x.dtype, copy=False)))


def sparse_softmax_cross_entropy_with_logits(
    _sentinel: Any = None, labels: Any = None, logits: Any = None, name: str | None = None
) -> Any:
    """Return ``-log_softmax(logits)[..., labels]``: one loss for each row.

    ``labels`` are integers in ``[0, classes)`` of shape ``logits.shape[:-1]``.

    Raises ValueError unless labels and logits come by name with these shapes, TypeError for labels that are not
    integers, IndexError for a label outside the classes.
    """
    who = "sparse_softmax_cross_entropy_with_logits"
    _named(who, _sentinel, labels, logits)
    x = _floats(who, "logits", logits)
    ids = np.asarray(unwrap(labels))
    if ids.dtype.kind not in "iu":
        raise TypeError(must(who, "labels", "be integers", f"dtype {ids.dtype}"))
    if not x.ndim or ids.shape != x.shape[:-1]:
        raise ValueError(must(who, "labels", f"have shape {x.shape[:-1]}", f"shape {ids.shape}"))
    places = ids.astype(np.intp, copy=False)  # of which as unsigned numbers the negative ones are too large
    if ids.size and np.maximum.reduce(places.view(np.uintp), axis=None) >= x.shape[-1]:
        at = tuple(int(i) for i in np.argwhere((ids < 0) | (ids >= x.shape[-1]))[0])
        raise IndexError(must(who, "labels", f"be in [0, {x.shape[-1]})", f"{ids[at]} at position {at}"))
    return apply(_SPARSE, (x, places, []))


def sigmoid_cross_entropy_with_logits(
    _sentinel: Any = None, labels: Any = None, logits: Any = None, name: str | None = None
) -> Any:
    """Return ``-z * log(sigmoid(x)) - (1 - z) * log(1 - sigmoid(x))`` for labels z and logits x, element by element.

    Raises ValueError unless labels and logits come by name and have one shape.
    """
    who = "sigmoid_cross_entropy_with_logits"
    _named(who, _sentinel, labels, logits)
    x = _floats(who, "logits", logits)
    z = labels if hasattr(labels, "ndim") else np.asarray(labels)
    if z.shape != x.shape:
        raise ValueError(must(who, "labels", f"have the logits' shape {x.shape}", f"shape {z.shape}"))
    if z.dtype != x.dtype:
        z = z.astype(x.dtype)
    return apply(_SIGMOID_CROSS, (z, x))


def l2_loss(t: Any, name: str | None = None) -> Any:
    """Return ``sum(t ** 2) / 2``, a scalar."""
    return apply(_L2, (_floats("l2_loss", "t", t),))


def dropout(x: Any, keep_prob: float, noise_shape: Any = None, seed: Any = None, name: str | None = None) -> Any:
    """Return ``x / keep_prob`` with probability ``keep_prob`` and 0 otherwise, for each element.

    ``noise_shape`` broadcasts to x: elements along its axes of length 1 are kept or dropped together. Without ``seed``
    the draws follow ``set_random_seed``.

    Raises ValueError for a keep_prob outside (0, 1].
    """
    x = _floats("dropout", "x", x)
    if not 0 < keep_prob <= 1:
        raise ValueError(must("dropout", "keep_prob", "be in (0, 1]", keep_prob))
    if keep_prob == 1:
        return x if any_recorded(x) else unwrap(x).copy()
    shape = x.shape if noise_shape is None else tuple(a if a is not None else b for a, b in zip(noise_shape, x.shape))  # noqa: B905
    rng = get_default_store().rng if seed is None else np.random.default_rng(seed)
    factor = (rng.random(shape) < keep_prob) / keep_prob
    return x * factor.astype(x.dtype)


def embedding_lookup(params: Any, ids: Any, partition_strategy: str = "mod", name: str | None = None) -> Any:
    """Return the rows ``params[ids]``, of shape ``ids.shape + params.shape[1:]``; see `steepest.gather`.

    The gradient is `IndexedSlices`. ``params`` may be a list of one table, for TensorFlow's sake.

    Raises:
        IndexError: for an id that is negative or too large. TypeError: for ids that are not integers.
        ValueError: for several tables.
    """
    del partition_strategy, name
    if isinstance(params, (list, tuple)):
        if len(params) != 1:
            raise ValueError(must("embedding_lookup", "params", "be one table", f"{len(params)} tables"))
        params = params[0]
    return gather(params, ids)
