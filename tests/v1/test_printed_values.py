"""What `tf.Print` and `tf.Assert` show of tensors."""

from __future__ import annotations

import numpy as np
import pytest

import steepest.v1 as tf


@pytest.mark.parametrize(
    ("value", "summarize", "text"),
    [
        (np.float32([1, 2]), None, "[1 2]"),
        (np.float32([1 / 3, 0.1, 1e-5, 1e10]), None, "[0.333333343 0.1 1e-05...]"),
        (np.float64(2.5), None, "[2.5]"),
        (np.float32([[1, 2], [0.5, 3]]), None, "[[1 2][0.5...]...]"),
        (np.float32([[1, 2], [0.5, 3]]), -1, "[[1 2][0.5 3]]"),
        (np.array([b"a b", b"c"]), None, "[a b c]"),
        (np.array([True, False]), None, "[1 0]"),
    ],
)
def test_print_and_assert_show_tensors_as_tensorflow_does(value, summarize, text, capsys):
    truth = tf.placeholder(tf.bool, [])
    with tf.Session() as session:
        session.run(tf.Print(tf.constant(1), [value], "m ", summarize=summarize))
        assert capsys.readouterr().err == f"m {text}\n"
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            session.run(tf.Assert(truth, ["wrong", value], summarize=summarize), {truth: False})
    assert f"assertion failed: [wrong] {text}" in str(caught.value)
