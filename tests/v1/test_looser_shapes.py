"""Functions with a signature in a graph: their bodies see its shapes, their results have those of the arguments."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf


def seen_by(spec: Any, given: Any, body: Any = lambda x: x + 1.0) -> tuple[Any, Any, Any]:
    seen = []

    @tf.function(input_signature=[tf.TensorSpec(spec, tf.float32)])
    def function(x: Any) -> Any:
        seen.append(x.shape.as_list() if x.shape.ndims is not None else None)
        return body(x)

    with tf.Graph().as_default(), tf.Session() as session:
        result = function(given)
        return seen, result.shape.as_list(), session.run(result)


@pytest.mark.parametrize(("spec", "expected"), [(None, None), ([None, 3], [None, 3]), ([2, None], [2, None])])
def test_a_body_knows_no_more_than_the_signature(spec: Any, expected: Any) -> None:
    seen, shape, value = seen_by(spec, np.ones((2, 3), np.float32))
    assert seen == [expected]
    assert shape == [2, 3]
    assert value.tolist() == [[2.0] * 3] * 2


def test_shapes_go_through_calls_inside() -> None:
    inner = tf.function(lambda x: tf.matmul(x, x, transpose_b=True), input_signature=[tf.TensorSpec(None, tf.float32)])
    _, shape, value = seen_by(None, np.ones((2, 3), np.float32), lambda x: inner(x) * 2.0)
    assert shape == [2, 2]
    assert value.tolist() == [[6.0] * 2] * 2


def test_gradients_reach_the_argument() -> None:
    square = tf.function(lambda x: x * x, input_signature=[tf.TensorSpec([None], tf.float32)])
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant([1.0, 2.0])
        assert session.run(tf.gradients(square(x), x)[0]).tolist() == [2.0, 4.0]


def test_what_does_not_fit_is_told_at_the_call() -> None:
    with pytest.raises(ValueError, match="Dimensions must be equal"):
        seen_by(None, np.ones((2, 3), np.float32), lambda x: tf.matmul(x, x))
