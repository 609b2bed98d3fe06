"""Values of histogram summaries are counted in buckets, each in the first whose limit is above it."""

from __future__ import annotations

import numpy as np
import pytest

from steepest.v1.summaries.buckets import counts_of, limits


@pytest.mark.parametrize("count", [5, 40_000])
def test_values_fall_into_the_first_bucket_whose_limit_is_above_them(count: int):
    bounds = limits()
    near = np.concatenate([bounds, np.nextafter(bounds[1:-1], np.inf), np.nextafter(bounds[1:-1], -np.inf)])
    draws = np.random.default_rng(3)
    wide = draws.standard_normal(count) * 10.0 ** draws.integers(-15, 21, count)
    values = np.concatenate([near, wide, [0.0, -0.0, 5e-324, -5e-324]])[-max(count, 9) :]
    found = counts_of(values)
    assert found.shape == bounds.shape
    np.testing.assert_array_equal(found, np.bincount(np.searchsorted(bounds, values, "right"), minlength=len(bounds)))
