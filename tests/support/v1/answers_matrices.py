"""Programs of matrices: three diagonals, triangular factors, ranks, roots; sampled classes, sums with a shape."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph, run, tried

FULL = np.array([[2.0, 1.0, 0.0, 0.0], [-1.0, 3.0, 0.5, 0.0], [0.0, 1.0, 4.0, 2.0], [0.0, 0.0, 1.0, 5.0]])
PACKED = np.array([[1.0, 0.5, 2.0, 0.0], [2.0, 3.0, 4.0, 5.0], [0.0, -1.0, 1.0, 1.0]])


@graph
def three_diagonals(tf: Any) -> Any:
    packed, full, right = tf.constant(PACKED), tf.constant(FULL), tf.constant([1.0, 2.0, 3.0, 4.0], tf.float64)
    solve = tf.linalg.tridiagonal_solve
    columns = tf.stack([right, 2.0 * right + 1.0], -1)
    parts = [packed[0], packed[1], packed[2]]
    found = [
        solve(packed, right),
        solve(packed, columns),
        solve(packed, tf.transpose(columns), transpose_rhs=True),
        solve(full, right, diagonals_format="matrix"),
        solve(parts, right, diagonals_format="sequence"),
        solve(tf.stack([packed, 2.0 * packed]), tf.stack([columns, columns])),
    ]
    slopes = tf.gradients(found[1], [packed, columns])
    refused = tried(
        lambda: solve(packed, right[:3]),
        lambda: solve(packed[:2], right),
        lambda: solve(packed, right, diagonals_format="else"),
        lambda: solve(parts[:2], right, diagonals_format="sequence"),
    )
    return [run(tf, found), run(tf, slopes), [each.shape.as_list() for each in found], refused]


@graph
def triangular_factors_used(tf: Any) -> Any:
    factors = tf.linalg.lu(tf.constant(np.stack([FULL, FULL.T + np.eye(4)[::-1]])))
    right = tf.ones([2, 4, 3], tf.float64)
    found = [
        tf.linalg.lu_reconstruct(*factors),
        tf.linalg.lu_solve(*factors, right),
        tf.linalg.lu_matrix_inverse(*factors),
    ]
    ranks = tf.linalg.matrix_rank(tf.constant(np.stack([FULL, np.outer(FULL[0], FULL[1]), np.zeros((4, 4))])))
    return [run(tf, found), run(tf, ranks), [each.shape.as_list() for each in found]]


@graph
def slopes_of_roots(tf: Any) -> Any:
    x = tf.constant(np.stack([FULL, FULL.T @ FULL]))
    root = tf.linalg.sqrtm(x)
    return run(tf, [root, tf.gradients(root, x, tf.constant(np.stack([FULL, FULL.T])))[0]])


@graph
def products_that_turn_twice(tf: Any) -> Any:
    x = tf.ones([2, 2])
    return [
        tried(lambda: tf.matmul(x, x, transpose_a=True, adjoint_a=True)),
        tried(lambda: tf.matmul(x, x, transpose_b=True, adjoint_b=True)),
        run(tf, tf.matmul(x, x, transpose_a=True, adjoint_b=True)),
    ]


@graph
def classes_sampled_by_chance(tf: Any) -> Any:
    true = np.array([[1, 2], [0, 4], [3, 3]])
    hits = tf.nn.compute_accidental_hits(tf.constant(true), tf.constant(np.array([3, 0, 2, 3])), 2)
    all_ = tf.nn.all_candidate_sampler(tf.constant(true), 2, 5, True)
    rows, places, weights = run(tf, list(hits))
    order = np.lexsort((places, rows))
    return [rows[order], places[order], weights, run(tf, list(all_)), [each.dtype.name for each in hits]]


@graph
def sums_with_a_shape(tf: Any) -> Any:
    x = tf.constant([1.0, 2.0])
    return [
        run(tf, tf.accumulate_n([x, x, x], shape=[2])),
        tried(lambda: tf.accumulate_n([x, x], tensor_dtype=tf.int32)),
    ]


@graph
def identities_as_operators(tf: Any) -> Any:
    right = tf.constant(np.arange(12.0).reshape(2, 3, 2))
    plain = tf.linalg.LinearOperatorIdentity(3, batch_shape=[2], dtype=tf.float64)
    scaled = tf.linalg.LinearOperatorScaledIdentity(3, tf.constant([2.0, -3.0], tf.float64))
    found = []
    for each in (plain, scaled):
        values = [each.to_dense(), each.matmul(right), each.matmul(right[0]), each.solve(right), each.diag_part()]
        found.append(run(tf, [*values, each.determinant(), each.log_abs_determinant(), each.trace()]))
        found.append([each.shape.as_list(), each.batch_shape.as_list(), each.is_square, each.is_self_adjoint])
    refused = tried(
        lambda: tf.linalg.LinearOperatorIdentity(-1),
        lambda: tf.linalg.LinearOperatorIdentity(1.5),
        lambda: tf.linalg.LinearOperatorIdentity(2, is_square=False),
        lambda: tf.linalg.LinearOperatorScaledIdentity([2], 1.0),
    )
    return [found, refused]


@graph
def integers_where_fractions_come_out(tf: Any) -> Any:
    square, row = tf.placeholder(tf.int32, [2, 2]), tf.placeholder(tf.int64, [2])
    return tried(
        lambda: tf.linalg.det(square),
        lambda: tf.linalg.inv(square),
        lambda: tf.linalg.cholesky(square),
        lambda: tf.nn.l2_loss(row),
        lambda: tf.math.reciprocal_no_nan(row),
    )
