"""``tf.contrib.layers`` and ``tf.contrib.training`` beside the layers: steps, penalties, draws, sparse ids, names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf

layers, training = tf.contrib.layers, tf.contrib.training
utils = layers.utils


def run(node: Any, feeds: Any = None) -> Any:
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(node, feeds)


def model() -> tuple[Any, Any, Any]:
    v = tf.get_variable("v", [], initializer=tf.constant_initializer(10.0))
    return v, tf.abs(v * 3.0), tf.train.create_global_step()


def test_a_step_keeps_its_rate_and_tells_what_it_does():
    _, loss, step = model()
    layers.optimize_loss(loss, step, 0.1, "SGD", clip_gradients=1.0, summaries=layers.OPTIMIZER_SUMMARIES)
    assert "OptimizeLoss/learning_rate" in [w.op.name for w in tf.global_variables()]
    tags = [each.op.name for each in tf.get_collection(tf.GraphKeys.SUMMARIES)]
    for tag in ("loss", "global_norm/gradient_norm", "gradients/v_0", "global_norm/clipped_gradient_norm"):
        assert f"OptimizeLoss/{tag}" in tags


def test_gradients_multiplied_by_integers():
    v, loss, step = model()
    train = layers.optimize_loss(loss, step, 0.1, "SGD", gradient_multipliers={v: tf.constant(2, tf.int64)})
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(train)
        assert session.run(v) == pytest.approx(10 - 0.1 * 3 * 2)


def test_what_a_step_does_not_take():
    v, loss, step = model()
    for words, error, change in (
        ("Summaries should be one of", ValueError, {"summaries": ["none"]}),
        ("does not have integer type", TypeError, {"global_step": v}),
        ("Got 1 of type", ValueError, {"learning_rate": 1}),
        ("should be specified if optimizer is string", ValueError, {"learning_rate": None}),
        ("should be specified if optimizer is class", ValueError, {"learning_rate": None, "optimizer": type(SGD)}),
        ("Unknown type", ValueError, {"clip_gradients": "x"}),
    ):
        given = {"loss": loss, "global_step": step, "learning_rate": 0.1, "optimizer": "SGD", **change}
        with pytest.raises(error, match=words), tf.variable_scope(None, "one"):
            layers.optimize_loss(**given)


SGD = tf.train.GradientDescentOptimizer(0.1)


def test_clipping_by_norms_seen_before():
    x = tf.placeholder(tf.float32, [2])
    v = tf.get_variable("v", [2])
    clip = layers.adaptive_clipping_fn(std_factor=0.5, decay=0.8)
    ((clipped, same),) = clip([(x, v)])
    assert same is v
    mean = square = 0.0
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for size in (1.5, 2.0, 30.0, 1.0):
            given = np.array([0.6, 0.8], np.float32) * size
            log = np.log(size)
            mean, square = 0.8 * mean + 0.2 * log, 0.8 * square + 0.2 * log**2
            limit = np.exp(mean + 0.5 * np.sqrt(max(square - mean**2, 1e-8)))
            want = given if size < limit else given * np.exp(mean) / size
            np.testing.assert_allclose(session.run(clipped, {x: given}), want, rtol=1e-4)


def test_names_of_penalties():
    w = tf.get_variable("w", [2], initializer=tf.constant_initializer(-2.0))
    assert layers.l1_regularizer(0.5)(w).op.name == "l1_regularizer"
    assert layers.l2_regularizer(0.5, scope="mine")(w).op.name == "mine"
    both = layers.l1_l2_regularizer(0.5, 0.25)(w)
    assert (both.op.name, run(both)) == ("l1_l2_regularizer", 0.5 * 4 + 0.25 * 4)
    assert layers.l1_l2_regularizer(0.0, 0.0)(w) is None
    assert layers.apply_regularization(layers.l2_regularizer(1.0), [w]).op.name == "get_regularization_penalty"
    assert run(layers.l2_regularizer(tf.constant(0.5))(w)) == 2


def test_draws_of_normal_numbers_are_of_the_old_deviation():
    draw = layers.variance_scaling_initializer(seed=3)
    assert run(draw([4, 5])).std() > 0
    old = run(tf.truncated_normal([200, 50], stddev=np.sqrt(1.3 * 2 / 200), seed=3))
    tf.reset_default_graph()
    np.testing.assert_allclose(np.std(run(draw([200, 50]))), np.std(old), rtol=0.02)
    assert np.abs(run(draw([200, 50]))).max() <= 2 * np.sqrt(1.3 * 2 / 200)
    for wrong in (lambda: layers.xavier_initializer(dtype=tf.int32), lambda: draw([2], tf.int32)):
        with pytest.raises(TypeError, match="Cannot create initializer for non-floating point type"):
            wrong()


def test_sparse_ids_and_envelopes():
    dense = np.array([[0, 3, 0, 4], [0, 0, 0, 0], [5, 0, 0, 6]])
    made = run(layers.dense_to_sparse_tensor(dense))
    np.testing.assert_array_equal(made.indices, np.argwhere(dense))
    np.testing.assert_array_equal(made.values, [3, 4, 5, 6])
    np.testing.assert_array_equal(made.dense_shape, dense.shape)
    assert list(run(layers.dense_to_sparse_tensor(np.array(["", "a"]))).values) == [b"a"]
    ids = run(layers.indicators_to_sparse_ids(dense, dtype=tf.int32))
    np.testing.assert_array_equal(ids.indices, [[0, 0], [0, 1], [2, 0], [2, 1]])
    np.testing.assert_array_equal(ids.values, [1, 3, 0, 3])
    np.testing.assert_array_equal(ids.dense_shape, [3, 2])
    with pytest.raises(ValueError, match="not integer"):
        layers.indicators_to_sparse_ids(dense, dtype=tf.float32)
    sparse = layers.dense_to_sparse_tensor(dense)
    np.testing.assert_array_equal(run(layers.sparse_row_envelope(sparse)), [4, 0, 4])
    np.testing.assert_array_equal(run(layers.sparse_row_envelope(sparse, 1, 0)), [3, 1, 0, 3])
    with pytest.raises(ValueError, match="can not be the same axis"):
        layers.sparse_row_envelope(sparse, 1, 1)


def test_other_names_of_outputs():
    one, two = tf.constant(1.0, name="one"), tf.constant(2.0, name="two")
    assert utils.collect_named_outputs("outputs", "a/", one) is one
    utils.append_tensor_alias(one, "b")
    tf.add_to_collection("outputs", two)
    assert utils.gather_tensors_aliases([one, two]) == ["a", "b", "two"]
    assert list(utils.convert_collection_to_dict("outputs", clear_collection=True)) == ["a", "b", "two"]
    assert tf.get_collection("outputs") == []


def test_what_is_known_before_a_run():
    assert utils.constant_value(tf.constant(3)) == 3
    assert utils.constant_value(tf.placeholder(tf.bool)) is None
    assert utils.constant_value(tf.get_variable("v", [])) is None
    assert utils.smart_cond(tf.constant(False), lambda: "yes", lambda: "no") == "no"
    unknown = tf.placeholder_with_default(True, [])
    assert run(utils.smart_cond(unknown, lambda: tf.constant(1), lambda: tf.constant(2))) == 1
    assert utils.n_positive_integers(2, 3) == (3, 3)
    assert utils.two_element_tuple([1, 2]) == utils.two_element_tuple(tf.TensorShape([1, 2])) == (1, 2)
    assert utils.channel_dimension(tf.TensorShape([None, 3, 4]), "channels_first") == 3
    assert utils.last_dimension(tf.TensorShape([None, 3, 4])) == 4
    for wrong in (
        lambda: utils.constant_value(None),
        lambda: utils.constant_value(tf.constant(3), tf.float32),
        lambda: utils.n_positive_integers(2, [1, 0]),
        lambda: utils.n_positive_integers(2, [1, 2, 3]),
        lambda: utils.n_positive_integers(2, ["a", 1]),
        lambda: utils.n_positive_integers(1.5, 1),
        lambda: utils.n_positive_integers(1, -1),
        lambda: utils.two_element_tuple([1]),
        lambda: utils.two_element_tuple("ab"),
        lambda: utils.last_dimension(tf.TensorShape(None)),
        lambda: utils.last_dimension(tf.TensorShape([3]), 2),
        lambda: utils.last_dimension(tf.TensorShape([None])),
    ):
        with pytest.raises(ValueError, match=r"[Mm]ust|cannot|wrong type|[Ee]xpected"):
            wrong()
    with pytest.raises(TypeError, match="fn2 must be callable"):
        utils.static_cond(True, lambda: 1, 2)


def test_summaries_of_activations_and_tensors():
    x = tf.constant([-1.0, 0.0, 3.0, 7.0])
    layers.summarize_activation(tf.nn.relu6(x, name="r"))
    zeros, sixes, _ = tf.get_collection(tf.GraphKeys.SUMMARIES)
    assert tf.Summary.FromString(run(zeros)).value[0].simple_value == 0.25
    assert tf.Summary.FromString(run(sixes)).value[0].simple_value == 0.25
    assert layers.summarize_tensor(tf.constant(1.0, name="c")).op.name == "c_summary"
    assert layers.summarize_tensor(tf.constant("text")) is None


def test_factors_of_gradients():
    v = tf.get_variable("v", [3])
    rows = tf.IndexedSlices(tf.constant([1.0, 2.0]), tf.constant([0, 2]), tf.constant([3]))
    ((made, _),) = training.multiply_gradients([(rows, v)], {"v": 3.0})
    np.testing.assert_array_equal(run(made.values), [3, 6])
    assert made.indices is rows.indices
    for pairs, factors, words in (
        ((rows, v), {v: 1.0}, "must be a list"),
        ([(rows, v)], {}, "is empty"),
        ([(rows, v)], 3, "must be a dict"),
        ([(None, v)], {v: 1.0}, "`None` gradient"),
    ):
        with pytest.raises(ValueError, match=words):
            training.multiply_gradients(pairs, factors)


def test_waiting_for_a_checkpoint(tmp_path: Path):
    assert training.wait_for_new_checkpoint(str(tmp_path), timeout=0, seconds_to_sleep=0.01) is None
    v = tf.get_variable("v", [])
    with tf.Session() as session:
        session.run(v.initializer)
        path = tf.train.Saver().save(session, str(tmp_path / "model"))
    assert training.wait_for_new_checkpoint(str(tmp_path)) == path
    assert training.wait_for_new_checkpoint(str(tmp_path), path, 0.01, 0) is None
