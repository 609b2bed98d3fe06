"""Element types: those of few bits, limits, what is of which kind, and what objects with a type stand for."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from steepest.v1.python.framework import _dtypes, dtypes, tensor_util

import steepest.v1 as tf

_FEW = {"float8_e5m2": 24, "float8_e4m3fn": 25, "float8_e4m3fnuz": 26, "float8_e5m2fnuz": 28, "int4": 29, "uint4": 30}


@pytest.mark.parametrize(("name", "number"), _FEW.items())
def test_types_of_few_bits_are_those_of_ml_dtypes(name, number):
    dtype = getattr(dtypes, name)
    assert dtype is tf.as_dtype(name) is tf.as_dtype(number) is tf.as_dtype(getattr(ml_dtypes, name))
    assert dtype.as_numpy_dtype is getattr(ml_dtypes, name) is getattr(dtypes, f"_np_{name}")
    assert tf.as_dtype(f"{name}_ref").as_datatype_enum == number + 100
    assert dtype.is_integer == ("int" in name) == (not dtype.is_floating)
    assert dtype.is_unsigned == name.startswith("u")
    assert dtype in dtypes.TF_VALUE_DTYPES


def test_limits_of_types_of_few_bits():
    assert (dtypes.int4.min, dtypes.int4.max, dtypes.uint4.max) == (-8, 7, 15)
    assert (float(dtypes.float8_e5m2.min), float(dtypes.float8_e4m3fn.max)) == (-57344.0, 448.0)
    for dtype in (dtypes.float8_e5m2, tf.string, tf.complex64, tf.as_dtype("bfloat16")):
        with pytest.raises(ValueError, match="does not have defined limits"):
            _ = dtype.limits


def test_a_type_has_one_object():
    assert tf.DType(21) is tf.variant
    assert _dtypes.DType("float32") is tf.float32


def test_which_types_are_numbers_and_how_large_they_are():
    numbers = [tf.float32, tf.int8, tf.complex64, tf.qint8, tf.as_dtype("bfloat16")]
    assert all(dtype.is_numeric for dtype in numbers)
    assert not any(dtype.is_numeric for dtype in (tf.string, tf.bool, tf.variant, dtypes.int4))
    assert [dtype.size for dtype in (tf.string, tf.variant, tf.float64)] == [0, 0, 8]


def test_no_type_is_another_kind_of_type():
    assert tf.string.is_subtype_of(tf.string)
    assert not tf.string.is_subtype_of(tf.uint32)
    assert tf.string.most_specific_common_supertype([tf.string]) is tf.string
    assert tf.string.most_specific_common_supertype([tf.uint32]) is None


def test_what_has_a_type_stands_for_it():
    class Typed:
        dtype = "f4"

    assert tf.as_dtype(Typed) is tf.float32


def test_messages_of_quantized_values_are_of_tuples():
    message = tensor_util.make_tensor_proto([(21,), (22,), (23,)], dtype=tf.quint16)
    assert next(iter(message.tensor_shape.dim)).size == 3
    assert message.tensor_content == b"\x15\x00\x16\x00\x17\x00"
    assert tensor_util.MakeNdarray(message)["quint16"].tolist() == [21, 22, 23]


def test_a_list_of_dimensions_has_no_type_of_its_own():
    with pytest.raises(TypeError, match="Failed to convert elements"):
        tensor_util.make_tensor_proto([tf.Dimension(1)])
    assert tensor_util.make_tensor_proto([10, tf.Dimension(20)], dtype=tf.int32).dtype == 3


def test_values_are_known_through_identities_and_of_parts():
    whole = np.arange(12.0).reshape(4, 3)
    with tf.Graph().as_default():
        assert tensor_util.constant_value(tf.identity(whole)).tolist() == whole.tolist()
        halves = [tensor_util.constant_value(part) for part in tf.split(np.ones((60, 3)), 2)]
        assert [half.shape for half in halves] == [(30, 3), (30, 3)]
        stacked = tf.stack([whole, tf.placeholder(tf.float64, whole.shape)])
        for parts in (tf.unstack(stacked), tf.split(stacked, 2)):
            first, second = (tensor_util.constant_value(part, partial=True) for part in parts)
            assert np.array_equal(np.reshape(first[0] if len(first) == 1 else first, whole.shape), whole)
            assert second is None or second[0] is None
        assert tensor_util.constant_value(tf.stack([whole, whole], axis=1)) is None


def test_what_is_a_tensor():
    with tf.Graph().as_default():
        assert tensor_util.is_tf_type(tf.SparseTensor([[1, 2]], [3], [10, 10]))
        assert not tensor_util.is_tf_type(np.zeros(2))
