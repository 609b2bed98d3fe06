"""The gamma distribution, and its case of concentration 1, the exponential one."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.build import dtype_of
from ..graph.scopes import name_scope
from ..ops.creation_ops import ones, zeros_like
from ..ops.incomplete_gamma_ops import igamma
from ..ops.math_ops import greater, log, reciprocal, sqrt, square, xlogy
from ..ops.random_gamma_ops import random_gamma
from ..ops.random_ops import random_uniform
from ..ops.special_math_ops import digamma, lgamma
from .checks import nan_unless, parameter, positive, same_float
from .distribution import FULLY_REPARAMETERIZED, Distribution
from .kullback_leibler import RegisterKL

__all__ = ["ConcentrationAndRate", "Exponential", "Gamma"]


class ConcentrationAndRate(Distribution):
    """What distributions of positive numbers with a concentration and a rate share."""

    _shaped: tuple[str, ...] = ("concentration", "rate")

    def __init__(
        self,
        concentration: Any,
        rate: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str | None = None,
    ) -> None:
        name = name or type(self).__name__
        parameters = dict(locals())
        with name_scope(name) as scope:
            self._concentration, self._rate = (
                positive(each, validate_args)
                for each in (parameter(concentration, "concentration"), parameter(rate, "rate"))
            )
        dtype = same_float(self._concentration, self._rate)
        super().__init__(dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, name=scope)

    @property
    def concentration(self) -> Any:
        """The shape of the density."""
        return self._concentration

    @property
    def rate(self) -> Any:
        """The inverse of the scale."""
        return self._rate

    def _batch_values(self) -> Any:
        return self._concentration + self._rate

    def _converted(self, value: Any) -> Any:
        value = super()._converted(value)
        return positive(value, self._validate_args)


class Gamma(ConcentrationAndRate):
    """The gamma distribution: the density grows as ``x ** (concentration - 1) * exp(-rate * x)``.

    Gradients flow through samples. Source: ``tf.distributions.Gamma``.
    """

    def _draw(self, sample_shape: Any, seed: int | None) -> Any:
        return random_gamma(sample_shape, self._concentration, self._rate, self.dtype, seed)

    def _log_prob(self, value: Any) -> Any:
        a, b = self._concentration, self._rate
        return xlogy(a - 1, value) - b * value - (lgamma(a) - a * log(b))

    def _cdf(self, value: Any) -> Any:
        scaled = self._rate * value
        return igamma(self._concentration + zeros_like(scaled), scaled + zeros_like(self._concentration))

    def _mean(self) -> Any:
        return self._concentration / self._rate

    def _variance(self) -> Any:
        return self._concentration / square(self._rate)

    def _stddev(self) -> Any:
        return sqrt(self._concentration) / self._rate

    def _mode(self) -> Any:
        a = self._concentration
        told = "mode not defined when any concentration <= 1"
        return nan_unless(greater(a, 1.0), (a - 1) / self._rate, 1.0, told, a, allow_nan_stats=self._allow_nan_stats)

    def _entropy(self) -> Any:
        a = self._concentration
        return a - log(self._rate) + lgamma(a) + (1 - a) * digamma(a)


class Exponential(Gamma):
    """The exponential distribution: the density is ``rate * exp(-rate * x)``.

    Source: ``tf.distributions.Exponential``.
    """

    _shaped = ("rate",)

    def __init__(
        self, rate: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Exponential"
    ) -> None:
        parameters = dict(locals())
        with name_scope(name) as scope:
            rates = parameter(rate, "rate")
            one = ones([], dtype_of(rates))
            super().__init__(one, rates, validate_args, allow_nan_stats, scope)
        self._parameters = {key: value for key, value in parameters.items() if key not in ("self", "__class__")}

    def _batch_values(self) -> Any:
        return self._rate

    def _draw(self, sample_shape: Any, seed: int | None) -> Any:
        least = float(np.finfo(self.dtype.as_numpy_dtype).tiny)  # no logarithm of 0
        share = random_uniform(self._sample_sizes(sample_shape), least, 1.0, self.dtype, seed)
        return -log(share) / self._rate

    def _log_prob(self, value: Any) -> Any:
        return log(self._rate) - self._rate * value

    def _log_survival_function(self, value: Any) -> Any:
        return -self._rate * value

    def _entropy(self) -> Any:
        return 1 - log(self._rate)

    def _mean(self) -> Any:
        return reciprocal(self._rate)

    def _stddev(self) -> Any:
        return reciprocal(self._rate)


@RegisterKL(Gamma, Gamma)
def _gammas(a: Gamma, b: Gamma, name: str | None = None) -> Any:
    apart = (a.concentration - b.concentration) * digamma(a.concentration)
    sizes = lgamma(b.concentration) - lgamma(a.concentration)
    rates = b.concentration * (log(a.rate) - log(b.rate)) + a.concentration * (b.rate / a.rate - 1)
    return apart + sizes + rates
