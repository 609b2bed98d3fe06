"""Operations that TensorFlow's generated modules have in forms of their own: sums over indices, batches."""

from __future__ import annotations

import string
from typing import Any, NamedTuple

import numpy as np

from ...ops.dispatch import unwrap
from ..graph.build import call, dtype_of
from ..ops.einsum_ops import einsum as _einsum

__all__ = [
    "_batch_norm_with_global_normalization",
    "batch_norm_with_global_normalization_grad",
    "einsum",
]


class BatchNormSlopes(NamedTuple):
    """What the slope of a batch normalization returns."""

    dx: Any
    dm: Any
    dv: Any
    db: Any
    dg: Any


def einsum(inputs: Any, equation: str, name: str | None = None) -> Any:
    """Return `tf.einsum` of a list of tensors; an index that comes twice in the result is the diagonal of both axes."""
    terms, arrow, result = equation.replace(" ", "").partition("->")
    if len(set(result.replace(".", ""))) == len(result.replace(".", "")):
        return _einsum(equation, *inputs, name=name)
    free = (letter for letter in string.ascii_letters if letter not in equation)
    letters, diagonals = "", []
    for letter in result:
        seen = letter in letters and letter != "."
        letters += next(free) if seen else letter
        diagonals += [letter + letters[-1]] if seen else []

    def computed(*arrays: Any) -> Any:
        sizes = {k: n for term, x in zip(terms.split(","), arrays, strict=True) for k, n in zip(term, x.shape)}  # noqa: B905
        matrices = [np.eye(sizes[pair[0]], dtype=arrays[0].dtype) for pair in diagonals]
        return np.einsum(",".join([terms, *diagonals]) + arrow + letters, *arrays, *matrices)

    return call("Einsum", computed, tuple(inputs), name=name)


def _batch_norm_with_global_normalization(
    t: Any,
    m: Any,
    v: Any,
    beta: Any,
    gamma: Any,
    variance_epsilon: float,
    scale_after_normalization: bool,
    name: str | None = None,
) -> Any:
    """Return ``(t - m) / sqrt(v + epsilon) * gamma + beta``; without the scale no gradient but zeros flows to gamma."""

    def normalized(x: Any, centre: Any, spread: Any, shift: Any, scale: Any) -> Any:
        factor = (spread + variance_epsilon) ** -0.5
        return (x - centre) * (factor * scale if scale_after_normalization else factor) + shift

    return call(
        "BatchNormWithGlobalNormalization",
        normalized,
        (t, m, v, beta, gamma),
        name=name,
        shape=lambda x, *others: x,
    )


def batch_norm_with_global_normalization_grad(
    t: Any,
    m: Any,
    v: Any,
    gamma: Any,
    backprop: Any,
    variance_epsilon: float,
    scale_after_normalization: bool,
    name: str | None = None,
) -> BatchNormSlopes:
    """Return the slopes of a batch normalization by its values, means, variances, shifts and scales."""

    def slopes(x: Any, centre: Any, spread: Any, scale: Any, g: Any) -> Any:
        axes = tuple(range(x.ndim - 1))
        factor = (spread + variance_epsilon) ** -0.5
        total, moment = np.sum(g, axes), np.sum(g * (x - centre), axes)
        own = factor * scale if scale_after_normalization else factor
        by_spread = moment * own / (spread + variance_epsilon) * x.dtype.type(-0.5)
        by_scale = moment * factor if scale_after_normalization else np.zeros_like(unwrap(moment))
        return g * own, -total * own, by_spread, total, by_scale

    found = call(
        "BatchNormWithGlobalNormalizationGrad",
        slopes,
        (t, m, v, gamma, backprop),
        name=name,
        shape=lambda x, centre, *others: [x, centre, centre, centre, centre],
        dtype=[dtype_of(t)] * 5,
        outputs=5,
    )
    return BatchNormSlopes(*found)
