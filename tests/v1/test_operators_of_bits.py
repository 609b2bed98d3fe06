"""``&``, ``|``, ``^`` and ``~``: of integers bit by bit, of truths one by one, and of nothing else."""

from __future__ import annotations

import operator

import numpy as np
import pytest

import steepest.v1 as tf
from steepest.v1.graph.mode import eagerly

KINDS = {"and_": "BitwiseAnd", "or_": "BitwiseOr", "xor": "BitwiseXor"}
NUMBERS = np.array([0, 1, 6, -3], np.int32)
TRUTHS = np.array([True, False, True, False])


@pytest.mark.parametrize("name", KINDS)
def test_integers_go_bit_by_bit(name):
    function = getattr(operator, name)
    with tf.Graph().as_default(), tf.Session() as session:
        node = tf.constant(NUMBERS)
        made = [function(node, 5), function(5, node), function(node, NUMBERS[::-1]), function(NUMBERS, node)]
        assert [each.op.type for each in made] == [KINDS[name]] * 4
        assert made[0].name == f"{name.rstrip('_')}/{KINDS[name]}:0"
        wanted = [function(NUMBERS, 5)] * 2 + [function(NUMBERS, NUMBERS[::-1]), function(NUMBERS, NUMBERS)]
        np.testing.assert_array_equal(session.run(made), wanted)


@pytest.mark.parametrize("name", KINDS)
def test_truths_go_one_by_one(name):
    function = getattr(operator, name)
    with tf.Graph().as_default(), tf.Session() as session:
        node = tf.constant(TRUTHS)
        made = [function(node, True), function(True, node), function(node, TRUTHS[::-1])]
        assert made[0].op.type.startswith("Logical")
        wanted = [function(TRUTHS, True)] * 2 + [function(TRUTHS, TRUTHS[::-1])]
        np.testing.assert_array_equal(session.run(made), wanted)


def test_the_opposite_is_of_bits_or_of_truths():
    with tf.Graph().as_default(), tf.Session() as session:
        made = [~tf.constant(NUMBERS), ~tf.constant(TRUTHS)]
        assert [each.op.type for each in made] == ["Invert", "LogicalNot"]
        for value, given in zip(session.run(made), (NUMBERS, TRUTHS), strict=True):
            np.testing.assert_array_equal(value, ~given)


@pytest.mark.parametrize("value", [1.5, "a"])
def test_other_types_are_refused(value):
    with tf.Graph().as_default():
        node = tf.constant(value)
        for refused in (lambda: node & node, lambda: node | node, lambda: node ^ node, lambda: ~node):
            with pytest.raises(TypeError, match="not in list of allowed values: int8"):
                refused()
    with eagerly(), pytest.raises(tf.errors.InvalidArgumentError):
        ~tf.constant(value)
