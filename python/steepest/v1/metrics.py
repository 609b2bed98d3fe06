"""``tf.metrics``: what is counted over many runs, in local variables; each function gives its value and an update."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..variables.collections import GraphKeys
from .graph.build import call, convert
from .graph.graph import get_default_graph
from .graph.missing import namespace
from .graph.run_values import array_of
from .graph.scopes import variable_scope
from .ops.cast_ops import cast
from .ops.math_ops import abs as _abs
from .ops.math_ops import equal, multiply, sqrt, square, subtract
from .ops.reduce_ops import reduce_sum
from .training.state_ops import assign_add
from .training.variables import Variable

__all__ = [
    "accuracy",
    "auc",
    "false_negatives",
    "false_positives",
    "mean",
    "mean_absolute_error",
    "mean_cosine_distance",
    "mean_squared_error",
    "precision",
    "recall",
    "root_mean_squared_error",
    "true_negatives",
    "true_positives",
]

__getattr__, __dir__ = namespace(__name__)

Pair = tuple[Any, Any]
"""The value so far, and the operation that adds a batch and gives the value after it."""


def _local(name: str, shape: tuple[int, ...] = ()) -> Any:
    keys = [GraphKeys.LOCAL_VARIABLES, GraphKeys.METRIC_VARIABLES]
    return Variable(np.zeros(shape, np.float32), trainable=False, collections=keys, name=name)


def _ratio(total: Any, count: Any, name: str) -> Any:
    """Return ``total / count``, 0 where the count is 0."""

    def divided(a: Any, b: Any) -> Any:
        a, b = array_of(a), array_of(b)
        return np.divide(a, b, out=np.zeros_like(a), where=b != 0)

    return call("SafeDiv", divided, (total, count), name=name, differentiable=False)


def _collected(value: Any, update: Any, metrics_collections: Any, updates_collections: Any) -> Pair:
    for keys, node in ((metrics_collections, value), (updates_collections, update)):
        for key in [keys] if isinstance(keys, str) else keys or ():
            get_default_graph().add_to_collection(key, node)
    return value, update


def _weighted(values: Any, weights: Any) -> tuple[Any, Any]:
    """Return the values times their weights, and the weights, of the values' shape."""

    def spread(array: Any, *weight: Any) -> Any:
        array = array_of(array)
        if not weight:
            return np.ones_like(array)
        given = array_of(weight[0])
        if given.ndim not in (0, array.ndim) and given.ndim < array.ndim:
            given = given.reshape(given.shape + (1,) * (array.ndim - given.ndim))
        return np.broadcast_to(given, array.shape).astype(array.dtype)

    inputs = [values] if weights is None else [values, cast(weights, "float32")]
    spread_weights = call("broadcast_weights", spread, inputs, shape=convert(values)._shape, differentiable=False)
    return multiply(values, spread_weights), spread_weights


def _mean(values: Any, weights: Any) -> Pair:
    total, count = _local("total"), _local("count")
    weighted, number = _weighted(cast(values, "float32"), weights)
    after = assign_add(total, reduce_sum(weighted)), assign_add(count, reduce_sum(number))
    return _ratio(total, count, "value"), _ratio(*after, "update_op")


def _metric(build: Callable[[Any, Any, Any], Pair]) -> Callable[..., Pair]:
    """Give ``build(labels, predictions, weights)`` TensorFlow's other arguments: the scope's name, and collections."""

    def metric(
        labels: Any,
        predictions: Any,
        weights: Any = None,
        metrics_collections: Any = None,
        updates_collections: Any = None,
        name: str | None = None,
    ) -> Pair:
        with variable_scope(name, build.__name__):
            return _collected(*build(labels, predictions, weights), metrics_collections, updates_collections)

    # Not functools.wraps, which would show the signature of ``build``.
    metric.__name__, metric.__qualname__, metric.__doc__ = build.__name__, build.__name__, build.__doc__
    return metric


def mean(
    values: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Return the weighted mean of all values so far, and its update. Source: ``tf.metrics.mean``."""
    with variable_scope(name, "mean"):
        return _collected(*_mean(values, weights), metrics_collections, updates_collections)


@_metric
def accuracy(labels: Any, predictions: Any, weights: Any) -> Pair:
    """Return how often predictions were the labels, and its update. Source: ``tf.metrics.accuracy``."""
    labels, predictions = convert(labels), convert(predictions)
    if labels.dtype != predictions.dtype:
        predictions = cast(predictions, labels.dtype)
    return _mean(equal(predictions, labels), weights)


def _differences(labels: Any, predictions: Any) -> Any:
    return subtract(cast(predictions, "float32"), cast(labels, "float32"))


@_metric
def mean_squared_error(labels: Any, predictions: Any, weights: Any) -> Pair:
    """Return the mean of squared differences so far, and its update. Source: ``tf.metrics.mean_squared_error``."""
    return _mean(square(_differences(labels, predictions)), weights)


@_metric
def mean_absolute_error(labels: Any, predictions: Any, weights: Any) -> Pair:
    """Return the mean of absolute differences so far, and its update. Source: ``tf.metrics.mean_absolute_error``."""
    return _mean(_abs(_differences(labels, predictions)), weights)


@_metric
def root_mean_squared_error(labels: Any, predictions: Any, weights: Any) -> Pair:
    """Return the root of the mean of squared differences so far, and its update."""
    value, update = _mean(square(_differences(labels, predictions)), weights)
    return sqrt(value), sqrt(update)


def mean_cosine_distance(
    labels: Any,
    predictions: Any,
    dim: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Return one less the mean of the products of (normalized) vectors along an axis, and its update."""
    with variable_scope(name, "mean_cosine_distance"):
        products = reduce_sum(multiply(cast(predictions, "float32"), cast(labels, "float32")), dim, True)
        value, update = _mean(products, weights)
        return _collected(1 - value, 1 - update, metrics_collections, updates_collections)


def _count(labels: Any, predictions: Any, weights: Any, label: bool, prediction: bool) -> Pair:
    """Count one cell of the confusion matrix of two classes."""
    found = equal(cast(labels, "bool"), label) & equal(cast(predictions, "bool"), prediction)
    counter = _local("count")
    weighted, _ = _weighted(cast(found, "float32"), weights)
    return convert(counter), assign_add(counter, reduce_sum(weighted))


@_metric
def true_positives(labels: Any, predictions: Any, weights: Any) -> Pair:
    """Return how many were predicted true and are, and the update. Source: ``tf.metrics.true_positives``."""
    return _count(labels, predictions, weights, True, True)


@_metric
def true_negatives(labels: Any, predictions: Any, weights: Any) -> Pair:
    """Return how many were predicted false and are, and the update. Source: ``tf.metrics.true_negatives``."""
    return _count(labels, predictions, weights, False, False)


@_metric
def false_positives(labels: Any, predictions: Any, weights: Any) -> Pair:
    """Return how many were predicted true and are false, and the update. Source: ``tf.metrics.false_positives``."""
    return _count(labels, predictions, weights, False, True)


@_metric
def false_negatives(labels: Any, predictions: Any, weights: Any) -> Pair:
    """Return how many were predicted false and are true, and the update. Source: ``tf.metrics.false_negatives``."""
    return _count(labels, predictions, weights, True, False)


def _share(part: Pair, rest: Pair) -> Pair:
    (value, update), (other, other_update) = part, rest
    return _ratio(value, value + other, "value"), _ratio(update, update + other_update, "update_op")


@_metric
def precision(labels: Any, predictions: Any, weights: Any) -> Pair:
    """Return the share of true ones among those predicted true, and its update; 0 where there are none."""
    right = true_positives(labels, predictions, weights)
    return _share(right, false_positives(labels, predictions, weights))


@_metric
def recall(labels: Any, predictions: Any, weights: Any) -> Pair:
    """Return the share of those predicted true among the true ones, and its update; 0 where there are none."""
    right = true_positives(labels, predictions, weights)
    return _share(right, false_negatives(labels, predictions, weights))


def auc(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    curve: str = "ROC",
    name: str | None = None,
    summation_method: str = "trapezoidal",
) -> Pair:
    """Return the area under the ROC or PR curve by thresholds in equal steps, and its update.

    Predictions are in [0, 1]. ``summation_method`` is ``trapezoidal``, ``minoring`` or ``majoring``. Raises ValueError
    for other words. Source: ``tf.metrics.auc``.
    """
    if curve not in ("ROC", "PR"):
        raise ValueError("curve must be either ROC or PR, %s unknown" % curve)  # noqa: UP031 - TensorFlow's words
    if summation_method not in ("trapezoidal", "minoring", "majoring"):
        raise ValueError(f"Invalid summation_method: {summation_method}")
    inner = [(k + 1) / (num_thresholds - 1) for k in range(num_thresholds - 2)]
    thresholds = np.array([-1e-7, *inner, 1 + 1e-7], np.float32)

    def cells(truth: Any, score: Any, *weight: Any) -> Any:
        truth, score = array_of(truth).astype(bool).ravel(), array_of(score).ravel()
        share = np.ones_like(score) if not weight else np.broadcast_to(array_of(weight[0]), score.shape)
        above = score[None] > thresholds[:, None]
        return np.stack([(share * (above == p) * (truth == t)).sum(1) for t, p in _CELLS]).astype(np.float32)

    def area(counts: Any) -> Any:
        tp, fn, tn, fp = array_of(counts)
        small = np.float32(1e-6)
        recalls = (tp + small) / (tp + fn + small)
        x, y = (fp / (fp + tn + small), recalls) if curve == "ROC" else (recalls, (tp + small) / (tp + fp + small))
        widths = x[:-1] - x[1:]
        heights = {"trapezoidal": (y[:-1] + y[1:]) / 2, "minoring": np.minimum(y[:-1], y[1:])}
        return (widths * heights.get(summation_method, np.maximum(y[:-1], y[1:]))).sum(dtype=np.float32)

    with variable_scope(name, "auc"):
        counts = _local("counts", (4, num_thresholds))
        inputs = [labels, cast(predictions, "float32"), *([] if weights is None else [cast(weights, "float32")])]
        options: dict[str, Any] = {"dtype": "float32", "same": False, "differentiable": False}
        batch = call("Cells", cells, inputs, shape=(4, num_thresholds), **options)
        value = call("Auc", area, [counts], name="value", shape=(), **options)
        update = call("Auc", area, [assign_add(counts, batch)], name="update_op", shape=(), **options)
        return _collected(value, update, metrics_collections, updates_collections)


_CELLS = ((True, True), (True, False), (False, False), (False, True))  # truth, prediction: tp, fn, tn, fp
