"""Small things that programs rely on; the values, names and exceptions are TensorFlow's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import steepest.v1 as tf


@pytest.fixture(autouse=True)
def _graph():
    with tf.Graph().as_default():
        yield


def test_collections_can_be_listed_and_cleared():
    graph = tf.get_default_graph()
    tf.add_to_collection("b", 1)
    tf.add_to_collection("a", 2)
    tf.get_collection("only read")
    assert sorted(graph.get_all_collection_keys()) == ["a", "b"] == sorted(graph.collections)
    graph.clear_collection("b")
    assert graph.get_all_collection_keys() == ["a"]
    assert tf.get_collection("b") == []


@pytest.mark.parametrize("make", [lambda: tf.group(None), lambda: tf.control_dependencies([None]).__enter__()])
def test_none_is_nothing_to_depend_on(make):
    with pytest.raises(TypeError):
        make()


def test_names_of_a_tuple():
    assert [t.name for t in tf.tuple([tf.constant(1), tf.constant(2)])] == [
        "tuple/control_dependency:0",
        "tuple/control_dependency_1:0",
    ]


def test_fetches_by_bytes():
    tf.constant(3, name="c")
    with tf.Session() as session:
        assert session.run(b"c:0") == 3


def test_cond_refuses_what_is_no_scalar_truth():
    x = tf.placeholder(tf.float32, [], name="x")
    with pytest.raises(TypeError, match="x:0"):
        tf.cond(x, lambda: 1, lambda: 2)
    with pytest.raises(ValueError, match="scalar"):
        tf.cond(tf.constant([True]), lambda: 1, lambda: 2)
    with pytest.raises(ValueError, match="must have a return value"):
        tf.cond(x > 0, lambda: None, lambda: None)


def test_cond_keeps_the_sizes_that_both_branches_have():
    either = tf.cond(tf.placeholder(tf.bool, []), lambda: tf.zeros([2, 5]), lambda: tf.zeros([3, 5]))
    assert either.shape.as_list() == [None, 5]


def test_case_without_default_and_without_truth():
    x, seen = tf.placeholder(tf.float32, []), tf.Variable(0.0)
    chosen = tf.case([(x < 0, lambda: tf.constant(1)), (x > 1, lambda: tf.group(seen.assign(7.0)) and tf.constant(2))])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert [session.run(chosen, {x: value}) for value in (-1, 2)] == [1, 2]
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(chosen, {x: 0.5})


def test_placeholders_are_checked_when_they_are_made():
    with pytest.raises(ValueError, match="placeholder_with_default"):
        tf.placeholder_with_default([1.0, 2.0], [3])
    assert tf.placeholder_with_default([1.0, 2.0], [None]).shape.as_list() == [None]
    with pytest.raises(TypeError):
        tf.placeholder(None)


@pytest.mark.parametrize("wrong", [{"target": 3}, {"config": 3}])
def test_sessions_refuse_arguments_of_other_types(wrong):
    with pytest.raises(TypeError, match=next(iter(wrong))):
        tf.Session(**wrong)


def test_a_variable_is_true_as_an_object():
    step = tf.Variable(0)
    assert (step or None) is step


def test_get_variable_by_a_function_without_arguments():
    made = tf.get_variable("v", initializer=lambda: tf.ones([4]))
    assert made.shape.as_list() == [4]
    with tf.Session() as session:
        session.run(made.initializer)
        assert session.run(made).tolist() == [1] * 4


def test_get_variable_shares_by_a_shape_with_unknown_sizes():
    with tf.variable_scope("s"):
        made = tf.get_variable("w", [2, 3])
    with tf.variable_scope("s", reuse=True):
        assert tf.get_variable("w", [None, 3]) is made
        with pytest.raises(ValueError, match="s/w"):
            tf.get_variable("w", [None, 4])


def test_no_regularizer_overrides_the_scope():
    with tf.variable_scope("s", regularizer=tf.reduce_sum):
        tf.get_variable("a", [2])
        tf.get_variable("b", [2], regularizer=tf.no_regularizer)
    assert len(tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)) == 1


def test_zero_debias_divides_by_the_share_of_the_updates():
    v, updates = tf.Variable(1.0), tf.Variable(0, trainable=False)
    doubled = v * 2.0
    average = tf.train.ExponentialMovingAverage(0.99, num_updates=updates, zero_debias=True)
    apply = average.apply([doubled])
    seen = []
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(3):
            session.run(v.assign_add(1.0))
            session.run(apply)
            session.run(updates.assign_add(1))
            seen.append(session.run(average.average(doubled)))
    np.testing.assert_allclose(seen, [4.0, 5.75385, 7.50823], rtol=1e-5)


def test_readers_of_checkpoints(tmp_path: Path):
    tf.Variable([1.0, 2.0], name="v")
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        saver = tf.train.Saver()
        path = saver.save(session, str(tmp_path / "m"))
        with pytest.raises(TypeError, match="sess"):
            saver.save(None, path)
        with pytest.raises(ValueError, match="path"):
            saver.save(session, "")
    saver.recover_last_checkpoints([str(tmp_path / "gone"), path])
    assert saver.last_checkpoints == [path]
    reader = tf.train.NewCheckpointReader(path)
    assert reader.get_variable_to_dtype_map() == {"v": tf.float32}
    with pytest.raises(tf.errors.NotFoundError, match="other"):
        reader.get_tensor("other")
    with pytest.raises(tf.errors.NotFoundError, match="gone"):
        tf.train.NewCheckpointReader(str(tmp_path / "gone"))


def test_slots_are_shared_as_their_scope_says():
    with tf.variable_scope("net"):
        w = tf.get_variable("w", [2])
    loss = tf.reduce_sum(w * w)

    def slots(*scope, **options):
        with tf.variable_scope(*scope, **options):
            optimizers = [tf.train.AdamOptimizer(0.1) for _ in range(2)]
            for optimizer in optimizers:
                optimizer.minimize(loss)
            return [optimizer.get_slot(w, slot).name for optimizer in optimizers for slot in ("m", "v")]

    first = ["net/net/w/Adam:0", "net/net/w/Adam_1:0", "net/net/w/Adam_2:0", "net/net/w/Adam_3:0"]
    assert slots("net") == first
    with pytest.raises(ValueError, match="net/net/w/Adam/ already exists"):
        slots("net")
    assert slots("net", reuse=tf.AUTO_REUSE) == first
    assert slots("net", reuse=True) == first
    with pytest.raises(ValueError, match="other/net/w/Adam/ does not exist"):
        slots("other", reuse=True)


def test_the_global_step_is_named_after_its_scope():
    with tf.variable_scope("train"), tf.name_scope("ignored"):
        step = tf.train.get_or_create_global_step()
    assert step.name == "train/global_step:0"
    assert tf.train.get_or_create_global_step() is step


def test_a_saver_takes_a_list_or_a_dict():
    with pytest.raises(TypeError, match="v:0"):
        tf.train.Saver(tf.Variable(1.0, name="v"))


def test_weights_of_sparse_lookups_are_checked():
    table, where = tf.ones([3, 2]), [[0, 0], [1, 0]]
    ids = tf.SparseTensor(where, [0, 1], [2, 1])
    with pytest.raises(TypeError, match="sp_weights"):
        tf.nn.embedding_lookup_sparse(table, ids, [1.0])
    with pytest.raises(ValueError, match="incompatible"):
        tf.nn.embedding_lookup_sparse(table, ids, tf.SparseTensor([[0, 0]], [1.0], [2, 1]))


def test_a_variable_may_change_between_its_reading_and_the_gradients():
    with tf.Graph().as_default(), tf.Session() as session:
        w, u = tf.Variable([2.0, 3.0]), tf.Variable(4.0, trainable=False)
        y = u * w * w
        with tf.control_dependencies([u.assign(u + 6.0)]):
            loss = tf.reduce_sum(tf.identity(y))  # as spectral normalisation moves its vector before the loss
        step = tf.train.GradientDescentOptimizer(0.125).minimize(loss)
        (slope,) = tf.gradients(loss, w)
        session.run(tf.global_variables_initializer())
        np.testing.assert_array_equal(session.run(slope), [16.0, 24.0])
        assert session.run(u) == 10.0
        session.run(step)
        np.testing.assert_array_equal(session.run(w), [-3.0, -4.5])


def test_a_part_that_begins_behind_the_end_is_refused_when_it_is_built():
    assert tf.slice(tf.constant([1.0, 2.0]), [2], [-1]).shape.as_list() == [0]
    with pytest.raises(ValueError, match="Negative dimension size caused by subtracting 3 from 2"):
        tf.slice(tf.constant([1.0, 2.0]), [3], [-1])


def test_sizes_of_shapes_are_numbers_where_a_program_asks_for_them():
    shape = tf.placeholder(tf.float32, [2, None]).shape
    assert (shape[0].value, shape[1].value) == (2, None)
    tf.enable_v2_tensorshape()
    try:
        assert (shape[0], shape[1], list(shape), shape[1:].as_list()) == (2, None, [2, None], [None])
        assert type(shape[0]) is int
        assert tf.layers.dense(tf.ones([2, 3]), 4).shape[-1] == 4
        assert tf.layers.batch_normalization(tf.ones([2, 3]), training=True).shape[0] == 2
    finally:
        tf.disable_v2_tensorshape()
    assert shape[0].value == 2


def test_an_operation_with_an_input_of_another_type_cannot_be_run():
    total = tf.constant(1, name="one") + tf.constant(2)
    total.op._update_input(0, tf.constant(0.5, name="half"))
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="was passed float from half:0 incompatible with expected int32"
    ):
        tf.Session().run(total)
    other = tf.constant(1) + tf.constant(2)
    other.op._update_input(0, tf.constant(5))
    assert tf.Session().run(other) == 7
