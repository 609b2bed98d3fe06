"""Static shapes of an imported graph follow those of what stands for its placeholders."""

from __future__ import annotations

import pytest

import steepest.v1 as tf


def imported(shape, new):
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, shape, name="x")
        made = [tf.matmul(x, tf.ones([4, 5])), tf.reduce_sum(x, 1), tf.concat([x, x], 1), tf.transpose(x), x[1:]]
        made += [tf.boolean_mask(x, x[:, 0] > 0)]
        names = [tensor.name for tensor in made]
    with tf.Graph().as_default():
        given = {"x:0": tf.placeholder(tf.float32, new)}
        found = tf.import_graph_def(graph.as_graph_def(), given, names)
        return [tensor.shape.as_list() for tensor in found]


@pytest.mark.parametrize("shape", [[None, 4], [3, 4]])
def test_shapes_that_are_known_make_others_known(shape):
    assert imported(shape, [6, 4]) == [[6, 5], [6], [6, 8], [4, 6], [5, 4], [None, 4]]


def test_shapes_that_are_not_known_make_others_unknown():
    assert imported([6, 4], [None, 4]) == [[None, 5], [None], [None, 8], [4, None], [None, 4], [None, 4]]


def test_shapes_of_large_arrays_are_not_computed():
    assert imported([None, 4], [100000, 4])[0] == [None, 5]
