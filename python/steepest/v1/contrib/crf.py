"""``tf.contrib.crf``: scores of sequences of tags in which neighbours depend on each other, and the best sequence.

The score of tags ``t[0], ..., t[n - 1]`` is the sum of ``inputs[i, t[i]]`` and of ``transitions[t[i], t[i + 1]]``.

Source: Lafferty, McCallum and Pereira, Conditional Random Fields, 2001; Viterbi, Error Bounds for Convolutional Codes
and an Asymptotically Optimum Decoding Algorithm, 1967.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.missing import namespace
from ..ops.array_ops import expand_dims, reshape, shape, transpose
from ..ops.cast_ops import cast
from ..ops.concat_ops import concat, stack
from ..ops.creation_ops import fill, range, zeros_like
from ..ops.functional_ops import foldl, scan
from ..ops.gather_ops import gather, sequence_mask, where
from ..ops.math_ops import logical_and, maximum
from ..ops.position_ops import gather_nd
from ..ops.reduce_ops import argmax, reduce_logsumexp, reduce_max, reduce_sum
from ..ops.sparse_ops import convert_to_tensor
from ..variables.get_variable import get_variable

__all__ = [
    "crf_binary_score",
    "crf_decode",
    "crf_log_likelihood",
    "crf_log_norm",
    "crf_multitag_sequence_score",
    "crf_sequence_score",
    "crf_unary_score",
    "viterbi_decode",
]

__getattr__, __dir__ = namespace(__name__)


def crf_sequence_score(inputs: Any, tag_indices: Any, sequence_lengths: Any, transition_params: Any) -> Any:
    """Return the score of each row's tags, 0 for a row of length 0.

    Args:
        inputs: the scores of tags, a tensor of floats of shape ``(batch, longest, tags)``.
        tag_indices: the tags, int32 or int64 of shape ``(batch, longest)``.
        sequence_lengths: how many of each row's tags count.
        transition_params: the scores of neighbours, of shape ``(tags, tags)``: first tag by row, second by column.

    Source: ``tf.contrib.crf.crf_sequence_score``.
    """
    alone = crf_unary_score(tag_indices, sequence_lengths, inputs)
    return alone + crf_binary_score(tag_indices, sequence_lengths, transition_params)


def crf_multitag_sequence_score(inputs: Any, tag_bitmap: Any, sequence_lengths: Any, transition_params: Any) -> Any:
    """Return the logarithm of the sum of ``exp(score)`` over all sequences of tags that ``tag_bitmap`` allows.

    ``tag_bitmap`` are booleans of the shape of ``inputs``. Source: ``tf.contrib.crf.crf_multitag_sequence_score``.
    """
    inputs = convert_to_tensor(inputs)
    never = fill(shape(inputs), cast(float("-inf"), inputs.dtype))
    return crf_log_norm(where(tag_bitmap, inputs, never), sequence_lengths, transition_params)


def crf_log_norm(inputs: Any, sequence_lengths: Any, transition_params: Any) -> Any:
    """Return the logarithm of the sum of ``exp(score)`` over all sequences of tags; 0 for a row of length 0.

    Source: ``tf.contrib.crf.crf_log_norm``; arguments as for `crf_sequence_score`.
    """
    inputs, lengths = convert_to_tensor(inputs), convert_to_tensor(sequence_lengths)
    transitions = expand_dims(transition_params, 0)

    def step(sums: Any, element: Any) -> Any:
        scores, place = element
        longer = scores + reduce_logsumexp(expand_dims(sums, 2) + transitions, 1)
        return where(place < lengths, longer, sums)

    later = (transpose(inputs[:, 1:], [1, 0, 2]), range(1, cast(shape(inputs)[1], lengths.dtype)))
    sums = reduce_logsumexp(foldl(step, later, initializer=inputs[:, 0]), 1)
    return where(lengths <= 0, zeros_like(sums), sums)


def crf_log_likelihood(
    inputs: Any, tag_indices: Any, sequence_lengths: Any, transition_params: Any = None
) -> tuple[Any, Any]:
    """Return the logarithm of the probability of each row's tags, and the scores of neighbours.

    Without ``transition_params`` they are the variable ``transitions``, made in the current scope. Source:
    ``tf.contrib.crf.crf_log_likelihood``; arguments as for `crf_sequence_score`.
    """
    inputs = convert_to_tensor(inputs)
    if transition_params is None:
        tags = inputs.shape.as_list()[2]
        transition_params = get_variable("transitions", [tags, tags])
    score = crf_sequence_score(inputs, tag_indices, sequence_lengths, transition_params)
    return score - crf_log_norm(inputs, sequence_lengths, transition_params), transition_params


def crf_unary_score(tag_indices: Any, sequence_lengths: Any, inputs: Any) -> Any:
    """Return the sum of the scores that each row's tags have by themselves. Source: ``tf.contrib.crf``."""
    inputs, tags = convert_to_tensor(inputs), convert_to_tensor(tag_indices)
    rows, places, depth = (cast(size, tags.dtype) for size in (shape(inputs)[0], shape(inputs)[1], shape(inputs)[2]))
    begins = expand_dims(range(rows) * places * depth, 1) + expand_dims(range(places) * depth, 0)
    scores = gather(reshape(inputs, [-1]), begins + tags)
    return reduce_sum(scores * sequence_mask(sequence_lengths, shape(tags)[1], inputs.dtype), 1)


def crf_binary_score(tag_indices: Any, sequence_lengths: Any, transition_params: Any) -> Any:
    """Return the sum of the scores of each row's neighbours. Source: ``tf.contrib.crf.crf_binary_score``."""
    tags, transitions = convert_to_tensor(tag_indices), convert_to_tensor(transition_params)
    pairs = tags[:, :-1] * cast(shape(transitions)[0], tags.dtype) + tags[:, 1:]
    scores = gather(reshape(transitions, [-1]), pairs)
    return reduce_sum(scores * sequence_mask(sequence_lengths, shape(tags)[1], transitions.dtype)[:, 1:], 1)


def viterbi_decode(score: Any, transition_params: Any) -> tuple[list[Any], Any]:
    """Return the best tags of one sequence, a list, and their score; arrays of NumPy, nothing is put into a graph.

    Args:
        score: the scores of tags, of shape ``(length, tags)``.
        transition_params: the scores of neighbours.

    Source: ``tf.contrib.crf.viterbi_decode``.
    """
    best, comes_from = np.asarray(score)[0], []
    for scores in np.asarray(score)[1:]:
        both = best[:, None] + np.asarray(transition_params)
        comes_from.append(np.argmax(both, 0).astype(np.int32))
        best = (scores + np.max(both, 0)).astype(scores.dtype)
    tags = [np.argmax(best)]
    for before in reversed(comes_from):
        tags.append(before[tags[-1]])
    return tags[::-1], np.max(best)


def crf_decode(potentials: Any, transition_params: Any, sequence_length: Any) -> tuple[Any, Any]:
    """Return the best tags of each row, int32, with zeros after its length, and their scores.

    Source: ``tf.contrib.crf.crf_decode``; arguments as for `crf_sequence_score`.
    """
    inputs, lengths = convert_to_tensor(potentials), convert_to_tensor(sequence_length)
    transitions, sizes = expand_dims(transition_params, 0), shape(inputs)
    itself = fill(sizes[:1], 1)[:, None] * range(sizes[2])[None]  # where the tag before is the tag itself

    def forward(state: Any, element: Any) -> Any:
        both = expand_dims(state[0], 2) + transitions
        counts = logical_and(element[1] > 0, element[1] < lengths)
        best = where(counts, element[0] + reduce_max(both, 1), state[0])
        return best, where(counts, argmax(both, 1, output_type="int32"), itself)

    def backward(tags: Any, before: Any) -> Any:
        return gather_nd(before, stack([range(sizes[0]), tags], axis=1))

    elements = (transpose(inputs, [1, 0, 2]), range(cast(sizes[1], lengths.dtype)))
    best, before = scan(forward, elements, initializer=(inputs[:, 0], itself))
    last = argmax(best[-1], 1, output_type="int32")
    tags = concat([scan(backward, before, initializer=last, reverse=True)[1:], expand_dims(last, 0)], 0)
    decoded = transpose(tags) * sequence_mask(maximum(lengths, 1), sizes[1], "int32")
    decoded.set_shape(inputs.shape[:2])
    return decoded, reduce_max(best[-1], 1)
