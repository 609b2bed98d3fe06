"""``tf.contrib.bayesflow.monte_carlo``: expectations as means over samples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...graph.missing import namespace
from ...graph.scopes import name_scope
from ...ops.activation_ops import relu
from ...ops.array_ops import stop_gradient
from ...ops.math_ops import exp, log
from ...ops.reduce_ops import reduce_max, reduce_mean
from ...ops.sparse_ops import convert_to_tensor

__all__ = ["expectation", "expectation_importance_sampler", "expectation_importance_sampler_logspace"]

__getattr__, __dir__ = namespace(__name__)


def expectation_importance_sampler(
    f: Callable[[Any], Any],
    log_p: Callable[[Any], Any],
    sampling_dist_q: Any,
    z: Any = None,
    n: int | None = None,
    seed: int | None = None,
    name: str = "expectation_importance_sampler",
) -> Any:
    """Return an estimate of E_p[f(Z)]: the mean of f(z) p(z) / q(z) over samples z of q.

    Args:
        f: From samples to values, of any sign.
        log_p: The logarithm of p's density.
        sampling_dist_q: A distribution, whose density is above 0 where p's is.
        z: Samples of q, along the first axis. Exactly one of ``z`` and ``n`` is given.
        n: How many samples to draw.
        seed: Of the draws.

    Returns:
        A tensor of q's batch shape.

    Raises:
        ValueError: Both, or neither, of ``z`` and ``n`` are given.

    See: ``tf.contrib.bayesflow.monte_carlo.expectation_importance_sampler``.
    """
    with name_scope(name):
        z = _get_samples(sampling_dist_q, z, n, seed)
        log_weights = log_p(z) - sampling_dist_q.log_prob(z)
        f_z = f(z)
        # f is the difference of two functions that are above 0; what is added to both for the logarithm goes again.
        above, below = (exp(_log_mean(log(relu(part) + 1.0) + log_weights)) for part in (f_z, -1.0 * f_z))
    return above - below


def expectation_importance_sampler_logspace(
    log_f: Callable[[Any], Any],
    log_p: Callable[[Any], Any],
    sampling_dist_q: Any,
    z: Any = None,
    n: int | None = None,
    seed: int | None = None,
    name: str = "expectation_importance_sampler_logspace",
) -> Any:
    """Return an estimate of log E_p[f(Z)] for an f above 0, whose logarithm is ``log_f``.

    The other arguments are those of `expectation_importance_sampler`.
    See: ``tf.contrib.bayesflow.monte_carlo.expectation_importance_sampler_logspace``.
    """
    with name_scope(name):
        z = _get_samples(sampling_dist_q, z, n, seed)
        return _log_mean(log_f(z) + log_p(z) - sampling_dist_q.log_prob(z))


def _log_mean(log_values: Any) -> Any:
    """Return the logarithm of the mean of exp(log_values) over the first axis, without overflow."""
    center = stop_gradient(reduce_max(log_values, axis=[0]))
    return log(reduce_mean(exp(log_values - center), axis=[0])) + center


def expectation(
    f: Callable[[Any], Any],
    samples: Any,
    log_prob: Callable[[Any], Any] | None = None,
    use_reparametrization: bool = True,
    axis: Any = 0,
    keep_dims: bool = False,
    name: str | None = None,
) -> Any:
    """Return the mean of f(samples), whose gradient is an estimate of the expectation's gradient.

    Args:
        f: From samples to values.
        samples: Of the distribution of the expectation.
        log_prob: The logarithm of its density; needed without reparametrization.
        use_reparametrization: Whether the gradient flows through the samples. Else they are constants, and it is the
            mean of f's gradient and of f times the gradient of ``log_prob`` (the score function's).
        axis: The axes of the mean.
        keep_dims: Whether the axes of the mean stay, of length 1.

    Raises:
        ValueError: ``f``, or a ``log_prob`` that is needed, is not callable.

    See: ``tf.contrib.bayesflow.monte_carlo.expectation``.
    """
    with name_scope(name, "expectation"):
        if not callable(f):
            raise ValueError("`f` must be a callable function.")
        if use_reparametrization:
            return reduce_mean(f(samples), axis=axis, keepdims=keep_dims)
        if not callable(log_prob):
            raise ValueError("`log_prob` must be a callable function.")
        x = stop_gradient(samples)
        log_p, f_x = log_prob(x), f(x)
        # log_p - stop_gradient(log_p) is 0: only the gradient changes.
        return reduce_mean(f_x + stop_gradient(f_x) * (log_p - stop_gradient(log_p)), axis=axis, keepdims=keep_dims)


def _get_samples(dist: Any, z: Any, n: Any, seed: int | None) -> Any:
    with name_scope("get_samples"):
        if (n is None) == (z is None):
            message = f'Must specify exactly one of arguments "n" and "z".  Found: n = {n}, z = {z}'
            raise ValueError(message)
        return convert_to_tensor(z, name="z") if n is None else dist.sample(n, seed=seed)
