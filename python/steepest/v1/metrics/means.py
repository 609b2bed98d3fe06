"""Metrics that are means: of values, of errors, of how often predictions are right."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph.build import convert, convert_all
from ..graph.scopes import variable_scope
from ..ops.cast_ops import cast
from ..ops.math_ops import sqrt, subtract
from .accumulate import (
    Pair,
    add_batch,
    aligned,
    check_inputs,
    check_weights,
    collected,
    counter,
    graph_only,
    ratio,
    spread,
)
from .accumulate import with_weights as nodes_of

__all__ = [
    "accuracy",
    "mean",
    "mean_absolute_error",
    "mean_cosine_distance",
    "mean_relative_error",
    "mean_squared_error",
    "mean_tensor",
    "percentage_below",
    "root_mean_squared_error",
]

# The operation that TensorFlow makes of labels, 0, and predictions, 1, in its order.
_OF_ONE_TYPE: dict[str, tuple[str, int, int]] = {
    "mean_absolute_error": ("Sub", 1, 0),
    "mean_cosine_distance": ("Mul", 1, 0),
    "mean_squared_error": ("SquaredDifference", 0, 1),
    "root_mean_squared_error": ("SquaredDifference", 0, 1),
}
_OPTIONS = ("weights", "metrics_collections", "updates_collections", "name")


def _mean_of(kernel: Callable[..., tuple[Any, Any]], inputs: list[Any]) -> Pair:
    """Return the mean of the values that ``kernel`` gives with their weights."""
    total, count = counter("total"), counter("count")

    def sums(*arrays: Any) -> tuple[Any, Any]:
        values, weights = kernel(*arrays)
        return np.sum(values.astype(np.float32) * weights), np.sum(weights)

    after = add_batch("WeightedSums", sums, inputs, (total, count))
    return ratio(total, count, "value"), ratio(after[0], after[1], "update_op")


def mean(
    values: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Return the weighted mean of all values so far, and its update.

    ``weights`` is a scalar, or has for each axis of the values its size or 1. Raises ValueError for other shapes,
    InvalidArgumentError where only a run knows them; RuntimeError in eager mode. Source: ``tf.metrics.mean``.
    """
    graph_only("mean")
    with variable_scope(name, "mean"):
        inputs = nodes_of([cast(convert(values), "float32")], weights)
        check_inputs(None, inputs[0], inputs[1:])
        made = _mean_of(lambda array, *weight: (array, spread(weight, array)), inputs)
        return collected(*made, metrics_collections, updates_collections)


def mean_tensor(
    values: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Return the mean of tensors of one shape so far, element by element, and its update.

    Raises as `mean`. Source: ``tf.metrics.mean_tensor``.
    """
    graph_only("mean_tensor")
    with variable_scope(name, "mean"):
        inputs = nodes_of([cast(convert(values), "float32")], weights)
        shape = inputs[0]._shape
        check_inputs(None, inputs[0], inputs[1:])
        total, count = counter("total_tensor", shape), counter("count_tensor", shape)

        def parts(array: Any, *weight: Any) -> tuple[Any, Any]:
            share = spread(weight, array)
            return array * share, share

        after = add_batch("WeightedValues", parts, inputs, (total, count))
        made = ratio(total, count, "value"), ratio(after[0], after[1], "update_op")
        return collected(*made, metrics_collections, updates_collections)


def _check_types(op_type: str, operands: list[Any]) -> None:
    """Raise TypeError for operands of different types, or of one that has no negative numbers."""
    kind = convert_all(op_type, operands)[0].dtype.base_dtype
    if not (kind.is_floating or kind.is_complex or (kind.is_integer and not kind.is_unsigned)):
        allowed = "bfloat16, float16, float32, float64, int32, int64, complex64, complex128"
        raise TypeError(
            f"Value passed to parameter 'x' has DataType {kind.name} not in list of allowed values: {allowed}"
        )


def _metric(values_of: Callable[..., Any]) -> Callable[..., Pair]:
    """Make ``values_of(labels, predictions, ...)``, of arrays of one shape, a metric: the mean of these values.

    Errors are of labels and predictions of one type, which is theirs, too; TypeError for others.
    """
    more = list(inspect.signature(values_of).parameters)[2:]

    def metric(labels: Any, predictions: Any, *args: Any, **kwargs: Any) -> Pair:
        who = values_of.__name__
        graph_only(who)
        given = dict(zip((*more, *_OPTIONS), args, strict=False), **kwargs)
        weights = given.get("weights")
        with variable_scope(given.get("name"), who):
            inputs = nodes_of([labels, predictions], weights)
            if who in _OF_ONE_TYPE:
                op_type, *order = _OF_ONE_TYPE[who]
                _check_types(op_type, [inputs[place] for place in order])
            check_inputs(inputs[0], inputs[1], inputs[2:])
            arguments = {key: given[key] for key in more}
            if "dim" in arguments and inputs[2:] and inputs[1]._shape is not None and inputs[2]._shape:
                sums = list(inputs[1]._shape)
                sums[arguments["dim"]] = 1
                check_weights(inputs[2]._shape, tuple(sums))

            def values(labels: Any, predictions: Any, *weight: Any) -> tuple[Any, Any]:
                labels, predictions, share = aligned(labels, predictions, *weight)
                found = values_of(labels, predictions, **arguments)
                return found, share if found.shape == share.shape else spread(weight, found)

            value, update = _mean_of(values, inputs)
        if who == "mean_cosine_distance":  # what is made of means is not in their scope
            value, update = subtract(1.0, value), subtract(1.0, update)
        elif who == "root_mean_squared_error":
            value, update = sqrt(value), sqrt(update)
        return collected(value, update, given.get("metrics_collections"), given.get("updates_collections"))

    metric.__name__ = metric.__qualname__ = values_of.__name__
    metric.__doc__ = values_of.__doc__
    first = inspect.Parameter("labels", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = [first.replace(name=name) for name in ("labels", "predictions", *more)]
    parameters += [first.replace(name=name, default=None) for name in _OPTIONS]
    metric.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return metric


@_metric
def accuracy(labels: Any, predictions: Any) -> Any:
    """Return how often predictions were the labels, and its update. Source: ``tf.metrics.accuracy``."""
    return predictions.astype(labels.dtype) == labels


@_metric
def mean_squared_error(labels: Any, predictions: Any) -> Any:
    """Return the mean of squared differences so far, and its update. Source: ``tf.metrics.mean_squared_error``."""
    return np.square(predictions - labels)


@_metric
def root_mean_squared_error(labels: Any, predictions: Any) -> Any:
    """Return the root of the mean of squared differences so far, and its update."""
    return np.square(predictions - labels)


@_metric
def mean_absolute_error(labels: Any, predictions: Any) -> Any:
    """Return the mean of absolute differences so far, and its update. Source: ``tf.metrics.mean_absolute_error``."""
    return np.abs(predictions - labels)


@_metric
def mean_cosine_distance(labels: Any, predictions: Any, dim: int) -> Any:
    """Return one less the mean of the products of (normalized) vectors along an axis, and its update."""
    return np.sum(predictions * labels, axis=dim, keepdims=True)


def mean_relative_error(
    labels: Any,
    predictions: Any,
    normalizer: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Return the mean of ``|labels - predictions| / normalizer``, 0 where that is 0, and its update.

    Source: ``tf.metrics.mean_relative_error``.
    """
    graph_only("mean_relative_error")
    with variable_scope(name, "mean_relative_error"):
        inputs = nodes_of([labels, predictions, normalizer], weights)
        check_inputs(inputs[0], inputs[1], inputs[3:])
        check_inputs(inputs[2], inputs[1], ())
        _check_types("Sub", inputs[:2])
        _check_types("RealDiv", [inputs[0], inputs[2]])

        def values(labels: Any, predictions: Any, normalizer: Any, *weight: Any) -> tuple[Any, Any]:
            labels, predictions, share = aligned(labels, predictions, *weight)
            _, scale, _ = aligned(predictions, normalizer)
            errors = np.abs(labels - predictions)
            kind = np.result_type(errors / scale.dtype.type(1))
            return np.divide(errors, scale, out=np.zeros(errors.shape, kind), where=scale != 0), share

        return collected(*_mean_of(values, inputs), metrics_collections, updates_collections)


def percentage_below(
    values: Any,
    threshold: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Return the share of values so far that are below the threshold, a number or a tensor, and its update.

    Raises TypeError for a threshold that is not of the values' type. Source: ``tf.metrics.percentage_below``.
    """
    graph_only("percentage_below")
    with variable_scope(name, "percentage_below_threshold"):
        inputs = nodes_of([values], weights)
        check_inputs(None, inputs[0], inputs[1:])
        limit = convert_all("Less", [inputs[0], threshold])[1]
        made = _mean_of(lambda below, array, *weight: (np.less(array, below), spread(weight, array)), [limit, *inputs])
        return collected(*made, metrics_collections, updates_collections)
