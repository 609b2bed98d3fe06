"""The normal distribution of vectors whose elements are independent."""

from __future__ import annotations

import math
from typing import Any

from ..graph.build import shape_of
from ..graph.scopes import name_scope
from ..graph.shapes import Shape
from ..ops.array_ops import shape
from ..ops.compare_checks import assert_none_equal
from ..ops.concat_ops import concat
from ..ops.creation_ops import zeros_like
from ..ops.diagonal_ops import matrix_diag
from ..ops.math_ops import log, square
from ..ops.random_ops import random_normal
from ..ops.reduce_ops import reduce_sum
from .checks import checked, parameter, same_float
from .distribution import FULLY_REPARAMETERIZED, Distribution
from .kullback_leibler import RegisterKL

__all__ = ["MultivariateNormalDiag"]


class MultivariateNormalDiag(Distribution):
    """The normal distribution of vectors with mean ``loc``; element k has the standard deviation ``scale_diag[k]``.

    Args:
        loc: the means, zeros by default; the last axis is that of the vectors.
        scale_diag: the standard deviations, ones by default.
        scale_identity_multiplier: a number for each vector, which is added to ``scale_diag``, or stands for it.

    Raises ValueError where neither a mean nor a deviation says how long the vectors are.

    Source: ``tf.contrib.distributions.MultivariateNormalDiag``.
    """

    def __init__(
        self,
        loc: Any = None,
        scale_diag: Any = None,
        scale_identity_multiplier: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalDiag",
    ) -> None:
        if loc is None and scale_diag is None:
            raise ValueError("MultivariateNormalDiag: expected loc or scale_diag, got neither")
        parameters = dict(locals())
        with name_scope(name) as scope:
            mean = None if loc is None else parameter(loc, "loc")
            width: Any = None if scale_diag is None else parameter(scale_diag, "scale_diag")
            if scale_identity_multiplier is not None:
                each = parameter(scale_identity_multiplier, "scale_identity_multiplier")[..., None]
                width = each if width is None else width + each
            elif width is None:
                width = 1.0
            zeros = zeros_like((width if mean is None else mean) + width)
            self._loc = zeros if mean is None else mean + zeros
            self._width = width + zeros
            width = self._width
            message = "diag part must be non-zero"
            self._width = checked(
                width, validate_args, lambda: [assert_none_equal(width, zeros_like(width), message=message)]
            )
        dtype = same_float(self._loc, self._width)
        super().__init__(dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, name=scope)

    @property
    def loc(self) -> Any:
        """The mean."""
        return self._loc

    def _batch_values(self) -> Any:
        return self._loc[..., 0]

    def _event(self) -> Shape:
        known = shape_of(self._loc)
        return None if known is None else known[-1:]

    def _event_shape_tensor(self) -> Any:
        return shape(self._loc)[-1:]

    def _draw(self, sample_shape: Any, seed: int | None) -> Any:
        sizes = concat([sample_shape, shape(self._loc)], 0)
        return self._loc + self._width * random_normal(sizes, dtype=self.dtype, seed=seed)

    def _log_prob(self, value: Any) -> Any:
        z = (value - self._loc) / self._width
        return reduce_sum(-0.5 * square(z) - 0.5 * math.log(2 * math.pi) - log(self._width), -1)

    def _mean(self) -> Any:
        return self._loc

    _mode = _mean

    def _stddev(self) -> Any:
        return self._width

    def _covariance(self) -> Any:
        return matrix_diag(square(self._width))

    def _entropy(self) -> Any:
        return reduce_sum(0.5 + 0.5 * math.log(2 * math.pi) + log(self._width), -1)


@RegisterKL(MultivariateNormalDiag, MultivariateNormalDiag)
def _normals(a: MultivariateNormalDiag, b: MultivariateNormalDiag, name: str | None = None) -> Any:
    ratio = square(a.stddev() / b.stddev())
    apart = square((a.loc - b.loc) / b.stddev())
    return 0.5 * reduce_sum(apart + ratio - 1.0 - log(ratio), -1)
