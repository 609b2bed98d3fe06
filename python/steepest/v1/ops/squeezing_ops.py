"""Axes of size 1 that labels, predictions and weights have or lack beside each other."""

from __future__ import annotations

from typing import Any

from ..graph.build import call, convert
from ..graph.run_values import array_of
from ..graph.scopes import name_scope
from .array_ops import expand_dims, rank, squeeze
from .cast_ops import cast
from .control_flow_ops import cond
from .math_ops import equal, multiply
from .sparse_ops import convert_to_tensor

__all__ = ["remove_squeezable_dimensions", "scale_losses_by_sample_weight", "squeeze_or_expand_dimensions"]


def remove_squeezable_dimensions(
    labels: Any, predictions: Any, expected_rank_diff: int = 0, name: str | None = None
) -> tuple[Any, Any]:
    """Return labels and predictions, one of them without a last axis of size 1 that it has too many.

    ``expected_rank_diff`` is how many axes more the predictions should have.
    """
    with name_scope(name, "remove_squeezable_dimensions"):
        labels, predictions = convert_to_tensor(labels), convert_to_tensor(predictions)
        known = labels.get_shape(), predictions.get_shape()
        if None not in (known[0].ndims, known[1].ndims):
            extra = known[1].ndims - known[0].ndims
            if extra == expected_rank_diff + 1 and _may_be_one(known[1]):
                predictions = squeeze(predictions, [-1])
            elif extra == expected_rank_diff - 1 and _may_be_one(known[0]):
                labels = squeeze(labels, [-1])
            return labels, predictions
        extra = rank(predictions) - rank(labels)
        found = [labels, predictions]
        for k, too_many in ((1, expected_rank_diff + 1), (0, expected_rank_diff - 1)):
            if known[k].ndims is None or _may_be_one(known[k]):
                found[k] = _squeezed_if(equal(extra, too_many), found[k])
        return found[0], found[1]


def _may_be_one(shape: Any) -> bool:
    return bool(shape.ndims) and shape.as_list()[-1] in (1, None)


def _squeezed_if(condition: Any, value: Any) -> Any:
    return cond(condition, lambda: squeeze(value, [-1]), lambda: value)


def squeeze_or_expand_dimensions(y_pred: Any, y_true: Any = None, sample_weight: Any = None) -> tuple[Any, Any, Any]:
    """Return predictions, labels and weights, without axes of size 1 or, weights, with one more, so that they fit."""
    if y_true is not None:
        shapes = convert_to_tensor(y_pred).get_shape(), convert_to_tensor(y_true).get_shape()
        # Labels that are numbers of classes have one axis less, and stay.
        if (
            None in (shapes[0].ndims, shapes[1].ndims)
            or shapes[0].ndims - shapes[1].ndims != 0
            or _may_be_one(shapes[0])
        ):
            y_true, y_pred = remove_squeezable_dimensions(y_true, y_pred)
    if sample_weight is None:
        return y_pred, y_true, None
    weights, values = convert_to_tensor(sample_weight), convert_to_tensor(y_pred)
    if weights.get_shape().ndims == 0:
        return y_pred, y_true, weights
    if None not in (weights.get_shape().ndims, values.get_shape().ndims):
        extra = weights.get_shape().ndims - values.get_shape().ndims
        if extra == 1:
            weights = squeeze(weights, [-1])
        elif extra == -1:
            weights = expand_dims(weights, [-1])
        return y_pred, y_true, weights
    return y_pred, y_true, _fitted(weights, values)


def _fitted(weights: Any, values: Any) -> Any:
    def fit(w: Any, v: Any) -> Any:
        w = array_of(w)
        extra = w.ndim - v.ndim
        return w if w.ndim == 0 or extra not in (-1, 1) else w[..., 0] if extra == 1 else w[..., None]

    return call("FitWeights", fit, (convert(weights), convert(values)), shape=None, same=False)


def scale_losses_by_sample_weight(losses: Any, sample_weight: Any) -> Any:
    """Return float32 losses times weights, whose axes of size 1 are made to fit."""
    losses, _, weights = squeeze_or_expand_dimensions(cast(losses, "float32"), None, cast(sample_weight, "float32"))
    return multiply(losses, weights)
