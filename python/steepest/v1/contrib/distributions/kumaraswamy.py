"""The Kumaraswamy distribution of numbers from 0 to 1."""

from __future__ import annotations

from typing import Any

from ...distributions.checks import nan_unless, parameter, positive, same_float
from ...distributions.distribution import FULLY_REPARAMETERIZED, Distribution
from ...graph.scopes import name_scope
from ...ops.concat_ops import stack
from ...ops.creation_ops import ones_like, zeros_like
from ...ops.math_ops import exp, expm1, log, log1p, square, xlogy
from ...ops.random_ops import random_uniform
from ...ops.special_math_ops import digamma, lbeta

__all__ = ["Kumaraswamy"]


class Kumaraswamy(Distribution):
    """The Kumaraswamy distribution on [0, 1]: ``1 - (1 - x ** a) ** b`` of all samples are below x.

    Args:
        concentration1, concentration0: a and b; 1 where they are None.

    Source: ``tf.contrib.distributions.Kumaraswamy``.
    """

    _shaped = ("concentration1", "concentration0")

    def __init__(
        self,
        concentration1: Any = None,
        concentration0: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Kumaraswamy",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name) as scope:
            self._a, self._b = (
                positive(parameter(1.0 if each is None else each, label), validate_args)
                for each, label in ((concentration1, "concentration1"), (concentration0, "concentration0"))
            )
        dtype = same_float(self._a, self._b)
        super().__init__(dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, name=scope)

    @property
    def concentration1(self) -> Any:
        """The power of the sample."""
        return self._a

    @property
    def concentration0(self) -> Any:
        """The power of what is above."""
        return self._b

    def _batch_values(self) -> Any:
        return self._a + self._b

    def _draw(self, sample_shape: Any, seed: int | None) -> Any:
        u = random_uniform(self._sample_sizes(sample_shape), dtype=self.dtype, seed=seed)
        return self._quantile(u)

    def _quantile(self, value: Any) -> Any:
        return (-expm1(log1p(-value) / self._b)) ** (1.0 / self._a)

    def _log_prob(self, value: Any) -> Any:
        a, b = self._a, self._b
        return log(a) + log(b) + xlogy(a - 1.0, value) + (b - 1.0) * log1p(-(value**a))

    def _cdf(self, value: Any) -> Any:
        return -expm1(self._b * log1p(-(value**self._a)))

    def _entropy(self) -> Any:
        a, b = self._a, self._b
        harmonic = digamma(b + 1.0) - digamma(ones_like(b))
        return (1.0 - 1.0 / b) + (1.0 - 1.0 / a) * harmonic - log(a) - log(b)

    def _moment(self, n: int) -> Any:
        shift = 1.0 + n / self._a + zeros_like(self._b)
        return self._b * exp(lbeta(stack([shift, self._b + zeros_like(shift)], -1)))

    def _mean(self) -> Any:
        return self._moment(1)

    def _variance(self) -> Any:
        return self._moment(2) - square(self._moment(1))

    def _mode(self) -> Any:
        a, b = self._a, self._b
        mode = ((a - 1.0) / (a * b - 1.0)) ** (1.0 / a)
        defined = (a > 1.0) & (b > 1.0)
        return nan_unless(defined, mode, 1.0, "mode", a, b, allow_nan_stats=self._allow_nan_stats)
