"""Every rule in graph mode has the bits of eager mode, in every type that a variable there has."""

from __future__ import annotations

import numpy as np
import pytest
from catalogue import ROWS

import steepest as st
import steepest.v1 as tf


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_every_rule_has_the_bits_of_eager_mode(row, dtype):
    rng = np.random.default_rng(1)
    start, ids = rng.normal(size=(9, 4)).astype(dtype), np.array([[2, 7, 2], [0, 2, 8], [5, 5, 5]])
    dense, rows = rng.normal(size=(3, 9, 4)).astype(dtype), rng.normal(size=(3, 3, 4)).astype(dtype)
    w, table, v, other = tf.Variable(start), tf.Variable(start), st.Variable(start), st.Variable(start)
    g, values, indices = tf.placeholder(dtype, (9, 4)), tf.placeholder(dtype, (3, 4)), tf.placeholder(tf.int64, (3,))
    symbolic, eager = row.make(hooks=[st.ClipByNorm(1.5)]), row.make(hooks=[st.ClipByNorm(1.5)])
    session = tf.Session()
    train = symbolic.apply_gradients([(g, w), (tf.IndexedSlices(values, indices, tf.constant([9, 4])), table)])
    session.run(tf.global_variables_initializer())
    for step in range(3):
        session.run(train, {g: dense[step], values: rows[step], indices: ids[step]})
        eager.apply_gradients([(dense[step], v), (st.IndexedSlices(rows[step], ids[step]), other)])
    for graphs, own in ((w, v), (table, other)):
        assert session.run(graphs).tobytes() == own.value.tobytes()
        for name in eager.get_slot_names():
            slot, expected = symbolic.get_slot(graphs, name), eager.get_slot(own, name).value
            held, seen = session._read(slot.op).value, session.run(slot)
            assert held.tobytes() == expected.tobytes()
            half = dtype is np.float16 and held.dtype == np.float32  # programs see such a slot in the variable's type
            assert seen.tobytes() == held.astype(dtype if half else held.dtype).tobytes()


def test_shapes_of_tensors_and_sources_of_gradients():
    from steepest.v1.python.framework import common_shapes
    from steepest.v1.python.ops import tensor_array_grad

    with tf.Graph().as_default():
        x, unknown = tf.placeholder("float32", [None, 3]), tf.placeholder("float32")
        assert [common_shapes.rank(each) for each in (x, unknown, 5)] == [2, None, None]
        assert not common_shapes.has_fully_defined_shape(x)
        assert common_shapes.unchanged_shape_with_rank(2)(tf.negative(x).op)[0].as_list() == [None, 3]
        with pytest.raises(ValueError, match="must have rank at least 3"):
            common_shapes.unchanged_shape_with_rank_at_least(3)(tf.negative(x).op)
        (slope,) = tf.gradients(x**2, x)
        assert tensor_array_grad._GetGradSource(slope) == "gradients"
        with pytest.raises(ValueError, match="Expected op/tensor name to start with gradients"):
            tensor_array_grad._GetGradSource(x)
