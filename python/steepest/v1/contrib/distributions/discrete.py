"""Distributions of counts and of one-hot vectors: the Poisson distribution, and one of K classes."""

from __future__ import annotations

import math
from typing import Any

from ...distributions.categorical import Categorical
from ...distributions.checks import checked, parameter, positive, same_float
from ...distributions.distribution import NOT_REPARAMETERIZED, Distribution
from ...distributions.kullback_leibler import RegisterKL
from ...distributions.value_checks import embed_check_nonnegative_integer_form
from ...graph.build import shape_of
from ...graph.scopes import name_scope
from ...graph.shapes import Shape
from ...ops.activation_ops import log_softmax, softmax
from ...ops.array_ops import shape
from ...ops.cast_ops import cast
from ...ops.compare_checks import assert_near, assert_non_negative
from ...ops.creation_ops import ones_like, zeros_like
from ...ops.cross_entropy_ops import softmax_cross_entropy_with_logits
from ...ops.diagonal_ops import matrix_set_diag
from ...ops.gather_ops import where
from ...ops.incomplete_gamma_ops import igammac
from ...ops.math_ops import equal, exp, floor, log, negative, sqrt
from ...ops.one_hot_ops import one_hot
from ...ops.random_ops import random_poisson
from ...ops.reduce_ops import argmax, reduce_sum
from ...ops.special_math_ops import lgamma

__all__ = ["OneHotCategorical", "Poisson"]


class Poisson(Distribution):
    """Counts of events that come with a rate.

    Args:
        rate, log_rate: one of the two.
        validate_args: rates are checked to be positive, and values to be whole numbers that are not negative.
        interpolate_nondiscrete: whether values between counts have a density too, rather than none.

    Raises ValueError for both or neither.

    Source: ``tf.contrib.distributions.Poisson``.
    """

    def __init__(
        self,
        rate: Any = None,
        log_rate: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Poisson",
        interpolate_nondiscrete: bool = True,
    ) -> None:
        self._interpolates = interpolate_nondiscrete
        if (rate is None) == (log_rate is None):
            raise ValueError("Must specify exactly one of `rate` and `log_rate`.")
        with name_scope(name) as scope:
            if rate is None:
                self._log_rate = parameter(log_rate, "log_rate")
                self._rate = exp(self._log_rate)
            else:
                self._rate = positive(parameter(rate, "rate"), validate_args)
                self._log_rate = log(self._rate)
        given = {"rate": rate, "log_rate": log_rate}
        dtype = same_float(self._rate)
        super().__init__(dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, given, name=scope)

    @property
    def rate(self) -> Any:
        """The mean number of events."""
        return self._rate

    @property
    def log_rate(self) -> Any:
        """Its logarithm."""
        return self._log_rate

    def _batch_values(self) -> Any:
        return self._rate

    def _draw(self, sample_shape: Any, seed: int | None) -> Any:
        return random_poisson(self._rate, sample_shape, self.dtype, seed)

    def _counted(self, value: Any) -> Any:
        return embed_check_nonnegative_integer_form(value) if self._validate_args else value

    def _cdf(self, value: Any) -> Any:
        return igammac(1.0 + self._counted(value), self._rate)

    def _log_prob(self, value: Any) -> Any:
        value = self._counted(value)
        between = value * self._log_rate - lgamma(value + 1.0) - self._rate
        if self._interpolates:
            return between
        counts = zeros_like(between, "bool") | ((value >= 0.0) & equal(value, floor(value)))
        return where(counts, between, zeros_like(between) - math.inf)

    def _mean(self) -> Any:
        return self._rate

    _variance = _mean

    def _stddev(self) -> Any:
        return sqrt(self._rate)

    def _mode(self) -> Any:
        return floor(self._rate)


class OneHotCategorical(Categorical):
    """One of K classes, as a vector that is 1 there and 0 elsewhere.

    Source: ``tf.contrib.distributions.OneHotCategorical``.
    """

    def __init__(
        self,
        logits: Any = None,
        probs: Any = None,
        dtype: Any = "int32",
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "OneHotCategorical",
    ) -> None:
        super().__init__(logits, probs, dtype, validate_args, allow_nan_stats, name)

    def _size(self) -> Any:
        known = shape_of(self._logits)
        return self.event_size if known is None or known[-1] is None else known[-1]

    def _event(self) -> Shape:
        known = shape_of(self._logits)
        return None if known is None else known[-1:]

    def event_shape_tensor(self, name: str = "event_shape_tensor") -> Any:
        """Return the shape of one sample as a tensor."""
        return shape(self._logits, name=name)[-1:]

    def _draw(self, sample_shape: Any, seed: int | None) -> Any:
        return one_hot(super()._draw(sample_shape, seed), self._size(), dtype=self.dtype)

    def _log_prob(self, value: Any) -> Any:
        shares = cast(value, self._logits.dtype) + zeros_like(self._logits)

        def rules() -> list[Any]:
            total = reduce_sum(shares, -1)
            return [assert_non_negative(shares), assert_near(ones_like(total), total)]

        shares = checked(shares, self._validate_args, rules)
        logits = self._logits + zeros_like(shares)
        return negative(softmax_cross_entropy_with_logits(labels=shares, logits=logits))

    def _mode(self) -> Any:
        return one_hot(argmax(self._logits, -1), self._size(), dtype=self.dtype)

    def _mean(self) -> Any:
        return softmax(self._logits)

    def _variance(self) -> Any:
        return self._mean() * (1.0 - self._mean())

    def _covariance(self) -> Any:
        mean = self._mean()
        return matrix_set_diag(-mean[..., None] * mean[..., None, :], self._variance())

    def _cdf(self, value: Any) -> Any:
        raise NotImplementedError("cdf is not implemented: OneHotCategorical")


@RegisterKL(Poisson, Poisson)
def _poissons(a: Poisson, b: Poisson, name: str | None = None) -> Any:
    return a.rate * (a.log_rate - b.log_rate) - a.rate + b.rate


@RegisterKL(OneHotCategorical, OneHotCategorical)
def _one_hots(a: OneHotCategorical, b: OneHotCategorical, name: str | None = None) -> Any:
    return reduce_sum(softmax(a.logits) * (log_softmax(a.logits) - log_softmax(b.logits)), -1)
