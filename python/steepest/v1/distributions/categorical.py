"""The categorical distribution: one of K classes."""

from __future__ import annotations

from typing import Any

from ..graph.build import dtype_of, shape_of
from ..graph.constants import constant
from ..graph.dtypes import as_dtype
from ..graph.scopes import name_scope
from ..ops.activation_ops import log_softmax, softmax
from ..ops.array_ops import reshape, shape, transpose
from ..ops.cast_ops import cast
from ..ops.compare_checks import assert_near
from ..ops.creation_ops import ones_like, zeros_like
from ..ops.creation_ops import range as _range
from ..ops.cross_entropy_ops import sparse_softmax_cross_entropy_with_logits
from ..ops.math_ops import exp, less, log, negative
from ..ops.random_ops import multinomial
from ..ops.reduce_ops import argmax, reduce_sum
from .bernoulli import assert_shares, logits_and_probs
from .checks import checked
from .distribution import NOT_REPARAMETERIZED, Distribution, count_of
from .value_checks import embed_check_categorical_event_shape, embed_check_integer_casting_closed

__all__ = ["Categorical", "of_classes"]


class Categorical(Distribution):
    """One of K classes, with the probabilities of the last axis.

    Args:
        logits, probs: one of the two, of shape ``batch_shape + [K]``.
        dtype: the type of samples.

    Raises:
        ValueError: for both or neither.

    Source: ``tf.distributions.Categorical``.
    """

    def __init__(
        self,
        logits: Any = None,
        probs: Any = None,
        dtype: Any = "int32",
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Categorical",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name) as scope:
            self._logits, self._probs = of_classes(logits, probs, validate_args)
            if validate_args:
                self._logits = embed_check_categorical_event_shape(self._logits)
        super().__init__(as_dtype(dtype), NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, name=scope)

    @property
    def logits(self) -> Any:
        """The logarithms of the probabilities, up to a constant."""
        return self._logits

    @property
    def probs(self) -> Any:
        """The probabilities of the classes."""
        return self._probs

    @property
    def event_size(self) -> Any:
        """The number of classes as a tensor: a constant where it is known when the graph is made."""
        known = (shape_of(self._logits) or (None,))[-1]
        return shape(self._logits)[-1] if known is None else constant(known, "int32", name="event_size")

    def _batch_values(self) -> Any:
        return self._logits[..., 0]

    def _draw(self, sample_shape: Any, seed: int | None) -> Any:
        rows = reshape(self._logits, [-1, self.event_size])
        draws = multinomial(rows, count_of(sample_shape), seed)
        return cast(reshape(transpose(draws), self._sample_sizes(sample_shape)), self.dtype)

    def _labels(self, value: Any) -> Any:
        """Return classes as integers, which are checked where that is wanted. Raises TypeError for other values."""
        value = embed_check_integer_casting_closed(value, "int32") if self._validate_args else value
        kind = dtype_of(value)
        if not (kind.is_integer or kind.is_floating):
            raise TypeError(f"`value` should have integer `dtype` or `self.dtype` ({self.dtype})")
        return value if kind.is_integer else cast(value, "int32")

    def _log_prob(self, value: Any) -> Any:
        which = self._labels(value)
        logits = self._logits + zeros_like(which[..., None], self._logits.dtype)
        which += zeros_like(logits[..., 0], which.dtype)
        return negative(sparse_softmax_cross_entropy_with_logits(labels=which, logits=logits))

    def _cdf(self, value: Any) -> Any:
        places = _range(self.event_size)
        below = cast(less(places, cast(self._labels(value), "int32")[..., None]), self._probs.dtype)  # as TensorFlow
        return reduce_sum(self._probs * below, -1)

    def _mode(self) -> Any:
        return cast(argmax(self._logits, -1), self.dtype)

    def _entropy(self) -> Any:
        scores = log_softmax(self._logits)
        return -reduce_sum(scores * exp(scores), -1)


def of_classes(logits: Any, probs: Any, validate_args: bool) -> tuple[Any, Any]:
    """Return the logits and the probabilities of classes, of which one is given, and checked where that is wanted."""
    logits, chances = logits_and_probs(logits, probs, log, softmax)
    checked_chances = checked(chances, validate_args and probs is not None, lambda: _one_together(chances))
    return checked(logits, checked_chances is not chances, lambda: [checked_chances]), checked_chances


def _one_together(probs: Any) -> list[Any]:
    """Return the checks that these are the probabilities of classes."""
    total = reduce_sum(probs, -1)
    return [*assert_shares(probs), assert_near(total, ones_like(total), message="probs does not sum to 1.")]
