"""``tf.contrib.nn``: the dropout of SELUs, a scaled softplus, losses of sampled classes, losses with old orders."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.missing import namespace
from ..graph.scopes import name_scope
from ..graph.static_values import constant_value
from ..nn import (
    embedding_lookup,
    learned_unigram_candidate_sampler,
    sampled_softmax_loss,
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits,
    softplus,
    sparse_softmax_cross_entropy_with_logits,
)
from ..ops.array_ops import reshape, shape, stop_gradient
from ..ops.cast_ops import cast
from ..ops.gather_ops import gather
from ..ops.math_ops import greater_equal, minimum
from ..ops.matmul_ops import matmul
from ..ops.random_ops import random_uniform
from ..ops.reduce_ops import reduce_logsumexp
from ..ops.sort_ops import nth_element, top_k
from ..ops.sparse_ops import convert_to_tensor

__all__ = [
    "alpha_dropout",
    "deprecated_flipped_sigmoid_cross_entropy_with_logits",
    "deprecated_flipped_softmax_cross_entropy_with_logits",
    "deprecated_flipped_sparse_softmax_cross_entropy_with_logits",
    "nth_element",
    "rank_sampled_softmax_loss",
    "sampled_sparse_softmax_loss",
    "scaled_softplus",
]

__getattr__, __dir__ = namespace(__name__, "sampling_ops")

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


def rank_sampled_softmax_loss(
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_sampled: int,
    num_resampled: int,
    num_classes: int,
    num_true: int,
    sampled_values: Any,
    resampling_temperature: Any,
    remove_accidental_hits: bool,
    partition_strategy: str,
    name: str | None = None,
) -> Any:
    """Return `tf.nn.sampled_softmax_loss` over those of the sampled classes that have the largest logits.

    Args:
        weights, biases, labels, inputs, num_classes, num_true, remove_accidental_hits, partition_strategy: see there.
        num_sampled, sampled_values: of the first choice, by default by `learned_unigram_candidate_sampler`.
        num_resampled: how many of them are kept.
        resampling_temperature: classes are ordered by ``logsumexp(logits / temperature)`` over the batch.

    Raises ValueError for numbers that do not fall, and another strategy than ``div`` and ``mod``.

    Source: Bai et al., TAPAS: Two-pass Approximate Adaptive Sampling for Softmax, 2017.
    """
    if num_sampled > num_classes:
        raise ValueError(f"num_sampled ({num_sampled}) cannot be greater than num_classes ({num_classes})")
    if num_sampled <= num_resampled:
        raise ValueError(f"num_resampled ({num_resampled}) must be less than num_sampled ({num_sampled})")
    if partition_strategy not in ("div", "mod"):
        raise ValueError(f"unsupported partition_strategy ({partition_strategy})")
    with name_scope(name, "rank_sampled_softmax_loss", [weights, biases, labels, inputs, sampled_values]) as scope:
        drawn = sampled_values or learned_unigram_candidate_sampler(labels, num_true, num_sampled, True, num_classes)
        classes, true_expected, expected = (stop_gradient(part) for part in drawn)
        classes, rows = cast(classes, "int64"), convert_to_tensor(inputs) / resampling_temperature
        logits = reduce_logsumexp(
            matmul(embedding_lookup(weights, classes, partition_strategy), rows, transpose_b=True), axis=1
        )
        logits += reshape(embedding_lookup(biases, classes, partition_strategy), [-1]) / resampling_temperature
        _, best = top_k(logits, k=num_resampled, sorted=False)
        return sampled_softmax_loss(
            weights,
            biases,
            labels,
            inputs,
            num_resampled,
            num_classes,
            num_true,
            (gather(classes, best), true_expected, gather(expected, best)),
            remove_accidental_hits,
            partition_strategy,
            name=scope,
        )


def sampled_sparse_softmax_loss(
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_sampled: int,
    num_classes: int,
    sampled_values: Any = None,
    remove_accidental_hits: bool = True,
    partition_strategy: str = "mod",
    name: str = "sampled_sparse_softmax_loss",
) -> Any:
    """Return `tf.nn.sampled_softmax_loss` for one true class of each row: labels are ``[batch, 1]``."""
    return sampled_softmax_loss(
        weights,
        biases,
        labels,
        inputs,
        num_sampled,
        num_classes,
        1,
        sampled_values,
        remove_accidental_hits,
        partition_strategy,
        name=name,
    )
