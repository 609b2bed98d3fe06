"""Floats become integers of few bits and floats again, with TensorFlow's numbers."""

from __future__ import annotations

import numpy as np
import pytest
from steepest.v1.python.ops import gen_array_ops

import steepest.v1 as tf
from steepest.v1.graph.mode import eagerly

VALUES = [-1.0, -0.3, 0.0, 0.5, 0.26, 0.9, 2.0]
# What TensorFlow 1.15 gives for the range from -1 to 1.5.
FOUND = [
    ("quint8", "MIN_COMBINED", [0, 71, 102, 153, 129, 194, 255], -1.0, -0.30392152),
    ("qint8", "MIN_COMBINED", [-128, -57, -26, 25, 1, 66, 127], -1.0, -0.30392152),
    ("quint16", "MIN_FIRST", [0, 18350, 26214, 39321, 33030, 49807, 65535], -1.0, -0.29999238),
    (
        "qint32",
        "MIN_FIRST",
        [-2147483648, -944892800, -429496704, 429496768, 17179872, 1116691456, 2147483520],
        -1,
        -0.3,
    ),
    ("qint8", "SCALED", [-85, -25, 0, 42, 22, 76, 127], -1.511811, -0.2952756),
    ("quint8", "SCALED", [0, 0, 0, 85, 44, 153, 255], 0.0, 0.0),
]


@pytest.mark.parametrize(("kind", "mode", "integers", "low", "second"), FOUND)
def test_floats_become_integers_and_floats_again(kind, mode, integers, low, second):
    with tf.Graph().as_default(), tf.Session() as session:
        found = tf.quantization.quantize(tf.constant(VALUES), -1.0, 1.5, kind, mode)
        again = tf.quantization.dequantize(*found, mode)
        assert (found.output.op.type, found.output.dtype, again.op.type) == (
            "QuantizeV2",
            tf.as_dtype(kind),
            "Dequantize",
        )
        (output, least, largest), floats = session.run([found, again])
    assert output.tolist() == integers
    np.testing.assert_allclose([least, largest], [low, 1.5], 1e-6)
    assert floats.dtype == np.float32
    assert floats[1] == pytest.approx(second, rel=1e-6)


def test_the_range_has_zero_in_it_and_is_not_empty():
    with tf.Graph().as_default(), tf.Session() as session:
        found = session.run(
            [tf.quantize_v2([1.0], *ends, tf.quint8)[1:] for ends in ((0.5, 2.0), (-3.0, -1.0), (0.0, 0.0))]
        )
    np.testing.assert_allclose(found, [[0, 2], [-3, 0], [0, 0.01]], 1e-6)


def test_scaled_integers_are_rounded_to_even_ones_on_request():
    with tf.Graph().as_default(), tf.Session() as session:
        even, away = (
            session.run(tf.quantize([0.5, 1.5, 2.5], 0.0, 255.0, tf.quint8, "SCALED", how).output).tolist()
            for how in ("HALF_TO_EVEN", "HALF_AWAY_FROM_ZERO")
        )
    assert (even, away) == ([0, 2, 2], [1, 2, 3])


@pytest.mark.parametrize(
    ("act", "kind", "message"),
    [
        (lambda: tf.quantize([1.0], 0.0, 1.0, tf.quint8, "MIN"), ValueError, "not in the list of allowed values"),
        (lambda: tf.quantize([1.0], 0.0, 1.0, tf.quint8, round_mode="HALF_TO_EVEN"), ValueError, "only supported"),
        (lambda: tf.quantize([1.0], 0.0, 1.0, tf.int8), TypeError, "int8 is not in list"),
        (lambda: tf.dequantize([1.0], 0.0, 1.0), TypeError, "float32 is not in list"),
        (
            lambda: tf.Session().run(tf.quantize([1.0], 1.0, 0.0, tf.quint8)),
            tf.errors.InvalidArgumentError,
            "must be larger than input_min_range",
        ),
    ],
)
def test_what_has_no_integers_is_refused(act, kind, message):
    with tf.Graph().as_default(), pytest.raises(kind, match=message):
        act()


X = [[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0]]


@pytest.mark.parametrize(
    ("options", "values", "low", "high"),
    [  # as TensorFlow 2.21 has them
        ({"axis": 0}, [[77, 102, 128, 153], [255] * 4], [-3.0, -5.0], [7.0, 3.0]),
        ({"axis": -2}, [[77, 102, 128, 153], [255] * 4], [-3.0, -5.0], [7.0, 3.0]),
        ({"axis": 0, "mode": "SCALED"}, [[0, 36, 73, 109], [255] * 4], [0.0, 0.0], [7.0, 3.0]),
    ],
)
def test_each_place_along_an_axis_has_a_range_of_its_own(options, values, low, high):
    with tf.Graph().as_default(), tf.Session() as session:
        made = tf.quantization.quantize(X, [-3.0, -5.0], [7.0, 3.0], tf.quint8, **options)
        found = session.run(made)
        assert np.asarray(found.output).tolist() == values
        assert made.output_min.shape.as_list() == [2]
        assert np.allclose(found.output_min, low)
        assert np.allclose(found.output_max, high)
        back = session.run(tf.quantization.dequantize(*made, **options))
        assert np.allclose(back[0], X[0], atol=0.03)
        assert np.allclose(back[1], 3.0)


def test_a_narrow_range_and_the_least_range():
    with tf.Graph().as_default(), tf.Session() as session:
        narrow = session.run(tf.quantization.quantize(X, -3.0, 7.0, tf.quint8, "SCALED", narrow_range=True))
        assert np.asarray(narrow.output).tolist() == [[1, 36, 73, 109], [146, 182, 219, 255]]
        assert narrow.output_min == np.float32(0.027450982481241226)  # TensorFlow's bits
        wide = session.run(tf.quantization.quantize([0.25], 0.0, 0.001, tf.quint8, ensure_minimum_range=0.5))
        assert (np.asarray(wide.output).tolist(), wide.output_max) == ([128], 0.5)
        q = tf.bitcast(tf.constant([0, 9], tf.uint8), tf.quint8)
        half = tf.quantization.dequantize(q, -3.0, 7.0, dtype=tf.bfloat16)
        assert (half.dtype, session.run(half).tolist()) == (tf.bfloat16, [-3.0, -2.640625])


def test_the_first_number_is_rounded_away_from_zero():
    with tf.Graph().as_default(), tf.Session() as session:
        q = tf.bitcast(tf.constant([0, 9], tf.uint8), tf.quint8)
        found = session.run(tf.quantization.dequantize(q, -3.0, 7.0, "MIN_FIRST"))
        assert np.allclose(found, [-3.019608, -2.6666667])


@pytest.mark.parametrize(
    ("asked", "error", "words"),
    [
        (lambda: tf.quantize(X, [0.0], [1.0], tf.quint8), ValueError, "Shape must be rank 0 but is rank 1"),
        (lambda: tf.quantize(X, [0.0], [1.0], tf.quint8, axis=0), ValueError, "Dimensions must be equal"),
        (lambda: tf.quantize(X, [0.0], [1.0], tf.quint8, axis=5), ValueError, "at least rank 6 but is rank 2"),
        (
            lambda: tf.quantize(X, [0.0] * 2, [1.0] * 2, tf.quint8, "MIN_FIRST", axis=0),
            NotImplementedError,
            "MIN_FIRST",
        ),
        (lambda: gen_array_ops.quantize_v2(X, 0.0, 1.0, tf.quint8, axis=-2), ValueError, "axis should be at least -1"),
        (
            lambda: gen_array_ops.dequantize(tf.zeros([1], tf.quint8), [0.0], [1.0], axis=2**31 - 1),
            ValueError,
            "Axis must be less than input dimension",
        ),
    ],
)
def test_axes_and_ranges_fit(asked, error, words):
    with tf.Graph().as_default(), pytest.raises((error, tf.errors.OpError), match=words):
        asked()


def test_axes_fit_in_eager_mode_too():
    with eagerly(), pytest.raises(tf.errors.InvalidArgumentError, match="Axis must be less than input dimension"):
        gen_array_ops.dequantize(tf.zeros([1], tf.quint8), [0.0], [1.0], axis=2**31 - 1)
