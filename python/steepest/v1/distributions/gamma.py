"""The gamma distribution, and what is made of gammas: the beta and the Dirichlet distribution."""

from __future__ import annotations

from typing import Any

from ..graph.build import dtype_of, shape_of
from ..graph.scopes import name_scope
from ..graph.shapes import Shape
from ..ops.array_ops import shape
from ..ops.cast_ops import cast
from ..ops.creation_ops import ones_like, zeros_like
from ..ops.gather_ops import where
from ..ops.incomplete_gamma_ops import betainc, igamma
from ..ops.math_ops import greater, log, logical_and, sqrt, square, xlogy
from ..ops.random_gamma_ops import random_gamma
from ..ops.reduce_ops import reduce_all, reduce_sum
from ..ops.special_math_ops import digamma, lbeta, lgamma, xlog1py
from .distribution import FULLY_REPARAMETERIZED, Distribution, parameter, same_float
from .kullback_leibler import RegisterKL

__all__ = ["Beta", "Dirichlet", "Gamma"]


def _where(condition: Any, value: Any) -> Any:
    """Return the value, NaN where the condition does not hold."""
    value = value + zeros_like(cast(condition, dtype_of(value)))
    everywhere = logical_and(condition, ones_like(value, "bool"))
    return where(everywhere, value, zeros_like(value) + float("nan"))


class Gamma(Distribution):
    """The gamma distribution: the density grows as ``x ** (concentration - 1) * exp(-rate * x)``.

    Gradients flow through samples. Source: ``tf.distributions.Gamma``.
    """

    def __init__(
        self,
        concentration: Any,
        rate: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Gamma",
    ) -> None:
        with name_scope(name) as scope:
            self._concentration, self._rate = parameter(concentration, "concentration"), parameter(rate, "rate")
        dtype = same_float(self._concentration, self._rate)
        given = {"concentration": concentration, "rate": rate, "validate_args": validate_args}
        given["allow_nan_stats"] = allow_nan_stats
        super().__init__(dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, given, name=scope)

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
        return _where(greater(self._concentration, 1.0), (self._concentration - 1) / self._rate)

    def _entropy(self) -> Any:
        a = self._concentration
        return a - log(self._rate) + lgamma(a) + (1 - a) * digamma(a)


class Beta(Distribution):
    """The beta distribution on (0, 1): the density of x is that of ``x ** (a - 1) * (1 - x) ** (b - 1)``.

    a is ``concentration1``, b ``concentration0``.

    Gradients flow through samples. Source: ``tf.distributions.Beta``.
    """

    def __init__(
        self,
        concentration1: Any = None,
        concentration0: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Beta",
    ) -> None:
        with name_scope(name) as scope:
            self._ones, self._zeros = parameter(concentration1, "ones"), parameter(concentration0, "zeros")
        dtype = same_float(self._ones, self._zeros)
        given = {"concentration1": concentration1, "concentration0": concentration0, "validate_args": validate_args}
        given["allow_nan_stats"] = allow_nan_stats
        super().__init__(dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, given, name=scope)

    @property
    def concentration1(self) -> Any:
        """The weight of 1."""
        return self._ones

    @property
    def concentration0(self) -> Any:
        """The weight of 0."""
        return self._zeros

    @property
    def total_concentration(self) -> Any:
        """The sum of both weights."""
        return self._ones + self._zeros

    def _batch_values(self) -> Any:
        return self.total_concentration

    def _draw(self, sample_shape: Any, seed: int | None) -> Any:
        again = None if seed is None else seed + 1
        one = random_gamma(sample_shape, self._ones + zeros_like(self._zeros), dtype=self.dtype, seed=seed)
        zero = random_gamma(sample_shape, self._zeros + zeros_like(self._ones), dtype=self.dtype, seed=again)
        return one / (one + zero)

    def _log_norm(self) -> Any:
        return lgamma(self._ones) + lgamma(self._zeros) - lgamma(self.total_concentration)

    def _log_prob(self, value: Any) -> Any:
        return xlogy(self._ones - 1, value) + xlog1py(self._zeros - 1, -value) - self._log_norm()

    def _cdf(self, value: Any) -> Any:
        like = zeros_like(value + self.total_concentration)
        return betainc(self._ones + like, self._zeros + like, value + like)

    def _mean(self) -> Any:
        return self._ones / self.total_concentration

    def _variance(self) -> Any:
        mean = self._mean()
        return mean * (1 - mean) / (1 + self.total_concentration)

    def _mode(self) -> Any:
        inside = logical_and(greater(self._ones, 1.0), greater(self._zeros, 1.0))
        return _where(inside, (self._ones - 1) / (self.total_concentration - 2))

    def _entropy(self) -> Any:
        a, b, total = self._ones, self._zeros, self.total_concentration
        return self._log_norm() - (a - 1) * digamma(a) - (b - 1) * digamma(b) + (total - 2) * digamma(total)


class Dirichlet(Distribution):
    """The Dirichlet distribution of K shares that sum to 1, with the weights of the last axis.

    Gradients flow through samples. Source: ``tf.distributions.Dirichlet``.
    """

    def __init__(
        self, concentration: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Dirichlet"
    ) -> None:
        with name_scope(name) as scope:
            self._concentration = parameter(concentration, "concentration")
        dtype = same_float(self._concentration)
        given = {"concentration": concentration, "validate_args": validate_args, "allow_nan_stats": allow_nan_stats}
        super().__init__(dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, given, name=scope)

    @property
    def concentration(self) -> Any:
        """The weights."""
        return self._concentration

    @property
    def total_concentration(self) -> Any:
        """The sum of the weights."""
        return reduce_sum(self._concentration, -1)

    def _batch_values(self) -> Any:
        return self._concentration[..., 0]

    def _event(self) -> Shape:
        known = shape_of(self._concentration)
        return None if known is None else known[-1:]

    def _size(self) -> Any:
        return cast(shape(self._concentration)[-1], self.dtype)

    def _draw(self, sample_shape: Any, seed: int | None) -> Any:
        gammas = random_gamma(sample_shape, self._concentration, dtype=self.dtype, seed=seed)
        return gammas / reduce_sum(gammas, -1, keepdims=True)

    def _log_prob(self, value: Any) -> Any:
        return reduce_sum(xlogy(self._concentration - 1, value), -1) - lbeta(self._concentration)

    def _mean(self) -> Any:
        return self._concentration / reduce_sum(self._concentration, -1, keepdims=True)

    def _variance(self) -> Any:
        mean = self._mean()
        return mean * (1 - mean) / (1 + reduce_sum(self._concentration, -1, keepdims=True))

    def _mode(self) -> Any:
        total = reduce_sum(self._concentration, -1, keepdims=True)
        inside = reduce_all(greater(self._concentration, 1.0), -1, keepdims=True)
        return _where(inside, (self._concentration - 1) / (total - self._size()))

    def _entropy(self) -> Any:
        a, total = self._concentration, self.total_concentration
        return lbeta(a) + (total - self._size()) * digamma(total) - reduce_sum((a - 1) * digamma(a), -1)


@RegisterKL(Gamma, Gamma)
def _gammas(a: Gamma, b: Gamma, name: str | None = None) -> Any:
    apart = (a.concentration - b.concentration) * digamma(a.concentration)
    sizes = lgamma(b.concentration) - lgamma(a.concentration)
    rates = b.concentration * (log(a.rate) - log(b.rate)) + a.concentration * (b.rate / a.rate - 1)
    return apart + sizes + rates


@RegisterKL(Beta, Beta)
def _betas(a: Beta, b: Beta, name: str | None = None) -> Any:
    total = a.total_concentration
    apart = (a.concentration1 - b.concentration1) * digamma(a.concentration1)
    apart += (a.concentration0 - b.concentration0) * digamma(a.concentration0)
    return b._log_norm() - a._log_norm() + apart + (b.total_concentration - total) * digamma(total)


@RegisterKL(Dirichlet, Dirichlet)
def _dirichlets(a: Dirichlet, b: Dirichlet, name: str | None = None) -> Any:
    share = digamma(a.concentration) - digamma(reduce_sum(a.concentration, -1, keepdims=True))
    apart = reduce_sum((a.concentration - b.concentration) * share, -1)
    return apart - lbeta(a.concentration) + lbeta(b.concentration)
