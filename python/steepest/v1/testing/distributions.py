"""What TensorFlow's ``contrib.distributions.python.ops.test_util`` asserts of samples: they fit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph.mode import executing_eagerly
from ..ops.array_ops import reshape
from ..ops.cast_ops import cast
from ..ops.diagonal_ops import matrix_diag_part
from ..ops.math_ops import exp, sqrt, square
from ..ops.norm_ops import norm
from ..ops.reduce_ops import reduce_mean
from ..ops.special_math_ops import lgamma
from ..variables.variables_initializer import global_variables_initializer

__all__ = ["DiscreteScalarDistributionTestHelpers", "VectorDistributionTestHelpers"]


class DiscreteScalarDistributionTestHelpers:
    """Tests of distributions of whole numbers, for a class of tests to inherit."""

    assertAllClose: Callable[..., None]

    def run_test_sample_consistent_log_prob(
        self,
        sess_run_fn: Callable[[Any], Any],
        dist: Any,
        num_samples: int = 100000,
        num_threshold: int = 1000,
        seed: int = 42,
        batch_size: Any = None,
        rtol: float = 1e-2,
        atol: float = 0.0,
    ) -> None:
        """Assert that numbers that come ``num_threshold`` times are drawn as often as they are probable."""
        del batch_size  # known from the samples
        if num_threshold < 1:
            raise ValueError(f"num_threshold({num_threshold}) must be at least 1.")
        drawn = sess_run_fn(reshape(dist.sample(num_samples, seed=seed), [num_samples, -1]))
        ranks = len(sess_run_fn(dist.batch_shape_tensor()))
        for b in range(drawn.shape[1]):
            places, counts = np.unique(drawn[:, b], return_counts=True)
            places, counts = places[counts > num_threshold], counts[counts > num_threshold]
            each = sess_run_fn(dist.prob(places.reshape(-1, *[1] * ranks)))
            self.assertAllClose(each.reshape(len(places), -1)[:, b], counts / num_samples, rtol=rtol, atol=atol)

    def run_test_sample_consistent_mean_variance(
        self,
        sess_run_fn: Callable[[Any], Any],
        dist: Any,
        num_samples: int = 100000,
        seed: int = 24,
        rtol: float = 1e-2,
        atol: float = 0.0,
    ) -> None:
        """Assert that samples have the distribution's mean and variance."""
        x = cast(dist.sample(num_samples, seed=seed), "float32")
        mean = reduce_mean(x, 0)
        variance = reduce_mean(square(x - mean), 0)
        of_samples = [mean, variance, sqrt(variance)]
        found = sess_run_fn([*of_samples, dist.mean(), dist.variance(), dist.stddev()])
        for got, want in zip(found[:3], found[3:], strict=True):
            self.assertAllClose(want, got, rtol=rtol, atol=atol)


class VectorDistributionTestHelpers:
    """Tests of distributions of vectors, for a class of tests to inherit."""

    assertAllClose: Callable[..., None]

    def run_test_sample_consistent_log_prob(
        self,
        sess_run_fn: Callable[[Any], Any],
        dist: Any,
        num_samples: int = 100000,
        radius: float = 1.0,
        center: Any = 0.0,
        seed: int = 42,
        rtol: float = 1e-2,
        atol: float = 0.0,
    ) -> None:
        """Assert that the volume of a ball, integrated with samples, is a ball's."""
        x = dist.sample(num_samples, seed=seed)
        inside = cast(norm(x - center, axis=-1) <= radius, x.dtype)
        volume = reduce_mean(exp(-dist.log_prob(x)) * inside, 0)
        dims = cast(dist.event_shape_tensor()[0], "float64")
        right = exp(dims / 2.0 * np.log(np.pi) - lgamma(1.0 + dims / 2.0) + dims * np.log(radius))
        if not executing_eagerly():
            sess_run_fn(global_variables_initializer())
        batch, want, got = sess_run_fn([dist.batch_shape_tensor(), right, volume])
        self.assertAllClose(np.tile(want, reps=batch), got, rtol=rtol, atol=atol)

    def run_test_sample_consistent_mean_covariance(
        self,
        sess_run_fn: Callable[[Any], Any],
        dist: Any,
        num_samples: int = 100000,
        seed: int = 24,
        rtol: float = 1e-2,
        atol: float = 0.1,
        cov_rtol: float | None = None,
        cov_atol: float | None = None,
    ) -> None:
        """Assert that samples have the distribution's mean and covariance."""
        x = dist.sample(num_samples, seed=seed)
        mean = reduce_mean(x, 0)
        apart = x - mean
        covariance = reduce_mean(apart[..., :, None] * apart[..., None, :], 0)
        variance = matrix_diag_part(covariance)
        of_samples = [mean, covariance, variance, sqrt(variance)]
        found = sess_run_fn([*of_samples, dist.mean(), dist.covariance(), dist.variance(), dist.stddev()])
        for place, (got, want) in enumerate(zip(found[:4], found[4:], strict=True)):
            limits = (cov_rtol or rtol, cov_atol or atol) if place == 1 else (rtol, atol)
            self.assertAllClose(want, got, rtol=limits[0], atol=limits[1])
