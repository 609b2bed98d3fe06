"""Parts of variables overwritten by `gen_array_ops.strided_slice_assign`, and values of the later quantizations."""

from __future__ import annotations

import numpy as np
import pytest
from steepest.v1.python.ops import gen_array_ops

import steepest.v1 as tf
from steepest.v1.graph.mode import eagerly


@pytest.mark.parametrize("resource", [False, True])
def test_parts_of_variables_are_overwritten(resource: bool) -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        variable = tf.get_variable("v", initializer=np.arange(6.0).reshape(2, 3), use_resource=resource)
        session.run(variable.initializer)
        if resource:
            made = gen_array_ops.resource_strided_slice_assign(
                variable.handle, [0, 1], [1, 3], [1, 1], [9.0, 8.0], shrink_axis_mask=1
            )
        else:
            begin = tf.placeholder_with_default([0, 1], [2])
            made = gen_array_ops.strided_slice_assign(
                variable, begin, [1, 3], [1, 1], [9.0, 8.0], shrink_axis_mask=1
            ).op
        session.run(made)
        assert session.run(variable).tolist() == [[0.0, 9.0, 8.0], [3.0, 4.0, 5.0]]


def test_a_reference_has_no_place_in_eager_mode() -> None:
    with eagerly(), pytest.raises(RuntimeError, match="does not support eager execution"):
        gen_array_ops.strided_slice_assign(tf.constant([1.0]), [0], [1], [1], [2.0])


def test_the_later_quantizations() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        x = [1.0, 0.3, -0.7]
        third = gen_array_ops.quantize_and_dequantize_v3(x, -1.0, 1.0, 8)
        fourth = gen_array_ops.quantize_and_dequantize_v4(x, -1.0, 1.0)
        expected = np.float32([1.0, 0.2992126, -0.7007874])  # TensorFlow 2.21's
        assert np.allclose(session.run([third, fourth]), [expected] * 2)
        assert session.run(gen_array_ops.deep_copy([1, 2])).tolist() == [1, 2]
