"""Losses over many classes from a few sampled ones, and the samplers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import nn as _nn
from ...base.errors import must
from ...ops.dispatch import unwrap
from ..graph import shape_inference
from ..graph.bound_names import name_functions
from ..graph.build import call, convert, dtype_of
from ..graph.eager_call import RunSession
from ..graph.mode import executing_eagerly
from ..graph.results import CandidateSampler
from ..graph.run_values import array_of
from .array_ops import reshape, stop_gradient
from .candidate_draws import classes_of, drawn_classes, expected_counts
from .cast_ops import cast
from .concat_ops import concat
from .embedding_ops import embedding_lookup
from .old_arguments import labels_and_rows
from .random_sequences import Sequence

__all__ = [
    "all_candidate_sampler",
    "fixed_unigram_candidate_sampler",
    "learned_unigram_candidate_sampler",
    "log_uniform_candidate_sampler",
    "nce_loss",
    "sampled_softmax_loss",
    "uniform_candidate_sampler",
]


def _sampler(
    op_type: str,
    true_classes: Any,
    num_sampled: int,
    unique: bool,
    range_max: int,
    weights: Any,
    seed: int | None,
    name: Any,
) -> Any:
    """Return the sampled classes, the expected counts of the true ones, and those of the sampled ones."""
    sequence = Sequence(op_type, (num_sampled, unique, range_max), seed)
    if unique and num_sampled > range_max:
        raise ValueError(f"{op_type}: cannot draw {num_sampled} unique classes of {range_max}")

    def draw(session: RunSession, true: Any) -> tuple[Any, Any, Any]:
        rng, true = sequence.draws(session), array_of(true)
        outside = true[(true < 0) | (true >= range_max)]
        if outside.size:
            raise ValueError(f"`true_candidate` out of range [0, {range_max}), got {outside[0]}")
        classes = sequence.kept(session, lambda: classes_of(op_type, range_max, weights))
        words = rng.words(512 * num_sampled)
        drawn, tries = drawn_classes(classes, words, num_sampled, unique)
        counts = [expected_counts(classes.probabilities(each), num_sampled, tries) for each in (true, drawn)]
        classes.learn(true)
        return drawn, counts[0], counts[1]

    return _candidates(op_type, draw, true_classes, num_sampled, name)


def _candidates(op_type: str, draw: Callable[..., Any], true_classes: Any, num_sampled: int, name: Any) -> Any:
    if executing_eagerly():
        return CandidateSampler(*call(op_type, draw, (true_classes,), contextual=True))
    true = convert(true_classes)
    drawn = call(
        op_type,
        draw,
        (true,),
        name=name,
        shape=[(num_sampled,), true._shape, (num_sampled,)],
        dtype=["int64", "float32", "float32"],
        outputs=3,
        contextual=True,
        differentiable=False,
    )
    return CandidateSampler(*drawn)


def log_uniform_candidate_sampler(
    true_classes: Any,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    seed: int | None = None,
    name: str | None = None,
) -> Any:
    """Draw classes by ``P(k) = (log(k + 2) - log(k + 1)) / log(range_max + 1)``: for classes sorted by frequency."""
    return _sampler("LogUniformCandidateSampler", true_classes, num_sampled, unique, range_max, None, seed, name)


def uniform_candidate_sampler(
    true_classes: Any,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    seed: int | None = None,
    name: str | None = None,
) -> Any:
    """Draw classes uniformly."""
    return _sampler("UniformCandidateSampler", true_classes, num_sampled, unique, range_max, None, seed, name)


def learned_unigram_candidate_sampler(
    true_classes: Any,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    seed: int | None = None,
    name: str | None = None,
) -> Any:
    """Draw classes by how often they were true ones in a session: as if each had been so once before."""
    return _sampler("LearnedUnigramCandidateSampler", true_classes, num_sampled, unique, range_max, None, seed, name)


def all_candidate_sampler(
    true_classes: Any, num_true: int, num_sampled: int, unique: bool, seed: int | None = None, name: str | None = None
) -> Any:
    """Return all classes, each once."""

    def all_of(session: RunSession, true: Any) -> tuple[Any, Any, Any]:
        ones = np.ones(num_sampled, np.float32)
        return np.arange(num_sampled), np.ones(np.shape(array_of(true)), np.float32), ones

    return _candidates("AllCandidateSampler", all_of, true_classes, num_sampled, name)


def fixed_unigram_candidate_sampler(
    true_classes: Any,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    vocab_file: str = "",
    distortion: float = 1.0,
    num_reserved_ids: int = 0,
    num_shards: int = 1,
    shard: int = 0,
    unigrams: Any = (),
    seed: int | None = None,
    name: str | None = None,
) -> Any:
    """Draw classes by ``unigrams[k] ** distortion``; the first ``num_reserved_ids`` are never drawn.

    Of ``num_shards`` shards, one has the counts k with ``k % num_shards == shard``, as its classes 0, 1 and so on.
    Raises ValueError for another number of counts, a shard that is none, and for a ``vocab_file``: no function of a
    graph reads files.
    """
    if vocab_file:
        remedy = "read the counts in its last column and give them as unigrams"
        raise ValueError(must("fixed_unigram_candidate_sampler", "vocab_file", "be ''", vocab_file, remedy))
    if not 0 <= shard < num_shards:
        raise ValueError(f"shard must be between 0 and num_shards={num_shards}, got {shard}")
    powers = np.asarray(unigrams, np.float32) ** np.float32(distortion)
    reserved = len(range(shard, num_reserved_ids, num_shards))  # from which TensorFlow numbers the counts
    counts = np.concatenate([np.zeros(reserved, np.float32), powers[(shard - reserved) % num_shards :: num_shards]])
    if len(counts) != range_max:
        raise ValueError(
            f"fixed_unigram_candidate_sampler: unigrams must have range_max={range_max} counts, got {len(counts)}"
        )
    possible = np.count_nonzero(counts)
    if unique and num_sampled > possible:
        raise ValueError(f"FixedUnigramCandidateSampler: cannot draw {num_sampled} unique classes of {possible}")
    return _sampler("FixedUnigramCandidateSampler", true_classes, num_sampled, unique, range_max, counts, seed, name)


def _logits(
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_sampled: int,
    num_classes: int,
    num_true: int,
    sampled_values: Any,
    remove_accidental_hits: bool,
    partition_strategy: str,
    seed: int | None,
    subtract_log_q: bool = True,
) -> tuple[Any, Any]:
    """Return the logits of true and sampled classes beside each other, and the labels that belong to them."""
    if not executing_eagerly():
        inputs, labels = convert(inputs), convert(labels)
    if sampled_values is None:
        sampled_values = log_uniform_candidate_sampler(labels, num_true, num_sampled, True, num_classes, seed)
    sampled, true_expected, sampled_expected = (stop_gradient(value) for value in sampled_values)
    flat = reshape(labels, [-1])
    ids = concat([cast(flat, "int64"), cast(sampled, "int64")], 0)
    rows = embedding_lookup(weights, ids, partition_strategy)
    shifts = embedding_lookup(biases, ids, partition_strategy)

    def scores(x: Any, w: Any, b: Any, true: Any, drawn: Any, true_count: Any, drawn_count: Any) -> Any:
        count = np.size(unwrap(true))
        true_rows = np.reshape(w[:count], (-1, num_true, w.shape[1]))
        at_true = np.sum(np.expand_dims(x, 1) * true_rows, axis=2) + np.reshape(b[:count], (-1, num_true))
        at_drawn = np.matmul(x, np.transpose(w[count:])) + b[count:]
        if remove_accidental_hits:
            hits = (array_of(true).reshape(-1, num_true, 1) == array_of(drawn)).any(axis=1)
            at_drawn = at_drawn + (hits * np.float64(np.finfo(np.float32).min)).astype(x.dtype)
        if subtract_log_q:
            at_true = at_true - np.log(array_of(true_count)).astype(x.dtype)
            at_drawn = at_drawn - np.log(array_of(drawn_count)).astype(x.dtype)
        return np.concatenate([at_true, at_drawn], axis=1)

    dtype = dtype_of(inputs)
    batch = None if executing_eagerly() or inputs._shape is None else inputs._shape[0]
    drawn_size = None if executing_eagerly() or sampled._shape is None else sampled._shape[0]
    width = None if drawn_size is None else num_true + drawn_size
    logits = call(
        "sampled_logits",
        scores,
        (inputs, rows, shifts, flat, sampled, true_expected, sampled_expected),
        shape=(batch, width),
        dtype=dtype,
        same=False,
    )

    def targets(x: Any) -> Any:
        out = np.zeros(x.shape, x.dtype)
        out[:, :num_true] = 1 / num_true
        return out

    out_labels = call(
        "sampled_labels", targets, (logits,), shape=shape_inference.same, dtype=dtype, differentiable=False
    )
    return logits, out_labels


def _sampled_loss(op_type: str, formula: Callable[[Any, Any], Any], remove_hits: bool, text: str) -> Callable[..., Any]:
    def loss(
        weights: Any,
        biases: Any,
        labels: Any,
        inputs: Any,
        num_sampled: int,
        num_classes: int,
        num_true: int = 1,
        sampled_values: Any = None,
        remove_accidental_hits: bool = remove_hits,
        partition_strategy: str = "mod",
        name: str = op_type,
        seed: int | None = None,
    ) -> Any:
        labels, inputs = labels_and_rows(labels, inputs)  # TensorFlow 0.x had the inputs first
        logits, targets = _logits(
            weights,
            biases,
            labels,
            inputs,
            num_sampled,
            num_classes,
            num_true,
            sampled_values,
            remove_accidental_hits,
            partition_strategy,
            seed,
        )
        return call(op_type, formula, (logits, targets), name=name, shape=lambda x, z: None if x is None else x[:1])

    loss.__doc__ = f"""{text}

    Args:
        weights: ``(num_classes, dim)``, or a list of parts. biases: ``(num_classes,)``.
        labels: ``(batch, num_true)`` integers. inputs: ``(batch, dim)``.
        sampled_values: what a candidate sampler returned; by default from `log_uniform_candidate_sampler`.
    """
    return loss


nce_loss = _sampled_loss(
    "nce_loss",
    lambda x, z: np.sum(_nn.sigmoid_cross_entropy_with_logits(labels=unwrap(z), logits=x), axis=1),
    False,
    "Return the noise-contrastive loss of each row (Gutmann and Hyvarinen, 2010): sigmoid cross entropies of classes.",
)
sampled_softmax_loss = _sampled_loss(
    "sampled_softmax_loss",
    lambda x, z: -np.sum(unwrap(z) * _nn.log_softmax(x, -1), axis=-1),
    True,
    "Return the softmax loss of each row over its true and the sampled classes (Jean et al., 2014).",
)

name_functions(__name__)
