"""``tf.contrib.distributions.MultivariateNormalDiag`` against the sums over independent normal distributions."""

from __future__ import annotations

import numpy as np
import pytest

import steepest.v1 as tf

LOC, WIDTH = np.float32([[0.0, 1.0, -1.0], [2.0, 0.5, 0.0]]), np.float32([0.5, 1.0, 2.0])


@pytest.fixture
def vectors() -> tf.contrib.distributions.MultivariateNormalDiag:
    return tf.contrib.distributions.MultivariateNormalDiag(LOC, WIDTH)


def test_probabilities_and_statistics_are_those_of_independent_elements(vectors):
    each, value = tf.distributions.Normal(LOC, WIDTH), tf.constant([[0.3, 0.2, 0.1]])
    pairs = [
        (vectors.log_prob(value), tf.reduce_sum(each.log_prob(value), -1)),
        (vectors.prob(value), tf.reduce_prod(each.prob(value), -1)),
        (vectors.entropy(), tf.reduce_sum(each.entropy(), -1)),
        (vectors.mean(), each.mean()),
        (vectors.mode(), each.mode()),
        (vectors.stddev(), each.stddev()),
        (vectors.variance(), each.variance()),
    ]
    with tf.Session() as session:
        for got, want in pairs:  # deviations have the shape of the widths, as TensorFlow's have
            right = session.run(want)
            np.testing.assert_allclose(np.broadcast_to(session.run(got), right.shape), right, rtol=1e-5, atol=1e-6)
        slope = session.run(tf.gradients(vectors.log_prob(value), vectors.loc)[0])
    np.testing.assert_allclose(slope, (np.float32([0.3, 0.2, 0.1]) - LOC) / WIDTH**2, rtol=1e-5)


def test_the_divergence_is_the_sum_of_the_elements(vectors):
    other = tf.contrib.distributions.MultivariateNormalDiag(scale_diag=[1.0, 2.0, 3.0])
    each = tf.distributions.Normal(LOC, WIDTH).kl_divergence(tf.distributions.Normal(0.0, [1.0, 2.0, 3.0]))
    with tf.Session() as session:
        got, want = session.run([vectors.kl_divergence(other), tf.reduce_sum(each, -1)])
    np.testing.assert_allclose(got, want, rtol=1e-5)


def test_shapes_of_batches_events_and_samples(vectors):
    samples = [vectors.sample(), vectors.sample(4), vectors.sample([5, 4], seed=1)]
    assert (vectors.batch_shape.as_list(), vectors.event_shape.as_list()) == ([2], [3])
    assert [sample.shape.as_list() for sample in samples] == [[2, 3], [4, 2, 3], [5, 4, 2, 3]]
    fed = tf.placeholder(tf.float32, [None, 3])
    policy = tf.contrib.distributions.MultivariateNormalDiag(fed, tf.ones([3]))
    with tf.Session() as session:
        sizes = session.run([vectors.batch_shape_tensor(), vectors.event_shape_tensor()])
        drawn = session.run(policy.sample(), {fed: np.zeros((7, 3))})
        many = session.run(vectors.sample(20000, seed=2))
    assert [size.tolist() for size in sizes] == [[2], [3]]
    assert drawn.shape == (7, 3)
    np.testing.assert_allclose(many.mean(0), LOC, atol=0.06)
    np.testing.assert_allclose(many.std(0), np.broadcast_to(WIDTH, (2, 3)), rtol=0.03)


def test_gradients_flow_through_samples(vectors):
    with tf.Session() as session:
        slope = session.run(tf.gradients(tf.reduce_sum(vectors.sample(3)), vectors.loc)[0])
    np.testing.assert_array_equal(slope, np.full((2, 3), 3.0))


def test_widths_by_a_multiplier():
    make = tf.contrib.distributions.MultivariateNormalDiag
    made = [make([0.0, 0.0]), make([0.0, 0.0], scale_identity_multiplier=2.0), make(None, [1.0, 2.0], 3.0)]
    with tf.Session() as session:
        widths = session.run([one.stddev() for one in made])
    assert [width.tolist() for width in widths] == [[1, 1], [2, 2], [4, 5]]
    with pytest.raises(ValueError, match="Cannot infer `event_shape`"):
        make()


def test_the_names_of_before_tensorflow_1_mean_the_same():
    old, new = tf.contrib.distributions.Normal(mu=[1.0, 2.0], sigma=0.5), tf.distributions.Normal([1.0, 2.0], 0.5)
    with tf.Session() as session:
        for got, want in [(old.pdf(1.5), new.prob(1.5)), (old.log_pdf(1.5), new.log_prob(1.5))]:
            np.testing.assert_array_equal(session.run(got), session.run(want))
        coin = tf.contrib.distributions.Bernoulli(probs=0.25)
        np.testing.assert_allclose(session.run([coin.pmf(1), coin.log_pmf(0)]), [0.25, np.log(0.75)], rtol=1e-6)
    with pytest.raises(TypeError, match="loc and scale"):
        tf.contrib.distributions.Normal(mu=1.0)
