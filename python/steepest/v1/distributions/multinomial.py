"""Distributions of counts of K classes: the multinomial distribution, and that whose shares are Dirichlet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph.build import call, shape_of
from ..graph.eager_call import RunSession
from ..graph.run_values import array_of
from ..graph.scopes import name_scope
from ..graph.shape_inference import shape_value
from ..graph.shapes import Shape
from ..ops.activation_ops import log_softmax
from ..ops.array_ops import shape
from ..ops.compare_checks import assert_equal, assert_non_negative
from ..ops.concat_ops import concat
from ..ops.creation_ops import ones_like
from ..ops.diagonal_ops import matrix_set_diag
from ..ops.math_ops import floor
from ..ops.random_sequences import Sequence
from ..ops.reduce_ops import reduce_sum
from ..ops.special_math_ops import lbeta, lgamma
from .categorical import of_classes
from .checks import checked, parameter, same_float
from .dirichlet import weights_of_shares
from .distribution import NOT_REPARAMETERIZED, Distribution

__all__ = ["DirichletMultinomial", "Multinomial"]


class _Counts(Distribution):
    """How often each of K classes comes in ``total_count`` draws: what both distributions have in common."""

    def _set_total(self, total_count: Any, dtype: Any) -> None:
        total = parameter(total_count, "total_count", dtype)
        self._total_count = checked(total, self._wants_checks, lambda: _whole_numbers(total))

    _wants_checks = False
    _counted = "counts"  # what must be as many as the draws, as messages say it

    @property
    def total_count(self) -> Any:
        """The number of draws."""
        return self._total_count

    def _batch_values(self) -> Any:
        return self._mean()[..., 0]

    def _event(self) -> Shape:
        known = shape_of(self._mean())
        return None if known is None else known[-1:]

    def _event_shape_tensor(self) -> Any:
        return shape(self._mean())[-1:]

    def _counts(self, sample_shape: Any, seed: int | None, weights: Any, shares: Callable[..., Any]) -> Any:
        """Return drawn counts; ``shares(generator, weights, sizes)`` gives the probabilities of the classes."""
        sizes = concat([self._sample_sizes(sample_shape), self._event_shape_tensor()], 0)
        sequence = Sequence("Multinomial", type(self), seed)

        def drawn(session: RunSession, total: Any, values: Any, length: Any) -> Any:
            rng, wanted = sequence.draws(session), tuple(array_of(length).tolist())
            chances = shares(rng, array_of(values).astype(np.float64), wanted)
            chances = chances / chances.sum(axis=-1, keepdims=True)  # in double the sum must be 1
            found = rng.multinomial(array_of(total).astype(np.int64), chances, wanted[:-1])
            return found.astype(array_of(values).dtype)

        inputs = (self._total_count, weights, sizes)
        known = shape_value(sizes) if hasattr(sizes, "op") else None
        options: dict[str, Any] = {"dtype": self.dtype, "same": False, "contextual": True, "differentiable": False}
        return call("Multinomial", drawn, inputs, shape=known, **options)

    def _converted(self, value: Any) -> Any:
        value = super()._converted(value)

        def fitting() -> list[Any]:
            message = f"{self._counted} must sum to `self.total_count`"
            return [*_whole_numbers(value), assert_equal(self._total_count, reduce_sum(value, -1), message=message)]

        return checked(value, self._validate_args, fitting)

    def _log_ways(self, counts: Any) -> Any:
        """Return the logarithm of the number of orders in which the draws can come."""
        return lgamma(self._total_count + 1) - reduce_sum(lgamma(counts + 1), -1)


def _whole_numbers(value: Any) -> list[Any]:
    whole = "cannot contain fractional components."
    return [
        assert_non_negative(value, message="must be non-negative."),
        assert_equal(value, floor(value), message=whole),
    ]


class Multinomial(_Counts):
    """Counts of ``total_count`` draws of one of K classes, with the probabilities of the last axis.

    Raises ValueError for both ``logits`` and ``probs``, or neither. Source: ``tf.distributions.Multinomial``.
    """

    def __init__(
        self,
        total_count: Any,
        logits: Any = None,
        probs: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Multinomial",
    ) -> None:
        parameters = dict(locals())
        self._wants_checks = validate_args
        with name_scope(name) as scope:
            self._logits, self._probs = of_classes(logits, probs, validate_args)
            self._set_total(total_count, same_float(self._probs))
        dtype = same_float(self._probs)
        super().__init__(dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, name=scope)

    @property
    def logits(self) -> Any:
        """The logarithms of the probabilities, up to a constant."""
        return self._logits

    @property
    def probs(self) -> Any:
        """The probabilities of the classes."""
        return self._probs

    def _draw(self, sample_shape: Any, seed: int | None) -> Any:
        return self._counts(sample_shape, seed, self._probs, lambda rng, chances, sizes: chances)

    def _log_prob(self, value: Any) -> Any:
        return reduce_sum(value * log_softmax(self._logits), -1) + self._log_ways(value)

    def _mean(self) -> Any:
        return self._total_count[..., None] * self._probs

    def _variance(self) -> Any:
        return self._mean() * (1 - self._probs)

    def _covariance(self) -> Any:
        chances = self._probs * ones_like(self._total_count)[..., None]
        return matrix_set_diag(-self._mean()[..., None] * chances[..., None, :], self._variance())


class DirichletMultinomial(_Counts):
    """Counts of ``total_count`` draws of one of K classes, whose probabilities are drawn from a Dirichlet distribution.

    Source: ``tf.distributions.DirichletMultinomial``.
    """

    _counted = "counts last-dimension"

    def __init__(
        self,
        total_count: Any,
        concentration: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "DirichletMultinomial",
    ) -> None:
        parameters = dict(locals())
        self._wants_checks = validate_args
        with name_scope(name) as scope:
            each = parameter(concentration, "concentration")
            self._concentration = weights_of_shares(each, validate_args)
            self._set_total(total_count, same_float(each))
        dtype = same_float(self._concentration)
        super().__init__(dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, name=scope)

    @property
    def concentration(self) -> Any:
        """The weights of the classes."""
        return self._concentration

    @property
    def total_concentration(self) -> Any:
        """The sum of the weights."""
        return reduce_sum(self._concentration, -1)

    def _draw(self, sample_shape: Any, seed: int | None) -> Any:
        def shares(rng: np.random.Generator, weights: Any, sizes: tuple[int, ...]) -> Any:
            return rng.gamma(weights, size=sizes) + np.finfo(np.float64).tiny

        return self._counts(sample_shape, seed, self._concentration, shares)

    def _log_prob(self, value: Any) -> Any:
        weights = self._concentration
        return lbeta(weights + value) - lbeta(weights) + self._log_ways(value)

    def _shares(self) -> Any:
        return self._concentration / reduce_sum(self._concentration, -1, keepdims=True)

    def _draws(self) -> Any:
        """Return the numbers of draws with an axis for the classes, which may be there already."""
        total = self._total_count
        ranks = (total.shape.ndims, self._concentration.shape.ndims)
        return total if ranks[0] and ranks[0] == ranks[1] and total.shape[-1].value == 1 else total[..., None]

    def _mean(self) -> Any:
        return self._draws() * self._shares()

    def _spread(self) -> Any:
        """Return by how much variances are larger than those of the multinomial distribution with the mean shares."""
        total = reduce_sum(self._concentration, -1, keepdims=True)
        return (self._draws() + total) / (1 + total)

    def _variance(self) -> Any:
        return self._spread() * self._mean() * (1 - self._shares())

    def _covariance(self) -> Any:
        mixed = (self._spread() * self._mean())[..., None] * self._shares()[..., None, :]
        return matrix_set_diag(-mixed, self._variance())
