"""Distributions of positive numbers made of the gamma, the normal and the uniform one, and the Cauchy distribution."""

from __future__ import annotations

import math
from typing import Any

from ...distributions.checks import nan_unless, parameter, positive, same_float
from ...distributions.distribution import FULLY_REPARAMETERIZED, Distribution
from ...distributions.gamma import ConcentrationAndRate, Gamma
from ...distributions.location_scale import LocationScale
from ...graph.scopes import name_scope
from ...ops.activation_ops import softplus
from ...ops.creation_ops import fill, ones_like, zeros_like
from ...ops.gather_ops import where
from ...ops.incomplete_gamma_ops import igammac
from ...ops.math_ops import abs as _abs
from ...ops.math_ops import atan, erf, exp, floor, less, log, log1p, square, tan
from ...ops.random_gamma_ops import random_gamma
from ...ops.random_ops import random_normal, random_uniform
from ...ops.special_math_ops import digamma, erfinv, lgamma

__all__ = [
    "Cauchy",
    "Chi2",
    "Chi2WithAbsDf",
    "HalfNormal",
    "InverseGamma",
    "InverseGammaWithSoftplusConcentrationRate",
]


class Cauchy(LocationScale):
    """The Cauchy distribution: the density falls as ``1 / (1 + z ** 2)``; it has neither mean nor deviation.

    Source: ``tf.contrib.distributions.Cauchy``.
    """

    def _draw(self, sample_shape: Any, seed: int | None) -> Any:
        return self._quantile(random_uniform(self._sample_sizes(sample_shape), dtype=self.dtype, seed=seed))

    def _log_prob(self, value: Any) -> Any:
        return -log1p(square(self._z(value))) - (math.log(math.pi) + log(self._scale))

    def _cdf(self, value: Any) -> Any:
        return atan(self._z(value)) / math.pi + 0.5

    def _log_cdf(self, value: Any) -> Any:
        return log1p(2 / math.pi * atan(self._z(value))) - math.log(2)

    def _quantile(self, value: Any) -> Any:
        return self._loc + self._scale * tan(math.pi * (value - 0.5))

    def _entropy(self) -> Any:
        return self._wide(math.log(4 * math.pi) + log(self._scale))

    def _mode(self) -> Any:
        return self._loc * ones_like(self._scale)

    def _undefined(self, what: str) -> Any:
        if not self._allow_nan_stats:
            raise ValueError(f"`{what}` is undefined for Cauchy distribution.")
        return fill(self.batch_shape_tensor(), self.dtype.as_numpy_dtype(math.nan))

    def _mean(self) -> Any:
        return self._undefined("mean")

    def _stddev(self) -> Any:
        return self._undefined("stddev")


class Chi2(Gamma):
    """The chi-squared distribution: the sum of ``df`` squares of standard normal samples.

    Source: ``tf.contrib.distributions.Chi2``.
    """

    _shaped = ("df",)

    def __init__(self, df: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Chi2") -> None:
        parameters = {"df": df, "validate_args": validate_args, "allow_nan_stats": allow_nan_stats, "name": name}
        with name_scope(name) as scope:
            self._df = positive(parameter(df, "df"), validate_args)
            super().__init__(0.5 * self._df, self._df.dtype.as_numpy_dtype(0.5), validate_args, allow_nan_stats, scope)
        self._parameters = parameters

    @property
    def df(self) -> Any:
        """The number of squares."""
        return self._df

    def _batch_values(self) -> Any:
        return self._df


class Chi2WithAbsDf(Chi2):
    """`Chi2` of the whole part of ``|df|``. Source: ``tf.contrib.distributions.Chi2WithAbsDf``."""

    def __init__(
        self, df: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Chi2WithAbsDf"
    ) -> None:
        super().__init__(floor(_abs(parameter(df, "df"))), validate_args, allow_nan_stats, name)


class HalfNormal(Distribution):
    """The absolute value of a normal sample with mean 0 and standard deviation ``scale``.

    Source: ``tf.contrib.distributions.HalfNormal``.
    """

    _shaped = ("scale",)

    def __init__(
        self, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "HalfNormal"
    ) -> None:
        parameters = dict(locals())
        with name_scope(name) as scope:
            self._scale = positive(parameter(scale, "scale"), validate_args)
        dtype = same_float(self._scale)
        super().__init__(dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, name=scope)

    @property
    def scale(self) -> Any:
        """The standard deviation of the normal distribution."""
        return self._scale

    def _batch_values(self) -> Any:
        return self._scale

    def _draw(self, sample_shape: Any, seed: int | None) -> Any:
        return _abs(random_normal(self._sample_sizes(sample_shape), dtype=self.dtype, seed=seed) * self._scale)

    def _prob(self, value: Any) -> Any:
        density = math.sqrt(2 / math.pi) / self._scale * exp(-0.5 * square(value / self._scale))
        return where(less(value + zeros_like(density), 0.0), zeros_like(density), density)  # NaN stays NaN

    def _cdf(self, value: Any) -> Any:
        below = erf(value / (self._scale * math.sqrt(2)))
        return where(less(below, 0.0), zeros_like(below), below)

    def _quantile(self, value: Any) -> Any:
        return math.sqrt(2) * self._scale * erfinv(value)

    def _entropy(self) -> Any:
        return 0.5 * log(math.pi * square(self._scale) / 2) + 0.5

    def _mean(self) -> Any:
        return self._scale * math.sqrt(2 / math.pi)

    def _mode(self) -> Any:
        return zeros_like(self._scale)

    def _variance(self) -> Any:
        return square(self._scale) * (1 - 2 / math.pi)


class InverseGamma(ConcentrationAndRate):
    """One over a sample of the gamma distribution with this concentration and rate.

    Source: ``tf.contrib.distributions.InverseGamma``.
    """

    def _draw(self, sample_shape: Any, seed: int | None) -> Any:
        return 1.0 / random_gamma(sample_shape, self._concentration, self._rate, self.dtype, seed)

    def _log_prob(self, value: Any) -> Any:
        a, b = self._concentration, self._rate
        return -(1.0 + a) * log(value) - b / value - (lgamma(a) - a * log(b))

    def _cdf(self, value: Any) -> Any:
        scaled = self._rate / value
        return igammac(self._concentration + zeros_like(scaled), scaled + zeros_like(self._concentration))

    def _entropy(self) -> Any:
        a = self._concentration
        return a + log(self._rate) + lgamma(a) - (1.0 + a) * digamma(a)

    def _defined(self, value: Any, least: float, what: str) -> Any:
        a = self._concentration
        told = f"{what} undefined when any concentration <= {least:g}"
        return nan_unless(a > least, value, least, told, a, allow_nan_stats=self._allow_nan_stats)

    def _mean(self) -> Any:
        return self._defined(self._rate / (self._concentration - 1.0), 1.0, "mean")

    def _variance(self) -> Any:
        a = self._concentration
        return self._defined(square(self._rate) / (square(a - 1.0) * (a - 2.0)), 2.0, "variance")

    def _mode(self) -> Any:
        return self._rate / (1.0 + self._concentration)


class InverseGammaWithSoftplusConcentrationRate(InverseGamma):
    """`InverseGamma` of the softplus of concentration and rate."""

    def __init__(
        self,
        concentration: Any,
        rate: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "InverseGammaWithSoftplusConcentrationRate",
    ) -> None:
        both = softplus(parameter(concentration, "concentration")), softplus(parameter(rate, "rate"))
        super().__init__(*both, validate_args, allow_nan_stats, name)
