"""Decompositions of matrices, and what is solved by them."""

from __future__ import annotations

import numpy as np
from op_cases import CUBE, case, draw, each, op

SQUARE = draw(71, 3, 3, dtype=np.float64)
PAIR = draw(72, 2, 3, 3, dtype=np.float64)
TALL, FLAT = draw(73, 4, 3, dtype=np.float64), draw(74, 2, 3, dtype=np.float64)
DEFINITE = (SQUARE @ SQUARE.T + 2 * np.eye(3)).round(3)
BOTH = (PAIR @ np.swapaxes(PAIR, -1, -2) + 2 * np.eye(3)).round(3)
RIGHT = draw(75, 3, 2, dtype=np.float64)

op("cholesky", DEFINITE)
op("cholesky", BOTH)
op("linalg.logdet", DEFINITE)
op("linalg.slogdet", SQUARE)
op("matrix_triangular_solve", np.tril(DEFINITE), RIGHT)
op("matrix_triangular_solve", DEFINITE, RIGHT, lower=False)
op("matrix_triangular_solve", DEFINITE, RIGHT, adjoint=True)
op("cholesky_solve", np.linalg.cholesky(DEFINITE), RIGHT)
op("matrix_solve_ls", TALL, draw(76, 4, 2, dtype=np.float64), grad=False)
op("matrix_solve_ls", TALL, draw(76, 4, 2, dtype=np.float64), 0.3)
op("matrix_solve_ls", FLAT, draw(77, 2, 1, dtype=np.float64), 0.2, grad=False)
# Columns that depend on each other, and a weight that would be left out.
op("matrix_solve_ls", np.c_[TALL, TALL.sum(1)], draw(76, 4, 2, dtype=np.float64), 0.3, fast=False, grad=False)
op("matrix_solve_ls", FLAT, draw(77, 2, 1, dtype=np.float64), fast=False, grad=False)
op("linalg.sqrtm", DEFINITE, grad=False)
op("self_adjoint_eigvals", DEFINITE)
op("svd", TALL, compute_uv=False)
op("linalg.adjoint", CUBE)
op("linalg.normalize", DEFINITE)
op("linalg.normalize", DEFINITE, axis=0)
op("linalg.normalize", DEFINITE, ord=1, axis=-1)
op("linalg.matvec", DEFINITE, RIGHT[:, 0])
op("linalg.matvec", TALL, RIGHT[:, 0])
op("linalg.matvec", TALL, draw(78, 4, dtype=np.float64), transpose_a=True)

# Vectors are found but for their signs: what is compared has none.
each(
    {
        "svd gives the matrix back": lambda tf, x: (lambda s, u, v: tf.matmul(u * s, v, adjoint_b=True))(*tf.svd(x)),
        "svd's vectors have their shapes": lambda tf, x: [tf.abs(part) for part in tf.svd(x)],
        "svd's vectors with full matrices": lambda tf, x: tf.abs(tf.svd(x, full_matrices=True)[2]),
        "qr gives the matrix back": lambda tf, x: tf.matmul(*tf.qr(x)),
        "qr's parts have their shapes": lambda tf, x: [tf.abs(part) for part in tf.qr(x)],
        "qr of full matrices": lambda tf, x: tf.abs(tf.qr(x, full_matrices=True)[1]),
    },
    TALL,
    grad=False,
)


@case(DEFINITE, grad=False)
def eigenvalues_and_the_squares_of_vectors(tf, x):
    values, vectors = tf.self_adjoint_eig(x)
    return [values, tf.square(vectors)]


@case(DEFINITE, RIGHT)
def a_gaussian_process(tf, kernel, y):
    factor = tf.cholesky(kernel)
    alpha = tf.matrix_triangular_solve(factor, y, lower=True)
    fit = -0.5 * tf.reduce_sum(tf.square(alpha))
    return fit - tf.reduce_sum(tf.log(tf.matrix_diag_part(factor)))


@case(TALL, draw(76, 4, 2, dtype=np.float64))
def least_squares_with_a_weight_that_is_a_tensor(tf, x, y):
    return tf.matrix_solve_ls(x, y, tf.reduce_mean(tf.square(x)))
