"""Reductions, arguments of extremes, products of matrices, segments."""

from __future__ import annotations

import numpy as np
from op_cases import (
    A64,
    COLUMN,
    CUBE,
    EMPTY,
    INTS,
    LONGS,
    MIXED,
    POSITIVE,
    ROW,
    SCALAR,
    TRUES,
    UNIT,
    A,
    B,
    Raw,
    case,
    draw,
    op,
    words,
)

AXES = (None, 0, -1, [0, 1], (1,))
NUMERIC = words("reduce_sum reduce_mean reduce_max reduce_min reduce_prod")

for name in [*NUMERIC, "reduce_logsumexp"]:
    for axis in AXES:
        op(name, A, axis=axis)
    op(name, A, 1)
    op(name, A, axis=1, keepdims=True)
    op(name, CUBE, axis=[0, 2])
    op(name, CUBE, [1, -1], True)
    op(name, A64)
    op(name, SCALAR)
    op(name, A, axis=[])
    op(name, A, axis=0, keep_dims=True)
    op(name, A, reduction_indices=[1])
for name in NUMERIC:
    op(name, INTS)
    op(name, INTS, axis=1)
    op(name, LONGS, axis=0)
    op(name, EMPTY, axis=0)
    op(name, EMPTY)
op("reduce_sum", A, axis=np.array([0], np.int32), feed=False)
op("reduce_mean", np.array([-1, -2, -4, 1], np.int32))
for name in ("reduce_any", "reduce_all"):
    for axis in AXES:
        op(name, TRUES, axis=axis)
    op(name, MIXED, 0, True)
op("math.reduce_std", A)
op("math.reduce_variance", A, axis=1)
op("math.reduce_euclidean_norm", A, axis=1)
op("count_nonzero", INTS)
op("count_nonzero", INTS, axis=1)
op("count_nonzero", INTS, axis=1, dtype="tf.float32")

for name in ("argmax", "argmin"):
    op(name, A)
    op(name, A, 1)
    op(name, A, axis=-1)
    op(name, A, dimension=1)
    op(name, CUBE, axis=1, output_type="tf.int32")
    op(name, INTS, 0)
    op(name, np.array([1.0, 3.0, 3.0, 1.0], np.float32), 0)
op("nn.top_k", A, 2)
op("nn.top_k", A)
op("nn.top_k", CUBE, k=3, sorted=True)
op("nn.top_k", INTS, 1)
op("nn.top_k", np.array([2.0, 5.0, 5.0, 1.0], np.float32), 3)
op("nn.in_top_k", A, np.array([1, 2], np.int32), 1)
op("nn.in_top_k", A, np.array([1, 2], np.int64), k=2)


@case(np.array([[1.0, 3.0, 3.0], [2.0, 2.0, 2.0]], np.float32))
def gradients_of_extremes_at_ties(tf, x):
    return [tf.reduce_max(x, axis=1), tf.reduce_min(x), tf.maximum(x, 2.0)]


@case(np.array([[1.0, 0.0, 3.0], [0.0, 2.0, 0.0]], np.float32))
def gradient_of_a_product_with_zeros(tf, x):
    return [tf.reduce_prod(x, axis=1), tf.reduce_prod(x)]


@case(np.array([[1000.0, 1000.0], [-1000.0, 0.0]], np.float32))
def logsumexp_of_large_numbers(tf, x):
    return tf.reduce_logsumexp(x, axis=1)


SQUARE, TALL, BATCH, OTHER = draw(20, 3, 3), draw(21, 3, 4), draw(22, 2, 3, 4), draw(23, 2, 4, 5)
op("matmul", A, TALL)
op("matmul", A, TALL[:, :2].copy(), transpose_a=False)
op("matmul", A, B, transpose_b=True)
op("matmul", A, B, transpose_a=True)
op("matmul", A, draw(24, 5, 2), transpose_a=True, transpose_b=True)
op("matmul", BATCH, OTHER)
op("matmul", BATCH, BATCH, transpose_b=True)
op("matmul", BATCH, BATCH, transpose_a=True)
op("matmul", BATCH, draw(25, 4, 2))
op("matmul", A64, A64.T.copy())
op("matmul", INTS, INTS.T.copy())
op("matmul", EMPTY, SQUARE)
op("matmul", draw(26, 2, 1, 3, 4), draw(27, 5, 4, 2))
op("matmul", A, SQUARE, False, True)
op("linalg.matvec", SQUARE, ROW)
op("tensordot", A, TALL, 1)
op("tensordot", A, TALL, [[1], [0]])
op("tensordot", CUBE, draw(28, 4, 3), axes=[[1, 2], [1, 0]])
op("tensordot", CUBE, CUBE, axes=3)
op("tensordot", ROW, ROW, 0)
for equation, operands in {
    "ij,jk->ik": (A, TALL),
    "ij,kj->ik": (A, B),
    "ij->ji": (A,),
    "ij->i": (A,),
    "ij,ij->": (A, B),
    "bij,bjk->bik": (BATCH, OTHER),
    "bij,j->bi": (BATCH, draw(29, 4)),
    "i,j->ij": (ROW, ROW),
    "bi,bi->b": (A, B),
}.items():
    op("einsum", equation, *operands)

op("norm", A)
op("norm", A, axis=1)
op("norm", A, ord=1, axis=1)
op("norm", A, ord=np.inf, axis=0)
op("norm", A, ord=2, axis=1, keepdims=True)
op("norm", A, ord=3)
op("trace", SQUARE)
op("diag", ROW)
op("diag_part", SQUARE)
op("matrix_diag", A)
op("matrix_diag_part", BATCH)
op("linalg.diag", ROW)
op("linalg.diag_part", SQUARE)
op("eye", 3)
op("eye", 2, 3)
op("eye", 2, dtype="tf.float64")
op("eye", 2, batch_shape=[2])
op("matrix_transpose", CUBE)
op("linalg.transpose", A)
WELL = (SQUARE @ SQUARE.T + 3 * np.eye(3)).astype(np.float32)
op("matrix_inverse", WELL)
op("matrix_determinant", WELL)
op("matrix_solve", WELL, TALL)
op("cholesky", WELL, grad=False)

SORTED, ANY = np.array([0, 0, 1, 3], np.int32), np.array([2, 0, 2, 1], np.int64)
ROWS = draw(30, 4, 3)
for name in words("sum mean max min prod"):
    op(f"segment_{name}", ROWS, SORTED)
    op(f"unsorted_segment_{name}", ROWS, ANY, 3)
op("segment_sum", INTS.T.copy(), np.array([0, 1, 1], np.int64))
op("unsorted_segment_sum", ROWS, ANY, num_segments=4)
op("unsorted_segment_sum", ROWS, np.array([0, -1, 1, 0], np.int32), 2)
op("unsorted_segment_sum", draw(31, 2, 2), np.array([[0, 1], [1, 0]], np.int32), 2)
op("bincount", np.array([1, 1, 3], np.int32))
op("confusion_matrix", np.array([0, 1, 1], np.int32), np.array([1, 1, 0], np.int32), num_classes=2)
op("reduce_sum", Raw(np.array([[1.0, 2.0], [3.0, 4.0]])), axis=0)
op("reduce_sum", [1, 2, 3])
op("reduce_mean", [1.0, 2.0])
op("reduce_sum", [COLUMN, COLUMN])
op("reduce_max", UNIT, 0, False, "largest")
op("reduce_mean", POSITIVE, name="mean_of_it", axis=0)
