"""Arguments as TensorFlow had them before 1.0, in another order or under other names, mean what they meant then."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf

RNG = np.random.default_rng(5)
X, Y = RNG.normal(size=(4, 3)).astype("f"), np.eye(3, dtype="f")[[0, 2, 1, 0]]


def run(*nodes: Any) -> list[Any]:
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(list(nodes))


def same(old: Any, new: Any) -> None:
    got, want = run(old, new)
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("entropy", ["softmax", "sigmoid"])
def test_cross_entropies_without_names_have_the_logits_first(entropy: str):
    function = getattr(tf.nn, f"{entropy}_cross_entropy_with_logits")
    logits = tf.matmul(X, tf.Variable(np.eye(3, dtype="f")))
    same(function(logits, Y), function(labels=Y, logits=logits))
    same(function(logits, tf.ones_like(logits)), function(labels=np.ones_like(X), logits=logits))
    for labels in (tf.constant(Y), tf.placeholder(tf.float32, [4, 3]), tf.ones_like(logits), tf.stop_gradient(logits)):
        with pytest.raises(ValueError, match="without names the logits come first, got labels first"):
            function(labels, logits)
    for one in ({"labels": Y}, {"logits": X}):
        with pytest.raises(ValueError, match="Both labels and logits must be provided"):
            function(**one)
    with pytest.raises(ValueError, match="with named arguments"):
        function(logits)


def test_the_labels_were_targets():
    right = tf.nn.sigmoid_cross_entropy_with_logits(labels=Y, logits=X)
    same(tf.nn.sigmoid_cross_entropy_with_logits(logits=X, targets=Y), right)
    same(tf.nn.sigmoid_cross_entropy_with_logits(X, targets=Y), right)


def test_sparse_cross_entropy_without_names():
    labels = np.array([0, 2, 1, 0])
    right = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=X)
    same(tf.nn.sparse_softmax_cross_entropy_with_logits(X, labels), right)


def test_sampled_losses_had_the_inputs_first():
    weights, biases = RNG.normal(size=(7, 3)).astype("f"), np.zeros(7, "f")
    labels = tf.constant([[1], [2], [3], [4]])
    sampled = (tf.constant([0, 5], tf.int64), tf.fill([4, 1], 0.5), tf.fill([2], 0.5))
    for loss in (tf.nn.nce_loss, tf.nn.sampled_softmax_loss):
        old = loss(weights, biases, tf.constant(X), labels, 2, 7, sampled_values=sampled)
        same(old, loss(weights, biases, labels, tf.constant(X), 2, 7, sampled_values=sampled))


def test_concat_and_split_had_the_axis_first():
    a, b = tf.constant(X), tf.constant(Y)
    same(tf.concat(1, [a, b]), np.concatenate([X, Y], 1) + tf.zeros([4, 6]))
    same(tf.concat(0, [a]), a + 0.0)
    same(tf.concat(concat_dim=0, values=[a, b]), tf.concat([a, b], 0))
    same(tf.concat_v2([a, b], 1), tf.concat([a, b], 1))
    for old in (tf.split(1, 3, a), tf.split(split_dim=1, num_split=3, value=a), tf.split(value=a, num_split=3, axis=1)):
        for got, want in zip(old, tf.split(a, 3, 1), strict=True):
            same(got, want)
    assert len(tf.split([1, 2, 3], 3)) == 3
    for call in (lambda: tf.concat([a, b]), lambda: tf.split(a)):
        with pytest.raises(TypeError, match="missing 1 required positional argument"):
            call()


def test_reverse_by_bools_and_a_sparse_tensors_shape():
    same(tf.reverse(X, [False, True]), tf.reverse(X, [1]))
    sparse = tf.SparseTensor(indices=[[0, 1]], values=[2.0], shape=[2, 2])
    same(tf.sparse_tensor_to_dense(sparse), tf.constant([[0.0, 2.0], [0.0, 0.0]]))
    with pytest.raises(TypeError, match="dense_shape"):
        tf.SparseTensor([[0, 1]], [2.0])


def test_matrix_functions_once_came_in_two_forms():
    stack = np.stack([np.eye(3) * 2, np.eye(3) * 4])
    same(tf.batch_matrix_inverse(stack), tf.constant(np.stack([np.eye(3) / 2, np.eye(3) / 4])))
    same(tf.batch_matrix_diag_part(stack), tf.constant([[2.0] * 3, [4.0] * 3], tf.float64))
    same(tf.batch_cholesky(stack), tf.cholesky(stack))
    assert tf.batch_matrix_transpose is tf.matrix_transpose


def test_a_type_may_be_its_number():
    names = ["float32", "float64", "int32", "string", "int64", "bool", "float32_ref"]
    assert [tf.as_dtype(k).name for k in (1, 2, 3, 7, 9, 10, 101)] == names
    assert tf.random_normal([2], 0, 1, 1.0).dtype == tf.float32  # positions shifted by one, as TensorFlow lets pass
    with pytest.raises(TypeError, match="Cannot convert value 50 to a TensorFlow DType"):
        tf.as_dtype(50)
