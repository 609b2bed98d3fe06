"""``tf.contrib.nn``: the dropout of SELUs, a scaled softplus, and losses with arguments in their old order."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.missing import namespace
from ..graph.scopes import name_scope
from ..graph.static_values import constant_value
from ..nn import (
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits,
    softplus,
    sparse_softmax_cross_entropy_with_logits,
)
from ..ops.array_ops import shape
from ..ops.cast_ops import cast
from ..ops.math_ops import greater_equal, minimum
from ..ops.random_ops import random_uniform
from ..ops.sparse_ops import convert_to_tensor

__all__ = [
    "alpha_dropout",
    "deprecated_flipped_sigmoid_cross_entropy_with_logits",
    "deprecated_flipped_softmax_cross_entropy_with_logits",
    "deprecated_flipped_sparse_softmax_cross_entropy_with_logits",
    "scaled_softplus",
]

__getattr__, __dir__ = namespace(__name__)

_LEAST = -1.7580993408473766  # what a SELU tends to


def alpha_dropout(
    x: Any, keep_prob: Any, noise_shape: Any = None, seed: int | None = None, name: str | None = None
) -> Any:
    """Return ``x`` with elements put to what a SELU tends to, with probability ``1 - keep_prob``, and then scaled.

    Mean and variance of activations of SELUs stay what they are. Raises ValueError for a number outside (0, 1].
    Source: Klambauer et al., Self-Normalizing Neural Networks, 2017.
    """
    if isinstance(keep_prob, (int, float, np.number)) and not 0 < keep_prob <= 1:
        raise ValueError(f"keep_prob must be a scalar tensor or a float in the range (0, 1], got {keep_prob:g}")
    with name_scope(name, "alpha_dropout", [x]):
        x = convert_to_tensor(x, name="x")
        keep = convert_to_tensor(keep_prob, dtype=x.dtype, name="keep_prob")
        if constant_value(keep) == 1:
            return x
        drawn = random_uniform(shape(x) if noise_shape is None else noise_shape, seed=seed, dtype=x.dtype)
        kept = cast(greater_equal(drawn, 1 - keep), x.dtype)
        scale = (keep + keep * (1 - keep) * _LEAST**2) ** -0.5
        return scale * (x * kept + _LEAST * (1 - kept)) - scale * _LEAST * (1 - keep)


def scaled_softplus(x: Any, alpha: Any, clip: Any = None, name: str | None = None) -> Any:
    """Return ``alpha * log(1 + exp(x / alpha))``, at most ``clip``: a relu that is smooth."""
    with name_scope(name, "scaled_softplus", [x, alpha]):
        x = convert_to_tensor(x, name="x")
        scale = convert_to_tensor(alpha, dtype=x.dtype, name="alpha")
        y = scale * softplus(x / scale)
        return y if clip is None else minimum(y, convert_to_tensor(clip, dtype=x.dtype, name="clip"))


def deprecated_flipped_softmax_cross_entropy_with_logits(
    logits: Any, labels: Any, dim: int = -1, name: str | None = None
) -> Any:
    """Return `tf.nn.softmax_cross_entropy_with_logits`."""
    return softmax_cross_entropy_with_logits(labels=labels, logits=logits, dim=dim, name=name)


def deprecated_flipped_sparse_softmax_cross_entropy_with_logits(
    logits: Any, labels: Any, name: str | None = None
) -> Any:
    """Return `tf.nn.sparse_softmax_cross_entropy_with_logits`."""
    return sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name=name)


def deprecated_flipped_sigmoid_cross_entropy_with_logits(logits: Any, targets: Any, name: str | None = None) -> Any:
    """Return `tf.nn.sigmoid_cross_entropy_with_logits`."""
    return sigmoid_cross_entropy_with_logits(labels=targets, logits=logits, name=name)
