"""Cross entropies: losses of logits against labels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ... import nn as _nn
from ...ops.dispatch import apply, unwrap
from ...ops.registry import Primitive
from ..graph import shape_inference
from ..graph.build import call, convert, shape_of
from ..graph.errors import InvalidArgumentError
from ..graph.mode import executing_eagerly
from ..graph.run_values import array_of
from ..graph.shapes import compatible, text
from .array_ops import stop_gradient
from .cast_ops import cast
from .old_arguments import labels_and_logits

__all__ = [
    "sigmoid_cross_entropy_with_logits",
    "softmax_cross_entropy_with_logits",
    "softmax_cross_entropy_with_logits_v2",
    "sparse_softmax_cross_entropy_with_logits",
    "weighted_cross_entropy_with_logits",
]


# For the logits TensorFlow's derivative, softmax(x) - labels; it is exact where a row's labels sum to one.
_OF_ROWS = Primitive(
    lambda x, z, axis: -np.sum(z * unwrap(_nn.log_softmax(x, axis)), axis=axis),  # a tensor where eager mode records
    (
        lambda g, y, x, z, axis: np.expand_dims(g, axis) * (_nn.softmax(x, axis) - z),
        lambda g, y, x, z, axis: -np.expand_dims(g, axis) * _nn.log_softmax(x, axis),
    ),
)


def _equal(x: Any, z: Any, *others: Any) -> Any:
    if not compatible(x, z):
        raise ValueError(f"logits and labels must have the same shape ({text(x)} vs {text(z)})")
    return shape_inference.broadcast(x, z)  # where both are known they are equal


def _rows(x: Any, z: Any) -> Any:
    """Return the shape of the rows of logits; labels may have other leading axes, for as many rows or for one."""
    if compatible(x, z):
        known = shape_inference.merged(x, z)
        return None if known is None or x is None else known[:-1]
    if None not in (*x, *z) and (z[-1:] != x[-1:] or math.prod(z) not in (math.prod(x), *x[-1:])):
        _equal(x, z)
    return x[:-1]


def _as_rows_of(x: Any, z: Any) -> Any:
    """Return labels in type and shape of the logits."""
    z = z if z.dtype == x.dtype else z.astype(x.dtype)
    if z.shape == x.shape:
        return z
    _rows(x.shape, z.shape)
    return np.reshape(z, x.shape) if math.prod(z.shape) == math.prod(x.shape) else np.broadcast_to(z, x.shape)


def softmax_cross_entropy_with_logits_v2(
    labels: Any = None, logits: Any = None, axis: Any = None, name: str | None = None, dim: Any = None
) -> Any:
    """Return the cross entropy of each row; gradients also flow into the labels.

    Source: ``tf.nn.softmax_cross_entropy_with_logits_v2``.
    """
    along = -1 if axis is None and dim is None else int(dim if axis is None else axis)

    def entropy(x: Any, z: Any) -> Any:
        return apply(_OF_ROWS, (x, _as_rows_of(x, z), along))

    if not executing_eagerly():
        logits = convert(logits)
        labels = cast(labels, logits.dtype)
    shape = _rows if along == -1 else (lambda x, z: shape_inference.reduced(False)(along, x))
    return call("SoftmaxCrossEntropyWithLogits", entropy, (logits, labels), name=name, shape=shape, same=False)


def softmax_cross_entropy_with_logits(
    _sentinel: Any = None,
    labels: Any = None,
    logits: Any = None,
    dim: Any = -1,
    name: str | None = None,
    axis: Any = None,
) -> Any:
    """Return the cross entropy of each row; no gradient flows into the labels.

    Without names the logits come first, as before TensorFlow 1.0. Raises ValueError where one is missing, or where
    labels without a name seem to come first. Source: ``tf.nn.softmax_cross_entropy_with_logits``.
    """
    labels, logits = labels_and_logits("softmax_cross_entropy_with_logits", _sentinel, labels, logits)
    along = dim if axis is None else axis
    name = name or "softmax_cross_entropy_with_logits_sg"
    return softmax_cross_entropy_with_logits_v2(stop_gradient(labels), logits, along, name)


def sparse_softmax_cross_entropy_with_logits(
    _sentinel: Any = None, labels: Any = None, logits: Any = None, name: str | None = None
) -> Any:
    """Return the cross entropy of each row whose class is ``labels``, integers.

    Without names the logits come first, as before TensorFlow 1.0. Raises ValueError where one is missing, and for
    shapes that do not fit; when a session runs, InvalidArgumentError for a label that is no class.
    """
    labels, logits = labels_and_logits("sparse_softmax_cross_entropy_with_logits", _sentinel, labels, logits)

    def entropy(x: Any, z: Any) -> Any:
        classes = array_of(z)
        if classes.ndim != x.ndim - 1:
            raise ValueError(f"labels must be {x.ndim - 1}-D, but got shape {list(classes.shape)}")
        try:
            return _nn.sparse_softmax_cross_entropy_with_logits(labels=classes, logits=x)
        except IndexError:
            wrong = classes[(classes < 0) | (classes >= x.shape[-1])]
            values = " ".join(map(str, classes.ravel()))
            fault = f"outside the valid range of [0, {x.shape[-1]}).  Label values: {values}"
            raise IndexError(f"Received a label value of {wrong[0]} which is {fault}") from None

    def shape_fn(x: Any, z: Any) -> Any:
        if x is not None and z is not None:
            if not x:
                raise ValueError("Logits cannot be scalars - received shape (): `logits` cannot be a scalar.")
            if len(x) != len(z) + 1:
                raise ValueError(
                    f"Rank mismatch: Rank of labels (received {len(z)}) should equal rank of logits minus 1 "
                    f"(received {len(x)}). `labels.shape.rank` must equal `logits.shape.rank - 1`."
                )
            if not compatible(x[:-1], z):
                raise ValueError(
                    f"Shape mismatch: The shape of labels (received {text(z)}) should equal the shape of logits except "
                    f"for the last dimension (received {text(x)}). `labels.shape` must equal `logits.shape` except for "
                    "the last dimension."
                )
        return shape_inference.merged(z, None if x is None else x[:-1])

    if not executing_eagerly():
        logits, labels = convert(logits), convert(labels)
        shape_fn(logits._shape, labels._shape)
        if (kind := labels.dtype.base_dtype.name) not in ("int32", "int64"):
            allowed = "not in list of allowed values: int32, int64"
            raise TypeError(f"Value passed to parameter 'labels' has DataType {kind} {allowed}")
    form: dict[str, Any] = {"name": name, "shape": shape_fn, "same": False}
    try:
        return call("SparseSoftmaxCrossEntropyWithLogits", entropy, (logits, labels), **form)
    except InvalidArgumentError:
        shape_fn(shape_of(logits), shape_of(labels))  # for shapes that do not fit it is a ValueError
        raise


def sigmoid_cross_entropy_with_logits(
    _sentinel: Any = None, labels: Any = None, logits: Any = None, name: str | None = None, targets: Any = None
) -> Any:
    """Return ``-z log(sigmoid(x)) - (1 - z) log(1 - sigmoid(x))``, element by element.

    Without names the logits come first, as before TensorFlow 1.0, and labels may be called ``targets``. Raises
    ValueError where one is missing, and for two shapes.
    """
    labels, logits = labels_and_logits("sigmoid_cross_entropy_with_logits", _sentinel, labels, logits, targets)

    def entropy(x: Any, z: Any) -> Any:
        return _nn.sigmoid_cross_entropy_with_logits(labels=z, logits=x)

    if executing_eagerly():  # where they would be broadcast
        _equal(np.shape(logits), np.shape(labels))
    return call("logistic_loss", entropy, (logits, labels), name=name, shape=_equal)


def weighted_cross_entropy_with_logits(
    labels: Any = None, logits: Any = None, pos_weight: Any = None, name: str | None = None, targets: Any = None
) -> Any:
    """Return the sigmoid cross entropy with positive labels weighted by ``pos_weight``."""

    def entropy(x: Any, z: Any, weight: Any) -> Any:
        factor = 1 + (weight - 1) * z
        # Not softplus: TensorFlow's slopes of both terms are 0 where x is.
        return (1 - z) * x + factor * (np.log1p(np.exp(-np.absolute(x))) + _nn.relu(-x))

    def shape_fn(x: Any, z: Any, *others: Any) -> Any:
        _equal(x, z)
        return shape_inference.broadcast(x, z)

    true_labels = targets if labels is None else labels
    if executing_eagerly():
        _equal(np.shape(logits), np.shape(true_labels))
    else:
        logits, true_labels = convert(logits), convert(true_labels)
        _equal(logits._shape, true_labels._shape)
    return call("logistic_loss", entropy, (logits, true_labels, pos_weight), name=name, shape=shape_fn)
