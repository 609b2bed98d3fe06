"""What is made of nodes of a graph that is not the default one is of their graph."""

from __future__ import annotations

import pytest

import steepest.v1 as tf


def test_operations_are_of_the_graph_of_their_inputs():
    with tf.Graph().as_default() as graph:
        v = tf.Variable(3.0, name="v")
        y = v * v
    known, slope = tf.is_variable_initialized(v), tf.gradients(y, v)[0]
    start, checked = tf.group(v.initializer), tf.assert_variables_initialized([v])
    assert {each.graph for each in (known, slope, start, checked)} == {graph}
    with tf.Session(graph=graph) as session:
        assert not session.run(known)
        session.run(start)
        session.run(checked)
        assert session.run([known, slope]) == [True, 6.0]
    assert not tf.get_default_graph().get_operations()


def test_inputs_of_several_graphs_are_refused():
    with tf.Graph().as_default():
        other = tf.Variable(1.0)
    v = tf.Variable(3.0)
    with pytest.raises(ValueError, match="must be from the same graph"):
        tf.group(v.initializer, other.initializer)
    with pytest.raises(ValueError, match="must be from the same graph"):
        tf.gradients(v * v, other)
