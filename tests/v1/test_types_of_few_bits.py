"""float8 and int4: types of ml_dtypes, of which tensors are made, taken apart and put together."""

from __future__ import annotations

import numpy as np
import pytest
from steepest.v1.python.framework import dtypes

import steepest.v1 as tf

ml_dtypes = pytest.importorskip("ml_dtypes")
NUMBERS = {"float8_e5m2": 24, "float8_e4m3fn": 25, "int4": 29, "uint4": 30}
LIMITS = {"float8_e5m2": 57344, "float8_e4m3fn": 448, "int4": 7, "uint4": 15}


@pytest.mark.parametrize("name", NUMBERS)
def test_what_the_types_tell(name: str) -> None:
    dtype = getattr(dtypes, name)
    assert (dtype.as_datatype_enum, dtype.size, dtype.max, dtype.name) == (NUMBERS[name], 1, LIMITS[name], name)
    assert dtype.is_floating is ("float" in name)
    assert dtype.is_integer is ("int" in name)
    assert dtype.is_unsigned is name.startswith("u")
    assert tf.as_dtype(dtype.as_numpy_dtype) is dtype
    assert dtype.as_numpy_dtype is getattr(ml_dtypes, name)


@pytest.mark.parametrize("name", NUMBERS)
def test_tensors_are_taken_apart_and_put_together(name: str) -> None:
    dtype = getattr(dtypes, name)
    x = np.array([[1, 2, 3], [4, 5, 6]]).astype(dtype.as_numpy_dtype)
    t = tf.constant(x)
    made = {
        "gather": (tf.gather(t, [1]), x[[1]]),
        "concat": (tf.concat([t, t], 0), np.concatenate([x, x])),
        "stack": (tf.stack(tf.unstack(t)), x),
        "slice": (t[:, ::-1], x[:, ::-1]),
        "transpose": (tf.transpose(t), x.T),
        "cast": (tf.cast(tf.cast(t, tf.float32), dtype), x),
    }
    with tf.Session() as session:
        for what, (tensor, expected) in made.items():
            found = session.run(tensor)
            assert (what, tensor.dtype, found.dtype) == (what, dtype, x.dtype)
            np.testing.assert_array_equal(found, expected)


def test_no_gradient_flows_through_them() -> None:
    x = tf.constant(np.ones(3, ml_dtypes.float8_e5m2))
    assert tf.gradients(tf.gather(x, [1]), x) == [None]
