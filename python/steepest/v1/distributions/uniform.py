"""The uniform distribution on an interval."""

from __future__ import annotations

import math
from typing import Any

from ..graph.scopes import name_scope
from ..ops.compare_checks import assert_less
from ..ops.creation_ops import zeros_like
from ..ops.gather_ops import where
from ..ops.math_ops import greater_equal, is_nan, less, log, logical_or, reciprocal
from ..ops.random_ops import random_uniform
from .checks import checked, parameter, same_float
from .distribution import FULLY_REPARAMETERIZED, Distribution

__all__ = ["Uniform"]


class Uniform(Distribution):
    """The uniform distribution on ``[low, high)``.

    Source: ``tf.distributions.Uniform``.
    """

    _shaped = ("low", "high")

    def __init__(
        self,
        low: Any = 0.0,
        high: Any = 1.0,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Uniform",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name) as scope:
            self._low, self._high = parameter(low, "low"), parameter(high, "high")
            dtype = same_float(self._low, self._high)
            ends = (self._low, self._high)
            message = "uniform not defined when low >= high."
            self._low = checked(self._low, validate_args, lambda: [assert_less(*ends, message=message)])
        super().__init__(dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, name=scope)

    @property
    def low(self) -> Any:
        """The lower end."""
        return self._low

    @property
    def high(self) -> Any:
        """The upper end."""
        return self._high

    def range(self, name: str = "range") -> Any:
        """Return ``high - low``."""
        with self._scope(name):
            return self._high - self._low

    def _batch_values(self) -> Any:
        return self._low + self._high

    def _draw(self, sample_shape: Any, seed: int | None) -> Any:
        share = random_uniform(self._sample_sizes(sample_shape), dtype=self.dtype, seed=seed)
        return self._low + (self._high - self._low) * share

    def _prob(self, value: Any) -> Any:
        density = reciprocal(self._high - self._low) + zeros_like(value)
        value = value + zeros_like(density)
        outside = logical_or(less(value, self._low), greater_equal(value, self._high))
        return where(is_nan(value), value, where(outside, zeros_like(density), density))

    def _cdf(self, value: Any) -> Any:
        share = (value - self._low) / (self._high - self._low)
        value = value + zeros_like(share)
        ones = zeros_like(share) + 1
        return where(
            less(value, self._low + zeros_like(share)),
            zeros_like(share),
            where(greater_equal(value, self._high + zeros_like(share)), ones, share),
        )

    def _entropy(self) -> Any:
        return log(self._high - self._low)

    def _mean(self) -> Any:
        return (self._low + self._high) / 2

    def _stddev(self) -> Any:
        return (self._high - self._low) / math.sqrt(12)

    def _variance(self) -> Any:
        return (self._high - self._low) * (self._high - self._low) / 12
