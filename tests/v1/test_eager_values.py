"""What eager mode makes of values, operators and indices where NumPy would make something else."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import steepest.v1 as tf
from steepest.v1.graph.mode import eager_execution_set


@pytest.fixture(autouse=True)
def eagerly() -> Iterator[None]:
    with eager_execution_set(True):
        yield


@pytest.mark.parametrize("dtype", [tf.int8, tf.uint8, tf.int16, tf.uint16])
def test_short_integers_are_divided_in_float32(dtype):
    seven = tf.constant(7, dtype)
    for quotient in (seven / 2, 7 / tf.constant(2, dtype), seven / tf.constant(2, dtype), tf.Variable(seven) / 2):
        assert (quotient.dtype, quotient.numpy()) == (tf.float32, 3.5)
    assert (tf.constant(7) / 2).dtype == tf.float64


@pytest.mark.parametrize("make", [tf.constant, tf.Variable])
@pytest.mark.parametrize("dtype", [tf.int32, tf.int64])
def test_the_size_of_an_axis_is_an_integer_of_the_type_of_the_other_operand(make, dtype):
    three, numbers = tf.Dimension(3), make(np.array([1, 8], dtype.as_numpy_dtype))
    for got, expected in (
        (numbers * three, [3, 24]),
        (three * numbers, [3, 24]),
        (numbers // three, [0, 2]),
        (three - numbers, [2, -5]),
        (numbers**three, [1, 512]),
    ):
        assert (got.dtype, got.numpy().tolist()) == (dtype, expected)
    with pytest.raises(tf.errors.InvalidArgumentError, match="expected to be a float tensor but is a int32 tensor"):
        make([1.0]) * three


@pytest.mark.parametrize("make", [tf.constant, tf.Variable])
def test_a_list_is_one_index_for_each_axis(make):
    matrix = make([[1, 2], [3, 4]])
    assert matrix[[0]].numpy().tolist() == [1, 2]
    assert matrix[[0, 1]].numpy() == 2
    assert matrix[[slice(0, 1), 1]].numpy().tolist() == [2]
    assert matrix[0, True].numpy() == 2
    assert matrix[tf.constant(1)].numpy().tolist() == [3, 4]
    for index in ((slice(None), [0]), tf.constant([0]), tf.constant(0, tf.int8), tf.constant(0.0)):
        with pytest.raises(TypeError, match="Only integers, slices"):
            matrix[index]
    with pytest.raises(ValueError, match="mask cannot be scalar"):
        matrix[True]


def test_a_step_of_zero_is_an_invalid_argument():
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.constant([1, 2])[::0]


def test_strings_are_added_and_nothing_else():
    text = tf.constant("a")
    for value, expected in ((text + "b", b"ab"), ("b" + text, b"ba"), (text + text, b"aa"), (text + b"\xff", b"a\xff")):
        assert (value.dtype, value.numpy()) == (tf.string, expected)
    others = ["c", "d"]
    assert (tf.constant(["a", "b"]) + others).numpy().tolist() == [b"ac", b"bd"]
    for compute in (lambda: text * 2, lambda: text < tf.constant("b")):
        with pytest.raises(tf.errors.InvalidArgumentError):
            compute()


def test_truth_values_are_no_numbers():
    true = tf.constant(True)
    for compute in (lambda: true + true, lambda: true - true, lambda: true < true):
        with pytest.raises(tf.errors.InvalidArgumentError, match="bool is not in the list of allowed values"):
            compute()
    with pytest.raises(TypeError):
        true / true
    for values in ([True, 1], [True, 1.0], [[True], [1]], [np.True_, 1]):
        with pytest.raises(ValueError, match="mixed types"):
            tf.constant(values)
    assert tf.constant([1, True]).dtype == tf.int32
    assert tf.constant([True, False]).dtype == tf.bool


@pytest.mark.parametrize("values", [[1, "a"], ["a", 1], [None, 1]])
def test_a_list_of_several_kinds_is_a_wrong_value(values):
    with pytest.raises(ValueError, match="convert"):
        tf.constant(values)


def test_tensors_in_a_list_are_of_one_type():
    with pytest.raises(tf.errors.InvalidArgumentError, match="cannot compute Pack"):
        tf.convert_to_tensor([tf.constant(1), tf.constant(2.5)])
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.convert_to_tensor([tf.constant(1, tf.int64), tf.constant(2)])
    for stacked in (tf.stack([1, 2.5]), tf.convert_to_tensor([1, tf.constant(2.5)])):
        assert (stacked.dtype, stacked.numpy().tolist()) == (tf.float32, [1.0, 2.5])


def test_a_tensor_without_elements_is_false():
    assert not bool(tf.constant([]))
    with pytest.raises(ValueError, match="ambiguous"):
        bool(tf.constant([1, 2]))


def test_eager_tensors_and_variables_are_keys_by_their_references() -> None:
    variable, tensor = tf.Variable(1.0), tf.constant(1.0)
    found = {variable.ref(): "variable", tensor.ref(): "tensor"}
    assert found[variable.experimental_ref()] == "variable"
    assert found[tensor.ref()] == "tensor"
    assert variable.ref().deref() is variable


VIEWS = {
    "reshape": lambda v: tf.reshape(v, [-1]),
    "transpose": tf.transpose,
    "squeeze": tf.squeeze,
    "part": lambda v: v[:, :1],
    "broadcast_to": lambda v: tf.broadcast_to(v, [2, 2]),
    "split": lambda v: tf.split(v, 2)[0],
    "unstack": lambda v: tf.unstack(v)[1],
    "elements": lambda v: next(iter(v)),
    "NumPy's reshape": lambda v: np.reshape(v, -1),
    "NumPy's split": lambda v: np.split(v, 2)[0],
    "NumPy's diagonal": np.diagonal,
    "NumPy's real": np.real,
    "a branch": lambda v: tf.cond(tf.constant(True), lambda: tf.reshape(v, [-1]), lambda: tf.reshape(v, [-1])),
}


@pytest.mark.parametrize("name", VIEWS)
def test_what_was_made_of_an_eager_variable_stays_when_it_changes(name: str) -> None:
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    made = VIEWS[name](v)
    before = np.array(made)
    v.assign_add([[1.0, 1.0], [1.0, 1.0]])
    tf.train.GradientDescentOptimizer(0.5).apply_gradients([(tf.ones([2, 2]), v)])
    np.testing.assert_array_equal(made, before)


def test_gradients_flow_through_numpys_functions_of_variables() -> None:
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(np.reshape(v, -1) ** 2)
    assert tape.gradient(loss, v).numpy().tolist() == [[2.0, 4.0], [6.0, 8.0]]
