"""Distributions between classes, through whose samples gradients flow (Maddison et al., 2017; Jang et al., 2017)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...distributions.bernoulli import logits_and_probs
from ...distributions.checks import parameter, same_float
from ...distributions.distribution import FULLY_REPARAMETERIZED, Distribution
from ...graph.build import shape_of
from ...graph.scopes import name_scope
from ...graph.shapes import Shape
from ...ops.activation_ops import log_softmax, softmax, softplus
from ...ops.array_ops import shape
from ...ops.cast_ops import cast
from ...ops.concat_ops import concat
from ...ops.math_ops import log, log1p, sigmoid
from ...ops.random_ops import random_uniform
from ...ops.reduce_ops import reduce_logsumexp, reduce_sum
from ...ops.special_math_ops import lgamma

__all__ = ["RelaxedBernoulli", "RelaxedOneHotCategorical"]


class _Relaxed(Distribution):
    """What both share."""

    _logits: Any
    _probs: Any
    _temperature: Any

    @property
    def temperature(self) -> Any:
        """How far from the corners samples are."""
        return self._temperature

    @property
    def logits(self) -> Any:
        """The logarithms of the probabilities, or of their odds."""
        return self._logits

    @property
    def probs(self) -> Any:
        """The probabilities of the classes."""
        return self._probs

    def _uniform(self, sizes: Any, seed: int | None) -> Any:
        return random_uniform(sizes, float(np.finfo(self.dtype.as_numpy_dtype).tiny), 1.0, self.dtype, seed)


class RelaxedOneHotCategorical(_Relaxed):
    """Vectors of K positive numbers that sum to 1, near a corner where ``temperature`` is low.

    Args:
        temperature: how far from the corners samples are.
        logits, probs: one of the two.

    Source: ``tf.contrib.distributions.RelaxedOneHotCategorical``.
    """

    def __init__(
        self,
        temperature: Any,
        logits: Any = None,
        probs: Any = None,
        dtype: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "RelaxedOneHotCategorical",
    ) -> None:
        with name_scope(name) as scope:
            self._logits, self._probs = logits_and_probs(logits, probs, log, softmax)
            self._temperature = parameter(temperature, "temperature", self._logits.dtype)
        given = {"temperature": temperature, "logits": logits, "probs": probs}
        own = same_float(self._logits)
        super().__init__(own, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, given, name=scope)

    def _batch_values(self) -> Any:
        return self._logits[..., 0] + 0 * self._temperature

    def _event(self) -> Shape:
        known = shape_of(self._logits)
        return None if known is None else known[-1:]

    def event_shape_tensor(self, name: str = "event_shape_tensor") -> Any:
        """Return the shape of one sample as a tensor."""
        return shape(self._logits, name=name)[-1:]

    def _scaled(self) -> Any:
        return self._temperature[..., None] if self._temperature.shape.ndims else self._temperature

    def _draw(self, sample_shape: Any, seed: int | None) -> Any:
        sizes = concat([sample_shape, self.batch_shape_tensor(), self.event_shape_tensor()], 0)
        gumbel = -log(-log(self._uniform(sizes, seed)))
        return softmax((log_softmax(self._logits) + gumbel) / self._scaled())

    def _log_prob(self, value: Any) -> Any:
        count = cast(shape(self._logits)[-1], self.dtype)
        scores = log_softmax(self._logits) - self._scaled() * log(value)
        size = lgamma(count) + (count - 1.0) * log(self._temperature)
        return size + reduce_sum(scores - log(value), -1) - count * reduce_logsumexp(scores, -1)


class RelaxedBernoulli(_Relaxed):
    """Numbers between 0 and 1, near one of them where ``temperature`` is low.

    Source: ``tf.contrib.distributions.RelaxedBernoulli``.
    """

    def __init__(
        self,
        temperature: Any,
        logits: Any = None,
        probs: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "RelaxedBernoulli",
    ) -> None:
        with name_scope(name) as scope:
            self._logits, self._probs = logits_and_probs(logits, probs, lambda p: log(p) - log1p(-p), sigmoid)
            self._temperature = parameter(temperature, "temperature", self._logits.dtype)
        given = {"temperature": temperature, "logits": logits, "probs": probs}
        own = same_float(self._logits)
        super().__init__(own, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, given, name=scope)

    def _batch_values(self) -> Any:
        return self._logits + 0 * self._temperature

    def _draw(self, sample_shape: Any, seed: int | None) -> Any:
        u = self._uniform(self._sample_sizes(sample_shape), seed)
        return sigmoid((self._logits + log(u) - log1p(-u)) / self._temperature)

    def _log_prob(self, value: Any) -> Any:
        odds = log(value) - log1p(-value)
        z = self._logits - self._temperature * odds
        return log(self._temperature) + z - 2.0 * softplus(z) - log(value) - log1p(-value)
