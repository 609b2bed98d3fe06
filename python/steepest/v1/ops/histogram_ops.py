"""How values are spread over bins of one width."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.build import call
from ..graph.dtypes import dtype_or
from ..graph.run_values import array_of
from ..graph.static_values import constant_value

__all__ = ["histogram_fixed_width", "histogram_fixed_width_bins"]


def _bins(values: Any, limits: Any, count: Any) -> Any:
    values, limits, count = array_of(values), array_of(limits), int(array_of(count))
    if not limits[0] < limits[1]:
        raise ValueError(f"value_range[0] must be < value_range[1], got {limits.tolist()}")
    if count <= 0:
        raise ValueError(f"nbins must be positive, got {count}")
    share = (values - limits[0]) / (limits[1] - limits[0])
    return np.clip(np.floor(share * count), 0, count - 1)


def _checked(values: Any, limits: Any, count: Any) -> Any:
    """Return the shape of the values; ValueError for a range that is not two numbers, and several counts."""
    if limits is not None and len(limits) != 1:
        raise ValueError(f"Shape must be rank 1 but is rank {len(limits)}")
    if limits is not None and limits[0] not in (2, None):
        raise ValueError(f"Dimension must be 2 but is {limits[0]}")
    if count:
        raise ValueError(f"Shape must be rank 0 but is rank {len(count)}")
    return values


def histogram_fixed_width_bins(
    values: Any, value_range: Any, nbins: Any = 100, dtype: Any = "int32", name: str | None = None
) -> Any:
    """Return the number of the bin of each value, an int32; what is outside the range is in the first or the last.

    ``dtype`` is accepted for TensorFlow's sake, which does not follow it either.
    """
    del dtype
    return call(
        "histogram_fixed_width_bins",
        lambda x, limits, count: _bins(x, limits, count).astype(np.int32),
        (values, value_range, nbins),
        name=name,
        shape=_checked,
        dtype="int32",
        same=False,
        differentiable=False,
    )


def histogram_fixed_width(
    values: Any, value_range: Any, nbins: Any = 100, dtype: Any = "int32", name: str | None = None
) -> Any:
    """Return how many values each of ``nbins`` bins has; what is outside the range is in the first or the last."""
    kind = dtype_or(dtype, "int32")
    if (known := constant_value(nbins)) is not None and not np.ndim(known) and known <= 0:
        raise ValueError(f"Requires nbins > 0, got {known}")

    def shape_fn(*shapes: Any) -> Any:
        _checked(*shapes)
        return (None if known is None else int(known),)

    def counts(x: Any, limits: Any, count: Any) -> Any:
        which = _bins(x, limits, count).astype(np.int64).reshape(-1)
        return np.bincount(which, minlength=int(array_of(count))).astype(kind.dtype)

    return call(
        "histogram_fixed_width",
        counts,
        (values, value_range, nbins),
        name=name,
        shape=shape_fn,
        dtype=kind,
        same=False,
        differentiable=False,
    )
