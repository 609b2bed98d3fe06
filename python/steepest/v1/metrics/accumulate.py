"""What metrics have in common: local variables, a batch's part that is added to them, weights, collections."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...variables.collections import GraphKeys
from ..graph.build import call, convert
from ..graph.dtypes import as_dtype
from ..graph.errors import InvalidArgumentError
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Tensor
from ..graph.run_values import array_of
from ..graph.shapes import Shape, TensorShape, compatible, text
from ..ops.cast_ops import cast
from ..variables.state_ops import assign_add
from ..variables.variables import Variable

__all__ = [
    "Pair",
    "add_batch",
    "aligned",
    "check_inputs",
    "collected",
    "counter",
    "graph_only",
    "ratio",
    "spread",
    "with_weights",
]

Pair = tuple[Any, Any]
"""The value so far, and the operation that adds a batch and gives the value after it."""


def graph_only(who: str) -> None:
    """Raise RuntimeError in eager mode, where there is nothing that runs many times."""
    if executing_eagerly():
        raise RuntimeError(f"tf.metrics.{who} is not supported when eager execution is enabled.")


def counter(name: str | None, shape: Any = (), dtype: Any = "float32") -> Any:
    """Return a local variable of zeros that is in the collection of metrics' variables."""
    keys = [GraphKeys.LOCAL_VARIABLES, GraphKeys.METRIC_VARIABLES]
    zeros = np.zeros(tuple(TensorShape(shape)), as_dtype(dtype).dtype)
    return Variable(zeros, trainable=False, collections=keys, name=name)


def collected(value: Any, update: Any, metrics_collections: Any, updates_collections: Any) -> Pair:
    """Put the value and the update into collections, and return them."""
    for keys, node in ((metrics_collections, value), (updates_collections, update)):
        for key in [keys] if isinstance(keys, str) else keys or ():
            get_default_graph().add_to_collection(key, node)
    return value, update


def ratio(total: Any, count: Any, name: str | None) -> Any:
    """Return ``total / count``, 0 where the count is 0 or less."""

    def divided(a: Any, b: Any) -> Any:
        a, b = array_of(a), array_of(b)
        return np.divide(a, b, out=np.zeros_like(a), where=b > 0)

    return call("SafeDiv", divided, (total, count), name=name, differentiable=False)


def with_weights(inputs: Sequence[Any], weights: Any, dtype: str = "float32") -> list[Any]:
    """Return the inputs as nodes, and the weights behind them where there are any."""
    return [*(convert(value) for value in inputs), *([] if weights is None else [cast(convert(weights), dtype)])]


def add_batch(
    op_type: str, kernel: Callable[..., tuple[Any, ...]], inputs: Sequence[Any], counters: Sequence[Any]
) -> list[Any]:
    """Return the operations that add ``kernel(*inputs)``, an array for each counter, to the counters."""
    shapes = [counter._tensor()._shape for counter in counters]
    dtypes = [counter.dtype.base_dtype for counter in counters]

    def typed(*values: Any) -> tuple[Any, ...]:
        made = kernel(*map(array_of, values))
        return tuple(np.asarray(part, dtype.dtype) for part, dtype in zip(made, dtypes, strict=True))

    def single(*values: Any) -> Any:
        return typed(*values)[0]

    options: dict[str, Any] = {"same": False, "differentiable": False}
    if len(counters) == 1:
        parts = [call(op_type, single, inputs, shape=shapes[0], dtype=dtypes[0], **options)]
    else:
        parts = call(op_type, typed, inputs, shape=shapes, dtype=dtypes, outputs=len(counters), **options)
    return [assign_add(counter, part) for counter, part in zip(counters, parts, strict=True)]


# Shapes: a last axis of size 1 is left out or added where the ranks differ by one ------------------


def _last_is_one(shape: Any) -> bool:
    return bool(shape) and shape[-1] in (1, None)


def _squeezed(one: Any, other: Any) -> tuple[Any, Any]:
    """Return two shapes, the one with an axis of size 1 more without it."""
    if len(one) == len(other) + 1 and _last_is_one(one):
        return one[:-1], other
    if len(other) == len(one) + 1 and _last_is_one(other):
        return one, other[:-1]
    return one, other


def check_inputs(labels: Tensor | None, predictions: Tensor, weights: Sequence[Tensor]) -> None:
    """Raise ValueError where known shapes do not fit each other."""
    _check_shapes(None if labels is None else labels._shape, predictions._shape, weights[0]._shape if weights else None)


def _check_shapes(labels: Shape, predictions: Shape, weights: Shape) -> None:
    if labels is not None and predictions is not None:
        labels, predictions = _squeezed(labels, predictions)
    if not compatible(labels, predictions):
        raise ValueError(f"Shapes {text(predictions)} and {text(labels)} are incompatible")
    if predictions is not None and weights:
        check_weights(weights, predictions)


def check_weights(weights: Any, values: Any, error: Callable[[str], Exception] = ValueError) -> Any:
    """Return the shape that weights have beside values; an error where they can not be broadcast to them."""
    shape = weights
    if len(weights) == len(values) + 1 and _last_is_one(weights):
        shape = weights[:-1]
    elif len(weights) + 1 == len(values):
        shape = (*weights, 1)
    if weights and (
        len(shape) != len(values) or any(a not in (1, None, b) and b is not None for a, b in zip(shape, values))  # noqa: B905
    ):
        raise error(f"weights can not be broadcast to values: {text(weights)} and {text(values)}")
    return shape


def spread(weights: Sequence[Any], values: Any) -> Any:
    """Return the weights, 1 where none are given, in the shape of the values."""
    if not weights:
        return np.ones(values.shape, np.float32)
    shape = check_weights(weights[0].shape, values.shape, lambda words: InvalidArgumentError(None, None, words))
    return np.broadcast_to(weights[0].reshape(shape), values.shape)


def aligned(labels: Any, predictions: Any, *weights: Any) -> tuple[Any, Any, Any]:
    """Return arrays of labels, predictions and weights, of one shape; InvalidArgumentError where they do not fit."""
    label_shape, prediction_shape = _squeezed(labels.shape, predictions.shape)
    if label_shape != prediction_shape:
        raise InvalidArgumentError(None, None, f"Shapes {prediction_shape} and {label_shape} are incompatible")
    labels, predictions = labels.reshape(label_shape), predictions.reshape(prediction_shape)
    return labels, predictions, spread(weights, predictions)
