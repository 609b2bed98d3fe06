"""What libraries for distributions and the like take from TensorFlow's internal modules."""

import collections

import pytest
from steepest.v1.python.ops import control_flow_ops
from steepest.v1.python.util import nest

import steepest.v1 as tf
from steepest.v1.python import pywrap_tensorflow as core


def test_a_case_of_a_programs_own_choice():
    chosen = []

    def choose(pred, true_fn, false_fn, note):
        chosen.append(note)
        if isinstance(pred, bool):
            return true_fn() if pred else false_fn()
        return tf.cond(pred, true_fn, false_fn)

    with tf.Graph().as_default(), tf.Session() as session:
        pairs = [(False, lambda: tf.constant(1)), (tf.constant(True), lambda: tf.constant(2))]
        made = control_flow_ops._case_helper(
            choose, pairs, lambda: tf.constant(3), False, "case", allow_python_preds=True, note="seen"
        )
        assert session.run(made) == 2
        assert chosen == ["seen", "seen"]
        with pytest.raises(TypeError, match="pred must be Tensor of type bool"):
            control_flow_ops._case_helper(choose, [(1, lambda: tf.constant(1))], None, False, "case")


def test_values_that_constants_decide():
    with tf.Graph().as_default() as graph:
        less = tf.constant(1) < tf.constant(2)
        fed = tf.placeholder(tf.int32, []) < 2
        assert bool(core.TF_TryEvaluateConstant_wrapper(graph._c_graph, less._as_tf_output())) is True
        assert core.TF_TryEvaluateConstant_wrapper(graph._c_graph, fed._as_tf_output()) is None


def test_private_names_of_nests():
    pair = collections.namedtuple("pair", "a b")
    assert nest._is_namedtuple(pair(1, 2))
    assert not nest._is_namedtuple((1, 2))


def test_classes_with_variables_can_be_attributes():
    class Inner(tf.Module):
        pass

    class Outer(tf.Module):
        def __init__(self):
            super().__init__()
            self.kinds = [Inner, Inner]

    outer = Outer()
    assert list(outer.kinds) == [Inner, Inner]
    assert outer.kinds.trainable_variables == []
    assert tf.Module in Inner.__mro__


def test_sizes_under_a_private_name():
    assert [size._value for size in tf.TensorShape([3, None])] == [3, None]


def test_tensors_say_no_under_the_names_of_python_2():
    with tf.Graph().as_default(), pytest.raises(TypeError, match="Python `bool`"):
        tf.constant(True).__nonzero__()
