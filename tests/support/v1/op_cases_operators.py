"""Python's operators on nodes, with nodes, numbers and arrays on either side; subscripts; types."""

from __future__ import annotations

import operator

import numpy as np
from op_cases import (
    A64,
    B64,
    CUBE,
    DIVISORS,
    INTS,
    LONGS,
    MIXED,
    POSITIVE,
    ROW,
    SCALAR,
    TRUES,
    VECTOR,
    A,
    B,
    Case,
    case,
    register,
)

OPERATORS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def operators(label, symbols, *args, other=None, swap=False):
    """Register ``x <symbol> y`` for each; ``other`` stays what it is, and comes first with ``swap``."""
    for symbol in symbols.split():

        def build(tf, x, y=other, call=OPERATORS[symbol]):
            return call(y, x) if swap else call(x, y)

        register(Case(f"{label.replace('?', symbol)}", build, args))


ALL, EXACT = " ".join(OPERATORS), "+ - * // % < <= > >="
operators("float ? float", ALL.replace("** ", ""), A, B)
operators("float ? row", "+ - * / // % <", A, ROW)
operators("float64 ? float64", "+ - * / // % <", A64, B64)
operators("float ? scalar node", "+ - * / **", POSITIVE, SCALAR)
operators("positive ? float", "**", POSITIVE, B)
operators("int ? int", EXACT + " /", INTS, DIVISORS)
operators("int64 ? int64", EXACT + " /", LONGS, DIVISORS.astype(np.int64))
for number, text in ((2, "2"), (2.5, "2.5"), (-1, "-1")):
    operators(f"float ? {text}", ALL, POSITIVE, other=number)
    operators(f"{text} ? float", ALL.replace("** ", "") if number == -1 else ALL, POSITIVE, other=number, swap=True)
operators("int ? 3", ALL, INTS, other=3)
operators("3 ? int", EXACT.replace("// % ", "") + " /", INTS, other=3, swap=True)
operators("3 ? nonzero int", "// % /", DIVISORS, other=3, swap=True)
operators("int64 ? 3", ALL, LONGS[:, :2].copy(), other=3)
for value, text in (
    (B64, "float64 array"),
    (B, "float32 array"),
    (DIVISORS.astype(np.int64), "int64 array"),
    (np.float64(1.5), "np.float64"),
    (np.float32(1.5), "np.float32"),
    (np.int64(2), "np.int64"),
    ([0.5, 1.5, 2.5], "list of floats"),
    ([1, 2, 3], "list of ints"),
):
    operators(f"float ? {text}", "+ - * / <", POSITIVE, other=value)
    operators(f"{text} ? float", "+ - * / <", POSITIVE, other=value, swap=True)
operators("float64 ? float64 array", "+ * /", A64, other=B64)
operators("float64 array ? float64", "+ * /", A64, other=B64, swap=True)
operators("float64 ? 0.1", "+ * /", A64, other=0.1)
operators("int ? int32 array", "+ * // %", INTS, other=DIVISORS)
operators("int32 array ? int", "+ *", INTS, other=DIVISORS, swap=True)


@case(TRUES, MIXED)
def operators_on_booleans(tf, x, y):
    return [x & y, x | y, x ^ y, ~x, x & True, False | y]


@case(A)
def unary_operators(tf, x):
    return [-x, abs(x), tf.negative(-x), abs(-x)]


@case(INTS)
def unary_operators_on_ints(tf, x):
    return [-x, abs(x), ~(x > 0)]


@case(A, B)
def matmul_operator(tf, x, y):
    return [x @ tf.transpose(y), x @ np.ones((3, 2), np.float32), np.ones((1, 2), np.float32) @ y]


@case(A, ROW)
def long_expression(tf, x, b):
    return ((2 * x - 1) / (1 + abs(x)) + b) ** 2 - x * 3 + (-b) / 2


@case(VECTOR)
def powers_of_a_float(tf, x):
    return [x**2, x**3, x**0, x**-1, x**2.0]


SUBSCRIPTS = {
    "x[1]": lambda x: x[1],
    "x[-1]": lambda x: x[-1],
    "x[:, 0]": lambda x: x[:, 0],
    "x[..., 0]": lambda x: x[..., 0],
    "x[..., None]": lambda x: x[..., None],
    "x[None]": lambda x: x[None],
    "x[:, None]": lambda x: x[:, None],
    "x[::2]": lambda x: x[::2],
    "x[::-1]": lambda x: x[::-1],
    "x[:, ::-1]": lambda x: x[:, ::-1],
    "x[1:-1]": lambda x: x[1:-1],
    "x[:, 1:]": lambda x: x[:, 1:],
    "x[:, :-1]": lambda x: x[:, :-1],
    "x[0:1, 1:3]": lambda x: x[0:1, 1:3],
    "x[1, 2]": lambda x: x[1, 2],
    "x[:]": lambda x: x[:],
    "x[...]": lambda x: x[...],
    "x[5:]": lambda x: x[5:],
    "x[:100]": lambda x: x[:100],
    "x[1][0]": lambda x: x[1][0],
    "x[-1:]": lambda x: x[-1:],
    "x[:, -2:]": lambda x: x[:, -2:],
    "x[2:0:-1]": lambda x: x[2:0:-1],
}
for text, subscript in SUBSCRIPTS.items():
    register(Case(f"{text} of (2, 3)", lambda tf, x, subscript=subscript: subscript(x), (A,)))
    register(Case(f"{text} of (2, 3, 4)", lambda tf, x, subscript=subscript: subscript(x), (CUBE,)))


@case(CUBE)
def subscripts_of_three_axes(tf, x):
    return [x[0, :, 1], x[:, 1, ...], x[..., 1:3], x[:, tf.newaxis, 1], x[0, ..., 2], x[1, 1, 1], x[:, :, None, 0:2]]


@case(VECTOR)
def subscripts_by_nodes(tf, x):
    i = tf.constant(2)
    return [x[i], x[i:], x[:i], x[i : i + 2], x[tf.shape(x)[0] - 1], x[np.int64(1)], x[tf.constant(1, tf.int64)]]


@case(VECTOR)
def gradient_of_overlapping_slices(tf, x):
    return x[:-1] * x[1:] + x[0]


@case(INTS)
def ints_stay_ints(tf, x):
    nodes = [tf.reduce_sum(x), x + 1, x * x, x // 2, x % 4, tf.reduce_max(x), tf.shape(x), tf.size(x), tf.rank(x)]
    return [*nodes, tf.argmax(x, 1), tf.shape(x)[0] * 2, x / 2, tf.reduce_mean(x), tf.square(x)]


@case(LONGS)
def longs_stay_longs(tf, x):
    return [
        tf.reduce_sum(x),
        x + 1,
        x // 3,
        tf.shape(x, out_type=tf.int64),
        tf.size(x, out_type=tf.int64),
        tf.range(x[0, 0]),
    ]


@case()
def types_of_constants(tf):
    nodes = [
        1,
        1.0,
        True,
        "text",
        [1, 2],
        [1.0, 2],
        [[True], [False]],
        np.float64(1),
        np.arange(3),
        np.float32([1]),
        [[]],
        ["a", "b"],
    ]
    return [tf.constant(node) for node in nodes]


@case()
def constants_with_type_and_shape(tf):
    return [
        tf.constant(1, tf.float32),
        tf.constant([1, 2], dtype=tf.float64),
        tf.constant(0.5, shape=[2, 2]),
        tf.constant([1, 2, 3, 4], shape=[2, 2]),
        tf.constant([1, 2], shape=[4]),
        tf.constant(np.arange(4.0), tf.float32),
        tf.constant(3, tf.int64),
        tf.constant(2**31 - 1),
        tf.constant(0, dtype="uint8"),
        tf.constant([], tf.int32),
    ]


@case()
def conversions_to_nodes(tf):
    values = [1, 0.5, [1, 2], np.eye(2), (1.0, 2.0), [tf.constant(1), 2], [[tf.constant(1.0), 2.0], [3.0, 4.0]]]
    return [tf.convert_to_tensor(value) for value in values] + [tf.convert_to_tensor([1, 2], dtype=tf.float32)]


@case(A)
def methods_of_nodes(tf, x):
    y = tf.reshape(x, [-1])
    y.set_shape([6])
    assert x.shape[0].value == x.get_shape().as_list()[0]
    return [y, x.dtype.base_dtype.as_numpy_dtype(2) * x]
