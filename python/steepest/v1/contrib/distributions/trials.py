"""Distributions of counts of trials: the binomial, the geometric and the negative binomial one."""

from __future__ import annotations

from typing import Any

from ...distributions.checks import checked, parameter, positive
from ...distributions.distribution import NOT_REPARAMETERIZED, Distribution
from ...distributions.value_checks import (
    assert_integer_form,
    embed_check_nonnegative_integer_form,
    get_logits_and_probs,
)
from ...graph.scopes import name_scope
from ...ops.activation_ops import softplus
from ...ops.compare_checks import assert_less, assert_less_equal, assert_non_negative
from ...ops.creation_ops import ones_like, zeros_like
from ...ops.gather_ops import where
from ...ops.incomplete_gamma_ops import betainc
from ...ops.math_ops import equal, exp, expm1, floor, log, log1p, maximum
from ...ops.random_gamma_ops import random_gamma
from ...ops.random_ops import random_poisson, random_uniform
from ...ops.special_math_ops import lgamma

__all__ = ["Binomial", "Geometric", "NegativeBinomial"]


class _Trials(Distribution):
    """What distributions of trials with one probability share."""

    def __init__(
        self,
        total_count: Any,
        logits: Any,
        probs: Any,
        validate_args: bool,
        allow_nan_stats: bool,
        name: str,
    ) -> None:
        given = {"logits": logits, "probs": probs, "validate_args": validate_args, "allow_nan_stats": allow_nan_stats}
        with name_scope(name) as scope:
            self._logits, self._probs = get_logits_and_probs(logits, probs, False, validate_args, name)
            self._total_count = self._checked_count(total_count, validate_args)
        if total_count is not None:
            given["total_count"] = total_count
        dtype = self._probs.dtype
        super().__init__(dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, given | {"name": name}, name=scope)

    def _checked_count(self, total_count: Any, wanted: bool) -> Any:
        del wanted
        return total_count

    @property
    def logits(self) -> Any:
        """The log-odds of a success."""
        return self._logits

    @property
    def probs(self) -> Any:
        """The probability of a success."""
        return self._probs

    def _counts(self, value: Any) -> Any:
        """Return counts, which are checked where that is wanted."""
        return embed_check_nonnegative_integer_form(value) if self._validate_args else value


class _Counted(_Trials):
    """Trials of which there is a number."""

    _shaped = ("total_count", "logits")

    def __init__(
        self,
        total_count: Any,
        logits: Any = None,
        probs: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str | None = None,
    ) -> None:
        super().__init__(total_count, logits, probs, validate_args, allow_nan_stats, name or type(self).__name__)

    @property
    def total_count(self) -> Any:
        """The number that the distribution is made with."""
        return self._total_count

    def _batch_values(self) -> Any:
        return self._total_count + self._probs


class Binomial(_Counted):
    """The number of successes in ``total_count`` trials.

    Args:
        logits, probs: one of the two, for the probability of a success.

    Raises ValueError for both or neither.

    Source: ``tf.contrib.distributions.Binomial``.
    """

    def _checked_count(self, total_count: Any, wanted: bool) -> Any:
        count = parameter(total_count, "total_count", self._probs.dtype)

        def assertions() -> list[Any]:
            whole = assert_integer_form(count, message="total_count cannot contain fractional components.")
            return [assert_non_negative(count, message="total_count must be non-negative."), whole]

        return checked(count, wanted, assertions)

    def _checked_successes(self, value: Any) -> Any:
        value = self._counts(value)
        message = "counts are not less than or equal to n."
        return checked(
            value, self._validate_args, lambda: [assert_less_equal(value, self._total_count, message=message)]
        )

    def _log_prob(self, value: Any) -> Any:
        value = self._checked_successes(value)
        n = self._total_count
        ways = lgamma(1.0 + n) - lgamma(1.0 + value) - lgamma(1.0 + n - value)
        return value * log(self._probs) + (n - value) * log1p(-self._probs) + ways

    def _cdf(self, value: Any) -> Any:
        value = self._checked_successes(value) + zeros_like(self._batch_values())
        n, chance = self._total_count + zeros_like(value), self._probs + zeros_like(value)
        everything = equal(value, n)
        rest = where(everything, ones_like(n), n - value)
        return where(everything, ones_like(n), betainc(rest, value + 1.0, 1.0 - chance))

    def _mean(self) -> Any:
        return self._total_count * self._probs

    def _variance(self) -> Any:
        return self._mean() * (1.0 - self._probs)

    def _mode(self) -> Any:
        return floor((1.0 + self._total_count) * self._probs)


class Geometric(_Trials):
    """The number of failures before the first success.

    Args:
        logits, probs: one of the two, for the probability of a success.

    Raises ValueError for both or neither.

    Source: ``tf.contrib.distributions.Geometric``.
    """

    _shaped = ("logits",)

    def __init__(
        self,
        logits: Any = None,
        probs: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Geometric",
    ) -> None:
        super().__init__(None, logits, probs, validate_args, allow_nan_stats, name)

    def _batch_values(self) -> Any:
        return self._probs

    def _draw(self, sample_shape: Any, seed: int | None) -> Any:
        share = random_uniform(self._sample_sizes(sample_shape), dtype=self.dtype, seed=seed)  # never 1
        return floor(log1p(-share) / log1p(-self._probs))

    def _wide_counts(self, value: Any) -> Any:
        """Return counts in the batch's shape: without checks of numbers in between the next lower ones."""
        value = self._counts(value) if self._validate_args else floor(value)
        return value + zeros_like(self._probs)

    def _log_prob(self, value: Any) -> Any:
        value = self._wide_counts(value)
        chance = where(equal(value, 0.0), zeros_like(value), self._probs + zeros_like(value))
        return value * log1p(-chance) + log(self._probs)

    def _cdf(self, value: Any) -> Any:
        value = self._wide_counts(value)
        return where(value < 0.0, zeros_like(value), -expm1((value + 1.0) * log1p(-self._probs)))

    def _entropy(self) -> Any:
        message = "Entropy is undefined when logits = inf or probs = 1."
        chance = checked(self._probs, self._validate_args, lambda: [assert_less(self._probs, 1.0, message=message)])
        return softplus(self._logits) / chance - self._logits

    def _mean(self) -> Any:
        return exp(-self._logits)

    def _variance(self) -> Any:
        return self._mean() / self._probs

    def _mode(self) -> Any:
        return zeros_like(self._probs)


class NegativeBinomial(_Counted):
    """The number of successes before ``total_count`` failures.

    Args:
        logits, probs: one of the two, for the probability of a success.

    Raises ValueError for both or neither.

    Source: ``tf.contrib.distributions.NegativeBinomial``.
    """

    def _checked_count(self, total_count: Any, wanted: bool) -> Any:
        return positive(parameter(total_count, "total_count", self._probs.dtype), wanted)

    def _draw(self, sample_shape: Any, seed: int | None) -> Any:
        count = self._total_count + zeros_like(self._logits)
        rates = random_gamma(sample_shape, count, exp(-self._logits) + zeros_like(count), self.dtype, seed)
        return random_poisson(rates, [], self.dtype, None if seed is None else seed + 1)

    def _log_prob(self, value: Any) -> Any:
        value = self._counts(value)
        n = self._total_count
        chances = n * -softplus(self._logits) + value * -softplus(-self._logits)
        return chances - (lgamma(1.0 + value) + lgamma(n) - lgamma(n + value))

    def _cdf(self, value: Any) -> Any:
        value = self._counts(value) + zeros_like(self._batch_values())
        n, rest = self._total_count + zeros_like(value), 1.0 - self._probs + zeros_like(value)
        return betainc(n, 1.0 + value, rest)

    def _mean(self) -> Any:
        return self._total_count * exp(self._logits)

    def _variance(self) -> Any:
        return self._mean() / (1.0 - self._probs)

    def _mode(self) -> Any:
        return floor(maximum(self._total_count - 1.0, zeros_like(self._total_count)) * exp(self._logits))
