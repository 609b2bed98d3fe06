"""``tf.contrib.losses``: the losses of before ``tf.losses``: predictions come first, weights begin at the first axis.

Weights are a number, one for each row, or of the first axes of the losses; the mean is over the elements whose weight
is not zero. Results are of float32, as are the sums. Source: ``tf.contrib.losses``.
"""

from __future__ import annotations

from typing import Any

from ... import losses as _losses
from ...graph.missing import namespace
from ...graph.scopes import name_scope
from ...losses import Reduction, get_losses, get_regularization_losses, get_total_loss
from ...ops.array_ops import reshape, shape, size, squeeze
from ...ops.cast_ops import cast
from ...ops.creation_ops import ones, zeros_like
from ...ops.gather_ops import where
from ...ops.math_ops import div_no_nan, equal, greater, log, multiply, not_equal, square, subtract
from ...ops.pad_ops import slice as slice_
from ...ops.reduce_ops import reduce_prod, reduce_sum
from ...ops.sparse_ops import convert_to_tensor
from ..arg_scopes import add_arg_scope
from . import metric_learning

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
    "metric_learning",
    "sigmoid_cross_entropy",
    "softmax_cross_entropy",
    "sparse_softmax_cross_entropy",
]

__getattr__, __dir__ = namespace(__name__, "loss_ops")
metric_loss_ops = metric_learning  # TensorFlow's module below it
_EACH: dict[str, Any] = {"reduction": Reduction.NONE, "loss_collection": None}
add_loss = add_arg_scope(_losses.add_loss)


def _weights(weights: Any, weight: Any) -> Any:
    """Return the weights, which TensorFlow 0.x called ``weight``."""
    return weights if weight is None else weight


def _float(value: Any) -> Any:
    return cast(convert_to_tensor(value), "float32")


def _ranks(**tensors: Any) -> None:
    """Raise ValueError where the number of axes is not known."""
    for name, tensor in tensors.items():
        if tensor.get_shape().ndims is None:
            raise ValueError(f"{name}.get_shape().ndims cannot be None")


def _scaled(losses: Any, weights: Any) -> Any:
    """Return the sum of the losses, each with its weight."""
    first = max(0, weights.get_shape().ndims)
    return reduce_sum(multiply(reduce_sum(losses, list(range(first, losses.get_shape().ndims))), weights))


def _present(losses: Any, weights: Any) -> Any:
    """Return for each row how many elements have a weight that is not zero."""
    rank = weights.get_shape().ndims
    if rank == 0:
        rows = shape(losses)[0]
        each = cast(size(losses), "float32") / cast(rows, "float32")
        return ones(reshape(rows, [1])) * where(equal(weights, 0), zeros_like(each), each)
    known = reduce_sum(cast(not_equal(weights, 0), "float32"), list(range(1, rank)))
    return known * cast(reduce_prod(slice_(shape(losses), [rank], [-1])), "float32")


def compute_weighted_loss(losses: Any, weights: Any = 1.0, scope: str | None = None, weight: Any = None) -> Any:
    """Return the weighted mean, 0 where no weight is other than zero, and put it into the collection of losses.

    Raises ValueError where the number of axes of losses or weights is not known.
    """
    weights = _weights(weights, weight)
    with name_scope(scope, "weighted_loss", [losses, weights]):
        losses = convert_to_tensor(losses)
        values, share = _float(losses), _float(weights)
        _ranks(losses=values, weights=share)
        sizes = share.get_shape()
        if sizes.ndims > 1 and sizes[-1].is_compatible_with(1):
            share = squeeze(share, [-1])
        mean = div_no_nan(_scaled(values, share), reduce_sum(_present(values, share)), name="value")
        mean = cast(mean, losses.dtype)
        add_loss(mean)
        return mean


def _differences(predictions: Any, labels: Any) -> tuple[Any, Any]:
    """Return both as float32. Raises ValueError where their shapes do not fit."""
    predictions, labels = convert_to_tensor(predictions), convert_to_tensor(labels)
    predictions.get_shape().assert_is_compatible_with(labels.get_shape())
    return _float(predictions), _float(labels)


def absolute_difference(
    predictions: Any, labels: Any = None, weights: Any = 1.0, scope: str | None = None, weight: Any = None
) -> Any:
    """Return the weighted mean of ``abs(prediction - label)``."""
    weights = _weights(weights, weight)
    with name_scope(scope, "absolute_difference", [predictions, labels, weights]) as scope:
        predictions, labels = _differences(predictions, labels)
        each = _losses.absolute_difference(labels, predictions, **_EACH)
        return compute_weighted_loss(each, weights, scope)


def cosine_distance(
    predictions: Any,
    labels: Any = None,
    axis: int | None = None,
    weights: Any = 1.0,
    scope: str | None = None,
    dim: int | None = None,
    weight: Any = None,
) -> Any:
    """Return the weighted mean of ``1 - sum(prediction * label)`` along an axis, for vectors of length one."""
    along, weights = dim if axis is None else axis, _weights(weights, weight)
    if along is None:
        raise ValueError("You must specify 'axis'.")
    with name_scope(scope, "cosine_distance_loss", [predictions, labels, weights]) as scope:
        predictions, labels = _differences(predictions, labels)
        return compute_weighted_loss(1 - reduce_sum(multiply(predictions, labels), [along]), weights, scope)


def hinge_loss(logits: Any, labels: Any = None, scope: str | None = None) -> Any:
    """Return ``max(0, 1 - (2 * label - 1) * logit)`` of each element: not their mean."""
    return _losses.hinge_loss(labels, logits, scope=scope, **_EACH)


def log_loss(
    predictions: Any,
    labels: Any = None,
    weights: Any = 1.0,
    epsilon: float = 1e-7,
    scope: str | None = None,
    weight: Any = None,
) -> Any:
    """Return the weighted mean of ``-label * log(p + epsilon) - (1 - label) * log(1 - p + epsilon)``."""
    weights = _weights(weights, weight)
    with name_scope(scope, "log_loss", [predictions, labels, weights]) as scope:
        p, labels = _differences(predictions, labels)
        each = -multiply(labels, log(p + epsilon)) - multiply(1 - labels, log(1 - p + epsilon))
        return compute_weighted_loss(each, weights, scope)


def mean_pairwise_squared_error(
    predictions: Any, labels: Any = None, weights: Any = 1.0, scope: str | None = None, weight: Any = None
) -> Any:
    """Return the weighted sum, over rows, of ``2 * mean(d**2) - 2 * mean(d)**2`` of the row's differences.

    `tf.losses.mean_pairwise_squared_error` divides by one element less, and is a mean over rows.
    """
    weights = _weights(weights, weight)
    with name_scope(scope, "mean_pairwise_squared_error", [predictions, labels, weights]) as scope:
        predictions, labels = _differences(predictions, labels)
        share, differences = _float(weights), subtract(predictions, labels)
        _ranks(diffs=differences, weights=share)
        inner = list(range(1, differences.get_shape().ndims))
        count = _present(differences, share)
        squares = 2.0 * div_no_nan(reduce_sum(square(differences), inner), count)
        mean = 2.0 * div_no_nan(square(reduce_sum(differences, inner)), square(count))
        loss = _scaled(squares - mean, share)
        loss = where(greater(reduce_sum(count), 0), loss, zeros_like(loss), name="value")
        add_loss(loss)
        return loss


def mean_squared_error(
    predictions: Any, labels: Any = None, weights: Any = 1.0, scope: str | None = None, weight: Any = None
) -> Any:
    """Return the weighted mean of ``(prediction - label)**2``."""
    weights = _weights(weights, weight)
    with name_scope(scope, "mean_squared_error", [predictions, labels, weights]) as scope:
        predictions, labels = _differences(predictions, labels)
        return compute_weighted_loss(_losses.mean_squared_error(labels, predictions, **_EACH), weights, scope)


def sigmoid_cross_entropy(
    logits: Any,
    multi_class_labels: Any,
    weights: Any = 1.0,
    label_smoothing: float = 0,
    scope: str | None = None,
    weight: Any = None,
) -> Any:
    """Return the weighted mean of the cross entropy of each class by itself."""
    weights = _weights(weights, weight)
    with name_scope(scope, "sigmoid_cross_entropy_loss", [logits, multi_class_labels, weights]) as scope:
        each = _losses.sigmoid_cross_entropy(multi_class_labels, logits, label_smoothing=label_smoothing, **_EACH)
        return compute_weighted_loss(each, weights, scope)


def softmax_cross_entropy(
    logits: Any,
    onehot_labels: Any,
    weights: Any = 1.0,
    label_smoothing: float = 0,
    scope: str | None = None,
    weight: Any = None,
) -> Any:
    """Return the weighted mean of the rows' cross entropy with labels of one class."""
    weights = _weights(weights, weight)
    with name_scope(scope, "softmax_cross_entropy_loss", [logits, onehot_labels, weights]) as scope:
        each = _losses.softmax_cross_entropy(onehot_labels, logits, label_smoothing=label_smoothing, **_EACH)
        return compute_weighted_loss(each, weights, scope)


def sparse_softmax_cross_entropy(
    logits: Any, labels: Any, weights: Any = 1.0, scope: str | None = None, weight: Any = None
) -> Any:
    """Return the weighted mean of the rows' cross entropy with numbers of classes, one for each row."""
    weights = _weights(weights, weight)
    with name_scope(scope, "sparse_softmax_cross_entropy_loss", [logits, labels, weights]) as scope:
        labels = reshape(labels, [shape(labels)[0]])
        return compute_weighted_loss(_losses.sparse_softmax_cross_entropy(labels, logits, **_EACH), weights, scope)
