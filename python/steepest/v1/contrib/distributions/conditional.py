"""Distributions whose methods take conditions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...distributions.distribution import Distribution, vector_of
from ...distributions.function_parts import first_implemented
from ...ops.math_ops import exp, log, log1p, negative
from .transformed import TransformedDistribution

__all__ = ["ConditionalDistribution", "ConditionalTransformedDistribution"]


class ConditionalDistribution(Distribution):
    """Base class of distributions whose methods take conditions: what a call names goes to the subclass' methods.

    Source: ``tf.contrib.distributions.ConditionalDistribution``.
    """

    def sample(
        self, sample_shape: Any = (), seed: int | None = None, name: str = "sample", **condition_kwargs: Any
    ) -> Any:
        """Return samples under the conditions."""
        with self._scope(name):
            return self._draw(vector_of(sample_shape), seed, **condition_kwargs)

    def _draw(self, sample_shape: Any, seed: int | None, **condition_kwargs: Any) -> Any:
        return self._reshaped(lambda n: self._sample_n(n, seed, **condition_kwargs), sample_shape)

    def _under(self, value: Any, name: str, conditions: dict[str, Any], *ways: Callable[..., Any]) -> Any:
        with self._scope(name):
            converted = self._converted(value)
            return first_implemented(*(lambda way=way: way(converted, **conditions) for way in ways))

    def log_prob(self, value: Any, name: str = "log_prob", **condition_kwargs: Any) -> Any:
        """Return the logarithm of the probability, or of its density, under the conditions."""
        other = lambda x, **conditions: log(self._prob(x, **conditions))  # noqa: E731
        return self._under(value, name, condition_kwargs, self._log_prob, other)

    def prob(self, value: Any, name: str = "prob", **condition_kwargs: Any) -> Any:
        """Return the probability, or its density, under the conditions."""
        other = lambda x, **conditions: exp(self._log_prob(x, **conditions))  # noqa: E731
        return self._under(value, name, condition_kwargs, self._prob, other)

    def cdf(self, value: Any, name: str = "cdf", **condition_kwargs: Any) -> Any:
        """Return the probability of a sample that is not larger, under the conditions."""
        other = lambda x, **conditions: exp(self._log_cdf(x, **conditions))  # noqa: E731
        return self._under(value, name, condition_kwargs, self._cdf, other)

    def log_cdf(self, value: Any, name: str = "log_cdf", **condition_kwargs: Any) -> Any:
        """Return the logarithm of `cdf` under the conditions."""
        other = lambda x, **conditions: log(self._cdf(x, **conditions))  # noqa: E731
        return self._under(value, name, condition_kwargs, self._log_cdf, other)

    def survival_function(self, value: Any, name: str = "survival_function", **condition_kwargs: Any) -> Any:
        """Return the probability of a larger sample under the conditions."""
        other = lambda x, **conditions: 1.0 - self.cdf(x, **conditions)  # noqa: E731
        return self._under(value, name, condition_kwargs, self._survival_function, other)

    def log_survival_function(self, value: Any, name: str = "log_survival_function", **condition_kwargs: Any) -> Any:
        """Return the logarithm of `survival_function` under the conditions."""
        other = lambda x, **conditions: log1p(negative(self.cdf(x, **conditions)))  # noqa: E731
        return self._under(value, name, condition_kwargs, self._log_survival_function, other)


class ConditionalTransformedDistribution(ConditionalDistribution, TransformedDistribution):
    """A `TransformedDistribution` whose methods take the conditions ``bijector_kwargs`` and ``distribution_kwargs``.

    Source: ``tf.contrib.distributions.ConditionalTransformedDistribution``.
    """

    def _draw(  # type: ignore[override]
        self,
        sample_shape: Any,
        seed: int | None,
        bijector_kwargs: dict[str, Any] | None = None,
        distribution_kwargs: dict[str, Any] | None = None,
    ) -> Any:
        return self._transform(sample_shape, seed, distribution_kwargs or {}, bijector_kwargs or {})
