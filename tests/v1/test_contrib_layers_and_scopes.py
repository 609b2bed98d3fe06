"""``tf.contrib.slim`` and what it is made of: scopes of arguments, model variables, layers, training operations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf
from steepest.v1.contrib import framework, layers, slim, training
from steepest.v1.contrib.tensorboard.plugins import projector

X = np.random.default_rng(3).normal(size=(5, 6)).astype("f")


def names(variables: Any) -> list[str]:
    return [v.op.name for v in variables]


def run(node: Any, feeds: Any = None) -> Any:
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        return session.run(node, feeds)


def test_a_scope_gives_arguments():
    x = tf.constant(X)
    with slim.arg_scope([slim.fully_connected], activation_fn=None, weights_initializer=tf.ones_initializer()):
        plain = slim.fully_connected(x, 2)
        with slim.arg_scope([slim.fully_connected], activation_fn=tf.negative) as inner:
            other = slim.fully_connected(x, 2)
            said = slim.fully_connected(x, 2, activation_fn=tf.square)
    with slim.arg_scope(inner):
        again = slim.fully_connected(x, 2)
    total = X.sum(1, keepdims=True) * np.ones(2)
    for got, want in zip(run([plain, other, said, again]), [total, -total, total**2, -total], strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5)
    assert framework.current_arg_scope() == {}


def test_scopes_of_own_functions():
    @framework.add_arg_scope
    def add(a: int, b: int = 1) -> int:
        return a + b

    def other(a: int) -> int:
        return a

    with framework.arg_scope([add], b=5):
        assert (add(1), add(1, b=2)) == (6, 3)
    assert add(1) == 2
    assert framework.has_arg_scope(add)
    assert not framework.has_arg_scope(other)
    assert framework.arg_scoped_arguments(add) == ("b",)
    with pytest.raises(ValueError, match="is not decorated with @add_arg_scope"), framework.arg_scope([other], a=1):
        pass
    with pytest.raises(TypeError, match="must either be a list/tuple or reused scope"), framework.arg_scope(add, b=1):
        pass
    with pytest.raises(ValueError, match="kwargs must be empty"), framework.arg_scope({}, b=1):
        pass


def test_variables_of_layers_are_model_variables():
    x = tf.constant(X)
    outputs = slim.stack(x, slim.fully_connected, [4, 3], scope="fc")
    outputs = slim.repeat(outputs, 2, slim.fully_connected, 3, scope="r")
    outputs = slim.batch_norm(outputs, scope="bn")
    slim.bias_add(outputs, scope="bias", variables_collections={"biases": ["mine"]})
    tf.get_variable("other", [2])
    own = [f"{scope}/{kind}" for scope in ("fc/fc_1", "fc/fc_2", "r/r_1", "r/r_2") for kind in ("weights", "biases")]
    own += ["bn/beta", "bn/moving_mean", "bn/moving_variance", "bias/biases"]
    assert names(slim.get_model_variables()) == own
    assert names(tf.get_collection("mine")) == ["bias/biases"]
    assert names(slim.get_variables_by_name("weights", "fc")) == ["fc/fc_1/weights", "fc/fc_2/weights"]
    assert names(slim.get_variables_by_suffix("mean")) == ["bn/moving_mean"]
    assert slim.get_unique_variable("other").op.name == "other"
    with pytest.raises(ValueError, match="Variable othe does not match any variable"):
        slim.get_unique_variable("othe")
    assert names(slim.get_variables_to_restore(exclude=["fc", "r", "bias"])) == [*own[8:11], "other"]
    assert names(slim.filter_variables(tf.global_variables(), ["fc_1"], ["biases"])) == ["fc/fc_1/weights"]
    local, model = slim.local_variable(1.0, name="l"), slim.model_variable("m", [2], device="/cpu:0")
    assert (local in tf.local_variables(), model in tf.model_variables()) == (True, True)


def test_values_and_checkpoints_are_assigned_by_name(tmp_path: Any):
    a, b = slim.variable("a", [2]), slim.variable("b", [2])
    with tf.Session() as session:
        slim.assign_from_values_fn({"a": [1.0, 2.0], "b": [3.0, 4.0]})(session)
        assert session.run([a, b])[1].tolist() == [3, 4]
        tf.train.Saver([a]).save(session, str(tmp_path / "m"))
        session.run(tf.global_variables_initializer())
        slim.assign_from_checkpoint_fn(str(tmp_path / "m"), [a, b], ignore_missing_vars=True)(session)
        assert session.run(a).tolist() == [1, 2]
    with pytest.raises(ValueError, match="cannot be empty"):
        slim.assign_from_checkpoint_fn(str(tmp_path / "m"), {})


def test_maxout():
    np.testing.assert_array_equal(run(slim.maxout(X, 3)), X.reshape(5, 3, 2).max(2))
    rows = tf.placeholder(tf.float32, [None, 6])
    np.testing.assert_array_equal(run(slim.maxout(rows, 2), {rows: X}), X.reshape(5, 2, 3).max(2))
    with pytest.raises(ValueError, match=r"number of features\(6\) is not a multiple of num_units\(4\)"):
        slim.maxout(X, 4)


def test_a_training_operation_updates_averages_steps_and_weights():
    outputs = slim.fully_connected(slim.batch_norm(tf.constant(X)), 1, activation_fn=None)
    slim.losses.mean_squared_error(outputs, tf.ones([5, 1]))
    loss = slim.losses.get_total_loss()
    train = slim.learning.create_train_op(
        loss,
        tf.train.GradientDescentOptimizer(1.0),
        clip_gradient_norm=1e-3,
        gradient_multipliers={"fully_connected/biases": 0.0},
    )
    weights, biases = slim.get_model_variables("fully_connected")
    mean = slim.get_variables_by_suffix("moving_mean")[0]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        before = session.run([loss, weights, biases])
        assert session.run(train) == pytest.approx(before[0])
        after = session.run([tf.train.get_global_step(), weights, biases, mean])
        assert after[0] == 1
        assert np.linalg.norm(after[1] - before[1]) == pytest.approx(1e-3, rel=1e-3)
        assert after[2].tolist() == before[2].tolist()
        assert np.abs(after[3]).max() > 0
    with pytest.raises(ValueError, match="Requested multiple of `None` gradient"):
        training.multiply_gradients([(None, weights)], {weights: 2.0})
    stepless = training.create_train_op(loss, tf.train.GradientDescentOptimizer(1.0), global_step=None)
    assert run(stepless) > 0
    bad = training.create_train_op(loss * np.float32(np.nan), tf.train.GradientDescentOptimizer(1.0))
    with pytest.raises(tf.errors.InvalidArgumentError, match="LossTensor is inf or nan"):
        run(bad)


def test_the_projectors_file(tmp_path: Any):
    config = projector.ProjectorConfig()
    embedding = config.embeddings.add()
    embedding.tensor_name, embedding.metadata_path = "words:0", "labels.tsv"
    embedding.sprite.image_path = "s.png"
    embedding.sprite.single_image_dim.extend([28, 28])
    projector.visualize_embeddings(tf.summary.FileWriter(str(tmp_path)), config)
    text = (tmp_path / "projector_config.pbtxt").read_text()
    sprite = ["sprite", "{", "image_path:", '"s.png"', *["single_image_dim:", "28"] * 2, "}"]
    words = ["tensor_name:", '"words:0"', "metadata_path:", '"labels.tsv"']
    assert text.split() == ["embeddings", "{", *words, *sprite, "}"]


def test_summaries_of_layers():
    relu = layers.relu(tf.constant(X), 3)
    tf.add_to_collection(tf.GraphKeys.ACTIVATIONS, relu)
    made = layers.summarize_activations()
    made += layers.summarize_tensors([tf.constant(1.0, name="one"), tf.constant(X, name="many")])
    assert [summary.op.type for summary in made] == ["HistogramSummary", "ScalarSummary", "HistogramSummary"]
    assert len(tf.get_collection(tf.GraphKeys.SUMMARIES)) == 4  # the share of zeros too


def test_triangular_operators():
    square = np.tril(X[:, :5]) + 5 * np.eye(5, dtype="f")
    operator = tf.linalg.LinearOperatorLowerTriangular(square + np.triu(np.ones((5, 5), "f"), 1))
    assert tf.contrib.linalg.LinearOperatorTriL is tf.linalg.LinearOperatorLowerTriangular
    found = [operator.to_dense(), operator.matmul(X), operator.solve(X), operator.determinant()]
    found += [operator.log_abs_determinant(), operator.diag_part(), operator.solve(X.T, adjoint_arg=True)]
    solved = np.linalg.solve(square, X)
    want = [square, square @ X, solved, np.linalg.det(square), np.linalg.slogdet(square)[1], square.diagonal(), solved]
    for got, right in zip(run(found), want, strict=True):
        np.testing.assert_allclose(got, right, rtol=1e-4, atol=1e-5)
    assert operator.shape.as_list() == [5, 5]


def test_regularizers_that_give_nothing():
    v = tf.constant([1.0, 2.0])
    assert layers.sum_regularizer([lambda _: None])(v) is None
    assert run(layers.sum_regularizer([lambda _: None, layers.l1_regularizer(0.5)])(v)) == 1.5
    assert run(layers.apply_regularization(lambda _: None, [v, v])) == 0
    with pytest.raises(ValueError, match="scalar"):
        layers.apply_regularization(lambda w: w, [v])
    with pytest.raises(ValueError, match="integer"):
        layers.l1_regularizer(0)


def test_optimize_loss_checks_and_disturbs():
    v = tf.get_variable("v", [], initializer=tf.constant_initializer(10.0))
    step, loss = tf.train.get_or_create_global_step(), tf.abs(v * 5.0)
    for rate, optimizer in (("a", "SGD"), (-0.1, "SGD"), (0.1, tf.Variable), (0.1, lambda rate: None), (0.1, object())):
        with pytest.raises(ValueError, match=r"[Oo]ptimizer|rate"):
            layers.optimize_loss(loss, step, rate, optimizer)
    still = layers.optimize_loss(loss, step, 0.1, "SGD", gradient_noise_scale=0.0)
    noisy = layers.optimize_loss(loss, step, 0.1, "SGD", gradient_noise_scale=1.0)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(still)
        assert session.run(v) == 9.5
        session.run(noisy)
        assert 8.6 < session.run(v) < 9.4
        assert session.run(v) != 9.0
