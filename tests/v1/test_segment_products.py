"""Slopes of products of segments, also where elements are zero, up to the third."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf

IDS = np.array([0, 2, 0, 1, 2, 2, 1, 0, 3])


def _differences(session: Any, f: Any, node: Any, x: Any) -> Any:
    found = np.zeros_like(x)
    for place in np.ndindex(x.shape):
        step = np.zeros_like(x)
        step[place] = 0.25  # products are linear in each element
        found[place] = (session.run(f, {node: x + step}) - session.run(f, {node: x - step})) / 0.5
    return found


@pytest.mark.parametrize("zeros", [0, 4, 9])
@pytest.mark.parametrize("shape", [(9,), (9, 2)])
def test_slopes_of_each_order_are_limits_of_differences(zeros: int, shape: tuple[int, ...]) -> None:
    random = np.random.default_rng(zeros)
    x = random.uniform(0.5, 2.0, shape)
    x[random.choice(9, zeros, replace=False)] = 0.0
    node = tf.placeholder(tf.float64, shape)
    value = tf.reduce_sum(tf.unsorted_segment_prod(node, IDS, 5) * random.normal(size=(5, *shape[1:])))
    with tf.Session() as session:
        for _ in range(3):
            (slope,) = tf.gradients(value, node)
            np.testing.assert_allclose(
                session.run(slope, {node: x}), _differences(session, value, node, x), rtol=1e-6, atol=1e-8
            )
            value = tf.reduce_sum(slope * random.normal(size=shape))


def test_a_single_zero_and_two_of_them() -> None:
    x = tf.constant([0.0, 3.0, 4.0, 2.0, 0.0, 0.0])
    slope = tf.gradients(tf.segment_prod(x, [0, 0, 1, 1, 2, 2]), x)
    with tf.Session() as session:
        assert session.run(slope[0]).tolist() == [3.0, 0.0, 2.0, 4.0, 0.0, 0.0]
        assert session.run(tf.gradients(slope, x)[0]).tolist() == [1.0] * 6
