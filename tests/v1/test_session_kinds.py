"""Kinds of sessions and of values that they give: quantized numbers, subclasses with options of their own."""

from __future__ import annotations

import numpy as np

import steepest.v1 as tf


def test_quantized_values_are_integers_for_the_program():
    fed = tf.placeholder(tf.quint8, [2])
    known = tf.constant(np.array([[1], [-2]]), tf.qint8)
    session = tf.Session()
    first, again, copied = session.run([known, known, tf.identity(fed)], {fed: np.uint8([7, 255])})
    assert (first.dtype, first.tolist(), again.tolist()) == (np.int8, [[1], [-2]], [[1], [-2]])
    assert (copied.dtype, copied.tolist()) == (np.uint8, [7, 255])
    assert session.run(fed, {fed: np.uint8([7, 255])}).dtype == np.uint8
    assert session.run(tf.constant(np.array(3), tf.qint32)).dtype == np.int32
    first[:] = 0
    assert session.run(known).tolist() == [[1], [-2]]
    assert session.run(tf.cast(known, tf.float32)).tolist() == [[1.0], [-2.0]]


def test_a_subclass_may_give_options_to_each_run():
    class Traced(tf.Session):
        runs = 0

        def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
            self.runs += 1
            self.metadata = tf.RunMetadata()
            wanted = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
            return super().run(fetches, feed_dict, options=wanted, run_metadata=self.metadata)

    with tf.Graph().as_default(), Traced() as session:
        x = tf.placeholder(tf.float32, [])
        assert session.run(x * 2, {x: 3.0}) == 6
        assert session.make_callable(x * 3, [x])(2.0) == 6
        assert tf.square(x).eval({x: 2.0}) == 4
        assert session.runs == 3
        assert session.metadata.step_stats.dev_stats
