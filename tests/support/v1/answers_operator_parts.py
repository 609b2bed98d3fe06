"""Programs of parts of batches of operators, of their eigenvalues, and of permutations and three diagonals."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph

_M = np.random.RandomState(2).randn(2, 3, 3)


def _each(tf: Any, tensors: Any) -> Any:
    with tf.Session() as session:
        return [each.shape.as_list() for each in tensors], session.run(tensors)


def _all(tf: Any, make: Any, eigenvalues: bool = True) -> Any:
    x = np.arange(6.0).reshape(3, 2)
    operator = make()
    dense = [operator[0], operator[..., None], operator[-1:], operator[None, 1:], operator[tf.constant(1)]]
    return _each(
        tf,
        [
            operator.solve(x),
            operator.solve(x.T, adjoint=True, adjoint_arg=True),
            operator.determinant(),
            operator.log_abs_determinant(),
            operator.diag_part(),
            operator.cond(),
            operator.adjoint().to_dense(),
            *[each.to_dense() for each in dense],
            *([operator.eigvals()] if eigenvalues else []),
        ],
    )


@graph
def operators_that_permute(tf):
    perm = np.array([[1, 0, 2], [2, 0, 1]], np.int32)
    x = np.arange(6.0).reshape(3, 2)
    operator = tf.linalg.LinearOperatorPermutation(perm, dtype=tf.float64)
    turned = [operator.matmul(x), operator.matmul(x.T, adjoint=True, adjoint_arg=True), operator.matvec(x[:, 0])]
    return _each(tf, turned), _all(tf, lambda: operator, eigenvalues=False)


@graph
def permutations_that_are_none(tf):
    found = []
    for make in (
        lambda: tf.linalg.LinearOperatorPermutation([0, 0, 1]),
        lambda: tf.linalg.LinearOperatorPermutation(1),
        lambda: tf.linalg.LinearOperatorPermutation([0.0, 1]),
        lambda: tf.linalg.LinearOperatorPermutation([0, 1], is_non_singular=False),
        lambda: tf.linalg.LinearOperatorTridiag(np.ones((3, 4)), diagonals_format="no"),
    ):
        try:
            make()
        except (TypeError, ValueError) as error:
            found.append(type(error).__name__)
    return found


@graph
def operators_of_three_diagonals(tf):
    three = np.random.RandomState(1).randn(2, 3, 3) + np.array([[0], [4], [0]])
    x = np.arange(12.0).reshape(2, 3, 2)
    found = []
    for diagonals, kind in (
        (three, "compact"),
        (three + 4 * np.eye(3), "matrix"),
        ([three[:, 0], three[:, 1], three[:, 2]], "sequence"),
    ):
        operator = tf.linalg.LinearOperatorTridiag(diagonals, diagonals_format=kind)
        products = [operator.matmul(x), operator.matmul(x, adjoint=True), operator.shape_tensor()]
        found += [_each(tf, products), _all(tf, lambda operator=operator: operator, eigenvalues=False)]
    return found


@graph
def parts_of_operators_of_matrices(tf):
    whole = _M @ _M.transpose(0, 2, 1)
    return [
        _all(tf, lambda: tf.linalg.LinearOperatorFullMatrix(whole, is_self_adjoint=True, is_positive_definite=True)),
        _all(tf, lambda: tf.linalg.LinearOperatorDiag(_M[:, 0])),
        _all(tf, lambda: tf.linalg.LinearOperatorLowerTriangular(_M), eigenvalues=False),
        _all(tf, lambda: tf.linalg.LinearOperatorScaledIdentity(3, np.array([2.0, -3.0]))),
        _all(tf, lambda: tf.linalg.LinearOperatorIdentity(3, batch_shape=[2], dtype=tf.float64)),
        _all(tf, lambda: tf.linalg.LinearOperatorHouseholder(_M[0])),
    ]


@graph
def parts_of_operators_of_operators(tf):
    linalg = tf.linalg
    full, diag = linalg.LinearOperatorFullMatrix, linalg.LinearOperatorDiag
    low = [diag(np.abs(_M[0, :2]) + 1), _M[:, :, :1]]
    return [
        _all(tf, lambda: linalg.LinearOperatorComposition([full(_M), diag(_M[0, 0])]), eigenvalues=False),
        _all(tf, lambda: linalg.LinearOperatorKronecker([full(_M[:, :1, :1]), full(_M[0])]), eigenvalues=False),
        _all(tf, lambda: linalg.LinearOperatorBlockDiag([full(_M[:, :1, :1]), full(_M[0, :2, :2])]), eigenvalues=False),
        _all(tf, lambda: linalg.LinearOperatorLowRankUpdate(*low, is_diag_update_positive=True), eigenvalues=False),
        _all(tf, lambda: linalg.LinearOperatorInversion(full(_M)), eigenvalues=False),
        _all(tf, lambda: linalg.LinearOperatorAdjoint(full(_M)), eigenvalues=False),
        _all(tf, lambda: linalg.LinearOperatorToeplitz(_M[:, 0] + 2, _M[:, 0] + 2), eigenvalues=False),
    ]


@graph
def parts_of_nested_operators_of_other_batches(tf):
    linalg = tf.linalg
    blocks = linalg.LinearOperatorBlockDiag(
        [linalg.LinearOperatorDiag(np.ones([1, 2, 2])), linalg.LinearOperatorDiag(np.ones([3, 5, 2, 2]))]
    )
    operator = linalg.LinearOperatorKronecker(
        [blocks, linalg.LinearOperatorFullMatrix(np.random.RandomState(0).randn(4, 1, 1, 1, 3, 3))]
    )
    parts = [operator[0, ...], operator[0, ..., None], operator[..., None], operator[1:, :, ::2]]
    return _each(tf, [each.batch_shape_tensor() for each in parts] + [parts[1].trace()])


@graph
def parts_by_two_ellipses(tf):
    return tf.linalg.LinearOperatorDiag(np.ones((2, 3, 4)))[..., 0, ...]


@graph
def eigenvalues_of_an_operator_that_is_not_self_adjoint(tf):
    return tf.linalg.LinearOperatorFullMatrix(_M).eigvals()


@graph
def arguments_that_operators_keep(tf):
    return sorted(tf.linalg.LinearOperatorDiag(_M[0], is_square=True).parameters)
