"""``tf.contrib.losses``: the losses of ``tf.losses``, with the predictions before the labels."""

from __future__ import annotations

from typing import Any

from .. import losses as _losses
from ..graph.missing import namespace
from ..losses import add_loss, get_losses, get_regularization_losses, get_total_loss

__all__ = [
    "absolute_difference",
    "add_loss",
    "compute_weighted_loss",
    "cosine_distance",
    "get_losses",
    "get_regularization_losses",
    "get_total_loss",
    "hinge_loss",
    "log_loss",
    "mean_pairwise_squared_error",
    "mean_squared_error",
    "sigmoid_cross_entropy",
    "softmax_cross_entropy",
    "sparse_softmax_cross_entropy",
]

__getattr__, __dir__ = namespace(__name__)


def _weights(weights: Any, weight: Any) -> Any:
    """Return the weights, which TensorFlow 0.x called ``weight``."""
    return weights if weight is None else weight


def absolute_difference(
    predictions: Any, labels: Any = None, weights: Any = 1.0, scope: str | None = None, weight: Any = None
) -> Any:
    """Return `tf.losses.absolute_difference`."""
    return _losses.absolute_difference(labels, predictions, _weights(weights, weight), scope)


def compute_weighted_loss(losses: Any, weights: Any = 1.0, scope: str | None = None, weight: Any = None) -> Any:
    """Return `tf.losses.compute_weighted_loss`."""
    return _losses.compute_weighted_loss(losses, _weights(weights, weight), scope)


def cosine_distance(
    predictions: Any,
    labels: Any = None,
    axis: int | None = None,
    weights: Any = 1.0,
    scope: str | None = None,
    dim: int | None = None,
    weight: Any = None,
) -> Any:
    """Return `tf.losses.cosine_distance`."""
    along = dim if axis is None else axis
    return _losses.cosine_distance(labels, predictions, along, _weights(weights, weight), scope)


def hinge_loss(logits: Any, labels: Any = None, scope: str | None = None) -> Any:
    """Return ``max(0, 1 - (2 * label - 1) * logit)`` of each element: not their mean."""
    return _losses.hinge_loss(labels, logits, scope=scope, loss_collection=None, reduction=_losses.Reduction.NONE)


def log_loss(
    predictions: Any,
    labels: Any = None,
    weights: Any = 1.0,
    epsilon: float = 1e-7,
    scope: str | None = None,
    weight: Any = None,
) -> Any:
    """Return `tf.losses.log_loss`."""
    return _losses.log_loss(labels, predictions, _weights(weights, weight), epsilon, scope)


def mean_pairwise_squared_error(
    predictions: Any, labels: Any = None, weights: Any = 1.0, scope: str | None = None, weight: Any = None
) -> Any:
    """Return `tf.losses.mean_pairwise_squared_error`."""
    return _losses.mean_pairwise_squared_error(labels, predictions, _weights(weights, weight), scope)


def mean_squared_error(
    predictions: Any, labels: Any = None, weights: Any = 1.0, scope: str | None = None, weight: Any = None
) -> Any:
    """Return `tf.losses.mean_squared_error`."""
    return _losses.mean_squared_error(labels, predictions, _weights(weights, weight), scope)


def sigmoid_cross_entropy(
    logits: Any,
    multi_class_labels: Any,
    weights: Any = 1.0,
    label_smoothing: float = 0,
    scope: str | None = None,
    weight: Any = None,
) -> Any:
    """Return `tf.losses.sigmoid_cross_entropy`."""
    weights = _weights(weights, weight)
    return _losses.sigmoid_cross_entropy(multi_class_labels, logits, weights, label_smoothing, scope)


def softmax_cross_entropy(
    logits: Any,
    onehot_labels: Any,
    weights: Any = 1.0,
    label_smoothing: float = 0,
    scope: str | None = None,
    weight: Any = None,
) -> Any:
    """Return `tf.losses.softmax_cross_entropy`."""
    weights = _weights(weights, weight)
    return _losses.softmax_cross_entropy(onehot_labels, logits, weights, label_smoothing, scope)


def sparse_softmax_cross_entropy(
    logits: Any, labels: Any, weights: Any = 1.0, scope: str | None = None, weight: Any = None
) -> Any:
    """Return `tf.losses.sparse_softmax_cross_entropy`."""
    return _losses.sparse_softmax_cross_entropy(labels, logits, _weights(weights, weight), scope)
