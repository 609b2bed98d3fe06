"""What `tensorflow.python.kernel_tests.random.util` has for tests of draws: how far they are from a distribution."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..distributions.special_math import ndtri

__all__ = ["anderson_darling", "chi_squared", "normal_cdf", "test_moment_matching", "test_truncated_normal"]


def moment_matching(samples: Any, number_moments: int, dist: Any, stride: int = 0) -> list[Any]:
    """Return for each moment by how many standard errors that of the samples is off.

    ``dist`` is a distribution of SciPy; of the samples only some are taken, ``stride`` more apart for each moment.
    """
    scores, limits = [], np.finfo(samples.dtype)
    for order in range(1, number_moments + 1):
        taken = np.ravel(samples)[:: (order - 1) * stride + 1]
        mean = dist.moment(order)
        variance = (dist.moment(2 * order) - mean**2) / len(taken) + order * limits.eps
        scores.append(abs(np.mean(taken**order) - mean) / np.sqrt(max(variance, limits.tiny)))
    return scores


def chi_squared(x: Any, bins: int) -> Any:
    """Return Pearson's statistic of numbers that are to be uniform between 0 and 1."""
    counts, _ = np.histogram(np.ravel(x), bins=bins, range=(0, 1))
    expected = np.size(x) / bins
    return np.sum(np.square(counts - expected) / expected)


def normal_cdf(x: Any) -> Any:
    """Return the share of a standard normal distribution below each number."""
    return 0.5 + 0.5 * np.vectorize(math.erf)(np.asarray(x) / math.sqrt(2))


def anderson_darling(x: Any) -> Any:
    """Return the statistic of Anderson and Darling of numbers that are to be standard normal."""
    values = np.sort(np.ravel(x))
    n, places = len(values), np.arange(1, len(values) + 1)
    shares = normal_cdf(values)
    total = np.sum((2 * places - 1) * np.log(shares) + (2 * (n - places) + 1) * np.log(1 - shares))
    return -n - total / n


def assert_truncated_normal(
    assert_equal: Any,
    assert_all_close: Any,
    n: int,
    y: Any,
    mean_atol: float = 5e-4,
    median_atol: float = 8e-4,
    variance_rtol: float = 1e-3,
) -> None:
    """Assert that ``n`` numbers are a normal distribution's within two deviations: by mean, median and variance."""
    bound = 2.0
    density = math.exp(-(bound**2) / 2) / math.sqrt(2 * math.pi)
    share = math.erf(bound / math.sqrt(2))
    assert_equal((y >= -bound).sum(), n)
    assert_equal((y <= bound).sum(), n)
    values = y.astype(np.float64)
    assert_all_close(np.mean(values), 0.0, atol=mean_atol)
    assert_all_close(np.median(values), ndtri(0.5), atol=median_atol)
    assert_all_close(np.var(values), 1 - 2 * bound * density / share, rtol=variance_rtol)


test_moment_matching, test_truncated_normal = moment_matching, assert_truncated_normal
