"""Assertions of `tf.test.TestCase` take tensors, also of test cases that have methods of their own."""

from __future__ import annotations

import numpy as np

import steepest.v1 as tf


class _Case(tf.test.TestCase):
    __test__ = False

    def _value(self) -> None:
        raise AssertionError("this is the program's own")

    def runTest(self) -> None:
        x = tf.nn.relu(np.array([-1.0, 2.0], np.float32))
        self.assertAllClose(x, [0, 2])
        self.assertAllEqual([0, 2], x)
        self.assertAllGreater(x + 1, 0)
        self.assertNDArrayNear(x, np.array([0.0, 2.0]), 1e-6)
        self.assertAllEqual(tf.cast(tf.constant([np.nan, 1.0]), tf.bfloat16), tf.constant([np.nan, 1.0], tf.bfloat16))


def test_assertions_evaluate_tensors():
    with tf.Graph().as_default():
        result = _Case().run()
    assert result is not None
    assert not result.failures + result.errors
