"""How values are spread over bins of one width."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph import shape_inference
from ..graph.build import call
from ..graph.constants import constant_value
from ..graph.dtypes import as_dtype
from ..graph.run_values import array_of

__all__ = ["histogram_fixed_width", "histogram_fixed_width_bins"]


def _bins(values: Any, limits: Any, count: Any) -> Any:
    values, limits, count = array_of(values), array_of(limits), int(array_of(count))
    if not limits[0] < limits[1]:
        raise ValueError(f"value_range[0] must be < value_range[1], got {limits.tolist()}")
    share = (values - limits[0]) / (limits[1] - limits[0])
    return np.clip(np.floor(share * count), 0, count - 1)


def histogram_fixed_width_bins(
    values: Any, value_range: Any, nbins: Any = 100, dtype: Any = "int32", name: str | None = None
) -> Any:
    """Return the number of the bin of each value; what is outside the range is in the first or the last."""
    kind = as_dtype(dtype)
    return call(
        "histogram_fixed_width_bins",
        lambda x, limits, count: _bins(x, limits, count).astype(kind.dtype),
        (values, value_range, nbins),
        name=name,
        shape=shape_inference.same,
        dtype=kind,
        same=False,
        differentiable=False,
    )


def histogram_fixed_width(
    values: Any, value_range: Any, nbins: Any = 100, dtype: Any = "int32", name: str | None = None
) -> Any:
    """Return how many values each of ``nbins`` bins has; what is outside the range is in the first or the last."""
    kind, known = as_dtype(dtype), constant_value(nbins)

    def counts(x: Any, limits: Any, count: Any) -> Any:
        which = _bins(x, limits, count).astype(np.int64).reshape(-1)
        return np.bincount(which, minlength=int(array_of(count))).astype(kind.dtype)

    return call(
        "histogram_fixed_width",
        counts,
        (values, value_range, nbins),
        name=name,
        shape=(None if known is None else int(known),),
        dtype=kind,
        same=False,
        differentiable=False,
    )
