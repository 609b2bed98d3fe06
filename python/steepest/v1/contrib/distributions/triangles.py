"""What makes triangular matrices and positive numbers of parameters."""

from __future__ import annotations

import math
from typing import Any

from ...graph.build import shape_of
from ...graph.scopes import name_scope
from ...ops.array_ops import reshape, shape
from ...ops.cast_ops import cast
from ...ops.concat_ops import concat
from ...ops.linalg_ops import matrix_band_part
from ...ops.math_ops import expm1, log, sqrt
from ...ops.rearranging_ops import reverse
from ...ops.sparse_ops import convert_to_tensor

__all__ = ["fill_triangular", "softplus_inverse"]


def fill_triangular(x: Any, upper: bool = False, name: str | None = None) -> Any:
    """Return n x n triangles of the n (n + 1) / 2 numbers along the last axis, in the order of TensorFlow's.

    Raises ValueError for another count.

    Source: ``tf.contrib.distributions.fill_triangular``.
    """
    with name_scope(name, "fill_triangular"):
        x = convert_to_tensor(x)
        known = shape_of(x)
        if known is None or known[-1] is None:
            count = cast(shape(x)[-1], "float32")
            size: Any = cast(sqrt(0.25 + 2.0 * count), "int32")
        else:
            size = (math.isqrt(8 * known[-1] + 1) - 1) // 2
            if size * (size + 1) // 2 != known[-1]:
                raise ValueError(f"Input right-most shape ({known[-1]}) does not correspond to a triangular matrix.")
        rest = x[..., size:]
        both = concat([x, reverse(rest, [-1])] if upper else [rest, reverse(x, [-1])], -1)
        whole = known is not None and None not in known
        sizes = [*known[:-1], size, size] if known and whole else concat([shape(x)[:-1], [size, size]], 0)
        return matrix_band_part(reshape(both, sizes), 0 if upper else -1, -1 if upper else 0)


def softplus_inverse(x: Any, name: str | None = None) -> Any:
    """Return the y for which ``log(1 + exp(y))`` is ``x``. Source: ``tf.contrib.distributions.softplus_inverse``."""
    with name_scope(name, "softplus_inverse"):
        x = convert_to_tensor(x)
        return x + log(-expm1(-x))
