"""Bijectors of a program's own keep what they computed; what else distributions of its own are made with."""

from __future__ import annotations

import numpy as np
import pytest
from steepest.v1.python.ops.distributions import bijector as bijector_lib
from steepest.v1.python.ops.distributions import special_math, util

import steepest.v1 as tf

tfd = tf.distributions


class Doubled(bijector_lib.Bijector):
    """Takes every number twice, and counts how often it is asked."""

    def __init__(self, **kwargs):
        super().__init__(forward_min_event_ndims=0, is_constant_jacobian=True, **kwargs)
        self.asked = []

    def _forward(self, x):
        self.asked.append("forward")
        return 2.0 * x

    def _inverse(self, y):
        self.asked.append("inverse")
        return y / 2.0

    def _inverse_log_det_jacobian(self, y):
        self.asked.append("stretch")
        return tf.constant(-np.log(2.0), y.dtype)


@pytest.fixture(autouse=True)
def _graph():
    with tf.Graph().as_default():
        yield


def value(tensor, feeds=None):
    """Return what a session of its own gives."""
    with tf.Session() as session:
        return session.run(tensor, feeds)


def test_base_class_makes_no_bijector():
    with pytest.raises(TypeError, match="abstract"):
        bijector_lib.Bijector()


@pytest.mark.parametrize(
    ("parts", "error", "words"),
    [
        ({"forward_min_event_ndims": None}, ValueError, "at least one"),
        ({"forward_min_event_ndims": 1.5}, TypeError, "to be of type int"),
        ({"inverse_min_event_ndims": -1}, ValueError, "non-negative integer"),
        ({"graph_parents": [1.0], "forward_min_event_ndims": 0}, ValueError, "is not a Tensor"),
    ],
)
def test_bijectors_are_refused(parts, error, words):
    class Own(bijector_lib.Bijector):
        def __init__(self):
            super().__init__(**parts)

    with pytest.raises(error, match=words):
        Own()


def test_what_a_bijector_computed_is_kept():
    doubled = Doubled()
    x = tf.constant([1.0, -3.0])
    y = doubled.forward(x)
    assert doubled.forward(x) is y
    assert doubled.inverse(y) is x
    stretch = doubled.forward_log_det_jacobian(x, event_ndims=1)
    np.testing.assert_allclose(value(stretch), 2 * np.log(2.0), rtol=1e-6)
    np.testing.assert_allclose(value(doubled.inverse_log_det_jacobian(y, event_ndims=1)), -2 * np.log(2.0), rtol=1e-6)
    assert doubled.asked == ["forward", "stretch"]


@pytest.mark.parametrize("ranks", [0, 1, 2])
def test_a_stretch_that_is_the_same_everywhere_counts_once_for_each_number(ranks):
    doubled = Doubled(validate_args=True)
    expected = -np.log(2.0) * (1, 3, 6)[ranks]
    y = np.ones((2, 3), np.float32)
    np.testing.assert_allclose(value(doubled.inverse_log_det_jacobian(y, ranks)), expected, rtol=1e-6)
    fed, count = tf.placeholder(tf.float32), tf.placeholder(tf.int32)
    with_fed = doubled.inverse_log_det_jacobian(fed, count)
    np.testing.assert_allclose(value(with_fed, {fed: y, count: ranks}), expected, rtol=1e-6)


@pytest.mark.parametrize(
    ("ranks", "words"),
    [(1.5, "Expected integer"), ([1], "Expected scalar"), (-1, "must be larger than min_event_ndims")],
)
def test_numbers_of_event_axes_are_refused(ranks, words):
    with pytest.raises(ValueError, match=words):
        Doubled().forward_log_det_jacobian([1.0], ranks)


def test_shapes_of_events():
    doubled = Doubled()
    assert doubled.forward_event_shape([2, None]).as_list() == [2, None]
    assert doubled.inverse_event_shape(tf.TensorShape([3])) == [3]
    assert value(doubled.forward_event_shape_tensor([2, 3])).tolist() == [2, 3]
    assert doubled.name == "doubled"


def test_gradients_of_places_are_finite_where_they_are_infinite():
    shares = tf.constant([0.0, 0.25, 0.5, 1.0], tf.float64)
    places = tfd.Normal(tf.constant(0.0, tf.float64), tf.constant(1.0, tf.float64)).quantile(shares)
    got, slopes = value([places, tf.gradients(places, shares)[0]])
    np.testing.assert_allclose(got, [-np.inf, -0.6744897501960817, 0.0, np.inf], atol=1e-12)
    assert np.isfinite(slopes).all()
    np.testing.assert_allclose(slopes[2], np.sqrt(2 * np.pi), rtol=1e-12)


def test_inverse_of_the_error_function():
    x = np.linspace(-0.9, 0.9, 7)
    np.testing.assert_allclose(value(tf.math.erf(special_math.erfinv(x))), x, atol=1e-12)
    with pytest.raises(TypeError):
        special_math.erfinv(np.array([1, 2]))


def test_shares_below_a_class_whose_number_is_fed():
    logits = tf.placeholder(tf.float32)
    below = tfd.Categorical(logits).cdf(2)
    np.testing.assert_allclose(value(below, {logits: np.log([0.1, 0.2, 0.7])}), 0.3, rtol=1e-6)


@pytest.mark.parametrize(("event", "words"), [(-1, "must be non-negative"), (2, "cannot exceed 1")])
def test_events_are_zero_or_one(event, words):
    events = tf.placeholder(tf.int32)
    chance = tfd.Bernoulli(probs=[0.5], validate_args=True).prob(events)
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        value(chance, {events: [event]})


@pytest.mark.parametrize("shift", [-4, -1, 0, 2, 5])
def test_axes_are_rotated_when_only_the_run_knows_them(shift):
    fed, steps = tf.placeholder(tf.float32), tf.placeholder(tf.int32)
    got = value(util.rotate_transpose(fed, steps), {fed: np.zeros((2, 3, 4)), steps: shift})
    assert list(got.shape) == np.roll([2, 3, 4], shift).tolist()


def test_shapes_are_broadcast_as_far_as_they_are_known():
    assert util.prefer_static_broadcast_shape([3, 1], [4]) == [3, 4]
    sizes = tf.placeholder(tf.int32)
    assert value(util.prefer_static_broadcast_shape(sizes, [4]), {sizes: [3, 1]}).tolist() == [3, 4]
    with pytest.raises(ValueError, match="partially defined"):
        util.prefer_static_broadcast_shape(tf.TensorShape([None, 1]), sizes)


def test_symmetric_matrices():
    assert value(util.assert_symmetric([[1.0, 2.0], [2.0, 3.0]])).tolist() == [[1, 2], [2, 3]]
    fed = tf.placeholder(tf.float32)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Condition x == y"):
        value(util.assert_symmetric(fed), {fed: [[1.0, 2.0], [0.0, 3.0]]})


def test_arguments_of_the_caller():
    def function(a, b=2, *rest, c=3, **others):
        return util.parent_frame_arguments()

    assert function(1, 2, 5, d=4) == {"a": 1, "b": 2, "c": 3, "d": 4}


def test_notes_below_docstrings():
    @util.AppendDocstring("A note.", {"wide": "How wide.", "high": "How high."})
    def area(wide, high):
        """Return the area."""
        return wide * high

    assert area(2, 3) == 6
    lines = ["Return the area.", "A note.", "", "##### `kwargs`:", "", "*  `high`: How high.", "*  `wide`: How wide."]
    assert area.__doc__.splitlines() == lines
    with pytest.raises(ValueError, match="whitespace"):
        util.AppendDocstring("", {"so wide": "How wide."})
    with pytest.raises(ValueError, match="newlines"):
        util.AppendDocstring("", {"wide": "How\nwide."})
