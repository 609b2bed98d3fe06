"""What TensorFlow's ``bijector_test_util`` asserts of bijectors: that they have an inverse, and stretch as they say."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..distributions.uniform import Uniform
from ..graph.default_session import get_default_session
from ..ops.math_ops import exp
from ..ops.reduce_ops import reduce_mean

__all__ = [
    "assert_bijective_and_finite",
    "assert_finite",
    "assert_scalar_congruency",
    "assert_strictly_decreasing",
    "assert_strictly_increasing",
    "assert_strictly_monotonic",
]


def assert_finite(array: Any) -> None:
    """Raise AssertionError for an array with a NaN or an infinity."""
    if not np.isfinite(array).all():
        raise AssertionError(f"array was not all finite. {array[:15]}")


def assert_strictly_increasing(array: Any) -> None:
    """Raise AssertionError unless each element is larger than the one before."""
    np.testing.assert_array_less(0.0, np.diff(array))


def assert_strictly_decreasing(array: Any) -> None:
    """Raise AssertionError unless each element is smaller than the one before."""
    np.testing.assert_array_less(np.diff(array), 0.0)


def assert_strictly_monotonic(array: Any) -> None:
    """Raise AssertionError unless the elements increase, or decrease where the last is below the first."""
    (assert_strictly_increasing if array[0] < array[-1] else assert_strictly_decreasing)(array)


def assert_scalar_congruency(
    bijector: Any, lower_x: Any, upper_x: Any, n: int = 10000, rtol: float = 0.01, sess: Any = None
) -> None:
    """Raise AssertionError unless a bijector of numbers is monotonic between two, and the integral of what it stretches
    is what it goes up by; ``n`` places are drawn."""
    sess = get_default_session() if sess is None else sess
    points = np.linspace(lower_x, upper_x, num=10).astype(np.float32)
    if bijector.dtype is not None:
        points = points.astype(bijector.dtype.as_numpy_dtype)
    values = bijector.forward(points)
    ends = sess.run([bijector.forward(lower_x), bijector.forward(upper_x)])
    lower_y, upper_y = min(ends), max(ends)
    xs = Uniform(low=lower_x, high=upper_x).sample(n, seed=0)
    ys = Uniform(low=lower_y, high=upper_y).sample(n, seed=1)
    inverse = exp(bijector.inverse_log_det_jacobian(ys, event_ndims=0))
    way = (upper_y - lower_y) * reduce_mean(inverse)
    stretch = exp(bijector.forward_log_det_jacobian(bijector.inverse(ys), event_ndims=0))
    round_x, round_y = bijector.inverse(bijector.forward(xs)), bijector.forward(bijector.inverse(ys))
    found = sess.run([values, inverse, stretch, way, xs, ys, round_x, round_y])
    assert_strictly_monotonic(found[0])
    np.testing.assert_allclose(found[6], found[4], atol=1e-5, rtol=1e-3)
    np.testing.assert_allclose(found[7], found[5], atol=1e-5, rtol=1e-3)
    np.testing.assert_allclose(upper_x - lower_x, found[3], atol=0, rtol=rtol)
    np.testing.assert_allclose(found[1], np.divide(1.0, found[2]), atol=1e-5, rtol=1e-3)


def assert_bijective_and_finite(
    bijector: Any, x: Any, y: Any, event_ndims: Any, atol: float = 0, rtol: float = 1e-5, sess: Any = None
) -> None:
    """Raise AssertionError unless the inverse gives places and values back, and all is finite."""
    sess = get_default_session() if sess is None else sess
    forth, back = bijector.forward(x), bijector.inverse(y)
    found = sess.run(
        [
            bijector.inverse(forth),
            bijector.forward(back),
            bijector.inverse_log_det_jacobian(forth, event_ndims=event_ndims),
            bijector.forward_log_det_jacobian(x, event_ndims=event_ndims),
            bijector.inverse_log_det_jacobian(y, event_ndims=event_ndims),
            bijector.forward_log_det_jacobian(back, event_ndims=event_ndims),
            forth,
            back,
        ]
    )
    for each in (x, y, *found):
        assert_finite(each)
    for got, want in ((found[0], x), (found[1], y), (-found[2], found[3]), (-found[4], found[5])):
        np.testing.assert_allclose(got, want, atol=atol, rtol=rtol)
