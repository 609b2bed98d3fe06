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


def _mean(values: Any, weights: Any, keys: tuple[Any, Any]) -> Pair:
    total, count = _local("total"), _local("count")
    weighted, number = _weighted(cast(values, "float32"), weights)
    after = assign_add(total, reduce_sum(weighted)), assign_add(count, reduce_sum(number))
    return _collected(_ratio(total, count, "value"), _ratio(*after, "update_op"), *keys)


def mean(
    values: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Return the weighted mean of all values so far, and its update. Source: ``tf.metrics.mean``."""
    with variable_scope(name, "mean"):
        return _mean(values, weights, (metrics_collections, updates_collections))


def accuracy(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Return how often predictions were the labels, and its update. Source: ``tf.metrics.accuracy``."""
    with variable_scope(name, "accuracy"):
        labels, predictions = convert(labels), convert(predictions)
        if labels.dtype != predictions.dtype:
            predictions = cast(predictions, labels.dtype)
        return _mean(equal(predictions, labels), weights, (metrics_collections, updates_collections))


def _error(formula: Callable[[Any, Any], Any], default_name: str, text: str) -> Callable[..., Pair]:
    def metric(
        labels: Any,
        predictions: Any,
        weights: Any = None,
        metrics_collections: Any = None,
        updates_collections: Any = None,
        name: str | None = None,
    ) -> Pair:
        with variable_scope(name, default_name):
            errors = formula(cast(predictions, "float32"), cast(labels, "float32"))
            return _mean(errors, weights, (metrics_collections, updates_collections))

    metric.__name__ = metric.__qualname__ = default_name
    metric.__doc__ = f"{text}, and its update. Source: ``tf.metrics.{default_name}``."
    return metric


mean_squared_error = _error(
    lambda p, t: square(subtract(p, t)), "mean_squared_error", "Return the mean of squared differences so far"
)
mean_absolute_error = _error(
    lambda p, t: _abs(subtract(p, t)), "mean_absolute_error", "Return the mean of absolute differences so far"
)


def root_mean_squared_error(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Return the root of the mean of squared differences so far, and its update."""
    value, update = mean_squared_error(labels, predictions, weights, name=name or "root_mean_squared_error")
    return _collected(sqrt(value), sqrt(update), metrics_collections, updates_collections)


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
        value, update = _mean(products, weights, (None, None))
        return _collected(1 - value, 1 - update, metrics_collections, updates_collections)


def _cell(positive_label: bool, positive_prediction: bool, default_name: str, text: str) -> Callable[..., Pair]:
    """Return the function that counts one cell of the confusion matrix of two classes."""

    def metric(
        labels: Any,
        predictions: Any,
        weights: Any = None,
        metrics_collections: Any = None,
        updates_collections: Any = None,
        name: str | None = None,
    ) -> Pair:
        with variable_scope(name, default_name):
            value, update = _count(labels, predictions, weights, positive_label, positive_prediction)
            return _collected(value, update, metrics_collections, updates_collections)

    metric.__name__ = metric.__qualname__ = default_name
    metric.__doc__ = f"{text}, and the update. Source: ``tf.metrics.{default_name}``."
    return metric


def _count(labels: Any, predictions: Any, weights: Any, label: bool, prediction: bool) -> Pair:
    found = equal(cast(labels, "bool"), label) & equal(cast(predictions, "bool"), prediction)
    counter = _local("count")
    weighted, _ = _weighted(cast(found, "float32"), weights)
    return convert(counter), assign_add(counter, reduce_sum(weighted))


true_positives = _cell(True, True, "true_positives", "Return how many were predicted true and are")
true_negatives = _cell(False, False, "true_negatives", "Return how many were predicted false and are")
false_positives = _cell(False, True, "false_positives", "Return how many were predicted true and are false")
false_negatives = _cell(True, False, "false_negatives", "Return how many were predicted false and are true")


def precision(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Return the share of true ones among those predicted true, and its update; 0 where there are none."""
    with variable_scope(name, "precision"):
        right, right_update = true_positives(labels, predictions, weights)
        wrong, wrong_update = false_positives(labels, predictions, weights)
        value = _ratio(right, right + wrong, "value")
        update = _ratio(right_update, right_update + wrong_update, "update_op")
        return _collected(value, update, metrics_collections, updates_collections)


def recall(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Return the share of those predicted true among the true ones, and its update; 0 where there are none."""
    with variable_scope(name, "recall"):
        right, right_update = true_positives(labels, predictions, weights)
        missed, missed_update = false_negatives(labels, predictions, weights)
        value = _ratio(right, right + missed, "value")
        update = _ratio(right_update, right_update + missed_update, "update_op")
        return _collected(value, update, metrics_collections, updates_collections)


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
