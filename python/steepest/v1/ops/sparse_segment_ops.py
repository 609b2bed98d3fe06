"""Sums and means of segments of rows that are chosen by their positions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph import shape_inference
from ..graph.bound_names import name_functions
from ..graph.run_values import array_of
from .gather_ops import gather, taken_dense
from .segment_ops import averaged, check_size, over_root, segmented, summed, whole_numbers

__all__ = ["sparse_segment_mean", "sparse_segment_sqrt_n", "sparse_segment_sum"]


def _of_places(combined: Any) -> Any:
    def function(x: Any, at: Any, where: Any, rows: Any = None) -> Any:
        if not x.ndim:
            raise ValueError("Shape must be at least rank 1 but is rank 0")
        check_size(int(array_of(where).max(initial=-1)) + 1, x.shape[1:])
        return combined(_rows_of(x, at), where, rows)

    return function


def _shape_of_places(shape_fn: Any) -> Any:
    def function(x: Any, at: Any, where: Any, rows: Any = None) -> Any:
        return shape_fn(shape_inference.gathered(x, at), where, rows)

    return function


def _rows_of(x: Any, ids: Any) -> Any:
    where = array_of(ids)
    outside = np.flatnonzero((where < 0) | (where >= x.shape[0]))
    if outside.size:
        first = int(outside[0])
        raise IndexError(f"indices[{first}] == {where.flat[first]} out of range [0, {x.shape[0]})")
    return taken_dense(x, ids, 0)


def _of_rows(op_type: str, combine: Any, text: str) -> Any:
    def operation(
        data: Any,
        indices: Any,
        segment_ids: Any,
        name: str | None = None,
        num_segments: Any = None,
        sparse_gradient: bool = False,
    ) -> Any:
        if sparse_gradient:  # which that of rows is
            return segmented(op_type, gather(data, whole_numbers(indices)), segment_ids, combine, name, num_segments)
        places = (whole_numbers(indices),)
        return segmented(
            op_type, data, segment_ids, combine, name, num_segments, None, places, _of_places, _shape_of_places
        )

    operation.__doc__ = f"""Return for each segment {text} of ``data`` that ``indices`` name.

    With ``sparse_gradient`` the gradient is `IndexedSlices`.
    """
    return operation


sparse_segment_sum = _of_rows("SparseSegmentSum", summed, "the sum of the rows")
sparse_segment_mean = _of_rows("SparseSegmentMean", averaged, "the mean of the rows")
sparse_segment_sqrt_n = _of_rows("SparseSegmentSqrtN", over_root, "the sum over the root of the number, of the rows")

name_functions(__name__)
