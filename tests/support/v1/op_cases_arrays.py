"""Functions on the shape and the elements of arrays."""

from __future__ import annotations

import numpy as np
from op_cases import (
    A64,
    COLUMN,
    CUBE,
    EMPTY,
    INTS,
    LONGS,
    ROW,
    SCALAR,
    TRUES,
    VECTOR,
    A,
    B,
    Raw,
    Var,
    case,
    draw,
    op,
    words,
)

TABLE, WIDE = draw(40, 5, 3), draw(41, 6, 2)
IDS, REPEATS, GRID = (
    np.array([3, 0, 4], np.int32),
    np.array([1, 1, 0, 1], np.int64),
    np.array([[0, 2], [2, 1]], np.int32),
)

for name in words("shape size rank identity zeros_like ones_like stop_gradient"):
    for array in (A, CUBE, SCALAR, EMPTY, INTS):
        op(name, array)
op("shape", A, out_type="tf.int64")
op("shape", [[1, 2], [3, 4]])
op("zeros_like", A, dtype="tf.int32")
op("ones_like", INTS, dtype="tf.float64")
op("zeros_like", TRUES)
op("ones_like", TRUES)

for shape in ([3, 2], [-1], [6], [1, 2, 3], [-1, 1], [3, -1], (2, 3), [2, 3, 1]):
    op("reshape", A, shape)
op("reshape", CUBE, [-1, 4])
op("reshape", CUBE, [2, -1])
op("reshape", EMPTY, [3, 0])
op("reshape", SCALAR, [1])
op("reshape", ROW[:1].copy(), [])
op("reshape", A, np.array([3, 2], np.int64), feed=False)
op("reshape", [1, 2, 3, 4], [2, 2])
op("transpose", A)
op("transpose", CUBE)
op("transpose", CUBE, [1, 0, 2])
op("transpose", CUBE, perm=[2, 0, 1])
op("transpose", A, perm=(1, 0))
for axis in (0, 1, -1, 2):
    op("expand_dims", A, axis)
op("expand_dims", A, dim=1)
op("expand_dims", SCALAR, 0)
op("expand_dims", INTS, axis=[1], feed=False)
ONES = draw(42, 1, 3, 1)
for kwargs in ({}, {"axis": 0}, {"axis": [2]}, {"axis": -1}, {"squeeze_dims": [0]}, {"axis": [0, 2]}):
    op("squeeze", ONES, **kwargs)

op("concat", [A, B], 0)
op("concat", [A, B], axis=1)
op("concat", [A, COLUMN], -1)
op("concat", [A, B, A], axis=0)
op("concat", [A], 0)
op("concat", [INTS, INTS], 1)
op("concat", [EMPTY, A], 0)
op("concat", [CUBE, CUBE], 1)
op("stack", [A, B])
op("stack", [A, B], axis=1)
op("stack", [A, B], axis=-1)
op("stack", [SCALAR, SCALAR])
op("stack", [1, 2, 3])
op("stack", [ROW, [1.0, 2.0, 3.0]])
op("unstack", A)
op("unstack", A, axis=1)
op("unstack", CUBE, num=3, axis=1)
op("unstack", ROW, 3)
op("split", WIDE, 3)
op("split", A, 3, axis=1)
op("split", WIDE, [1, 3, 2])
op("split", WIDE, [1, -1], feed=False)
op("split", A, [1, 2], 1)
op("split", CUBE, num_or_size_splits=2, axis=-1)
op("tile", A, [2, 1])
op("tile", A, [1, 3])
op("tile", ROW, [2])
op("tile", CUBE, [1, 2, 2])
op("tile", A, [2, 0])
op("pad", A, [[1, 0], [0, 2]])
op("pad", A, [[1, 1], [1, 1]], constant_values=9.0)
op("pad", A, [[1, 1], [2, 1]], "REFLECT")
op("pad", A, [[0, 1], [1, 2]], mode="SYMMETRIC")
op("pad", INTS, [[1, 0], [0, 0]])
op("reverse", A, [0])
op("reverse", A, axis=[1])
op("reverse", CUBE, [0, 2])
op("reverse", A, [-1])
op("reverse_v2", VECTOR, [0])
op("roll", VECTOR, 2, 0)
op("repeat", ROW, 2)
op("repeat", A, [1, 2], axis=0)
op("broadcast_to", ROW, [2, 3])
op("broadcast_to", COLUMN, [2, 4])
op("broadcast_to", SCALAR, [2, 2])
op("meshgrid", ROW, VECTOR)
op("meshgrid", ROW, VECTOR, indexing="ij")

op("gather", TABLE, IDS)
op("gather", TABLE, REPEATS)
op("gather", TABLE, GRID)
op("gather", TABLE, 2)
op("gather", TABLE, [0, 0])
op("gather", VECTOR, IDS)
op("gather", A, np.array([2, 0, 0], np.int32), axis=1)
op("gather", CUBE, GRID, axis=1)
op("gather", CUBE, IDS[:2], axis=-1)
op("gather", INTS, [1, 0])
op("gather", TABLE, np.zeros((0,), np.int32))
op("gather", Var(TABLE), REPEATS)
op("gather_nd", TABLE, np.array([[0, 1], [4, 2], [0, 1]], np.int32))
op("gather_nd", TABLE, np.array([[1], [1]], np.int64))
op("gather_nd", CUBE, np.array([[[0, 1]], [[1, 2]]], np.int32))
op("gather_nd", TABLE, [2], grad=False)
op("scatter_nd", np.array([[1], [3], [1]], np.int32), ROW, [5])
op("scatter_nd", np.array([[0], [2]], np.int32), A, [3, 3])
op("scatter_nd", np.array([[0, 1], [2, 0]], np.int32), ROW[:2], [3, 3])
op("invert_permutation", np.array([2, 0, 1], np.int32))
op("dynamic_partition", TABLE, np.array([0, 1, 1, 0, 1], np.int32), 2)
op("dynamic_stitch", [np.array([0, 2], np.int32), np.array([1], np.int32)], [A, A[:1].copy()])

op("one_hot", IDS, 5)
op("one_hot", IDS, depth=5, on_value=2.0, off_value=-1.0)
op("one_hot", IDS, 5, axis=0)
op("one_hot", IDS, 5, dtype="tf.int32")
op("one_hot", GRID, 3)
op("one_hot", GRID, 3, axis=1)
op("one_hot", 1, 3)
op("one_hot", [0, -1, 7], 3)
op("one_hot", LONGS[1], 9, on_value=True, off_value=False)
op("one_hot", IDS, 5, 1.0, 0.0, -1, "tf.float64")
op("one_hot", np.array([1, 2], np.uint8), 3)
op("where", TRUES)
op("where", np.array([1.0, 0.0, 2.0], np.float32) > 0)
op("where", TRUES, A, B)
op("where", np.array([True, False]), A, B)
op("where", np.array(True), A, B)
op("where", INTS > 0, INTS, -INTS)
op("boolean_mask", A, TRUES)
op("boolean_mask", A, np.array([True, False]), feed=False)
op("boolean_mask", CUBE, np.array([False, True]), feed=False)
op("boolean_mask", CUBE, TRUES)
op("boolean_mask", A, Raw(TRUES))
op("boolean_mask", A, [False, True], feed=False)
op("boolean_mask", A, np.array([True, False, True]), axis=1, feed=False)
op("slice", A, [0, 1], [2, 2])
op("slice", A, [1, 0], [-1, -1])
op("slice", CUBE, [0, 1, 0], [1, 1, 4])
op("slice", A, begin=[0, 0], size=[1, -1])
op("strided_slice", A, [0, 0], [2, 3], [1, 2])
op("strided_slice", A, [0, 1], [2, 3])
op("strided_slice", VECTOR, [4], [0], [-2])

for shape in ([2, 3], [], [0], (4,), 3):
    op("zeros", shape)
    op("ones", shape)
op("zeros", [2], "tf.int32")
op("ones", [2], dtype="tf.float64")
op("zeros", [2], dtype="tf.bool")
op("fill", [2, 2], 0.5)
op("fill", [3], 7)
op("fill", [], True)
op("fill", [2], SCALAR)
op("range", 5)
op("range", 2, 8, 3)
op("range", 0.0, 1.0, 0.25)
op("range", 5, 0, -2)
op("range", 3, dtype="tf.float32")
op("range", 3, dtype="tf.int64")
op("range", limit=4, start=1)
op("linspace", 0.0, 1.0, 5)
op("linspace", -1.0, 2.0, 4)
op("lin_space", 0.0, 1.0, num=1)
op("unique", np.array([4, 1, 4, 4, 0], np.int32))
op("unique", np.array([4, 1, 4], np.int64), out_idx="tf.int64")
op("unique", np.array([0.5, 0.25, 0.5], np.float32), grad=False)
op("unique_with_counts", np.array([4, 1, 4, 4, 0], np.int64))
op("setdiff1d", [1, 2, 3, 4], [2, 4])
op("sequence_mask", np.array([1, 0, 3], np.int32))
op("sequence_mask", np.array([1, 3], np.int64), 4)
op("sequence_mask", [1, 3], maxlen=4, dtype="tf.float32")
op("searchsorted", VECTOR[np.argsort(VECTOR)], np.array([-0.5, 0.6], np.float32), grad=False)
op("sort", A)
op("sort", A, direction="DESCENDING", axis=0)
op("argsort", A)
op("matrix_band_part", draw(43, 3, 3), 0, -1)
op("linalg.set_diag", draw(43, 3, 3), ROW)
op("sparse_to_dense", [1, 3], [5], [1.0, 2.0])
op("squeeze", [[1], [2]])
op("concat", [[[1, 2]], [[3, 4]]], 0)
op("tile", [[1, 2]], [2, 1])
op("unstack", np.array([1, 2], np.int32))
op("reshape", A64, [-1], name="flat")


@case(A, B)
def concat_then_split_gives_the_parts_back(tf, x, y):
    first, second = tf.split(tf.concat([x, y], 1), 2, axis=1)
    return [first * 2.0, second]


@case(TABLE)
def gathers_of_a_gather(tf, x):
    rows = tf.gather(x, [0, 2, 4])
    return [tf.gather(rows, [1, 1]), tf.gather(x, [4])]


@case(Var(TABLE))
def gathers_and_dense_use_of_a_variable(tf, x):
    return [tf.gather(x, [1, 1]), tf.reduce_sum(x, 0)]


@case(Var(TABLE))
def two_gathers_of_a_variable(tf, x):
    return [tf.gather(x, [3, 1]), tf.gather(x, [1, 0, 1]) * 2.0]


@case(A)
def scalars_picked_by_gather_nd(tf, x):
    ids = tf.stack([tf.range(2), tf.constant([2, 0])], axis=1)
    return tf.gather_nd(x, ids)
