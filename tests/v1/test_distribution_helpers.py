"""What distributions of a program's own are made with: TensorFlow's internal helpers, by their laws."""

from __future__ import annotations

import math

import numpy as np
import pytest
from steepest.v1.python.eager import context
from steepest.v1.python.ops import gen_bitwise_ops, gen_linalg_ops, gen_math_ops, gen_nn_ops
from steepest.v1.python.ops.distributions import (
    beta,
    exponential,
    gamma,
    kullback_leibler,
    laplace,
    normal,
    special_math,
    student_t,
    util,
)

import steepest.v1 as tf

X = np.array([[-0.9, 0.7, -0.5, 6.5], [0.1, -0.3, 0.5, -0.7]])


def value(tensor):
    """Return what a session of its own gives."""
    with tf.Session() as session:
        return session.run(tensor)


@pytest.fixture(autouse=True)
def _graph():
    with tf.Graph().as_default():
        yield


@pytest.mark.parametrize("name", ["relu", "relu6", "elu", "selu", "softplus", "softsign", "leaky_relu"])
def test_slopes_of_activations_are_those_of_gradients(name):
    x, above = tf.constant(X), tf.constant(np.full(X.shape, 3.0))
    y = getattr(gen_nn_ops, name)(x)
    slope = getattr(gen_nn_ops, f"{name}_grad")(above, y if name in ("elu", "selu") else x)
    np.testing.assert_allclose(value(slope), value(tf.gradients(y, x, above)[0]), rtol=1e-12)


@pytest.mark.parametrize("name", ["sigmoid", "tanh", "sqrt", "rsqrt", "reciprocal"])
def test_slopes_by_results_are_those_of_gradients(name):
    x, above = tf.constant(np.abs(X)), tf.constant(np.full(X.shape, 3.0))
    y = getattr(tf.math, name)(x)
    slope = getattr(gen_math_ops, f"{name}_grad")(y, above)
    np.testing.assert_allclose(value(slope), value(tf.gradients(y, x, above)[0]), rtol=1e-12)


def test_cross_entropies_come_with_their_slopes():
    logits = tf.constant(X)
    labels = np.array([[0.0, 0.5, 0.5, 0.0], [1.0, 0.0, 0.0, 0.0]])
    for loss, slope in (
        gen_nn_ops.softmax_cross_entropy_with_logits(logits, labels),
        gen_nn_ops.sparse_softmax_cross_entropy_with_logits(logits, [3, 0]),
    ):
        np.testing.assert_allclose(value(slope), value(tf.gradients(loss, logits)[0]), rtol=1e-12)
    with pytest.raises(ValueError, match="rank 2, but is rank 1"):
        gen_nn_ops.softmax_cross_entropy_with_logits([1.0], [1.0])


def test_sums_for_a_bias_and_of_bits():
    np.testing.assert_array_equal(value(gen_nn_ops.bias_add_grad(X)), X.sum(0))
    np.testing.assert_array_equal(value(gen_nn_ops.bias_add_grad(X[None], "NCHW")), X.sum(-1))
    bits = value(gen_bitwise_ops.population_count(np.array([0, 1, 255, -1], np.int16)))
    np.testing.assert_array_equal(bits, [0, 1, 8, 16])
    with pytest.raises(TypeError, match="not in list of allowed values: int8"):
        gen_bitwise_ops.population_count([1.5])


def test_the_slope_of_a_factor_is_that_of_gradients():
    matrix = tf.constant(X @ X.T)
    factor, above = tf.cholesky(matrix), np.array([[1.0, 0.0], [2.0, 3.0]])
    slope = gen_linalg_ops.cholesky_grad(factor, above)
    np.testing.assert_allclose(value(slope), value(tf.gradients(factor, matrix, above)[0]))


def test_shares_of_the_normal_and_the_laplace_distribution():
    x = np.array([-3.0, -0.5, 0.0, 2.0])
    shares = [0.5 * math.erfc(-each / math.sqrt(2)) for each in x]
    np.testing.assert_allclose(value(special_math.ndtr(x)), shares)
    np.testing.assert_allclose(value(special_math.log_ndtr(x)), np.log(shares))
    np.testing.assert_allclose(value(special_math.ndtri(np.array(shares))), x, atol=1e-12)
    laplace_shares = np.where(x < 0, np.exp(x) / 2, 1 - np.exp(-x) / 2)
    np.testing.assert_allclose(value(special_math.log_cdf_laplace(x)), np.log(laplace_shares))
    with pytest.raises(TypeError, match="is not handled"):
        special_math.ndtr(tf.constant([1]))


def test_triangles_go_there_and_back():
    for upper in (False, True):
        x = np.arange(1.0, 13.0).reshape(2, 6)
        triangles = util.fill_triangular(x, upper=upper)
        np.testing.assert_array_equal(value(util.fill_triangular_inverse(triangles, upper=upper)), x)
    diagonals = value(util.tridiag([4.0, 5.0], [1.0, 2.0, 3.0], [6.0, 7.0]))
    np.testing.assert_array_equal(diagonals, [[1, 6, 0], [4, 2, 7], [0, 5, 3]])
    with pytest.raises(ValueError, match="at least one"):
        util.tridiag()


def test_shapes_that_are_known_are_arrays():
    x = tf.placeholder(tf.float32, [2, 3])
    np.testing.assert_array_equal(util.prefer_static_shape(x), [2, 3])
    assert util.prefer_static_rank(x) == 2
    assert util.dimension_size(x, 1) == 3
    assert value(util.rotate_transpose(np.ones((2, 3, 4)), 1)).shape == (4, 2, 3)
    assert value(util.pad(np.ones(2), 0, front=True, back=True, count=2)).tolist() == [0, 0, 1, 1, 0, 0]
    assert util.maybe_get_static_value(x) is None
    assert util.gen_new_seed(1, "a") != util.gen_new_seed(1, "b")
    assert bool(value(util.same_dynamic_shape(np.ones(2), np.ones(2))))
    assert not bool(value(util.same_dynamic_shape(np.ones(2), np.ones(3))))


def test_sums_of_weighted_exponentials_have_a_sign():
    total, sign = util.reduce_weighted_logsumexp(np.array([1.0, 2.0]), np.array([1.0, -1.0]), return_sign=True)
    assert value(total) == pytest.approx(math.log(math.e**2 - math.e))
    assert value(sign) == -1


@pytest.mark.parametrize(
    ("check", "words"),
    [
        (lambda: util.assert_close([1.0, 2.0], [1.0, 3.0]), "Condition x ~= y"),
        (lambda: util.assert_integer_form([1.0, 1.5]), "has non-integer components"),
        (lambda: util.embed_check_nonnegative_integer_form([1.0, -1.0]), "must be non-negative"),
        (lambda: util.embed_check_integer_casting_closed([1, 2**15], tf.int16), "Elements cannot exceed 32767."),
        (lambda: util.embed_check_integer_casting_closed([1.5], tf.int16), "Elements must be int16-equivalent."),
        (lambda: util.get_logits_and_probs(probs=[1.5], validate_args=True)[1], "components greater than 1"),
        (lambda: util.get_logits_and_probs(probs=[0.5, 0.6], multidimensional=True, validate_args=True)[1], "sum to 1"),
        (lambda: tf.distributions.Bernoulli(probs=1.5, validate_args=True).probs, "components greater than 1"),
        (
            lambda: tf.distributions.Multinomial(5.0, probs=[0.5, 0.5], validate_args=True).prob([2.5, 2.5]),
            "fractional components",
        ),
    ],
)
def test_checks_tell_what_did_not_hold(check, words):
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        value(check())


def test_classes_must_be_two_and_have_numbers():
    for count in (1, 2**11 + 1):
        with pytest.raises(ValueError, match=r"must have at least 2|Number of classes"):
            util.embed_check_categorical_event_shape(tf.ones([count], tf.float16))
    assert value(util.log_combinations(np.array([5.0]), np.array([[2.0, 3.0]]))) == pytest.approx(math.log(10))


def test_positive_parameters_made_of_any_numbers():
    soft = math.log1p(math.exp(-1.0))
    assert value(normal.NormalWithSoftplusScale(0.0, -1.0).scale) == pytest.approx(soft)
    assert value(laplace.LaplaceWithSoftplusScale(0.0, -1.0).scale) == pytest.approx(soft)
    assert value(gamma.GammaWithSoftplusConcentrationRate(-1.0, -1.0).rate) == pytest.approx(soft)
    assert value(beta.BetaWithSoftplusConcentration(-1.0, -1.0).concentration0) == pytest.approx(soft)
    assert value(exponential.ExponentialWithSoftplusRate(-1.0).rate) == pytest.approx(soft)
    assert value(student_t.StudentTWithAbsDfSoftplusScale(-3.5, 0.0, -1.0).df) == 3


def test_cross_entropy_is_entropy_and_divergence():
    a, b = tf.distributions.Normal(0.0, 1.0), tf.distributions.Normal(1.0, 2.0)
    parts = value([kullback_leibler.cross_entropy(a, b), a.entropy(), a.kl_divergence(b)])
    assert parts[0] == pytest.approx(parts[1] + parts[2])
    assert kullback_leibler._registered_kl(type(a), type(b)) is kullback_leibler._DIVERGENCES[type(a), type(b)]


@pytest.mark.parametrize("shape", [[2, 3, 6], [None, None, 6], None])
@pytest.mark.parametrize("upper", [False, True])
def test_triangles_are_taken_apart_again(shape, upper):
    numbers = np.arange(36.0).reshape(2, 3, 6)
    triangles = util.fill_triangular(tf.placeholder_with_default(numbers, shape), upper)
    again = util.fill_triangular_inverse(triangles, upper)
    assert again.shape.as_list() == shape if shape else again.shape.ndims is None
    assert value(again).tolist() == numbers.tolist()


def test_the_number_of_classes_is_constant_where_it_is_known():
    logits = tf.placeholder(tf.float32, [None, 3])
    assert tf.get_static_value(tf.distributions.Categorical(logits).event_size) == 3
    unknown = tf.distributions.Categorical(tf.placeholder_with_default(X.astype(np.float32), None))
    assert value(unknown.event_size) == 4


def test_sums_take_a_shape():
    unknown, known = tf.placeholder(tf.float32), tf.constant([1.0, 2.0])
    assert tf.accumulate_n([unknown, unknown], shape=[2, None]).shape.as_list() == [2, None]
    with pytest.raises(ValueError, match="not compatible"):
        tf.accumulate_n([known, known], shape=[3])


def test_fused_normalization_asks_for_statistics():
    x, one = np.ones((2, 2, 2, 3), np.float32), np.ones(3, np.float32)
    with pytest.raises(ValueError, match="`mean` and `variance` must be a 1D tensor"):
        tf.nn.fused_batch_norm(x, one, one, is_training=False)


def test_nothing_converts_to_a_tensor_in_either_mode():
    with pytest.raises(ValueError, match=r"None values not supported\."):
        util.rotate_transpose(None, 1)
    with context.eager_mode(), pytest.raises(ValueError, match=r"Attempt to convert a value \(None\) with"):
        util.rotate_transpose(None, 1)
