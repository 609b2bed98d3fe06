"""``tf.losses``: weighted mean losses, collected in ``GraphKeys.LOSSES``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import nn as _nn
from ..variables.collections import GraphKeys
from .graph.build import call, convert, dtype_of
from .graph.collections import get_collection
from .graph.graph import get_default_graph
from .graph.missing import namespace
from .graph.mode import executing_eagerly
from .graph.node import Node
from .graph.scopes import name_scope
from .ops.array_ops import shape, stop_gradient
from .ops.cast_ops import cast
from .ops.cross_entropy_ops import softmax_cross_entropy_with_logits_v2, sparse_softmax_cross_entropy_with_logits
from .ops.math_ops import multiply
from .ops.matmul_ops import add_n
from .ops.reduce_ops import reduce_sum
from .ops.weighted_loss_ops import (
    Reduction,
    add_loss,
    check_same_shapes,
    compute_weighted_loss,
    mean_pairwise_squared_error,
)

__all__ = [
    "Reduction",
    "absolute_difference",
    "add_loss",
    "compute_weighted_loss",
    "cosine_distance",
    "get_losses",
    "get_regularization_loss",
    "get_regularization_losses",
    "get_total_loss",
    "hinge_loss",
    "huber_loss",
    "log_loss",
    "mean_pairwise_squared_error",
    "mean_squared_error",
    "sigmoid_cross_entropy",
    "softmax_cross_entropy",
    "sparse_softmax_cross_entropy",
]

__getattr__, __dir__ = namespace(__name__)


Formula = Callable[[Any, Any], Any]
_LOSSES, _MEAN = GraphKeys.LOSSES, Reduction.SUM_BY_NONZERO_WEIGHTS


def _loss(
    scope: str | None,
    default_name: str,
    formula: Formula,
    predictions: Any,
    labels: Any,
    weights: Any,
    loss_collection: str | None,
    reduction: str,
    dtype: Any = "float32",
    more: tuple[Any, ...] = (),
) -> Any:
    """Return the weighted mean of ``formula(predictions, labels, *more)``, by default in TensorFlow's float32."""
    for name, value in (("labels", labels), ("predictions", predictions), ("weights", weights)):
        if value is None:
            raise ValueError(f"{name} must not be None: None values not supported.")
    with name_scope(scope, default_name) as within:
        inputs = (_typed(predictions, dtype), _typed(labels, dtype))
        check_same_shapes(*inputs)
        losses = call(default_name, formula, (*inputs, *more), shape=lambda x, *_: x)
        return compute_weighted_loss(losses, weights, within, loss_collection, reduction)


def _typed(value: Any, dtype: Any) -> Any:
    return value if dtype is None else cast(value, dtype)


def mean_squared_error(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = _LOSSES,
    reduction: str = _MEAN,
) -> Any:
    """Return the weighted mean of ``(prediction - label) ** 2``; see `compute_weighted_loss`."""

    def squared(x: Any, y: Any) -> Any:
        return np.square(x - y)

    return _loss(scope, "mean_squared_error", squared, predictions, labels, weights, loss_collection, reduction)


def absolute_difference(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = _LOSSES,
    reduction: str = _MEAN,
) -> Any:
    """Return the weighted mean of ``|prediction - label|``; see `compute_weighted_loss`."""

    def distance(x: Any, y: Any) -> Any:
        return np.absolute(x - y)

    return _loss(scope, "absolute_difference", distance, predictions, labels, weights, loss_collection, reduction)


def cosine_distance(
    labels: Any,
    predictions: Any,
    axis: Any = None,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = _LOSSES,
    reduction: str = _MEAN,
    dim: Any = None,
) -> Any:
    """Return the weighted mean of ``1 - sum(prediction * label)`` along ``axis``, for vectors of length 1."""
    if axis is not None and dim is not None:
        raise ValueError("Cannot specify both 'axis' and 'dim'")
    along = dim if axis is None else axis
    if along is None:
        raise ValueError("You must specify 'axis'.")
    with name_scope(scope, "cosine_distance_loss") as within:
        inputs = cast(predictions, "float32"), cast(labels, "float32")
        check_same_shapes(*inputs)
        losses = 1 - reduce_sum(multiply(*inputs), along, True)
        return compute_weighted_loss(losses, weights, within, loss_collection, reduction)


def huber_loss(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    delta: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = _LOSSES,
    reduction: str = _MEAN,
) -> Any:
    """Return the weighted mean of Huber's loss: quadratic up to ``delta``, a number or a tensor, linear beyond."""

    def huber(x: Any, y: Any, *limits: Any) -> Any:
        size, limit = np.absolute(x - y), limits[0] if limits else x.dtype.type(delta)
        near = np.minimum(size, limit)
        return near * near * x.dtype.type(0.5) + (size - near) * limit

    more = (delta,) if isinstance(delta, Node) else ()
    return _loss(scope, "huber_loss", huber, predictions, labels, weights, loss_collection, reduction, more=more)


def log_loss(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    epsilon: float = 1e-7,
    scope: str | None = None,
    loss_collection: str | None = _LOSSES,
    reduction: str = _MEAN,
) -> Any:
    """Return the weighted mean of ``-z log(p) - (1 - z) log(1 - p)``."""

    def entropy(p: Any, z: Any) -> Any:
        small = p.dtype.type(epsilon)
        return -z * np.log(p + small) - (1 - z) * np.log(1 - p + small)

    return _loss(scope, "log_loss", entropy, predictions, labels, weights, loss_collection, reduction)


def hinge_loss(
    labels: Any,
    logits: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = _LOSSES,
    reduction: str = _MEAN,
) -> Any:
    """Return the weighted mean of ``max(0, 1 - (2 * label - 1) * logit)``."""

    def hinge(x: Any, z: Any) -> Any:
        return np.maximum(x.dtype.type(0), 1 - (2 * z - 1) * x)

    return _loss(scope, "hinge_loss", hinge, logits, labels, weights, loss_collection, reduction)


def sigmoid_cross_entropy(
    multi_class_labels: Any,
    logits: Any,
    weights: Any = 1.0,
    label_smoothing: float = 0,
    scope: str | None = None,
    loss_collection: str | None = _LOSSES,
    reduction: str = _MEAN,
) -> Any:
    """Return the weighted mean of the sigmoid cross entropies; ``label_smoothing`` moves labels towards 1/2."""

    def entropy(x: Any, z: Any) -> Any:
        z = z.astype(x.dtype)
        z = z * (1 - label_smoothing) + 0.5 * label_smoothing if label_smoothing else z
        return _nn.sigmoid_cross_entropy_with_logits(labels=z, logits=x)

    dtype = None if logits is None else dtype_of(logits)
    if dtype is not None and not dtype.is_floating:
        kinds = "bfloat16, float16, float32, float64"
        raise TypeError(
            f"Value passed to parameter 'x' has DataType {dtype.name} not in list of allowed values: {kinds}"
        )
    name = "sigmoid_cross_entropy_loss"
    return _loss(scope, name, entropy, logits, multi_class_labels, weights, loss_collection, reduction, dtype)


def softmax_cross_entropy(
    onehot_labels: Any,
    logits: Any,
    weights: Any = 1.0,
    label_smoothing: float = 0,
    scope: str | None = None,
    loss_collection: str | None = _LOSSES,
    reduction: str = _MEAN,
) -> Any:
    """Return the weighted mean of the rows' cross entropies; ``label_smoothing`` moves labels towards uniform ones."""
    if onehot_labels is None or logits is None:
        raise ValueError("onehot_labels and logits must not be None.")
    with name_scope(scope, "softmax_cross_entropy_loss") as within:
        dtype = dtype_of(logits)
        labels = stop_gradient(cast(onehot_labels, dtype))
        check_same_shapes(logits, labels)
        if label_smoothing:
            classes = cast(shape(labels)[-1], dtype)
            labels = labels * (1 - label_smoothing) + label_smoothing / classes
        losses = softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits)
        return compute_weighted_loss(losses, weights, within, loss_collection, reduction)


def _without_column(value: Any, ndim: int) -> Any:
    """Return an array that has a last axis of size 1 more than ``ndim`` without it."""
    return value[..., 0] if value.ndim == ndim + 1 and value.shape[-1] == 1 else value


def _squeezed(value: Any, logits: Any) -> Any:
    """Return labels or weights that stand in a column beside the rows of logits as a vector."""

    def shape_fn(own: Any, rows: Any) -> Any:
        if own is None or rows is None:
            return None if rows is None else rows[:-1]
        return own[:-1] if len(own) == len(rows) and own[-1] == 1 else own

    def squeezed(own: Any, rows: Any) -> Any:
        return _without_column(own, rows.ndim - 1)

    return call("remove_squeezable", squeezed, (value, logits), shape=shape_fn, same=False)


def sparse_softmax_cross_entropy(
    labels: Any,
    logits: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = _LOSSES,
    reduction: str = _MEAN,
) -> Any:
    """Return the weighted mean of the cross entropies of rows whose classes are integers."""
    with name_scope(scope, "sparse_softmax_cross_entropy_loss") as within:
        losses = sparse_softmax_cross_entropy_with_logits(labels=_squeezed(labels, logits), logits=logits)
        return compute_weighted_loss(losses, _squeezed(weights, logits), within, loss_collection, reduction)


def get_losses(scope: str | None = None, loss_collection: str = GraphKeys.LOSSES) -> list[Any]:
    """Return the losses in the collection."""
    return get_default_graph().get_collection(loss_collection, scope)


def get_regularization_losses(scope: str | None = None) -> list[Any]:
    """Return what the regularizers of variables made; in eager mode what they make now."""
    losses = get_collection(GraphKeys.REGULARIZATION_LOSSES, scope)
    return [loss() if executing_eagerly() and callable(loss) else loss for loss in losses]


def get_regularization_loss(scope: str | None = None, name: str = "total_regularization_loss") -> Any:
    """Return the sum of what the regularizers of variables made, 0 where there are none."""
    losses = get_regularization_losses(scope)
    return add_n(losses, name=name) if losses else convert(np.float32(0))


def get_total_loss(add_regularization_losses: bool = True, name: str = "total_loss", scope: str | None = None) -> Any:
    """Return the sum of all losses, those of regularizers included."""
    losses = get_losses(scope)
    return add_n(losses + (get_regularization_losses(scope) if add_regularization_losses else []), name=name)
