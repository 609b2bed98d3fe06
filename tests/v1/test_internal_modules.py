"""TensorFlow's internal modules of slots, averages, known conditions and the global step, as programs import them."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
from steepest.v1.python.framework import smart_cond
from steepest.v1.python.layers import utils as layers_utils
from steepest.v1.python.ops import gen_sparse_ops, init_ops, sparse_ops
from steepest.v1.python.training import moving_averages, slot_creator, training_util

import steepest.v1 as tf


def test_slots_and_weighted_averages_of_internal_modules():
    v = tf.Variable([1.0, 2.5], name="v")
    same = slot_creator.create_slot(v, v.initialized_value() * 2, "same")
    zeros = slot_creator.create_zeros_slot(v, "zeros", tf.float64)
    ones = slot_creator.create_slot_with_initializer(v, tf.ones_initializer(), [3], tf.float32, "ones")
    assert [each.op.name for each in (same, zeros, ones)] == ["v/same", "v/zeros", "v/ones"]
    assert not same.trainable
    value, weight = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    average = moving_averages.weighted_moving_average(value, 0.5, weight)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert [each.tolist() for each in session.run([same, zeros, ones])] == [[2.0, 5.0], [0.0, 0.0], [1.0, 1.0, 1.0]]
        assert session.run(zeros).dtype == np.float64
        assert session.run(average, {value: 3.0, weight: 4.0}) == 3.0
        top, bottom = 3 * 4 * 0.25 + 11 * 22 * 0.5, 4 * 0.25 + 22 * 0.5
        assert session.run(average, {value: 11.0, weight: 22.0}) == pytest.approx(top / bottom)


def test_two_averages_of_one_variable_have_names_of_their_own() -> None:
    with tf.Graph().as_default(), tf.variable_scope("one"), tf.variable_scope("two"):
        v = tf.Variable(1.0, name="v")
        moving_averages.assign_moving_average(v, 0.0, 0.99)
        moving_averages.assign_moving_average(v, 0.0, 0.99)
        names = [each.name for each in tf.global_variables()]
    inner = "one/two/one/two/v"
    parts = ["biased", "local_step", "biased_1", "local_step_1"]
    assert names == ["one/two/v:0", *(f"{inner}/{part}:0" for part in parts)]


def test_conditions_that_are_known_are_decided_at_once() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        asked = tf.placeholder(tf.bool, [])
        assert smart_cond.smart_constant_value(tf.constant(True)) is True
        assert layers_utils.smart_cond(True, true_fn=lambda: 1, false_fn=lambda: 2) == 1
        assert smart_cond.smart_constant_value(asked) is None
        assert smart_cond.smart_case([(False, lambda: 1), (True, lambda: 3)], default=lambda: 2) == 3
        chosen = smart_cond.smart_case([(asked, lambda: tf.constant(1))], default=lambda: tf.constant(2))
        assert session.run(chosen, {asked: False}) == 2
        with pytest.raises(TypeError, match="must be a Tensor"):
            smart_cond.smart_constant_value("yes")


def test_the_global_step_is_read_by_one_node() -> None:
    with tf.Graph().as_default():
        assert training_util._get_or_create_global_step_read() is None
        step = tf.train.create_global_step()
        assert training_util._get_global_step_read() is None
        read = training_util._get_or_create_global_step_read()
        assert training_util._get_or_create_global_step_read() is read
        assert read.name.startswith(f"{step.op.name}/")


def test_first_values_that_take_part_in_a_loop_stay():
    from steepest.v1.python.ops import init_ops, variables

    loop = tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)])
    assert variables._try_guard_against_uninitialized_dependencies("v", loop) is loop
    assert init_ops.identity_initializer is tf.initializers.identity
    assert tf.Session.reset("") is None


def test_a_sum_with_a_dense_tensor_takes_a_sparse_one_or_its_parts():
    with tf.Graph().as_default(), tf.Session() as session:
        parts, dense = ([[0, 1], [1, 0]], [1.0, 2.0], [2, 2]), [[1.0, 2.0], [3.0, 4.0]]
        whole = sparse_ops.sparse_dense_cwise_add(tf.SparseTensor(*parts), dense)
        values = gen_sparse_ops.sparse_dense_cwise_add(*parts, tf.constant(dense))
        assert [found.tolist() for found in session.run([whole.values, values])] == [[3.0, 5.0], [3.0, 5.0]]


def test_initializers_of_a_program_are_of_one_base_class():
    class Twos(init_ops.Initializer):
        def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Any:
            return 2 * tf.ones(shape, dtype or tf.float32)

    assert issubclass(tf.zeros_initializer, init_ops.Initializer)
    assert Twos.from_config(Twos().get_config())([2]).shape == [2]


def test_the_parts_of_keras_are_found_under_their_internal_names():
    keras = importlib.import_module("steepest.v1.python.keras")
    assert keras.activations.get("relu") is tf.keras.activations.relu
    assert isinstance(keras.constraints.get("non_neg"), tf.keras.constraints.NonNeg)
    assert isinstance(keras.initializers.get("ones"), tf.ones_initializer)
    assert importlib.import_module("steepest.v1.python.keras.regularizers").l2(0.5).l2 == 0.5


def test_functions_of_ragged_modules_that_have_sparse_results_are_here():
    from steepest.v1.python.ops import parsing_ops
    from steepest.v1.python.ops.ragged import ragged_string_ops, ragged_tensor

    assert ragged_string_ops.string_split is tf.string_split
    assert ragged_string_ops.strings_split_v1 is tf.strings.split
    with pytest.raises(NotImplementedError, match="ragged tensors are left out"):
        ragged_string_ops.string_split_v2(["a"])
    with pytest.raises(NotImplementedError, match="ragged tensors are left out"):
        tf.strings.split(["a"], result_type="RaggedTensor")
    assert not isinstance(tf.FixedLenFeature([], tf.int64), (parsing_ops.RaggedFeature, ragged_tensor.RaggedTensor))
