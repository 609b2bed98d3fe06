"""Weighted sums and means of losses, and the collection that holds them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.dispatch import unwrap
from ...variables.collections import GraphKeys
from ..graph.build import call, dtype_of, shape_of
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.run_values import array_of
from ..graph.scopes import control_dependencies, name_scope
from ..graph.shapes import compatible, text
from .array_ops import expand_dims, shape
from .cast_ops import cast
from .check_ops import assert_integer, assert_rank_at_least, assert_scalar
from .compare_checks import assert_non_negative
from .division_ops import divided_safely
from .quotient_ops import div_no_nan
from .reduce_ops import reduce_sum
from .sparse_ops import convert_to_tensor

__all__ = [
    "Reduction",
    "add_loss",
    "check_same_shapes",
    "compute_average_loss",
    "compute_weighted_loss",
    "mean_pairwise_squared_error",
    "scale_regularization_loss",
]


_NO_AXIS = "Invalid value passed for `per_example_loss`. Expected a tensor with at least rank 1."


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
        """Return all of them; one has two names."""
        by_weights = (cls.SUM_OVER_NONZERO_WEIGHTS, cls.SUM_BY_NONZERO_WEIGHTS)
        return (cls.NONE, cls.SUM, cls.MEAN, cls.SUM_OVER_BATCH_SIZE, *by_weights)

    @classmethod
    def validate(cls, key: str) -> None:
        """Raise ValueError for what is none of them."""
        if key not in cls.all():
            raise ValueError(f"Invalid Reduction Key {key}.")


def compute_weighted_loss(
    losses: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Any:
    """Return the weighted sum of losses, by default divided by the number of weights that are not zero.

    ``weights`` are a scalar, or have for each axis the size of the losses or 1. The sum is in the losses' type.
    Raises ValueError for another reduction, or for weights of another shape; InvalidArgumentError where only a run
    knows it. Source: ``tf.losses.compute_weighted_loss``.
    """
    Reduction.validate(reduction)
    name = {Reduction.NONE: "Mul", Reduction.SUM: "Sum"}.get(reduction, "value")
    dtype = dtype_of(losses)
    if executing_eagerly():
        _weighted_shape(np.shape(losses), np.shape(weights), reduction)
    with name_scope(scope, "weighted_loss"):
        loss = call(
            "weighted_loss",
            lambda x, w: _reduced(x, w, reduction),
            (losses, weights),
            name=name,
            shape=lambda x, w: _weighted_shape(x, w, reduction),
            dtype=dtype,
            same=False,
        )
    add_loss(loss, loss_collection)
    return loss


def _reduced(values: Any, weights: Any, reduction: str) -> Any:
    _weighted_shape(values.shape, weights.shape, reduction)
    small = values.dtype.itemsize == 2 or values.dtype.kind in "iu"  # halves and integers are added up in float32
    x = values.astype(np.float32) if small else values
    w = weights.astype(x.dtype)
    weighted = x * w
    if reduction == Reduction.NONE:
        return weighted.astype(values.dtype)
    total = np.sum(weighted)
    if reduction == Reduction.SUM:
        return total.astype(values.dtype)
    if reduction == Reduction.SUM_OVER_BATCH_SIZE:
        count: Any = x.dtype.type(x.size)
    elif reduction == Reduction.MEAN:
        count = np.sum(np.broadcast_to(w, x.shape))
    else:
        count = x.dtype.type(np.count_nonzero(np.broadcast_to(array_of(w), x.shape)))
    none = unwrap(count) == 0  # then the loss is 0, whatever it would be
    loss = np.where(none, x.dtype.type(0), total) if none else total / count
    return loss.astype(values.dtype)


def check_same_shapes(predictions: Any, labels: Any) -> None:
    """Raise ValueError, in either mode, where predictions and labels have not one shape: they might be broadcast."""
    shapes = shape_of(predictions), shape_of(labels)
    if not compatible(*shapes):
        raise ValueError(f"Shapes {text(shapes[0])} and {text(shapes[1])} are incompatible")


def _weighted_shape(x: Any, w: Any, reduction: str) -> Any:
    if None not in (x, w) and w:
        told = "weights can not be broadcast to values."
        if len(w) != len(x):
            shapes = f"values.shape={text(x)}. weights.shape={text(w)}."
            raise ValueError(f"{told} values.rank={len(x)}. weights.rank={len(w)}. {shapes}")
        for axis, (a, b) in enumerate(zip(x, w, strict=True)):
            if b not in (1, None) and a not in (b, None):
                sizes = [" ".join(map(str, each)) for each in (x, w)]
                raise ValueError(
                    f"{told} Mismatch at dim {axis}. values.shape=[{sizes[0]}] weights.shape=[{sizes[1]}]."
                )
    return x if reduction == Reduction.NONE else ()


def add_loss(loss: Any, loss_collection: str | None = GraphKeys.LOSSES) -> None:
    """Put a loss into the collection."""
    if loss_collection and not executing_eagerly():
        get_default_graph().add_to_collection(loss_collection, loss)


def mean_pairwise_squared_error(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
) -> Any:
    """Return the sum over rows of the mean, over pairs of elements, of the squared difference of their errors.

    ``weights`` are a scalar, or have for each axis the size of the labels or 1; pairs with a weight of 0 do not count.
    As in TensorFlow the mean is, in eager mode and with a scalar, over as many pairs as the whole batch has elements
    for. Raises ValueError for others.
    """
    whole = executing_eagerly()

    for what, value in (("labels", labels), ("predictions", predictions), ("weights", weights)):
        if value is None:
            raise ValueError(f"{what} must not be None: None values not supported.")

    def over_rows(x: Any, y: Any, w: Any) -> Any:
        _weighted_shape(x.shape, w.shape, Reduction.SUM)
        errors, axes = x - y, tuple(range(1, x.ndim))
        present = np.broadcast_to(array_of(w) != 0, x.shape)
        count = np.sum(present, axis=axes, keepdims=True).astype(x.dtype)  # the pairs of these
        if whole and not w.ndim and present.any():
            count = np.full_like(count, present.size)
        squares = np.sum(np.square(errors), axis=axes, keepdims=True)
        sums = np.square(np.sum(errors, axis=axes, keepdims=True))
        rows = divided_safely(squares, np.maximum(count - 1, 0)) - divided_safely(
            sums, count * np.maximum(count - 1, 0)
        )
        return np.sum(2 * rows * w)

    def shape_fn(x: Any, y: Any, w: Any) -> Any:
        return _weighted_shape(x, w, Reduction.SUM)

    with name_scope(scope, "mean_pairwise_squared_error"):
        inputs = (cast(predictions, "float32"), cast(labels, "float32"), cast(weights, "float32"))
        check_same_shapes(*inputs[:2])
        if whole:
            _weighted_shape(shape_of(inputs[0]), shape_of(inputs[2]), Reduction.SUM)
        loss = call("mean_pairwise_squared_error", over_rows, inputs, shape=shape_fn)
        add_loss(loss, loss_collection)
        return loss


def compute_average_loss(per_example_loss: Any, sample_weight: Any = None, global_batch_size: Any = None) -> Any:
    """Return the sum of the examples' losses, times their weights, over the size of the batch.

    Args:
        per_example_loss: ``[batch, ...]``.
        sample_weight: a weight for each example or element; ones where it is None.
        global_batch_size: the size of the batch over all replicas; that of this one where it is None.

    Raises ValueError for a loss without an axis and for sizes that are no scalar, TypeError for those that are no
    integer, InvalidArgumentError for those below 0.

    Source: ``tf.nn.compute_average_loss``.
    """
    losses = convert_to_tensor(per_example_loss)
    if losses.shape.ndims == 0:
        raise ValueError(f"{_NO_AXIS} Received per_example_loss={losses} with rank 0")
    kind = dtype_of(losses)
    known = losses.shape.ndims is not None
    with control_dependencies([] if known else [assert_rank_at_least(losses, 1, message=_NO_AXIS)]):
        if sample_weight is not None:
            weights = cast(sample_weight, kind)
            one_axis_less = None not in (losses.shape.ndims, weights.shape.ndims) and weights.shape.ndims > 0
            if one_axis_less and weights.shape.ndims == losses.shape.ndims - 1:
                weights = expand_dims(weights, -1)
            losses = losses * weights
        if global_batch_size is None:
            size = shape(losses)[0]
        else:
            size = assert_scalar(global_batch_size, message="global_batch_size must be scalar.")
            assert_integer(size, message="global_batch_size must be an integer.")
            assert_non_negative(size, message="global_batch_size must be non-negative.")
        return div_no_nan(reduce_sum(losses), cast(size, kind))


def scale_regularization_loss(regularization_loss: Any) -> Any:
    """Return the sum of the losses: there is one replica. Source: ``tf.nn.scale_regularization_loss``."""
    return reduce_sum(regularization_loss) / 1  # the quotient of integers is of floats
