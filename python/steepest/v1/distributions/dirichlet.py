"""Distributions of shares: the beta and the Dirichlet distribution."""

from __future__ import annotations

from typing import Any

from ..graph.build import shape_of
from ..graph.scopes import name_scope
from ..graph.shapes import Shape
from ..ops.array_ops import shape
from ..ops.cast_ops import cast
from ..ops.check_ops import assert_rank_at_least
from ..ops.compare_checks import assert_less, assert_near, assert_positive
from ..ops.creation_ops import ones_like, zeros_like
from ..ops.diagonal_ops import matrix_set_diag
from ..ops.incomplete_gamma_ops import betainc
from ..ops.math_ops import greater, log1p, logical_and, xlogy
from ..ops.random_gamma_ops import random_gamma
from ..ops.reduce_ops import reduce_all, reduce_sum
from ..ops.special_math_ops import digamma, lbeta, lgamma
from .checks import checked, nan_unless, parameter, positive, same_float
from .distribution import FULLY_REPARAMETERIZED, Distribution
from .kullback_leibler import RegisterKL
from .util import gen_new_seed

__all__ = ["Beta", "Dirichlet", "weights_of_shares"]


class Beta(Distribution):
    """The beta distribution on (0, 1): the density of x is that of ``x ** (a - 1) * (1 - x) ** (b - 1)``.

    a is ``concentration1``, b ``concentration0``.

    Gradients flow through samples. Source: ``tf.distributions.Beta``.
    """

    _shaped = ("concentration1", "concentration0")

    def __init__(
        self,
        concentration1: Any = None,
        concentration0: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Beta",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name) as scope:
            self._ones, self._zeros = (
                positive(each, validate_args)
                for each in (parameter(concentration1, "concentration1"), parameter(concentration0, "concentration0"))
            )
        dtype = same_float(self._ones, self._zeros)
        super().__init__(dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, name=scope)

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
        again = gen_new_seed(seed, "beta")
        one = random_gamma(sample_shape, self._ones + zeros_like(self._zeros), dtype=self.dtype, seed=seed)
        zero = random_gamma(sample_shape, self._zeros + zeros_like(self._ones), dtype=self.dtype, seed=again)
        return one / (one + zero)

    def _log_norm(self) -> Any:
        return lgamma(self._ones) + lgamma(self._zeros) - lgamma(self.total_concentration)

    def _log_prob(self, value: Any) -> Any:
        def inside() -> list[Any]:
            above = assert_positive(value, message="sample must be positive")
            return [above, assert_less(value, ones_like(value), message="sample must be less than `1`.")]

        value = checked(value, self._validate_args, inside)
        return xlogy(self._ones - 1, value) + (self._zeros - 1) * log1p(-value) - self._log_norm()

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
        mode = (self._ones - 1) / (self.total_concentration - 2)
        told = [f"Mode undefined for concentration{k} <= 1." for k in (1, 0)]
        return nan_unless(inside, mode, 1.0, told, self._ones, self._zeros, allow_nan_stats=self._allow_nan_stats)

    def _entropy(self) -> Any:
        a, b, total = self._ones, self._zeros, self.total_concentration
        return self._log_norm() - (a - 1) * digamma(a) - (b - 1) * digamma(b) + (total - 2) * digamma(total)


def weights_of_shares(weights: Any, wanted: bool) -> Any:
    """Return the weights of the last axis, which are checked to be positive, and two at least, where that is wanted."""
    what = "Concentration parameter must"

    def rules() -> list[Any]:
        return [
            assert_positive(weights, message=f"{what} be positive."),
            assert_rank_at_least(weights, 1, message=f"{what} have >=1 dimensions."),
            assert_less(1, shape(weights)[-1], message=f"{what} have event_size >= 2."),
        ]

    return checked(weights, wanted, rules)


class Dirichlet(Distribution):
    """The Dirichlet distribution of K shares that sum to 1, with the weights of the last axis.

    Gradients flow through samples. Source: ``tf.distributions.Dirichlet``.
    """

    def __init__(
        self, concentration: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Dirichlet"
    ) -> None:
        parameters = dict(locals())
        with name_scope(name) as scope:
            self._concentration = weights_of_shares(parameter(concentration, "concentration"), validate_args)
        dtype = same_float(self._concentration)
        super().__init__(dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, name=scope)

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

    def _event_shape_tensor(self) -> Any:
        return shape(self._concentration)[-1:]

    def _size(self) -> Any:
        return cast(shape(self._concentration)[-1], self.dtype)

    def _draw(self, sample_shape: Any, seed: int | None) -> Any:
        gammas = random_gamma(sample_shape, self._concentration, dtype=self.dtype, seed=seed)
        return gammas / reduce_sum(gammas, -1, keepdims=True)

    def _converted(self, value: Any) -> Any:
        value = super()._converted(value)

        def shares() -> list[Any]:
            total = reduce_sum(value, -1)
            above = assert_positive(value, message="samples must be positive")
            message = "sample last-dimension must sum to `1`"
            return [above, assert_near(ones_like(total), total, message=message)]

        return checked(value, self._validate_args, shares)

    def _log_prob(self, value: Any) -> Any:
        return reduce_sum(xlogy(self._concentration - 1, value), -1) - lbeta(self._concentration)

    def _mean(self) -> Any:
        return self._concentration / reduce_sum(self._concentration, -1, keepdims=True)

    def _variance(self) -> Any:
        mean = self._mean()
        return mean * (1 - mean) / (1 + reduce_sum(self._concentration, -1, keepdims=True))

    def _covariance(self) -> Any:
        mean = self._mean()
        total = 1 + self.total_concentration[..., None, None]
        return matrix_set_diag(-mean[..., None] * mean[..., None, :] / total, self._variance())

    def _mode(self) -> Any:
        total = reduce_sum(self._concentration, -1, keepdims=True)
        inside = reduce_all(greater(self._concentration, 1.0), -1, keepdims=True)
        mode = (self._concentration - 1) / (total - self._size())
        told = "Mode undefined when any concentration <= 1"
        return nan_unless(inside, mode, 1.0, told, self._concentration, allow_nan_stats=self._allow_nan_stats)

    def _entropy(self) -> Any:
        a, total = self._concentration, self.total_concentration
        return lbeta(a) + (total - self._size()) * digamma(total) - reduce_sum((a - 1) * digamma(a), -1)


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
