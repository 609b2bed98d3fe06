"""The initializers of TensorFlow 2 are told which part of a variable they make."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from steepest.v1.python.ops import init_ops_v2

import steepest.v1 as tf


def run(fetches: Any) -> Any:
    with tf.Session() as session:
        return session.run(fetches)


@pytest.mark.parametrize("name", ["Zeros", "Ones", "RandomUniform", "RandomNormal"])
def test_a_part_at_the_beginning_is_that_of_the_whole(name: str):
    made = getattr(init_ops_v2, name)(**({"seed": 1} if "Random" in name else {}))
    whole, part = run([made((4, 2)), made((4, 2), partition_shape=(2, 2), partition_offset=(0, 0))])
    np.testing.assert_array_equal(part, whole[:2])


def test_the_spread_of_a_part_is_that_of_the_whole():
    made = init_ops_v2.VarianceScaling(distribution="uniform")
    part = run(made((10_000, 8), partition_shape=(100, 8)))
    assert part.shape == (100, 8)
    assert 0.8 * (3 / 10_000) ** 0.5 < np.abs(part).max() < (3 / 10_000) ** 0.5


@pytest.mark.parametrize("name", ["Constant", "Orthogonal", "Identity"])
def test_some_are_of_wholes_alone(name: str):
    made = getattr(init_ops_v2, name)()
    with pytest.raises(ValueError, match=f"{name} initializer doesn't support partition-related arguments"):
        made((4, 4), partition_shape=(2, 4))
    with pytest.raises(TypeError, match=r"Keyword argument should be one of .* Received: dtpye"):
        made((4, 4), dtpye=tf.float32)


def test_a_constant_may_say_that_it_is_of_parts():
    made = init_ops_v2.Constant(3.0, support_partition=True)
    assert run(made((4,), partition_shape=(2,))).tolist() == [3, 3]
