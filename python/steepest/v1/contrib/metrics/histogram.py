"""The area under the ROC curve of scores that are counted in bins of equal width."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....variables.collections import GraphKeys
from ...graph.build import convert
from ...graph.errors import InvalidArgumentError
from ...graph.scopes import variable_scope
from ...metrics.accumulate import Pair, add_batch
from ...metrics.thresholds import of_cells
from ...ops.control_flow_ops import group
from ...ops.reduce_ops import cumsum
from ...ops.squeezing_ops import remove_squeezable_dimensions
from ...variables.get_variable import get_variable
from ...variables.initializers import Zeros

__all__ = ["auc_using_histogram"]


def _strict_1d_cumsum(tensor: Any, len_tensor: int) -> Any:
    """Return the running sums of a vector of a known length."""
    return cumsum(tensor)[:len_tensor]


def auc_using_histogram(
    boolean_labels: Any,
    scores: Any,
    score_range: Any,
    nbins: int = 100,
    collections: Any = None,
    check_shape: bool = True,
    name: str | None = None,
) -> Pair:
    """Return the area under the ROC curve by bins of scores in ``score_range``, and the operation that adds a batch.

    Scores beyond the range are counted in its first or last bin. Raises ValueError for labels that are not bool,
    InvalidArgumentError in a run for what is no vector, unless ``check_shape`` is False.
    """
    with variable_scope(name, "auc_using_histogram"):
        scores, labels = remove_squeezable_dimensions(convert(scores), convert(boolean_labels))
        if labels.dtype.base_dtype.name != "bool":
            raise ValueError(f"Argument boolean_labels should have dtype bool.  Found: {labels.dtype}")

        def batch(truth: Any, values: Any, ends: Any) -> tuple[Any, Any]:
            for what, array in (("boolean_labels", truth), ("scores", values)):
                if check_shape and array.ndim != 1:
                    words = f"assertion failed: [Argument {what} should have rank 1.  Found: ] [{array.ndim}]"
                    raise InvalidArgumentError(None, None, words)
            places = np.floor((values - ends[0]) / (ends[1] - ends[0]) * nbins)
            places = np.clip(places, 0, nbins - 1).astype(np.int64)
            return np.bincount(places[truth], minlength=nbins), np.bincount(places[~truth], minlength=nbins)

        with variable_scope(None, "hist_accumulate"):
            keys = [GraphKeys.LOCAL_VARIABLES] if collections is None else collections
            counters = [
                get_variable(each, [nbins], "int64", Zeros(), trainable=False, collections=keys)
                for each in ("hist_true_acc", "hist_false_acc")
            ]
            parts = [labels, scores, convert(score_range, scores.dtype.base_dtype)]
            update = group(*add_batch("Histogram", batch, parts, counters), name="update_op")

        def area(right: Any, wrong: Any) -> Any:
            y, x = right[::-1] / right.sum(), wrong[::-1] / wrong.sum()
            return (x * (np.cumsum(y) - y / 2)).sum()

        return of_cells("AucOfHistogram", area, counters, "auc"), update
