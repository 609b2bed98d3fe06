"""The distribution of the next whole number above a sample."""

from __future__ import annotations

import math
from typing import Any

from ...distributions.checks import checked, parameter
from ...distributions.distribution import NOT_REPARAMETERIZED, Distribution
from ...distributions.function_parts import first_implemented
from ...distributions.value_checks import assert_integer_form
from ...graph.build import dtype_of
from ...graph.scopes import control_dependencies, name_scope
from ...ops.compare_checks import assert_less
from ...ops.creation_ops import zeros_like
from ...ops.math_ops import ceil, exp, floor, log
from ...ops.rearranging_ops import where_v2

__all__ = ["QuantizedDistribution"]


class QuantizedDistribution(Distribution):
    """The distribution of ``Y = ceil(X)``; where there are bounds, what is outside counts as the bound.

    Args:
        distribution: that of X.
        low: whole numbers below which there is no Y, or None.
        high: whole numbers above which there is no Y, or None.
        validate_args: bounds and values are checked to be whole numbers in a run, and ``low < high``.

    Raises TypeError or ValueError for bounds of another type.

    Source: ``tf.contrib.distributions.QuantizedDistribution``.
    """

    def __init__(
        self,
        distribution: Distribution,
        low: Any = None,
        high: Any = None,
        validate_args: bool = False,
        name: str = "QuantizedDistribution",
    ) -> None:
        given = dict(locals())
        self._distribution, self._validate_args = distribution, validate_args
        with name_scope(name) as scope:
            bounds = [None if bound is None else parameter(bound, "bound") for bound in (low, high)]
            for bound in bounds:
                if bound is not None and dtype_of(bound) != distribution.dtype:
                    raise ValueError(
                        f"Tensor type mismatch: {distribution.dtype!r} of the distribution and {dtype_of(bound)!r} "
                        "of a bound differ"
                    )
            message = "low must be strictly less than high."
            both = low is not None and high is not None
            ordered = [assert_less(*bounds, message=message)] if validate_args and both else []
            with control_dependencies(ordered):
                self._low, self._high = (None if bound is None else self._whole(bound) for bound in bounds)
        dtype, nan = distribution.dtype, distribution.allow_nan_stats
        super().__init__(dtype, NOT_REPARAMETERIZED, validate_args, nan, given, name=scope)

    @property
    def distribution(self) -> Distribution:
        """The distribution of X."""
        return self._distribution

    @property
    def low(self) -> Any:
        """The lower bound, or None."""
        return self._low

    @property
    def high(self) -> Any:
        """The upper bound, or None."""
        return self._high

    def _whole(self, value: Any) -> Any:
        message = "value has non-integer components."
        return checked(value, self._validate_args, lambda: [assert_integer_form(value, message=message)])

    def _batch_shape(self) -> Any:
        return self._distribution.batch_shape

    def _batch_shape_tensor(self) -> Any:
        return self._distribution.batch_shape_tensor()

    def _event_shape(self) -> Any:
        return self._distribution.event_shape

    def _event_shape_tensor(self) -> Any:
        return self._distribution.event_shape_tensor()

    def _draw(self, sample_shape: Any, seed: int | None) -> Any:
        y = ceil(self._distribution.sample(sample_shape, seed))
        y = y if self._low is None else where_v2(y < self._low, self._low + zeros_like(y), y)
        return y if self._high is None else where_v2(y > self._high, self._high + zeros_like(y), y)

    def _bounded(self, found: Any, j: Any, below: float, above: float) -> Any:
        """Return what is known at whole numbers, and what holds outside of the bounds."""
        j, nothing = j + zeros_like(found), zeros_like(found)
        found = found if self._low is None else where_v2(j < self._low, nothing + below, found)
        return found if self._high is None else where_v2(j >= self._high, nothing + above, found)

    def _cdf(self, value: Any) -> Any:
        j = floor(value)
        return self._bounded(self._distribution.cdf(j), j, 0.0, 1.0)

    def _log_cdf(self, value: Any) -> Any:
        j = floor(value)
        return self._bounded(self._distribution.log_cdf(j), j, -math.inf, 0.0)

    def _survival_function(self, value: Any) -> Any:
        j = ceil(value)
        return self._bounded(self._distribution.survival_function(j), j, 1.0, 0.0)

    def _log_survival_function(self, value: Any) -> Any:
        j = ceil(value)
        return self._bounded(self._distribution.log_survival_function(j), j, 0.0, -math.inf)

    def _prob(self, value: Any) -> Any:
        y = self._whole(value)

        def of_both() -> Any:
            above, next_above, below = self._survival_function(y), self._survival_function(y - 1), self._cdf(y)
            return where_v2(above < below, next_above - above, below - self._cdf(y - 1))

        return first_implemented(of_both, lambda: self._cdf(y) - self._cdf(y - 1))

    def _log_prob(self, value: Any) -> Any:
        y = self._whole(value)

        def of_both() -> Any:
            above, below = self._log_survival_function(y), self._log_cdf(y)
            big = where_v2(above < below, self._log_survival_function(y - 1), below)
            return _log_of_difference(big, where_v2(above < below, above, self._log_cdf(y - 1)))

        return first_implemented(of_both, lambda: _log_of_difference(self._log_cdf(y), self._log_cdf(y - 1)))


def _log_of_difference(big: Any, small: Any) -> Any:
    """Return ``log(exp(big) - exp(small))``."""
    return log(1.0 - exp(small - big)) + big
