"""Elementwise functions, comparisons, casts, clipping."""

from __future__ import annotations

import numpy as np
from op_cases import (
    A64,
    B64,
    COLUMN,
    CUBE,
    DIVISORS,
    EMPTY,
    HALVES,
    INTS,
    LONGS,
    MIXED,
    ODD,
    POSITIVE,
    POSITIVE64,
    ROW,
    SCALAR,
    TRUES,
    UNIT,
    UNIT64,
    A,
    B,
    case,
    each,
    op,
    words,
)

BIG = np.array([1e10, -1e10, 300.7, -3.9], np.float32)

for name in words(
    "exp expm1 sin cos tan sinh cosh tanh sigmoid erf square abs negative sign floor ceil round rint atan"
):
    op(name, A)
for name in words("exp tanh sigmoid erf square abs expm1"):
    op(name, A64)
    op(name, EMPTY)
    op(name, SCALAR)
for name in words("log log1p sqrt rsqrt reciprocal"):
    op(name, POSITIVE)
for name in words("log log1p sqrt rsqrt"):
    op(name, POSITIVE64)
for name in words("asin acos atanh erfc"):
    op(name, UNIT)
op("asin", UNIT64)
op("asinh", A)
op("acosh", POSITIVE + np.float32(1))
for name in words("round rint floor ceil"):
    op(name, HALVES)
op("round", INTS)
for name in words("abs negative square sign"):
    op(name, INTS)
for name in words("is_nan is_inf is_finite sign abs floor"):
    op(name, ODD, label="of special values", grad=False)

for name in words("add subtract multiply divide truediv div maximum minimum squared_difference"):
    op(name, A, B)
    op(name, A, ROW)
    op(name, COLUMN, ROW)
    op(name, SCALAR, A)
    op(name, A64, B64)
    op(name, INTS, DIVISORS)
for name in words("floordiv floormod mod truncatediv truncatemod floor_div"):
    op(name, INTS, DIVISORS)
for name in words("floordiv floormod mod"):
    op(name, A, B)
    op(name, A, 0.7)
for name in words("add subtract multiply divide div maximum"):
    op(name, A, 2.5)
    op(name, 3, DIVISORS)
op("div_no_nan", A, np.array([0.0, 2.0, 0.0], np.float32))
op("realdiv", A, B)
op("multiply", CUBE, ROW[:, None])
op("add", EMPTY, ROW)
op("atan2", A, B)
op("math.xdivy", A, np.abs(B))
op("math.xlogy", POSITIVE, POSITIVE[::-1].copy())

op("pow", POSITIVE, B)
op("pow", POSITIVE, ROW)
op("pow", A, 2)
op("pow", A, 3.0)
op("pow", A, np.array(0.0, np.float32))
op("pow", np.array([0.0, -1.0, 2.0], np.float32), 2.0)
op("pow", INTS, 2)
op("pow", 2.0, A)

op("add_n", [A, B, A])
op("add_n", [A])
op("add_n", [INTS, INTS])
op("accumulate_n", [A, B])
for kwargs in ({}, {"axis": 1}, {"axis": -1, "exclusive": True}, {"axis": 1, "reverse": True}):
    op("cumsum", A, **kwargs)
    op("cumprod", POSITIVE, **kwargs)
op("cumsum", CUBE, axis=1, exclusive=True, reverse=True)
op("cumsum", INTS, axis=1)

op("clip_by_value", A, -0.9, 0.9)
op("clip_by_value", A, np.float32(-0.5) * np.ones((2, 3), np.float32), 1.1)
op("clip_by_value", INTS, -2, 4)
op("clip_by_norm", A, 1.5)
op("clip_by_norm", A, 100.0)
op("clip_by_norm", A, 1.5, axes=[1])
op("clip_by_average_norm", A, 0.2)
op("global_norm", [A, B])
op("clip_by_global_norm", [A, B], 1.5)
op("clip_by_global_norm", [A, B], 50.0)
op("clip_by_global_norm", [A, B], 1.5, use_norm=np.array(2.5, np.float32))

for name in words("equal not_equal less less_equal greater greater_equal"):
    op(name, A, B)
    op(name, A, ROW)
    op(name, INTS, np.array([[-7, 0, 0]], np.int32))
    op(name, A, 0.3)
    op(name, ODD, ODD[::-1].copy(), label="of special values", grad=False)
op("equal", TRUES, MIXED)
op("equal", np.array(["a", "b"]), np.array(["a", "c"]))
for name in words("logical_and logical_or logical_xor"):
    op(name, TRUES, MIXED)
    op(name, TRUES, True)
op("logical_not", TRUES)

for source in (A, INTS, TRUES, LONGS, A64, BIG):
    for to in words("float32 float64 int32 int64 bool float16 uint8 int8"):
        if (
            source is not BIG
            and not (source is A and to == "uint8")
            and not (source is LONGS and to in ("int32", "int8"))
        ):
            op("cast", source, f"tf.{to}")
for name in words("to_float to_double to_int32 to_int64"):
    op(name, A)
    op(name, INTS)
for to in words("int32 uint8 int64 int8"):
    op("saturate_cast", BIG, f"tf.{to}", feed=False)
op("cast", A, "tf.float16", label="as a name's type", name="half")


@case(A)
def cast_by_numpy_type(tf, x):
    return [
        tf.cast(x, np.float64),
        tf.cast(x, "int32"),
        tf.cast(x, float),
        tf.cast(x, np.dtype("int64")),
        tf.cast(x, bool),
    ]


@case(A)
def identity_is_another_node(tf, x):
    y = tf.identity(x)
    return [y, tf.stop_gradient(x) * x, tf.convert_to_tensor(x) + y]


@case(A, B)
def gradient_through_both_branches_of_maximum(tf, x, y):
    return tf.maximum(x, x) + tf.minimum(y, y) + tf.maximum(tf.abs(x), 0.0)


@case(np.array([-1.0, 0.0, 0.0, 2.0], np.float32))
def gradients_at_zero(tf, x):
    return [tf.abs(x), tf.sign(x), tf.maximum(x, 0.0), tf.minimum(0.0, x), tf.nn.relu(x), tf.square(x)]


@case(np.array([0.0, 4.0], np.float32))
def gradient_of_sqrt_at_zero_is_infinite(tf, x):
    return tf.sqrt(x)


@case(np.array([[3.0, 4.0], [0.0, 0.0]], np.float32))
def clip_by_norm_of_a_zero_row(tf, x):
    return tf.clip_by_norm(x, 1.0, axes=[1])


each(
    {
        "logarithm_of_zero": lambda tf, x: tf.log(x),
        "division_by_zero": lambda tf, x: [1.0 / x, x / x, x // x],
        "power_of_zero": lambda tf, x: [x**2, x**0.5, 0.0**x],
    },
    np.array([0.0, 1.0], np.float32),
    grad=False,
)


@case(A, grad=False, feed=False)
def global_norm_skips_none(tf, x):
    clipped, norm = tf.clip_by_global_norm([x, None, 2.0 * x], 1.0)
    assert clipped[1] is None
    return [clipped[0], clipped[2], norm, tf.global_norm([None, x])]


@case(np.ones((2, 3), np.float32), np.array([1, 1], np.int32), grad=False, feed=False)
def clipping_of_slices(tf, values, indices):
    slices = tf.IndexedSlices(values, indices, dense_shape=tf.constant([4, 3]))
    clipped, norm = tf.clip_by_global_norm([slices], 1.0)
    one = tf.clip_by_norm(slices, 1.0)
    return [clipped[0].values, clipped[0].indices, norm, one.values, one.indices, tf.convert_to_tensor(slices)]
