"""What TensorFlow has in its internal modules alone for signals, and for the gradients of draws."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.build import call
from ..graph.run_values import array_of
from ..ops.array_ops import reshape, shape
from ..ops.concat_ops import concat
from ..ops.creation_ops import ones
from ..ops.sparse_ops import convert_to_tensor

__all__ = [
    "add_leading_unit_dimensions",
    "gcd",
]


def gcd(a: Any, b: Any, name: str | None = None) -> Any:
    """Return the greatest common divisor of two integers. Raises ValueError for others, and for more than one."""
    pair = convert_to_tensor(a), convert_to_tensor(b)
    for each, which in zip(pair, "ab", strict=True):
        each.shape.assert_has_rank(0)
        if not each.dtype.is_integer:
            raise ValueError(f"{which} must be an integer type. Got: {each.dtype!r}")

    def divisor(x: Any, y: Any) -> Any:
        return np.gcd(array_of(x), array_of(y)).astype(x.dtype)

    return call("gcd", divisor, pair, name=name, shape=(), differentiable=False)


def add_leading_unit_dimensions(x: Any, num_dimensions: Any) -> Any:
    """Return ``x`` with so many axes of size 1 before its own."""
    return reshape(x, concat([ones([num_dimensions], "int32"), shape(x)], axis=0))
