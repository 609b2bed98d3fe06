"""``tf.contrib.losses.metric_learning``: losses of embeddings whose distances should tell labels apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...graph.missing import namespace
from ...graph.scopes import name_scope
from ...nn import softmax_cross_entropy_with_logits
from ...ops.array_ops import expand_dims, reshape, transpose
from ...ops.cast_ops import cast
from ...ops.concat_ops import stack
from ...ops.creation_ops import ones_like, zeros_like
from ...ops.gather_ops import where
from ...ops.math_ops import (
    equal,
    exp,
    greater,
    log,
    logical_and,
    logical_not,
    maximum,
    multiply,
    sqrt,
    square,
    squared_difference,
    truediv,
)
from ...ops.matmul_ops import diag, matmul
from ...ops.reduce_ops import reduce_any, reduce_max, reduce_mean, reduce_min, reduce_sum
from ...ops.script_ops import Print
from ...ops.sparse_math_ops import sparse_minimum, sparse_reduce_sum
from ...ops.sparse_ops import SparseTensor, convert_to_tensor

__all__ = [
    "contrastive_loss",
    "lifted_struct_loss",
    "npairs_loss",
    "npairs_loss_multilabel",
    "pairwise_distance",
    "triplet_semihard_loss",
]

__getattr__, __dir__ = namespace(__name__)


def pairwise_distance(feature: Any, squared: bool = False) -> Any:
    """Return the distances of each row to each other one, or their squares; 0 on the diagonal, with gradient 0."""
    feature = convert_to_tensor(feature)
    lengths = reduce_sum(square(feature), axis=[1], keepdims=True)
    squares = maximum(lengths + transpose(lengths) - 2.0 * matmul(feature, feature, transpose_b=True), 0.0)
    apart = cast(squares > 0, "float32")
    # the number below keeps the root's gradient finite where two rows are the same; the factor makes it 0
    distances = squares if squared else sqrt(squares + (1.0 - apart) * 1e-16)
    return distances * apart * (1.0 - _diagonal(distances))


def _diagonal(matrix: Any) -> Any:
    """Return the unit matrix of a square one's size."""
    return diag(ones_like(matrix[0]))


def contrastive_loss(labels: Any, embeddings_anchor: Any, embeddings_positive: Any, margin: float = 1.0) -> Any:
    """Return the mean of d ** 2 for pairs of one label and of max(margin - d, 0) ** 2 for others, d their distance.

    Source: Hadsell, Chopra, LeCun, 2006.
    """
    distances = sqrt(reduce_sum(squared_difference(embeddings_anchor, embeddings_positive), 1))
    same = cast(labels, distances.dtype)
    parts = same * square(distances) + (1.0 - same) * square(maximum(margin - distances, 0.0))
    return reduce_mean(parts, name="contrastive_loss")


def _same(labels: Any) -> Any:
    """Return whether rows have the label of other rows. Raises ValueError for labels that are no vector."""
    labels = convert_to_tensor(labels)
    if labels.get_shape().ndims not in (1, None):
        raise ValueError(f"labels must be a vector, got shape {labels.get_shape()}")
    column = reshape(labels, [-1, 1])
    return equal(column, transpose(column))


def triplet_semihard_loss(labels: Any, embeddings: Any, margin: float = 1.0) -> Any:
    """Return the mean over pairs of one label of max(margin + d - n, 0), n the semi-hard negative's squared distance.

    That is the least one of another label which is greater than d, or the greatest where there is none.
    Source: Schroff, Kalenichenko, Philbin, 2015.
    """
    distances = pairwise_distance(embeddings, squared=True)
    same = _same(labels)
    other = logical_not(same)
    # axes: anchor, positive, negative
    beyond = logical_and(expand_dims(other, 1), greater(expand_dims(distances, 1), expand_dims(distances, 2)))
    most = reduce_max(distances, 1, keepdims=True)
    outside = reduce_min(expand_dims(distances - most, 1) * cast(beyond, "float32"), 2) + most
    least = reduce_min(distances, 1, keepdims=True)
    inside = reduce_max((distances - least) * cast(other, "float32"), 1, keepdims=True) + least
    negatives = where(reduce_any(beyond, 2), outside, inside + zeros_like(distances))
    pairs = cast(same, "float32") - _diagonal(distances)
    losses = maximum((margin + distances - negatives) * pairs, 0.0)
    return truediv(reduce_sum(losses), reduce_sum(pairs), name="triplet_semihard_loss")


def _npairs(same: Any, anchor: Any, positive: Any, reg_lambda: float, print_losses: bool) -> Any:
    sizes = [reduce_mean(reduce_sum(square(each), 1)) for each in (anchor, positive)]
    penalty = multiply(0.25 * reg_lambda, sizes[0] + sizes[1], name="l2loss")
    wanted = same / reduce_sum(same, 1, keepdims=True)
    losses = softmax_cross_entropy_with_logits(logits=matmul(anchor, positive, transpose_b=True), labels=wanted)
    entropy = reduce_mean(losses, name="xentropy")
    if print_losses:
        entropy = Print(entropy, ["cross entropy:", entropy, "l2loss:", penalty])
    return penalty + entropy


def npairs_loss(
    labels: Any,
    embeddings_anchor: Any,
    embeddings_positive: Any,
    reg_lambda: float = 0.002,
    print_losses: bool = False,
) -> Any:
    """Return the cross entropy of each anchor's products with all positives, and a penalty of long embeddings.

    Source: Sohn, 2016.
    """
    same = cast(_same(labels), "float32")
    return _npairs(
        same, convert_to_tensor(embeddings_anchor), convert_to_tensor(embeddings_positive), reg_lambda, print_losses
    )


def npairs_loss_multilabel(
    sparse_labels: Sequence[Any],
    embeddings_anchor: Any,
    embeddings_positive: Any,
    reg_lambda: float = 0.002,
    print_losses: bool = False,
) -> Any:
    """Return `npairs_loss` of rows with several labels each: pairs count by how many they have in common.

    Raises TypeError for labels that are not sparse tensors.
    """
    if not all(isinstance(each, SparseTensor) for each in sparse_labels):
        raise TypeError(f"sparse_labels must be a list of SparseTensors, but got {sparse_labels}")
    with name_scope("NpairsLossMultiLabel"):
        rows = [
            stack([cast(sparse_reduce_sum(sparse_minimum(one, other)), "float32") for other in sparse_labels])
            for one in sparse_labels
        ]
        anchor, positive = convert_to_tensor(embeddings_anchor), convert_to_tensor(embeddings_positive)
        return _npairs(stack(rows), anchor, positive, reg_lambda, print_losses)


def lifted_struct_loss(labels: Any, embeddings: Any, margin: float = 1.0) -> Any:
    """Return the lifted structured loss: each pair of one label against all of other labels near either of the two.

    Source: Song, Xiang, Jegelka, Savarese, 2016.
    """
    distances = pairwise_distance(embeddings)
    same = _same(labels)
    other = cast(logical_not(same), "float32")
    near = margin - distances
    least = reduce_min(near, 1, keepdims=True)
    nearest = reduce_max((near - least) * other, 1, keepdims=True) + least
    most = maximum(nearest, transpose(nearest))
    # axes: row, the row that gives the shift, negative
    shifted = exp(expand_dims(near, 1) - expand_dims(most, 2)) * expand_dims(other, 1)
    left = reduce_sum(shifted, 2)
    losses = most + log(left + transpose(left)) + distances
    pairs = cast(same, "float32") - _diagonal(distances)
    total = reduce_sum(square(maximum(losses * pairs, 0.0)))
    return truediv(0.25 * total, reduce_sum(pairs) / 2.0, name="liftedstruct_loss")
