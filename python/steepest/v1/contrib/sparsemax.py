"""``tf.contrib.sparsemax``: probabilities of which many are 0, and their loss.

Source: Martins and Astudillo, From Softmax to Sparsemax, 2016.
"""

from __future__ import annotations

from typing import Any

from ..graph.missing import namespace
from ..graph.scopes import name_scope
from ..ops.array_ops import shape
from ..ops.cast_ops import cast
from ..ops.concat_ops import stack
from ..ops.creation_ops import fill, zeros_like
from ..ops.creation_ops import range as counted
from ..ops.gather_ops import where
from ..ops.math_ops import equal, is_inf, is_nan, logical_and, logical_or, maximum
from ..ops.position_ops import gather_nd
from ..ops.reduce_ops import cumsum, reduce_sum
from ..ops.sort_ops import top_k
from ..ops.sparse_ops import convert_to_tensor

__all__ = ["sparsemax", "sparsemax_loss"]

__getattr__, __dir__ = namespace(__name__)


def sparsemax(logits: Any, name: str | None = None) -> Any:
    """Return for each row of logits the nearest point of the simplex: ``max(logits - threshold, 0)``, whose sum is 1.

    A row with a NaN, or without a finite largest value, is NaN.
    """
    with name_scope(name, "sparsemax", [logits]):
        z = convert_to_tensor(logits, name="logits")
        sizes = shape(z)
        ordered, _ = top_k(z, k=sizes[1])
        sums = cumsum(ordered, axis=1)
        ranks = counted(1, cast(sizes[1], z.dtype) + 1, dtype=z.dtype)
        support = reduce_sum(cast(1 + ranks * ordered > sums, "int32"), axis=1)  # how many are not 0
        last = stack([counted(0, sizes[0]), maximum(support, 1) - 1], axis=1)
        threshold = (gather_nd(sums, last) - 1) / cast(support, z.dtype)
        shares = maximum(cast(0, z.dtype), z - threshold[:, None])
        no_answer = logical_or(equal(support, 0), is_nan(sums[:, -1]))
        return where(no_answer, fill(sizes, cast(float("nan"), z.dtype)), shares)


def sparsemax_loss(logits: Any, sparsemax: Any, labels: Any, name: str | None = None) -> Any:
    """Return each row's loss; its gradient by the logits is ``sparsemax - labels``."""
    with name_scope(name, "sparsemax_loss", [logits, sparsemax, labels]):
        z, shares = convert_to_tensor(logits, name="logits"), convert_to_tensor(sparsemax, name="sparsemax")
        wanted = convert_to_tensor(labels, name="labels")
        has_share = logical_or(shares > 0, is_nan(shares))  # 0 of minus infinity is 0
        of_shares = where(has_share, shares * (z - 0.5 * shares), zeros_like(shares))
        of_labels = wanted * (0.5 * wanted - z)
        ignored = logical_and(equal(wanted, 0), is_inf(z))
        return reduce_sum(of_shares + where(ignored, zeros_like(z), of_labels), axis=1)
