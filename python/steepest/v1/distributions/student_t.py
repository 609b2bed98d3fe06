"""Student's t distribution."""

from __future__ import annotations

import math
from typing import Any

from ..graph.scopes import name_scope
from ..ops.array_ops import identity
from ..ops.creation_ops import zeros_like
from ..ops.gather_ops import where
from ..ops.incomplete_gamma_ops import betainc
from ..ops.math_ops import abs as _abs
from ..ops.math_ops import greater, less, log, log1p, rsqrt, square
from ..ops.random_gamma_ops import random_gamma
from ..ops.random_ops import random_normal
from ..ops.special_math_ops import digamma, lgamma
from .checks import nan_unless, parameter, positive, same_float
from .distribution import FULLY_REPARAMETERIZED, Distribution
from .util import gen_new_seed

__all__ = ["StudentT"]


class StudentT(Distribution):
    """Student's t with ``df`` degrees of freedom, moved to ``loc`` and scaled by ``scale``.

    Gradients flow through samples. Source: ``tf.distributions.StudentT``.
    """

    _shaped = ("df", "loc", "scale")

    def __init__(
        self,
        df: Any,
        loc: Any,
        scale: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "StudentT",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name) as scope:
            self._df, self._loc, self._scale = parameter(df, "df"), parameter(loc, "loc"), parameter(scale, "scale")
            self._df = positive(self._df, validate_args)
        dtype = same_float(self._df, self._loc, self._scale)
        super().__init__(dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, name=scope)

    @property
    def df(self) -> Any:
        """The degrees of freedom."""
        return self._df

    @property
    def loc(self) -> Any:
        """The middle."""
        return self._loc

    @property
    def scale(self) -> Any:
        """The width."""
        return self._scale

    def _batch_values(self) -> Any:
        return self._df + self._loc + self._scale

    def _draw(self, sample_shape: Any, seed: int | None) -> Any:
        like = zeros_like(self._batch_values())
        again = gen_new_seed(seed, "student_t")
        sizes = self._sample_sizes(sample_shape)
        half = 0.5 * self._df + like
        standard = random_normal(sizes, dtype=self.dtype, seed=seed)
        return self._loc + self._scale * standard * rsqrt(random_gamma(sample_shape, half, half, self.dtype, again))

    def _log_prob(self, value: Any) -> Any:
        df, y = self._df, (value - self._loc) / self._scale
        size = log(_abs(self._scale)) + 0.5 * log(df) + 0.5 * math.log(math.pi) + lgamma(0.5 * df)
        return -0.5 * (df + 1) * log1p(square(y) / df) - (size - lgamma(0.5 * (df + 1)))

    def _cdf(self, value: Any) -> Any:
        y = (value - self._loc) / _abs(self._scale)
        share = self._df / (square(y) + self._df)
        tail = 0.5 * betainc(0.5 * self._df + zeros_like(share), 0.5 + zeros_like(share), share)
        return where(less(y + zeros_like(share), 0), tail, 1 - tail)

    def _entropy(self) -> Any:
        df = self._df + zeros_like(self._batch_values())
        norm = lgamma(0.5 + zeros_like(df)) + lgamma(0.5 * df) - lgamma(0.5 * (df + 1))
        slopes = digamma(0.5 * (df + 1)) - digamma(0.5 * df)
        return log(_abs(self._scale)) + 0.5 * log(df) + norm + 0.5 * (df + 1) * slopes

    def _mean(self) -> Any:
        mean = self._loc + zeros_like(self._batch_values())
        told = "mean not defined for components of df <= 1"
        return nan_unless(greater(self._df, 1.0), mean, 1.0, told, self._df, allow_nan_stats=self._allow_nan_stats)

    def _mode(self) -> Any:
        return identity(self._loc)  # TensorFlow leaves it in its own shape

    def _variance(self) -> Any:
        df = self._df + zeros_like(self._batch_values())
        known = greater(df, 2)
        finite = square(self._scale + zeros_like(df)) * df / where(known, df - 2, zeros_like(df) + 1)
        variance = where(known, finite, zeros_like(df) + float("inf"))
        told = "variance not defined for components of df <= 1"
        return nan_unless(greater(df, 1), variance, 1.0, told, df, allow_nan_stats=self._allow_nan_stats)
