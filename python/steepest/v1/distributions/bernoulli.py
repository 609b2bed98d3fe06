"""The Bernoulli distribution: 1 with some probability, else 0."""

from __future__ import annotations

from typing import Any

from ..graph.build import dtype_of
from ..graph.dtypes import as_dtype
from ..graph.scopes import name_scope
from ..ops.activation_ops import softplus
from ..ops.array_ops import shape
from ..ops.cast_ops import cast
from ..ops.check_ops import is_tensor
from ..ops.compare_checks import assert_less_equal, assert_non_negative
from ..ops.concat_ops import concat
from ..ops.creation_ops import ones_like, zeros_like
from ..ops.cross_entropy_ops import sigmoid_cross_entropy_with_logits
from ..ops.math_ops import greater, less, log, log1p, sigmoid
from ..ops.random_ops import random_uniform
from .checks import checked, parameter, same_float
from .distribution import NOT_REPARAMETERIZED, Distribution

__all__ = ["Bernoulli"]


class Bernoulli(Distribution):
    """1 with probability ``probs``, ``sigmoid(logits)``, else 0.

    Args:
        logits, probs: one of the two.
        dtype: the type of samples.

    Raises:
        ValueError: for both or neither.

    Source: ``tf.distributions.Bernoulli``.
    """

    _shaped = ("logits",)

    def __init__(
        self,
        logits: Any = None,
        probs: Any = None,
        dtype: Any = "int32",
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Bernoulli",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name) as scope:
            self._logits, chance = logits_and_probs(logits, probs, lambda p: log(p) - log1p(-p), sigmoid)
            self._probs = checked(chance, validate_args and probs is not None, lambda: assert_shares(chance))
            self._logits = checked(self._logits, self._probs is not chance, lambda: [self._probs])
        super().__init__(as_dtype(dtype), NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, name=scope)

    @property
    def logits(self) -> Any:
        """The log-odds of 1."""
        return self._logits

    @property
    def probs(self) -> Any:
        """The probability of 1."""
        return self._probs

    def _batch_values(self) -> Any:
        return self._logits

    def _draw(self, sample_shape: Any, seed: int | None) -> Any:
        sizes = concat([sample_shape, shape(self._probs)], 0)
        share = random_uniform(sizes, dtype=dtype_of(self._probs), seed=seed)
        return cast(less(share, self._probs), self.dtype)

    def _log_prob(self, value: Any) -> Any:
        event = cast(value, dtype_of(self._logits))
        apart = zeros_like(event + self._logits)  # events and logits are broadcast to each other
        return -sigmoid_cross_entropy_with_logits(labels=event + apart, logits=self._logits + apart)

    def _converted(self, value: Any) -> Any:
        """Events may be of the parameters' type, too."""
        value = value if is_tensor(value) else parameter(value, "value", dtype_of(self._logits))
        return checked(value, self._validate_args, lambda: _assert_events(value))

    def _mean(self) -> Any:
        return self._probs + zeros_like(self._probs)

    def _variance(self) -> Any:
        return self._probs * (1 - self._probs)

    def _mode(self) -> Any:
        return cast(greater(self._probs, 0.5), self.dtype)

    def _entropy(self) -> Any:
        return -self._logits * (sigmoid(self._logits) - 1) + softplus(-self._logits)


def _assert_events(value: Any) -> list[Any]:
    low = assert_non_negative(value, message="Elements must be non-negative.")
    return [low, assert_less_equal(value, ones_like(value), message="Elements cannot exceed 1.")]


def logits_and_probs(logits: Any, probs: Any, to_logits: Any, to_probs: Any) -> tuple[Any, Any]:
    """Return both, the one that is not given made of the other; ValueError for both or neither."""
    if (logits is None) == (probs is None):
        raise ValueError("Must pass probs or logits, but not both.")
    given = parameter(logits if probs is None else probs, "logits" if probs is None else "probs")
    both = (given, to_probs(given)) if probs is None else (to_logits(given), given)  # a TypeError for integers
    same_float(given)
    return both


def assert_shares(value: Any, message: str = "probs has components greater than 1.") -> list[Any]:
    """Return the checks that no element is below 0 or above 1."""
    return [assert_non_negative(value), assert_less_equal(value, ones_like(value), message=message)]
