"""Programs of matrices that have no inverse, no factor, no basis of eigenvectors, and of batches that differ."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import eager, graph


def _run(tf: Any, *tensors: Any) -> Any:
    with tf.Session() as session:
        return session.run(tensors)


@graph
def factors_of_what_is_not_definite(tf):
    chol = tf.linalg.cholesky(np.array([[[1.0, 2.0], [2.0, 1.0]], [[2.0, 1.0], [1.0, 2.0]]]))
    lower = tf.linalg.band_part(tf.ones([2, 2], tf.float64), -1, 0) > 0
    slope = tf.linalg.lstsq(np.array([[1.0, 2], [2, 4], [1, 2]]), np.ones((3, 1)))
    return _run(tf, tf.boolean_mask(chol, lower, axis=1), slope)


@graph
def triangles_with_zeros_on_the_diagonal(tf):
    singular = [
        [[1.0, 0, 0], [-1, 0, 0], [0, -1, 1]],
        [[1, 0, 0], [-1, 1, 0], [0, -1, 0]],
        [[1, 0, 0], [-1, 1, 0], [0, -1, 1]],
    ]
    right = [[3.0], [5.0], [1.0]]
    return _run(
        tf,
        tf.linalg.triangular_solve(singular, right),
        tf.linalg.triangular_solve(singular, right, adjoint=True),
        tf.linalg.triangular_solve([[1.0, 2.0], [0.0, 0.0]], [[2.0], [0.0]], lower=False),
    )


@graph
def solutions_for_batches_that_differ(tf):
    a = np.array([[[1.0, 5], [2, 3]]] * 3)
    b = np.array([[1.0], [2.0]])
    solved = tf.linalg.triangular_solve(a, b)
    both = tf.linalg.triangular_solve(np.ones((2, 1, 2, 2)), np.ones((3, 2, 1)))
    chol = tf.linalg.cholesky_solve(a, b)
    rows = np.array([[1, 0]] * 3, np.int32)
    lu = [tf.linalg.lu_solve(a, rows, b), tf.linalg.lu_solve(a[0], rows[0], np.stack([b, b, 2 * b]))]
    shapes = [each.shape.as_list() for each in (solved, both, chol, *lu)]
    x, y = tf.constant(a), tf.constant(b)
    slopes = tf.gradients(tf.linalg.triangular_solve(x, y), [x, y])
    return shapes, _run(tf, solved, both, chol, *lu, *slopes)


@graph
def ranks_by_tolerances_that_are_broadcast(tf):
    x = np.stack([np.diag([0.1, 0.2, 0.3])] * 2)
    by_value = tf.linalg.matrix_rank(x, tol=[0.15, 0.25, 0.05])
    by_matrix = tf.linalg.matrix_rank(x, tol=[[0.15], [0.25]])
    more = tf.linalg.matrix_rank(x[0], tol=[[0.09], [0.19], [0.29], [0.31]])
    return [each.shape.as_list() for each in (by_value, by_matrix, more)], _run(tf, by_value, by_matrix, more)


@graph
def decompositions_of_what_is_no_number(tf):
    x = np.array([[[1, np.nan], [0, 1]], [[3, 0], [0, 2.0]]])
    sizes = np.array([[[np.nan, 1], [1, 1]], [[np.inf, 1], [1, 1]], [[np.inf, np.inf], [1, 1]]])
    return _run(tf, tf.linalg.svd(x, compute_uv=False), tf.linalg.slogdet(sizes), tf.linalg.det(sizes))


@graph
def eigenvalues_of_what_is_no_number(tf):
    return _run(tf, tf.linalg.eigvalsh(np.array([[1, np.nan], [np.nan, 1]])))


@graph
def functions_of_matrices_without_a_basis(tf):
    jordan = np.array([[2.0, 1, 0], [0, 2, 1], [0, 0, 2]])
    turn = np.array([[1.0, 2, 3], [0, 1, 4], [5, 6, 1]])
    mixed = turn @ jordan @ np.linalg.inv(turn)
    return _run(
        tf,
        tf.linalg.sqrtm(jordan),
        tf.round(tf.linalg.sqrtm(mixed) * 1e7),
        tf.round(tf.real(tf.linalg.sqrtm(mixed.astype(complex))) * 1e7),
        tf.linalg.sqrtm(np.array([[0.0, -1], [1, 0]])),
        tf.linalg.sqrtm(np.array([[[-1.0, 0], [0, 2]], [[4, 0], [0, 4]]])),
        tf.linalg.logm(jordan.astype(complex)),
        tf.round(tf.real(tf.linalg.logm(mixed.astype(complex))) * 1e7),
        tf.linalg.logm(np.array([[0, 1], [0, 2]], complex)),
        tf.linalg.logm(np.array([[-1, 1], [0, 2]], complex)),
    )


@graph
def tridiagonal_equations_without_a_solution(tf):
    a = tf.constant([[[3.0, 0], [1, 3], [0, 1]], [[1, 0], [2, 2], [0, 1]]], tf.float64)
    b = tf.constant([[1.0, 4], [3, 3]], tf.float64)
    unknown = tf.placeholder_with_default(np.array([[1.0, 2], [3, 4]]), None)
    return _run(
        tf, tf.linalg.tridiagonal_solve(a, b), tf.linalg.tridiagonal_solve(unknown, unknown, diagonals_format="matrix")
    )


@graph
def tridiagonal_equations_for_batches_that_differ(tf):
    a = tf.ones([2, 3, 2], tf.float64) * [[1], [3], [1]]
    return tf.linalg.tridiagonal_solve(a, tf.ones([3, 2, 2], tf.float64))


@graph
def eigenvalues_of_any_matrices(tf):
    x = np.array([[[0.0, 1], [-2, 3]], [[4, 0], [0, 5]]], np.float32)
    values = tf.raw_ops.Eig(input=x, Tout=tf.complex64, compute_v=False)[0]
    e, v = tf.raw_ops.Eig(input=x, Tout=tf.complex64)
    again = tf.matmul(v, e[..., None] * tf.linalg.inv(v))
    a = tf.constant(x)
    slope = tf.gradients(tf.reduce_sum(tf.real(tf.raw_ops.Eig(input=a, Tout=tf.complex64)[0] ** 2)), a)
    found = _run(tf, tf.sort(tf.real(values)), tf.sort(tf.real(e)), again, *slope)
    return values.dtype.name, values.shape.as_list(), v.shape.as_list(), found


@graph
def eigenvalues_of_another_type(tf):
    return _run(tf, tf.raw_ops.Eig(input=np.eye(2, dtype=np.float32), Tout=tf.complex128)[0])


@graph
def equations_of_triangular_bands(tf):
    bands = np.array([[1.0, 2, 3, 4], [9, -2, -3, -4], [9, 9, 2, 3]])
    right = np.array([[-1.0, 2], [1, 1], [0, 1], [2, 3]])
    solved = [
        tf.raw_ops.BandedTriangularSolve(
            matrix=bands + np.flip(bands, 0) * (not lower), rhs=right, lower=lower, adjoint=adjoint
        )
        for lower in (True, False)
        for adjoint in (False, True)
    ]
    wide = tf.raw_ops.BandedTriangularSolve(matrix=bands, rhs=np.stack([right] * 3))
    a = tf.constant(bands)
    slope = tf.gradients(tf.raw_ops.BandedTriangularSolve(matrix=a, rhs=right), a)
    return wide.shape.as_list(), _run(tf, *solved, wide, *slope)


@graph
def more_bands_than_rows(tf):
    return tf.raw_ops.BandedTriangularSolve(matrix=np.ones((6, 4)), rhs=np.ones((4, 2)))


@graph
def bands_with_a_zero(tf):
    return _run(tf, tf.raw_ops.BandedTriangularSolve(matrix=np.array([[1.0, 0], [2, 3]]), rhs=np.ones((2, 1))))


@graph
def products_of_three_diagonals(tf):
    parts = [np.arange(6.0).reshape(2, 1, 3) + k for k in range(3)]
    product = tf.raw_ops.TridiagonalMatMul(
        superdiag=parts[0], maindiag=parts[1], subdiag=parts[2], rhs=np.arange(12.0).reshape(2, 3, 2)
    )
    return product.shape.as_list(), _run(tf, product)


@graph
def diagonals_that_do_not_fit(tf):
    one = np.ones((1, 2))
    return tf.raw_ops.TridiagonalMatMul(superdiag=one, maindiag=one, subdiag=np.ones((1, 3)), rhs=np.ones((2, 2)))


@eager
def eigenvalues_of_matrices_with_three_diagonals(tf):
    alpha, beta = np.array([1.0, 2, 3, 4]), np.array([0.5, 0.25, 1.0])
    every = tf.linalg.eigh_tridiagonal(alpha, beta)
    some = tf.linalg.eigh_tridiagonal(alpha, beta, select="i", select_range=(1, 2))
    within = tf.linalg.eigh_tridiagonal(alpha, beta, select="v", select_range=(1.5, 3.5))
    turned = tf.linalg.eigh_tridiagonal(alpha.astype(complex), beta + 1j * beta)
    values, vectors = tf.linalg.eigh_tridiagonal(alpha, beta, eigvals_only=False)
    one = tf.linalg.eigh_tridiagonal([3.0], np.zeros(0, np.float32))
    return every, some, within, turned, values, tf.abs(vectors), one
