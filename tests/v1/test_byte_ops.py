"""Bits of comparisons, which later TensorFlows have no function for."""

from __future__ import annotations

import numpy as np
import pytest
from steepest.v1.python.ops import math_ops

import steepest.v1 as tf


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16, np.bool_, np.int8, np.int16, np.int32, np.int64])
def test_eight_comparisons_are_a_byte(dtype: type) -> None:
    numbers = (np.arange(48).reshape(2, 3, 8) % 5 - 2).astype(dtype)
    found = math_ops.compare_and_bitpack(numbers, np.array(0, dtype))
    assert found.shape.as_list() == [2, 3, 1]
    with tf.Session() as session:
        got = session.run(found)
    assert got.dtype == np.uint8
    assert np.array_equal(np.unpackbits(got, axis=-1), numbers > 0)


def test_last_axes_are_multiples_of_eight() -> None:
    with pytest.raises(ValueError, match="evenly divisible by 8 but is 7"):
        math_ops.compare_and_bitpack(np.zeros([2, 7]), 0.0)
    fed = tf.placeholder(tf.float32)
    found = math_ops.compare_and_bitpack(fed, 0.0)
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match="divisible by 8"):
        session.run(found, {fed: np.zeros([2, 7])})
