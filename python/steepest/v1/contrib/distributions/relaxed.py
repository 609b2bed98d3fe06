"""Continuous distributions near the categorical and the Bernoulli distribution, through which gradients flow."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...distributions.checks import checked, parameter, positive
from ...distributions.distribution import FULLY_REPARAMETERIZED, Distribution
from ...distributions.location_scale import Logistic
from ...distributions.value_checks import get_logits_and_probs
from ...graph.build import dtype_of
from ...graph.scopes import name_scope
from ...ops.activation_ops import log_softmax
from ...ops.array_ops import shape
from ...ops.cast_ops import cast
from ...ops.compare_checks import assert_near, assert_non_positive
from ...ops.concat_ops import concat
from ...ops.creation_ops import zeros
from ...ops.math_ops import log
from ...ops.random_ops import random_uniform
from ...ops.reduce_ops import reduce_logsumexp, reduce_sum
from ...ops.special_math_ops import lgamma
from .curve_bijectors import Exp
from .elementwise_bijectors import Sigmoid
from .transformed import TransformedDistribution

__all__ = ["ExpRelaxedOneHotCategorical", "RelaxedBernoulli", "RelaxedOneHotCategorical"]


class ExpRelaxedOneHotCategorical(Distribution):
    """The distribution of the logarithms of samples of `RelaxedOneHotCategorical`.

    Args:
        temperature: how far from the corners samples are, one for all or for each of a batch.
        logits, probs: one of the two, classes along the last axis.

    Source: ``tf.contrib.distributions.ExpRelaxedOneHotCategorical``.
    """

    def __init__(
        self,
        temperature: Any,
        logits: Any = None,
        probs: Any = None,
        dtype: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "ExpRelaxedOneHotCategorical",
    ) -> None:
        given = dict(locals())
        with name_scope(name) as scope:
            self._logits, self._probs = get_logits_and_probs(
                logits=logits, probs=probs, multidimensional=True, validate_args=validate_args, name=name
            )
            kind = dtype_of(self._logits) if dtype is None else dtype
            degrees = parameter(temperature, "temperature")
            degrees = cast(degrees, kind) if dtype is None and not validate_args else degrees
            self._temperature = positive(degrees, validate_args)
        super().__init__(kind, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, given, name=scope)

    @property
    def event_size(self) -> Any:
        """The number of classes, as a tensor."""
        return shape(self._logits)[-1]

    @property
    def temperature(self) -> Any:
        """How far from the corners samples are."""
        return self._temperature

    @property
    def logits(self) -> Any:
        """The logarithms of the probabilities, up to a constant."""
        return self._logits

    @property
    def probs(self) -> Any:
        """The probabilities of the classes."""
        return self._probs

    def _batch_shape(self) -> Any:
        return self._logits.shape[:-1] if self._logits.shape.ndims is not None else None

    def _batch_shape_tensor(self) -> Any:
        return shape(self._logits)[:-1]

    def _event_shape(self) -> Any:
        return self._logits.shape.with_rank_at_least(1)[-1:]

    def _event_shape_tensor(self) -> Any:
        return shape(self._logits)[-1:]

    def _degrees(self) -> Any:
        """Return the temperature with an axis for the classes."""
        return self._temperature[..., None]

    def _draw(self, sample_shape: Any, seed: int | None) -> Any:
        sizes = concat([sample_shape, shape(self._logits)], 0)
        least = float(np.finfo(self.dtype.as_numpy_dtype).tiny)
        gumbel = -log(-log(random_uniform(sizes, least, 1.0, self.dtype, seed)))
        return log_softmax((gumbel + self._logits) / self._degrees())

    def _log_prob(self, value: Any) -> Any:
        def rules() -> list[Any]:
            return [assert_non_positive(value), assert_near(zeros([], self.dtype), reduce_logsumexp(value, -1))]

        x = checked(value, self._validate_args, rules)
        count = cast(self.event_size, dtype_of(x))
        size = lgamma(count) + (count - 1.0) * log(self._temperature)
        return size + reduce_sum(log_softmax(self._logits - x * self._degrees()), -1)


class RelaxedOneHotCategorical(TransformedDistribution):
    """Vectors of K positive numbers that sum to 1, near a corner where ``temperature`` is low.

    Args:
        temperature: how far from the corners samples are, one for all or for each of a batch.
        logits, probs: one of the two, classes along the last axis.

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
        given = dict(locals())
        logs = ExpRelaxedOneHotCategorical(temperature, logits, probs, dtype, validate_args, allow_nan_stats)
        super().__init__(logs, Exp(), name=name)
        self._made_with(given)

    @property
    def temperature(self) -> Any:
        """How far from the corners samples are."""
        return self.distribution.temperature  # type: ignore[attr-defined]  # it is the one above

    @property
    def logits(self) -> Any:
        """The logarithms of the probabilities, up to a constant."""
        return self.distribution.logits  # type: ignore[attr-defined]

    @property
    def probs(self) -> Any:
        """The probabilities of the classes."""
        return self.distribution.probs  # type: ignore[attr-defined]


class RelaxedBernoulli(TransformedDistribution):
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
        given = dict(locals())
        with name_scope(name) as scope:
            self._logits, self._probs = get_logits_and_probs(
                logits=logits, probs=probs, validate_args=validate_args, name=name
            )
            degrees = parameter(temperature, "temperature", dtype_of(self._logits))
            self._temperature = positive(degrees, validate_args)
            line = self._logits / self._temperature, 1.0 / self._temperature
            base = Logistic(*line, validate_args=validate_args, allow_nan_stats=allow_nan_stats)
            super().__init__(base, Sigmoid(validate_args), validate_args=validate_args, name=scope)
        self._made_with(given)

    @property
    def temperature(self) -> Any:
        """How far from 0 and 1 samples are."""
        return self._temperature

    @property
    def logits(self) -> Any:
        """The logarithms of the odds of 1."""
        return self._logits

    @property
    def probs(self) -> Any:
        """The probabilities of 1."""
        return self._probs
