"""Maps of tensors, TensorFlow's `map_ops`: what is found under keys, what they refuse, gradients and eager mode."""

import numpy as np
import pytest
from steepest.v1.python.eager import context
from steepest.v1.python.ops import gen_map_ops, map_ops

import steepest.v1 as tf


def kept(*pairs):
    held = map_ops.empty_tensor_map()
    for key, value in pairs:
        held = map_ops.tensor_map_insert(held, key, value)
    return held


def test_a_map_is_a_value_that_operations_return():
    with tf.Graph().as_default(), tf.Session() as sess:
        held = kept((1.0, 5.0), ("text", [1, 2]), (1.0, 6.0))
        less = map_ops.tensor_map_erase(held, 1.0, tf.float32)
        found = sess.run(
            [
                map_ops.tensor_map_size(held),
                map_ops.tensor_map_lookup(held, 1.0, tf.float32),
                map_ops.tensor_map_lookup(held, "text", tf.int32),
                map_ops.tensor_map_has_key(held, "other"),
                gen_map_ops.tensor_map_size(less),
                map_ops.tensor_map_has_key(less, 1.0),
            ]
        )
    assert found[0] == 2
    assert found[1] == 6.0
    assert found[2].tolist() == [1, 2]
    assert not found[3]
    assert found[4] == 1
    assert not found[5]


def test_keys_of_another_type_or_shape_are_others():
    with tf.Graph().as_default(), tf.Session() as sess:
        held = kept((np.int32(1), 1.0), (np.int64(1), 2.0), ([1], 3.0))
        assert sess.run(map_ops.tensor_map_size(held)) == 3
        assert sess.run(map_ops.tensor_map_lookup(held, np.int64(1), tf.float32)) == 2.0


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (lambda: map_ops.tensor_map_lookup(kept((1.0, 1.0)), 2.0, tf.float32), "Trying to lookup non-existent key"),
        (lambda: map_ops.tensor_map_erase(kept(), 2.0, tf.float32), "Trying to erase non-existent item"),
        (lambda: map_ops.tensor_map_lookup(kept((1.0, 1)), 1.0, tf.float32), "Value does not match requested dtype"),
        (lambda: map_ops.tensor_map_stack_keys(kept(), tf.float32), "cannot be called on empty map"),
        (lambda: map_ops.tensor_map_stack_keys(kept(("a", 1.0)), tf.float32), "Key does not match requested dtype"),
        (lambda: map_ops.tensor_map_stack_keys(kept((1.0, 1), ([1.0], 1)), tf.float32), "all have the same shape"),
    ],
)
def test_what_is_not_there_is_an_error(asked, words):
    with tf.Graph().as_default(), tf.Session() as sess, pytest.raises(tf.errors.InvalidArgumentError, match=words):
        sess.run(asked())


def test_keys_are_stacked():
    with tf.Graph().as_default(), tf.Session() as sess:
        keys = map_ops.tensor_map_stack_keys(kept((2.0, 1), (1.0, 1)), tf.float32)
        assert sorted(sess.run(keys).tolist()) == [1.0, 2.0]


def gradients(seen):
    first, second = tf.constant(3.0), tf.constant(4.0)
    with tf.GradientTape() as tape:
        tape.watch([first, second])
        held = kept((1, first), (2, second))
        if seen == "replaced":
            held = map_ops.tensor_map_insert(held, 1, second)
        y = map_ops.tensor_map_lookup(held, 1, tf.float32) * 5.0
    return tape.gradient(y, [first, second])


@pytest.mark.parametrize(("seen", "expected"), [("kept", [5.0, 0.0]), ("replaced", [0.0, 5.0])])
def test_what_is_kept_beside_has_a_gradient_of_zeros(seen, expected):
    with context.eager_mode():
        assert [each.numpy() for each in gradients(seen)] == expected
    with tf.Graph().as_default(), tf.Session() as sess:
        assert sess.run(gradients(seen)) == expected


def test_zeros_and_sums_of_maps():
    with tf.Graph().as_default(), tf.Session() as sess:
        held = kept((1, 3.0), (2, 4.0))
        total = tf.add_n([held, kept((2, 5.0), (3, 6.0))])
        found = [map_ops.tensor_map_lookup(total, key, tf.float32) for key in (1, 2, 3)]
        assert sess.run(found) == [3.0, 9.0, 6.0]
        assert sess.run(map_ops.tensor_map_size(tf.zeros_like(held))) == 0
