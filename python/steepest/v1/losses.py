"""``tf.losses``: weighted mean losses, collected in ``GraphKeys.LOSSES``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import nn as _nn
from ..ops.dispatch import unwrap
from ..variables.collections import GraphKeys
from .graph.build import call, convert, dtype_of
from .graph.graph import get_default_graph
from .graph.missing import namespace
from .graph.mode import executing_eagerly
from .graph.run_values import array_of
from .graph.shapes import compatible, text
from .ops.array_ops import shape, stop_gradient
from .ops.cast_ops import cast
from .ops.cross_entropy_ops import softmax_cross_entropy_with_logits_v2, sparse_softmax_cross_entropy_with_logits
from .ops.math_ops import multiply
from .ops.matmul_ops import add_n
from .ops.reduce_ops import reduce_sum

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
    "mean_squared_error",
    "sigmoid_cross_entropy",
    "softmax_cross_entropy",
    "sparse_softmax_cross_entropy",
]

__getattr__, __dir__ = namespace(__name__)


class Reduction:
    """How the losses of single elements become one. Source: ``tf.losses.Reduction``."""

    NONE = "none"
    SUM = "weighted_sum"
    SUM_OVER_BATCH_SIZE = "weighted_sum_over_batch_size"
    MEAN = "weighted_mean"
    SUM_BY_NONZERO_WEIGHTS = "weighted_sum_by_nonzero_weights"
    SUM_OVER_NONZERO_WEIGHTS = SUM_BY_NONZERO_WEIGHTS

    @classmethod
    def all(cls) -> tuple[str, ...]:
        """Return all of them."""
        return (cls.NONE, cls.SUM, cls.MEAN, cls.SUM_OVER_BATCH_SIZE, cls.SUM_BY_NONZERO_WEIGHTS)


def compute_weighted_loss(
    losses: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Any:
    """Return the weighted sum of losses, by default divided by the number of weights that are not zero.

    Raises ValueError for another reduction. Source: ``tf.losses.compute_weighted_loss``.
    """
    if reduction not in Reduction.all():
        raise ValueError(f"Invalid Reduction Key {reduction}.")

    def reduced(x: Any, w: Any) -> Any:
        w = w.astype(x.dtype)
        if w.ndim and w.ndim < x.ndim:
            w = np.reshape(w, (*w.shape, *([1] * (x.ndim - w.ndim))))
        weighted = x * w
        if reduction == Reduction.NONE:
            return weighted
        total = np.sum(weighted)
        if reduction == Reduction.SUM:
            return total
        if reduction == Reduction.SUM_OVER_BATCH_SIZE:
            count: Any = x.dtype.type(x.size)
        elif reduction == Reduction.MEAN:
            count = np.sum(np.broadcast_to(w, x.shape))
        else:
            count = x.dtype.type(np.count_nonzero(np.broadcast_to(array_of(w), x.shape)))
        return total / count if unwrap(count) != 0 else total * x.dtype.type(0)

    def shape_fn(x: Any, w: Any) -> Any:
        if x is not None and w is not None and len(w) not in (0, len(x)) and not (len(w) == 1 and w[0] == x[0]):
            raise ValueError(f"weights can not be broadcast to values: {text(w)} and {text(x)}")
        return x if reduction == Reduction.NONE else ()

    dtype = dtype_of(losses)
    loss = call("weighted_loss", reduced, (losses, weights), name=scope, shape=shape_fn, dtype=dtype, same=False)
    add_loss(loss, loss_collection)
    return loss


def _loss(op_type: str, formula: Callable[..., Any], first: Any, labels: Any, *common: Any, **options: Any) -> Any:
    """Return the weighted mean of ``formula(first, labels)``; ``common`` and ``options`` as `compute_weighted_loss`."""

    def equal(x: Any, y: Any) -> Any:
        if not compatible(x, y):
            raise ValueError(f"Shapes {text(x)} and {text(y)} are incompatible")
        return x

    for name, value in (("labels", labels), ("predictions", first)):
        if value is None:
            raise ValueError(f"{name} must not be None.")
    first, labels = cast(first, "float32"), cast(labels, "float32")  # as TensorFlow's losses do
    losses = call(op_type, formula, (first, labels), shape=equal)
    return compute_weighted_loss(losses, *common, **options)


# `common` and `options` below: weights where it is not named, scope, loss_collection, reduction, in this order.


def mean_squared_error(labels: Any, predictions: Any, *common: Any, **options: Any) -> Any:
    """Return the weighted mean of ``(prediction - label) ** 2``; see `compute_weighted_loss`."""
    return _loss("mean_squared_error", lambda x, y: np.square(x - y), predictions, labels, *common, **options)


def absolute_difference(labels: Any, predictions: Any, *common: Any, **options: Any) -> Any:
    """Return the weighted mean of ``|prediction - label|``; see `compute_weighted_loss`."""
    return _loss("absolute_difference", lambda x, y: np.absolute(x - y), predictions, labels, *common, **options)


def cosine_distance(
    labels: Any, predictions: Any, axis: Any = None, weights: Any = 1.0, *common: Any, **options: Any
) -> Any:
    """Return the weighted mean of ``1 - sum(prediction * label)`` along ``axis``, for vectors of length 1."""
    if axis is None:
        raise ValueError("You must specify 'axis'.")
    losses = 1 - reduce_sum(multiply(predictions, labels), axis, True)
    return compute_weighted_loss(losses, weights, *common, **options)


def huber_loss(
    labels: Any, predictions: Any, weights: Any = 1.0, delta: float = 1.0, *common: Any, **options: Any
) -> Any:
    """Return the weighted mean of Huber's loss: quadratic up to ``delta``, linear beyond."""

    def huber(x: Any, y: Any) -> Any:
        size = np.absolute(x - y)
        near = np.minimum(size, x.dtype.type(delta))
        return near * near * x.dtype.type(0.5) + (size - near) * x.dtype.type(delta)

    return _loss("huber_loss", huber, predictions, labels, weights, *common, **options)


def log_loss(
    labels: Any, predictions: Any, weights: Any = 1.0, epsilon: float = 1e-7, *common: Any, **options: Any
) -> Any:
    """Return the weighted mean of ``-z log(p) - (1 - z) log(1 - p)``."""

    def entropy(p: Any, z: Any) -> Any:
        small = p.dtype.type(epsilon)
        return -z * np.log(p + small) - (1 - z) * np.log(1 - p + small)

    return _loss("log_loss", entropy, predictions, labels, weights, *common, **options)


def hinge_loss(labels: Any, logits: Any, *common: Any, **options: Any) -> Any:
    """Return the weighted mean of ``max(0, 1 - (2 * label - 1) * logit)``."""

    def hinge(x: Any, z: Any) -> Any:
        return np.maximum(x.dtype.type(0), 1 - (2 * z - 1) * x)

    return _loss("hinge_loss", hinge, logits, labels, *common, **options)


def sigmoid_cross_entropy(
    multi_class_labels: Any, logits: Any, weights: Any = 1.0, label_smoothing: float = 0, *common: Any, **options: Any
) -> Any:
    """Return the weighted mean of the sigmoid cross entropies; ``label_smoothing`` moves labels towards 1/2."""

    def entropy(x: Any, z: Any) -> Any:
        z = z * (1 - label_smoothing) + 0.5 * label_smoothing if label_smoothing else z
        return _nn.sigmoid_cross_entropy_with_logits(labels=z, logits=x)

    return _loss("sigmoid_cross_entropy", entropy, logits, multi_class_labels, weights, *common, **options)


def softmax_cross_entropy(
    onehot_labels: Any, logits: Any, weights: Any = 1.0, label_smoothing: float = 0, *common: Any, **options: Any
) -> Any:
    """Return the weighted mean of the rows' cross entropies; ``label_smoothing`` moves labels towards uniform ones."""
    if onehot_labels is None or logits is None:
        raise ValueError("onehot_labels and logits must not be None.")
    labels = onehot_labels
    if not executing_eagerly():
        logits = convert(logits)
        labels = stop_gradient(cast(labels, logits.dtype))
        if label_smoothing:
            classes = cast(shape(labels)[-1], logits.dtype)
            labels = labels * (1 - label_smoothing) + label_smoothing / classes
    losses = softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits)
    return compute_weighted_loss(losses, weights, *common, **options)


def _column(labels: Any, logits: Any) -> Any:
    """Return labels that stand in a column beside the logits as a vector."""
    return labels[..., 0] if labels.ndim == logits.ndim and labels.shape[-1] == 1 else labels


def _column_shape(labels: Any, logits: Any) -> Any:
    if labels is None or logits is None:
        return None if logits is None else logits[:-1]
    return labels[:-1] if len(labels) == len(logits) and labels[-1] == 1 else labels


def sparse_softmax_cross_entropy(labels: Any, logits: Any, *common: Any, **options: Any) -> Any:
    """Return the weighted mean of the cross entropies of rows whose classes are integers."""
    labels = call("remove_squeezable", _column, (labels, logits), shape=_column_shape, same=False, differentiable=False)
    losses = sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    return compute_weighted_loss(losses, *common, **options)


def add_loss(loss: Any, loss_collection: str | None = GraphKeys.LOSSES) -> None:
    """Put a loss into the collection."""
    if loss_collection and not executing_eagerly():
        get_default_graph().add_to_collection(loss_collection, loss)


def get_losses(scope: str | None = None, loss_collection: str = GraphKeys.LOSSES) -> list[Any]:
    """Return the losses in the collection."""
    return get_default_graph().get_collection(loss_collection, scope)


def get_regularization_losses(scope: str | None = None) -> list[Any]:
    """Return what the regularizers of variables made."""
    return get_default_graph().get_collection(GraphKeys.REGULARIZATION_LOSSES, scope)


def get_regularization_loss(scope: str | None = None, name: str = "total_regularization_loss") -> Any:
    """Return the sum of what the regularizers of variables made, 0 where there are none."""
    losses = get_regularization_losses(scope)
    return add_n(losses, name=name) if losses else convert(np.float32(0))


def get_total_loss(add_regularization_losses: bool = True, name: str = "total_loss", scope: str | None = None) -> Any:
    """Return the sum of all losses, those of regularizers included."""
    losses = get_losses(scope)
    return add_n(losses + (get_regularization_losses(scope) if add_regularization_losses else []), name=name)
