"""Names of ``tf.contrib``: optimizers whose steps leave something out, embeddings, functions of nests."""

from __future__ import annotations

import numpy as np
import pytest

import steepest.v1 as tf
from steepest.v1.contrib import framework, layers, metrics, opt
from steepest.v1.testing.test_modes import eager_mode


@pytest.mark.parametrize("kind", ["plain", "resource", "rows", "resource rows"])
def test_accumulators_stay_as_they_are_where_they_are_to(kind: str):
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable([[1.0], [2.0]], use_resource=kind.startswith("resource"))
        gradient = tf.constant([[0.5], [0.5]])
        if kind.endswith("rows"):
            gradient = tf.IndexedSlices(tf.constant([[0.25], [0.25]]), [1, 1], [2, 1])
        optimizer = opt.RegAdagradOptimizer(3.0, initial_accumulator_value=0.25)
        moves = optimizer.apply_gradients([(gradient, v)])
        with optimizer.avoid_updating_slots():
            stays = optimizer.apply_gradients([(gradient, v)])
        accumulator = optimizer.get_slot(v, "accumulator")
        session.run(tf.global_variables_initializer())
        session.run(stays)
        first = 1.0 if kind.endswith("rows") else -2.0
        np.testing.assert_allclose(session.run(v), [[first], [-1.0]])
        np.testing.assert_allclose(session.run(accumulator), [[0.25], [0.25]])
        session.run(moves)
        np.testing.assert_allclose(session.run(accumulator)[1], [0.5])
        np.testing.assert_allclose(session.run(v)[1], [-1.0 - 1.5 / np.sqrt(0.5)], rtol=1e-6)


def test_accumulators_stay_as_they_are_in_eager_mode():
    with eager_mode():
        v = tf.Variable([1.0])
        optimizer = opt.RegAdagradOptimizer(1.0, initial_accumulator_value=0.25)
        with optimizer.avoid_updating_slots():
            optimizer.apply_gradients([(tf.constant([0.5]), v)])
        assert (v.numpy().tolist(), optimizer.get_slot(v, "accumulator").numpy().tolist()) == ([0.0], [0.25])


def test_stale_gradients_are_left_out():
    with tf.Graph().as_default(), tf.Session() as session:
        step = tf.train.get_or_create_global_step()
        v = tf.Variable([1.0, 2.0])
        optimizer = opt.DropStaleGradientOptimizer(tf.train.GradientDescentOptimizer(1.0), staleness=1)
        train = optimizer.apply_gradients(optimizer.compute_gradients(tf.reduce_sum(v), [v]), global_step=step)
        session.run(tf.global_variables_initializer())
        assert session.run(train) == 0.0
        assert session.run([v, step])[0].tolist() == [0.0, 1.0]
        assert session.run(train, {optimizer._local_step: -1}) == 1.0
        assert session.run([v, step])[0].tolist() == [0.0, 1.0]
        assert session.run(train, {optimizer._local_step: 0}) == 1.0
        assert session.run([v, step])[0].tolist() == [-1.0, 0.0]


def test_bags_of_words():
    with tf.Graph().as_default(), tf.Session() as session:
        ids = tf.constant([[1, 0], [2, 1]])
        start = tf.constant_initializer(np.arange(6.0).reshape(3, 2))
        sparse = layers.bow_encoder(ids, 3, 2, initializer=start, scope="a")
        dense = layers.bow_encoder(ids, 3, 2, sparse_lookup=False, scope="a", reuse=True)
        unique = layers.embedding_lookup_unique(tf.get_default_graph().get_collection("variables")[0], ids)
        session.run(tf.global_variables_initializer())
        assert session.run(sparse).tolist() == [[2.0, 3.0], [3.0, 4.0]]
        assert session.run(dense).tolist() == [[1.0, 2.0], [3.0, 4.0]]
        assert session.run(unique).tolist() == [[[2.0, 3.0], [0.0, 1.0]], [[4.0, 5.0], [2.0, 3.0]]]
        with pytest.raises(ValueError, match="vocab size"):
            layers.bow_encoder(ids, 0, 2)
        with pytest.raises(TypeError, match="dense Tensor"):
            layers.bow_encoder(tf.SparseTensor([[0, 0]], [1], [1, 1]), 3, 2, sparse_lookup=False)


def test_python_functions_of_nests():
    with tf.Graph().as_default(), tf.Session() as session:
        result = framework.py_func(
            lambda x, y: {"sum": x["a"] + y, "both": (y, y)},
            [{"a": tf.constant(1.0)}],
            {"y": tf.constant(2.0)},
            output_types=lambda x, y: {"sum": x["a"].dtype, "both": (y.dtype, y.dtype)},
            output_shapes={"sum": [], "both": ([], [])},
        )
        assert result["sum"].shape.as_list() == []
        assert session.run(result) == {"sum": 3.0, "both": (2.0, 2.0)}
        wrong = framework.py_func(lambda: [1.0], output_types={"a": tf.float32})
        with pytest.raises(tf.errors.InvalidArgumentError, match="structure"):
            session.run(wrong)
        with pytest.raises(TypeError, match="args must be list"):
            framework.py_func(lambda: 1.0, 3, output_types=tf.float32)
        with pytest.raises(TypeError, match="kwargs must be dict"):
            framework.py_func(lambda: 1.0, [], 3, output_types=tf.float32)


def test_placeholders_and_global_steps_of_graphs():
    with tf.Graph().as_default() as graph:
        first, _, second = tf.placeholder(tf.float32), tf.constant(1), tf.placeholder(tf.int32)
        assert framework.get_placeholders(graph) == [first, second]
        with pytest.raises(TypeError, match="needs to be a Graph"):
            framework.get_placeholders(first)
        assert framework.assert_or_get_global_step() is None
        step = tf.train.create_global_step()
        assert framework.assert_or_get_global_step() is step
        assert framework.assert_or_get_global_step(None, step) is step
        with pytest.raises(TypeError):
            framework.assert_or_get_global_step(None, tf.constant(1.0))
        assert framework.strip_name_scope("a/b", "a") == "b"
        assert metrics.set_size is tf.sets.size


def test_conditions_that_are_known_are_decided_when_the_graph_is_built():
    with tf.Graph().as_default(), tf.Session() as session:
        asked = tf.placeholder(tf.bool, [])
        assert framework.smart_cond(tf.constant(False), true_fn=lambda: "yes", false_fn=lambda: "no") == "no"
        either = framework.smart_cond(asked, true_fn=lambda: tf.constant(1), false_fn=lambda: tf.constant(2))
        assert session.run(either, {asked: True}) == 1
        assert framework.smart_constant_value(tf.constant(True)) is True
        assert framework.smart_case([(False, lambda: 1)], default=lambda: 2) == 2

    @framework.deprecated("2017-01-01", "Take another.")
    def old():
        return 1

    assert old() == 1
    assert framework.BoundedTensorSpec([1], tf.float32, 0.0, 1.0).maximum == 1.0


def test_lookups_of_sparse_ids_know_their_rows():
    table = np.eye(4, dtype=np.float32)
    with tf.Graph().as_default(), tf.Session() as session:
        ids = tf.SparseTensor([[0, 1, 1]], tf.constant([3], tf.int64), [2, 2, 3])
        known = tf.nn.safe_embedding_lookup_sparse(table, ids)
        assert known.shape.as_list() == [2, 2, 4]
        flat = tf.SparseTensor([[1, 0]], tf.constant([3], tf.int64), [2, 3])
        assert tf.nn.safe_embedding_lookup_sparse(table, flat).shape.as_list() == [2, 4]
        fed = tf.sparse_placeholder(tf.int64)
        unknown = tf.nn.safe_embedding_lookup_sparse(table, fed)
        assert unknown.shape.ndims is None
        value = tf.SparseTensorValue([[0, 1, 1]], [3], [2, 2, 3])
        np.testing.assert_array_equal(session.run(unknown, {fed: value}), session.run(known))


def test_weights_of_cosine_distances_are_those_of_whole_vectors():
    x = np.ones((2, 3), np.float32)
    with tf.Graph().as_default():
        tf.metrics.mean_cosine_distance(x, x, 1, weights=[[1.0], [0.0]])
        with pytest.raises(ValueError, match="weights can not be broadcast"):
            tf.metrics.mean_cosine_distance(x, x, 1, weights=x)


def test_losses_of_activities_have_a_name_scope():
    with tf.Graph().as_default():
        tf.layers.dense(tf.ones([2, 2]), 2, activity_regularizer=tf.reduce_sum)
        (loss,) = tf.losses.get_regularization_losses()
        assert loss.op.name == "dense/ActivityRegularizer/truediv"
