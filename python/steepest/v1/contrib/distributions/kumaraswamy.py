"""The Kumaraswamy distribution of numbers from 0 to 1."""

from __future__ import annotations

from typing import Any

from ...distributions.checks import nan_unless, same_float
from ...distributions.uniform import Uniform
from ...graph.scopes import name_scope
from ...ops.array_ops import shape
from ...ops.concat_ops import stack
from ...ops.creation_ops import ones, ones_like, zeros, zeros_like
from ...ops.math_ops import exp, log, square
from ...ops.special_math_ops import digamma, lbeta
from .curve_bijectors import Kumaraswamy as KumaraswamyBijector
from .transformed import TransformedDistribution

__all__ = ["Kumaraswamy"]


class Kumaraswamy(TransformedDistribution):
    """The Kumaraswamy distribution on [0, 1]: ``1 - (1 - x ** a) ** b`` of all samples are below x.

    Args:
        concentration1, concentration0: a and b; 1 where they are None.

    Source: ``tf.contrib.distributions.Kumaraswamy``.
    """

    def __init__(
        self,
        concentration1: Any = None,
        concentration0: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Kumaraswamy",
    ) -> None:
        one, other = (1.0 if each is None else each for each in (concentration1, concentration0))
        with name_scope(name) as scope:
            curve = KumaraswamyBijector(one, other, validate_args)
            self._a, self._b = curve.concentration1, curve.concentration0
            dtype, both = same_float(self._a, self._b), self._a + self._b
            uniform = Uniform(zeros([], dtype), ones([], dtype), allow_nan_stats=allow_nan_stats)
        sizes = shape(both) if both.shape.num_elements() is None else both.shape.as_list()
        super().__init__(uniform, curve, sizes, validate_args=validate_args, name=scope)

    @property
    def concentration1(self) -> Any:
        """The power of the sample."""
        return self._a

    @property
    def concentration0(self) -> Any:
        """The power of what is above."""
        return self._b

    def _quantile(self, value: Any) -> Any:
        return self._bijector.forward(value)  # of the uniform distribution it is the value itself

    def _entropy(self) -> Any:
        a, b = self._a, self._b
        harmonic = digamma(b + 1.0) - digamma(ones_like(b))
        return (1.0 - 1.0 / b) + (1.0 - 1.0 / a) * harmonic - log(a) - log(b)

    def _moment(self, n: int) -> Any:
        a, b = self._a, self._b
        shift = 1.0 + n / a + zeros_like(b)
        return b * exp(lbeta(stack([shift, b + zeros_like(shift)], -1)))

    def _mean(self) -> Any:
        return self._moment(1)

    def _variance(self) -> Any:
        return self._moment(2) - square(self._moment(1))

    def _mode(self) -> Any:
        a, b = self._a, self._b
        mode = ((a - 1.0) / (a * b - 1.0)) ** (1.0 / a)
        defined = (a > 1.0) & (b > 1.0)
        told = [f"Mode undefined for concentration{k} <= 1." for k in (1, 0)]
        return nan_unless(defined, mode, 1.0, told, a, b, allow_nan_stats=self._allow_nan_stats)
