"""Floats become integers of few bits and floats again, with TensorFlow's numbers."""

from __future__ import annotations

import numpy as np
import pytest

import steepest.v1 as tf

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
