"""Kullback-Leibler divergences: the function, and how rules are registered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..graph.scopes import name_scope
from ..ops.activation_ops import log_softmax, softmax, softplus
from ..ops.math_ops import log, multiply, negative, sigmoid, square, subtract
from ..ops.reduce_ops import reduce_sum
from .bernoulli import Bernoulli
from .categorical import Categorical
from .distribution import Distribution
from .divergences import RULES, divergence, rule
from .location_scale import Normal

__all__ = ["RegisterKL", "cross_entropy", "kl_divergence"]


def kl_divergence(
    distribution_a: Distribution,
    distribution_b: Distribution,
    allow_nan_stats: bool = True,
    name: str | None = None,
) -> Any:
    """Return ``sum_x a(x) log(a(x) / b(x))``; NotImplementedError for a pair of classes without a rule.

    Source: ``tf.distributions.kl_divergence``.
    """
    return divergence(distribution_a, distribution_b, allow_nan_stats, name)


def cross_entropy(ref: Distribution, other: Distribution, allow_nan_stats: bool = True, name: str | None = None) -> Any:
    """Return ``-sum_x ref(x) log(other(x))``. Source: ``tensorflow.python.ops.distributions.kullback_leibler``."""
    with name_scope(name, "cross_entropy"):
        return ref.entropy() + kl_divergence(ref, other, allow_nan_stats)


def _registered_kl(type_a: type[Any], type_b: type[Any]) -> Any:
    """Return the rule of two classes, or of those they are made of; None where there is none."""
    return rule(type_a, type_b)


_DIVERGENCES = RULES


class RegisterKL:
    """Decorates the rule ``f(a, b, name=None)`` of a pair of classes; ValueError where the pair has one."""

    def __init__(self, dist_cls_a: type[Any], dist_cls_b: type[Any]) -> None:
        self._key = (dist_cls_a, dist_cls_b)

    def __call__(self, kl_fn: Callable[..., Any]) -> Callable[..., Any]:
        """Register the rule and return it; TypeError for what cannot be called."""
        if not callable(kl_fn):
            raise TypeError(f"kl_fn must be callable, received: {kl_fn}")
        if self._key in RULES:
            raise ValueError(f"KL({self._key[0].__name__} || {self._key[1].__name__}) has already been registered")
        RULES[self._key] = kl_fn
        return kl_fn


@RegisterKL(Normal, Normal)
def _normals(a: Normal, b: Normal, name: str | None = None) -> Any:
    ratio = square(a.scale) / square(b.scale)
    apart = square(a.loc - b.loc) / (2 * square(b.scale))
    return apart + 0.5 * (ratio - 1.0 - log(ratio))


@RegisterKL(Bernoulli, Bernoulli)
def _bernoullis(a: Bernoulli, b: Bernoulli, name: str | None = None) -> Any:
    first = sigmoid(a.logits)
    ones = first * (softplus(negative(b.logits)) - softplus(negative(a.logits)))
    return ones + subtract(1.0, first) * (softplus(b.logits) - softplus(a.logits))


@RegisterKL(Categorical, Categorical)
def _categoricals(a: Categorical, b: Categorical, name: str | None = None) -> Any:
    return reduce_sum(multiply(softmax(a.logits), log_softmax(a.logits) - log_softmax(b.logits)), -1)
