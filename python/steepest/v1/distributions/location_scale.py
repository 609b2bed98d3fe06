"""Distributions with a location and a scale: the normal and the Laplace distribution."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..graph.scopes import name_scope
from ..ops.activation_ops import softplus
from ..ops.creation_ops import ones_like
from ..ops.gather_ops import where
from ..ops.math_ops import abs as _abs
from ..ops.math_ops import erfc, exp, expm1, less, log, log1p, sigmoid, sign, square
from ..ops.random_ops import random_normal, random_uniform
from .checks import parameter, positive, same_float
from .distribution import FULLY_REPARAMETERIZED, Distribution
from .normal_tails import log_normal_cdf
from .special_math import ndtri

__all__ = ["Laplace", "LocationScale", "Logistic", "Normal", "NormalWithSoftplusScale"]

_HALF_LOG_TWO_PI = 0.5 * math.log(2 * math.pi)


class LocationScale(Distribution):
    """What distributions with a location and a scale share."""

    _shaped = ("loc", "scale")

    def __init__(
        self,
        loc: Any = None,
        scale: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str | None = None,
        mu: Any = None,
        sigma: Any = None,
    ) -> None:
        parameters = dict(locals())
        loc, scale = (mu if loc is None else loc), (sigma if scale is None else scale)
        if loc is None or scale is None:
            raise TypeError(f"{type(self).__name__}: loc and scale must be given")
        parameters |= {"loc": loc, "scale": scale, "name": name or type(self).__name__}
        with name_scope(parameters["name"]) as scope:
            self._loc, self._scale = parameter(loc, "loc"), parameter(scale, "scale")
            dtype = same_float(self._loc, self._scale)
            self._scale = positive(self._scale, validate_args)
        super().__init__(dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, name=scope)

    @property
    def loc(self) -> Any:
        """The location."""
        return self._loc

    @property
    def scale(self) -> Any:
        """The scale."""
        return self._scale

    def _batch_values(self) -> Any:
        return self._loc + self._scale

    def _z(self, value: Any) -> Any:
        return (value - self._loc) / self._scale

    def _wide(self, value: Any) -> Any:
        """Return a statistic of the scale in the batch's shape."""
        return value * ones_like(self._loc)

    def _mean(self) -> Any:
        return self._loc * ones_like(self._scale)

    _mode = _mean


class Normal(LocationScale):
    """The normal distribution with mean ``loc`` and standard deviation ``scale``, once called mu and sigma.

    Source: ``tf.distributions.Normal``.
    """

    def _draw(self, sample_shape: Any, seed: int | None) -> Any:
        return self._loc + self._scale * random_normal(self._sample_sizes(sample_shape), dtype=self.dtype, seed=seed)

    def _log_prob(self, value: Any) -> Any:
        return -0.5 * square(self._z(value)) - (_HALF_LOG_TWO_PI + log(self._scale))

    def _cdf(self, value: Any) -> Any:
        return 0.5 * erfc(-self._z(value) * math.sqrt(0.5))

    def _survival_function(self, value: Any) -> Any:
        return 0.5 * erfc(self._z(value) * math.sqrt(0.5))

    def _log_cdf(self, value: Any) -> Any:
        return log_normal_cdf(self._z(value))

    def _log_survival_function(self, value: Any) -> Any:
        return log_normal_cdf(-self._z(value))

    def _quantile(self, value: Any) -> Any:
        return ndtri(value) * self._scale + self._loc

    def _entropy(self) -> Any:
        return self._wide(0.5 + _HALF_LOG_TWO_PI + log(self._scale))

    def _stddev(self) -> Any:
        return self._wide(self._scale)


class Laplace(LocationScale):
    """The Laplace distribution: the density falls by e where the distance to ``loc`` grows by ``scale``.

    Source: ``tf.distributions.Laplace``.
    """

    def _draw(self, sample_shape: Any, seed: int | None) -> Any:
        least = float(np.nextafter(self.dtype.as_numpy_dtype(-1), self.dtype.as_numpy_dtype(0)))
        u = random_uniform(self._sample_sizes(sample_shape), least, 1.0, self.dtype, seed)
        return self._loc - self._scale * sign(u) * log1p(-_abs(u))

    def _log_prob(self, value: Any) -> Any:
        return -_abs(self._z(value)) - (math.log(2) + log(self._scale))

    def _cdf(self, value: Any) -> Any:
        z = self._z(value)
        return 0.5 - 0.5 * sign(z) * expm1(-_abs(z))

    def _log_cdf(self, value: Any) -> Any:
        return _log_laplace_cdf(self._z(value))

    def _log_survival_function(self, value: Any) -> Any:
        return _log_laplace_cdf(-self._z(value))

    def _entropy(self) -> Any:
        return self._wide(math.log(2) + 1 + log(self._scale))

    def _stddev(self) -> Any:
        return math.sqrt(2) * self._wide(self._scale)


class Logistic(LocationScale):
    """The logistic distribution: the probability of a sample below x is ``sigmoid((x - loc) / scale)``.

    Source: ``tf.contrib.distributions.Logistic``.
    """

    def _draw(self, sample_shape: Any, seed: int | None) -> Any:
        least = float(np.finfo(self.dtype.as_numpy_dtype).tiny)
        u = random_uniform(self._sample_sizes(sample_shape), least, 1.0, self.dtype, seed)
        return self._loc + self._scale * (log(u) - log1p(-u))

    def _log_prob(self, value: Any) -> Any:
        z = self._z(value)
        return -z - 2.0 * softplus(-z) - log(self._scale)

    def _cdf(self, value: Any) -> Any:
        return sigmoid(self._z(value))

    def _entropy(self) -> Any:
        return self._wide(2.0 + log(self._scale))

    def _stddev(self) -> Any:
        return math.pi / math.sqrt(3) * self._wide(self._scale)


class NormalWithSoftplusScale(Normal):
    """The normal distribution with standard deviation ``softplus(scale)``.

    Source: ``tf.contrib.distributions.NormalWithSoftplusScale``.
    """

    def __init__(
        self,
        loc: Any,
        scale: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "NormalWithSoftplusScale",
    ) -> None:
        super().__init__(loc, softplus(parameter(scale, "scale")), validate_args, allow_nan_stats, name)


def _log_laplace_cdf(z: Any) -> Any:
    """Return the logarithm of the share below z, exact on either side."""
    return where(less(z, 0.0), z - math.log(2), log1p(-0.5 * exp(-_abs(z))))
