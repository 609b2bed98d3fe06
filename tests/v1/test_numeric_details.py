"""Names of TensorFlow's internal modules for draws, signals and matrices; types that operations do not take."""

from __future__ import annotations

import numpy as np
import pytest
from steepest.v1.python.framework import ops
from steepest.v1.python.kernel_tests.random import util
from steepest.v1.python.ops import math_ops, random_grad, random_ops
from steepest.v1.python.ops.signal import util_ops

import steepest.v1 as tf

BOUNDS = [(-2.0, 2.0), (4.0, np.inf), (-np.inf, -4.0), (-6.0, -3.0), (0.5, 0.6), (-0.1, 0.3), (7.0, 7.001)]


def bounded_mean(low: float, high: float) -> float:
    """The mean of the standard normal distribution between two bounds, by sums over a fine grid."""
    low, high = max(low, -12.0), min(high, 12.0)
    places = np.linspace(low, high, 200001)
    weights = np.exp(-(places**2 - min(abs(low), abs(high)) ** 2 * (low * high > 0)) / 2)
    return float(np.sum(places * weights) / np.sum(weights))


@pytest.mark.parametrize(("low", "high"), BOUNDS)
def test_draws_stay_between_bounds_and_have_their_mean(low: float, high: float) -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        node = random_ops.parameterized_truncated_normal([20000], 0.0, 1.0, low, high, tf.float64, seed=3)
        assert node.shape.as_list() == [20000]
        draws = session.run(node)
    assert np.all((draws >= low) & (draws <= high))
    assert abs(draws.mean() - bounded_mean(low, high)) < 5 * draws.std() / np.sqrt(len(draws))


def test_each_row_of_draws_can_have_its_own_bounds() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        node = random_ops.parameterized_truncated_normal([2, 500], [0.0, 10.0], 1.0, [-1.0, 9.5], [1.0, 10.5])
        draws = session.run(node)
        assert draws.dtype == np.float32
        assert np.all(np.abs(draws[0]) <= 1)
        assert np.all(np.abs(draws[1] - 10) <= 0.5)
        with pytest.raises(tf.errors.InvalidArgumentError, match="Invalid parameters"):
            session.run(random_ops.parameterized_truncated_normal([3], stddevs=-1.0))


class Normal:
    """The moments of the standard normal distribution."""

    def moment(self, order: int) -> float:
        return 0.0 if order % 2 else float(np.prod(np.arange(1, order, 2)))


def test_moments_and_statistics_tell_right_draws_from_wrong_ones() -> None:
    draws = np.random.default_rng(1).standard_normal(20000)
    for stride in (0, 4):
        assert max(util.test_moment_matching(draws, 4, Normal(), stride)) < 6
        assert max(util.test_moment_matching(draws * 1.1, 4, Normal(), stride)) > 6
    assert util.anderson_darling(draws) < 3 < util.anderson_darling(draws + 0.1)
    assert util.chi_squared(util.normal_cdf(draws), 10) < 40 < util.chi_squared(util.normal_cdf(draws * 1.2), 10)


def test_divisors_axes_and_operations_are_counted() -> None:
    with tf.Graph().as_default() as graph, tf.Session() as session:
        assert session.run(util_ops.gcd(12, 18)) == 6
        with pytest.raises(ValueError, match="must be an integer type"):
            util_ops.gcd(1.5, 2)
        assert session.run(random_grad.add_leading_unit_dimensions(tf.zeros([2, 3]), 2)).shape == (1, 1, 2, 3)
        product = tf.matmul(tf.zeros([16, 25]), tf.zeros([16, 9]), transpose_a=True)
        assert ops.get_stats_for_node_def(graph, product.op.node_def, "flops").value == 2 * 25 * 16 * 9
        unknown = tf.matmul(tf.placeholder(tf.float32, [None, 3]), tf.zeros([3, 2]))
        assert ops.get_stats_for_node_def(graph, unknown.op.node_def, "flops").value is None
        assert unknown._shape_as_list() == [None, 2]
        slopes = math_ops.sparse_segment_mean_grad(tf.ones([2, 1]), [0, 2, 3], [0, 0, 1], 4)
        np.testing.assert_array_equal(session.run(slopes), [[0.5], [0], [0.5], [1]])


def test_all_classes_come_in_the_order_of_their_draws() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        drawn = tf.nn.log_uniform_candidate_sampler([[0]], 1, 5, True, 5, seed=4)[0]
        orders = {tuple(session.run(drawn)) for _ in range(20)}
    assert len(orders) > 1
    assert all(sorted(order) == [0, 1, 2, 3, 4] for order in orders)


def test_fractions_of_integers_are_refused_as_in_tensorflow_1() -> None:
    refused = pytest.raises(TypeError, match="'x' has DataType int64 not in list of allowed values")
    with tf.Graph().as_default(), refused:
        tf.reciprocal(tf.placeholder(tf.int64, [2]))
