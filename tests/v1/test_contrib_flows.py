"""``tf.contrib.distributions``: flows whose elements follow from others, batch normalization among them, by NumPy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf

ds = tf.contrib.distributions
bijectors = ds.bijectors
X = np.float32([[0.5, -1.0, 2.0], [1.0, 0.0, -0.5]])


@pytest.fixture(autouse=True)
def session() -> Iterator[Any]:
    with tf.Graph().as_default(), tf.Session() as made:
        tf.set_random_seed(5)
        yield made


def run(fetches: Any) -> Any:
    made = tf.get_default_session()
    made.run(tf.global_variables_initializer())
    return made.run(fetches)


def _of_sums(y: Any) -> tuple[Any, Any]:
    """Shift each element by the sum of those before it, and scale it by its tenth."""
    before = tf.cumsum(y, axis=-1, exclusive=True)
    return before, 0.1 * before


@pytest.mark.parametrize("unroll", [False, True])
@pytest.mark.parametrize("known", [False, True])
def test_each_element_follows_from_those_before_it(unroll: bool, known: bool) -> None:
    flow = bijectors.MaskedAutoregressiveFlow(_of_sums, unroll_loop=unroll)
    x = tf.constant(X) if known else tf.placeholder_with_default(X, [None, 3] if unroll else None)
    y = np.zeros_like(X)
    for k in range(3):
        before = y[:, :k].sum(1)
        y[:, k] = X[:, k] * np.exp(0.1 * before) + before
    stretch = 0.1 * np.cumsum(y, 1)[:, :2].sum(1)
    got, back, forward, backward = run(
        [flow.forward(x), flow.inverse(y), flow.forward_log_det_jacobian(x, 1), flow.inverse_log_det_jacobian(y, 1)]
    )
    np.testing.assert_allclose(got, y, rtol=1e-5)
    np.testing.assert_allclose(back, X, rtol=1e-5)
    np.testing.assert_allclose(forward, stretch, rtol=1e-5)
    np.testing.assert_allclose(backward, -stretch, rtol=1e-5)


def _slopes(outputs: Callable[[Any], Any], x: Any) -> Any:
    """Return the matrix of derivatives of the outputs for the first row of ``x``."""
    values = outputs(x)
    return np.stack([run(tf.gradients(values[0, k], x)[0])[0] for k in range(values.shape[-1].value)])


def test_masked_layers_see_only_what_is_before() -> None:
    template = bijectors.masked_autoregressive_default_template([6, 6], activation=tf.tanh)
    for part in range(2):
        slopes = _slopes(lambda x, part=part: template(x)[part], tf.constant(X))
        assert np.all(np.triu(slopes) == 0)
        assert np.any(slopes != 0)
    assert len(tf.trainable_variables()) == 6  # the second call had the first one's
    inclusive = _slopes(lambda x: bijectors.masked_dense(x, 3, 3), tf.constant(X))
    assert np.all(np.triu(inclusive, 1) == 0)
    assert np.all(np.diag(inclusive) != 0)


@pytest.mark.parametrize(("stops", "slope"), [(False, True), (True, False)])
def test_the_gradient_of_a_scale_at_its_bound_stops_only_on_demand(stops: bool, slope: bool) -> None:
    template = bijectors.masked_autoregressive_default_template(
        [],
        log_scale_min_clip=0.1,
        log_scale_max_clip=0.2,
        log_scale_clip_gradient=stops,
        bias_initializer=tf.ones_initializer(),
    )
    _, log_scale = template(tf.zeros([1, 2]))
    bias = tf.trainable_variables()[1]
    value, gradient = run([log_scale, tf.gradients(log_scale, bias)[0]])
    np.testing.assert_allclose(value, [[0.2, 0.2]])
    assert np.any(gradient != 0) == slope


def test_other_elements_are_moved_by_those_that_stay() -> None:
    flow = bijectors.RealNVP(1, lambda x0, n: (tf.tile(x0, [1, n]), 0.5 * tf.tile(x0, [1, n])))
    y = np.concatenate([X[:, :1], X[:, 1:] * np.exp(0.5 * X[:, :1]) + X[:, :1]], 1)
    got, back = run([flow.forward(X), flow.inverse(y)])
    forward, backward = run([flow.forward_log_det_jacobian(X, 1), flow.inverse_log_det_jacobian(y, 1)])
    np.testing.assert_allclose(got, y, rtol=1e-5)
    np.testing.assert_allclose(back, X, rtol=1e-5)
    np.testing.assert_allclose(forward, X[:, 0], rtol=1e-5)
    np.testing.assert_allclose(backward, -X[:, 0], rtol=1e-5)
    only_shift = bijectors.RealNVP(2, bijectors.real_nvp_default_template([4], shift_only=True))
    assert run(only_shift.forward_log_det_jacobian(X, 1)) == 0
    assert [v.op.name for v in tf.trainable_variables()][:1] == ["real_nvp_default_template/dense/kernel"]
    with pytest.raises(ValueError, match="must be smaller than the event size"):
        bijectors.RealNVP(3, lambda x0, n: (None, None)).forward(X)


def test_samples_of_flows_have_the_size_that_layers_need() -> None:
    flow = bijectors.RealNVP(1, bijectors.real_nvp_default_template([4]))
    moved = ds.TransformedDistribution(ds.Normal(0.0, 1.0), flow, event_shape=[3])
    samples = moved.sample(7)
    again = flow.inverse(tf.identity(samples))
    stretch = flow.inverse_log_det_jacobian(samples, 1)
    places, stretched, got = run([again, stretch, moved.log_prob(samples)])
    normal = -0.5 * (places**2 + np.log(2 * np.pi)).sum(1)
    np.testing.assert_allclose(got, normal + stretched, rtol=1e-4)


def test_batch_normalization_is_the_inverse_of_what_it_stretches() -> None:
    layer = tf.layers.BatchNormalization(epsilon=0.5, gamma_initializer=tf.constant_initializer(3.0))
    training, at_rest = (bijectors.BatchNormalization(layer, training=now) for now in (True, False))
    y, moments = np.float32(X + 1), (X.mean(0), X.var(0))
    normal, stretch = run([training.inverse(X), training.inverse_log_det_jacobian(X)])
    np.testing.assert_allclose(normal, 3 * (X - moments[0]) / np.sqrt(moments[1] + 0.5), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(stretch, 3 * np.log(3) - 0.5 * np.log(moments[1] + 0.5).sum(), rtol=1e-5)
    got, stretch, back = run([at_rest.forward(y), at_rest.forward_log_det_jacobian(y), at_rest.inverse(y)])
    np.testing.assert_allclose(got, y * np.sqrt(1.5) / 3, rtol=1e-5)
    np.testing.assert_allclose(back, y / np.sqrt(1.5) * 3, rtol=1e-5)
    np.testing.assert_allclose(stretch, -3 * (np.log(3) - 0.5 * np.log(1.5)), rtol=1e-5)
    with pytest.raises(ValueError, match="renormalization"):
        bijectors.BatchNormalization(tf.layers.BatchNormalization(renorm=True))


def test_an_autoregressive_distribution_has_the_density_of_its_function() -> None:
    def of(samples: Any) -> Any:
        before = tf.cumsum(samples, axis=-1, exclusive=True)
        return ds.Independent(ds.Normal(loc=before, scale=1.0), 1)

    chain = ds.Autoregressive(of, tf.zeros([3]))
    before = np.cumsum(X, 1) - X
    want = -0.5 * ((X - before) ** 2 + np.log(2 * np.pi)).sum(1)
    drawn, density = run([chain.sample(20000, seed=1), chain.log_prob(X)])
    np.testing.assert_allclose(density, want, rtol=1e-5)
    assert chain.num_steps == 3
    steps = drawn - (np.cumsum(drawn, 1) - drawn)  # what each element adds is drawn on its own
    np.testing.assert_allclose(np.cov(steps.T), np.eye(3), atol=0.03)
