"""tf.nn's functions: values, stability, errors."""

from __future__ import annotations

import numpy as np
import pytest

from steepest import nn
from steepest.autodiff.functional import gradients_function
from steepest.autodiff.tape import GradientTape
from steepest.ops.indexed_slices import IndexedSlices
from steepest.variables.names import set_random_seed
from steepest.variables.variable import Variable

EXTREME = np.array([[1e4, 0.0, -1e4], [-1e4, -1e4, -1e4], [1e4, 1e4, 1e4], [0.0, 1.0, 2.0]])


def test_values():
    x = np.array([-1.0, 0.0, 2.0])
    np.testing.assert_array_equal(nn.relu(x), [0, 0, 2])
    np.testing.assert_allclose(nn.leaky_relu(x), [-0.2, 0, 2])
    np.testing.assert_allclose(nn.sigmoid(x), 1 / (1 + np.exp(-x)))
    np.testing.assert_allclose(nn.softplus(x), np.log1p(np.exp(x)))
    np.testing.assert_allclose(nn.softmax(x), np.exp(x) / np.exp(x).sum())
    np.testing.assert_allclose(nn.log_softmax(x), np.log(nn.softmax(x)))
    np.testing.assert_allclose(nn.logsumexp(x), np.log(np.exp(x).sum()))
    assert nn.l2_loss(x) == 2.5
    assert nn.relu([1, -1]).tolist() == [1, 0]


def test_cross_entropies_agree():
    x = np.random.default_rng(0).normal(size=(4, 3))
    ids = np.array([0, 2, 1, 1])
    sparse = nn.sparse_softmax_cross_entropy_with_logits(labels=ids, logits=x)
    dense = nn.softmax_cross_entropy_with_logits(labels=np.eye(3)[ids], logits=x)
    np.testing.assert_allclose(sparse, dense)
    np.testing.assert_allclose(sparse, -np.log(nn.softmax(x))[np.arange(4), ids])
    two = nn.sigmoid_cross_entropy_with_logits(labels=[1.0, 0.0], logits=np.array([0.5, 0.5]))
    np.testing.assert_allclose(two, -np.log([nn.sigmoid(np.array(0.5)), 1 - nn.sigmoid(np.array(0.5))]))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_extreme_logits_are_finite_with_the_right_gradient(dtype):
    x = EXTREME.astype(dtype)
    with np.errstate(all="raise", under="ignore"):
        cases = {
            "sigmoid": lambda x: np.sum(nn.sigmoid(x)),
            "softplus": lambda x: np.sum(nn.softplus(x)) / 100,
            "softmax": lambda x: np.sum(nn.softmax(x)[:, 0]),
            "log_softmax": lambda x: nn.log_softmax(x)[0, 0],
            "logsumexp": lambda x: np.sum(nn.logsumexp(x, axis=1)),
            "dense": lambda x: nn.softmax_cross_entropy_with_logits(labels=np.full((4, 3), 1 / 3), logits=x)[0],
            "sparse": lambda x: nn.sparse_softmax_cross_entropy_with_logits(labels=[2, 0, 0, 0], logits=x)[0],
            "sigmoids": lambda x: np.sum(nn.sigmoid_cross_entropy_with_logits(labels=np.ones((4, 3)), logits=x)) / 100,
        }
        for name, f in cases.items():
            (g,) = gradients_function(f)(x)
            assert np.isfinite(f(x)), name
            assert np.isfinite(g).all(), name
            assert g.dtype == dtype
    (g,) = gradients_function(cases["sparse"])(x)
    np.testing.assert_array_equal(g[0], [1, 0, -1])
    (g,) = gradients_function(cases["logsumexp"])(x)
    np.testing.assert_allclose(g[:3], [[1, 0, 0], [1 / 3] * 3, [1 / 3] * 3], rtol=1e-3)


def test_infinite_logits_mask():
    x = np.array([0.0, -np.inf, 0.0])
    np.testing.assert_array_equal(nn.softmax(x), [0.5, 0, 0.5])
    assert nn.logsumexp(x) == np.log(2)
    with np.errstate(divide="ignore"):
        assert nn.logsumexp(np.array([-np.inf, -np.inf])) == -np.inf


def test_empty_batches():
    assert nn.softmax(np.ones((0, 3))).shape == (0, 3)
    assert nn.sparse_softmax_cross_entropy_with_logits(labels=np.zeros(0, int), logits=np.ones((0, 3))).shape == (0,)
    assert nn.logsumexp(np.ones((0, 3)), axis=1).shape == (0,)


def test_labels_get_no_gradient_from_the_softmax_loss():
    labels, logits = Variable(np.full((2, 2), 0.5)), Variable(np.ones((2, 2)))
    with GradientTape() as tape:
        loss = nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    assert tape.gradient(loss, [labels, logits])[0] is None


def test_dropout():
    x = np.ones((100, 50), np.float32)
    y = nn.dropout(x, 0.8, seed=1)
    assert y.dtype == np.float32
    assert set(np.unique(y)) == {0, np.float32(1.25)}
    assert abs((y > 0).mean() - 0.8) < 0.02
    np.testing.assert_array_equal(y, nn.dropout(x, 0.8, seed=1))
    rows = nn.dropout(x, 0.5, noise_shape=(100, 1), seed=1)
    assert (rows == rows[:, :1]).all()
    set_random_seed(3)
    first = nn.dropout(x, 0.5)
    set_random_seed(3)
    np.testing.assert_array_equal(first, nn.dropout(x, 0.5))
    set_random_seed(None)
    whole = nn.dropout(x, 1.0)
    np.testing.assert_array_equal(whole, x)
    assert whole is not x
    (g,) = gradients_function(lambda x: nn.dropout(x, 0.8, seed=1))(x)
    np.testing.assert_array_equal(g, y)


def test_embedding_lookup():
    w = Variable(np.arange(8.0).reshape(4, 2))
    ids = np.array([[3, 1], [1, 1]], np.int32)
    with GradientTape() as tape:
        rows = nn.embedding_lookup([w], ids)
        loss = np.sum(rows)
    np.testing.assert_array_equal(rows.value, w.value[ids])
    g = tape.gradient(loss, w)
    assert isinstance(g, IndexedSlices)
    assert g.indices.tolist() == [3, 1, 1, 1]
    assert g.indices.dtype == np.int32
    assert g.values.shape == (4, 2)
    with pytest.raises(IndexError, match="got 4 at position 0"):
        nn.embedding_lookup(w, [4])
    with pytest.raises(ValueError, match=r"be a matrix \[B, 2\]"):
        nn.embedding_lookup([w, w], [0])


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: nn.softmax_cross_entropy_with_logits(np.ones(2), np.ones(2)), ValueError),
        (lambda: nn.softmax_cross_entropy_with_logits(labels=np.ones(2)), ValueError),
        (lambda: nn.softmax_cross_entropy_with_logits(labels=np.ones((2, 3)), logits=np.ones((2, 2))), ValueError),
        (lambda: nn.sparse_softmax_cross_entropy_with_logits(labels=[0, 2], logits=np.ones((2, 2))), IndexError),
        (lambda: nn.sparse_softmax_cross_entropy_with_logits(labels=[0, -1], logits=np.ones((2, 2))), IndexError),
        (lambda: nn.sparse_softmax_cross_entropy_with_logits(labels=[0.0, 1], logits=np.ones((2, 2))), TypeError),
        (lambda: nn.sparse_softmax_cross_entropy_with_logits(labels=[0], logits=np.ones((2, 2))), ValueError),
        (lambda: nn.sigmoid_cross_entropy_with_logits(labels=[0.0], logits=np.ones(2)), ValueError),
        (lambda: nn.softmax(np.ones((2, 2)), axis=2), ValueError),
        (lambda: nn.dropout(np.ones(2), 0.0), ValueError),
        (lambda: nn.dropout(np.ones(2), 1.5), ValueError),
        (lambda: nn.relu("x"), TypeError),
        (lambda: nn.relu(np.ones(2, complex)), TypeError),
    ],
)
def test_errors(call, error):
    with pytest.raises(error, match="must"):
        call()
