"""Programs of operators as values of several tensors, of blocks, and of functions of matrices that take operators."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph

_A = np.array([[2.0, 0.5], [0.5, 3.0]])
_B = np.array([[1.0, 2.0]])
_C = np.array([[4.0]])


def _known(spec: Any) -> Any:
    parts, others, static = spec._serialize()
    told = {
        key: [_known(each) for each in value] if isinstance(value, list) else repr(value)
        for key, value in parts.items()
    }
    return told, sorted(others), static


@graph
def operators_tell_what_they_are_made_of(tf):
    linalg = tf.linalg
    diag = linalg.LinearOperatorDiag([1.0, 2.0])
    made = [
        diag,
        linalg.LinearOperatorIdentity(3, [2]),
        linalg.LinearOperatorTridiag([[1.0, 2.0]] * 3, "sequence"),
        linalg.LinearOperatorCirculant([1.0, 2.0]),
        linalg.LinearOperatorToeplitz([1.0, 2.0], [1.0, 3.0]),
        linalg.LinearOperatorPermutation([1, 0]),
        linalg.LinearOperatorScaledIdentity(3, 2.0),
        linalg.LinearOperatorHouseholder([1.0, 2.0]),
    ]
    found = [_known(each._type_spec) for each in made]
    several = [linalg.LinearOperatorBlockDiag([diag, diag]), linalg.LinearOperatorKronecker([diag, diag])]
    flat = [len(tf.nest.flatten(each, expand_composites=True)) for each in [*made, *several]]
    spec = diag._type_spec
    other = linalg.LinearOperatorDiag([1.0, 2.0])
    same = spec == other._type_spec, hash(spec) == hash(other._type_spec)
    fits = [spec.is_compatible_with(linalg.LinearOperatorDiag(each)) for each in ([3.0, 4.0], [1.0, 2.0, 3.0])]
    return found, flat, same, fits, repr(spec._batch(3)._component_specs)


@graph
def operators_in_functions_and_loops(tf):
    linalg = tf.linalg
    operator = linalg.LinearOperatorBlockDiag([linalg.LinearOperatorDiag([1.0, 2.0]), linalg.LinearOperatorIdentity(1)])
    x = np.ones((3, 1), np.float32)
    doubled = tf.nest.map_structure(lambda part: part * 2.0, operator, expand_composites=True)
    looped = tf.while_loop(
        lambda i, _: i < 3,
        lambda i, each: (i + 1, linalg.LinearOperatorDiag(each.diag * 2.0)),
        (0, linalg.LinearOperatorDiag([1.0, 2.0])),
    )
    chosen = tf.cond(
        tf.constant(False),
        lambda: linalg.LinearOperatorDiag([1.0, 2.0]),
        lambda: linalg.LinearOperatorDiag([5.0, 6.0]),
    )
    y = operator.matmul(x)
    (slope,) = tf.gradients(y, operator)
    (none,) = tf.gradients(tf.ones([2]), operator)
    fetches = [
        tf.function(lambda each: each.matmul(x))(operator),
        doubled.to_dense(),
        looped[1].to_dense(),
        chosen.to_dense(),
        slope.to_dense(),
    ]
    with tf.Session() as session:
        return type(slope).__name__, none is None, session.run(fetches)


@graph
def operators_of_blocks(tf):
    full = tf.linalg.LinearOperatorFullMatrix
    lower = tf.linalg.LinearOperatorBlockLowerTriangular([[full(_A)], [full(_B), full(_C)]])
    diag = tf.linalg.LinearOperatorBlockDiag([full(_B), full(_A)])
    parts = [np.array([[1.0], [2.0]]), np.array([[3.0]])]
    vectors = [each[:, 0] for each in parts]
    whole = np.concatenate(parts)
    fetches = [
        lower.to_dense(),
        lower.matmul(whole),
        lower.matmul(whole.T, adjoint=True, adjoint_arg=True),
        lower.matmul(list(parts)),
        lower.matvec(list(vectors)),
        lower.solve(whole),
        lower.solve(whole, adjoint=True),
        lower.solve([each.T for each in parts], adjoint_arg=True),
        lower.solvevec(list(vectors)),
        lower.inverse().to_dense(),
        lower.determinant(),
        lower.log_abs_determinant(),
        lower.diag_part(),
        lower.trace(),
        diag.to_dense(),
        diag.matmul([np.ones((2, 1)), np.ones((2, 1))]),
    ]
    refused = []
    for make in (
        lambda: tf.linalg.LinearOperatorBlockLowerTriangular([]),
        lambda: tf.linalg.LinearOperatorBlockLowerTriangular([[full(_A)], [full(_B)]]),
        lambda: tf.linalg.LinearOperatorBlockLowerTriangular([[full(_A)], [full(_B), full(_A)]]),
        lambda: tf.linalg.LinearOperatorBlockLowerTriangular([[full(_A)], [full(_B), full(np.float32(_C))]]),
        lambda: diag.trace(),
        lambda: diag.diag_part(),
    ):
        try:
            make()
        except (TypeError, ValueError, NotImplementedError) as error:
            refused.append((type(error).__name__, str(error)[:40]))
    known = type(lower.inverse()).__name__, lower.is_square, diag.shape.as_list(), lower.shape.as_list()
    with tf.Session() as session:
        return known, refused, session.run(fetches)


@graph
def functions_of_matrices_take_operators(tf):
    linalg = tf.linalg
    operator = linalg.LinearOperatorFullMatrix(_A, is_self_adjoint=True, is_positive_definite=True)
    x = np.array([[1.0], [2.0]])
    made = [linalg.adjoint(operator), linalg.cholesky(operator), linalg.inv(operator), tf.matmul(operator, operator)]
    fetches = [
        *[each.to_dense() for each in made],
        linalg.trace(operator),
        linalg.diag_part(operator),
        linalg.det(operator),
        linalg.logdet(operator),
        tf.matmul(operator, x),
        tf.matmul(x.T, operator),
        linalg.solve(operator, x),
    ]
    refused = []
    for make in (
        lambda: linalg.solve(x, operator),
        lambda: tf.matmul(operator, operator, transpose_a=True),
        lambda: linalg.logdet(linalg.LinearOperatorFullMatrix(_A)),
    ):
        try:
            make()
        except ValueError as error:
            refused.append(str(error))
    with tf.Session() as session:
        return [type(each).__name__ for each in made], refused, session.run(fetches)


@graph
def products_of_operators_keep_their_class(tf):
    linalg = tf.linalg
    full = linalg.LinearOperatorFullMatrix(_A, is_non_singular=True)
    made = {
        "blocks": linalg.LinearOperatorBlockDiag([full, full]),
        "scaled": linalg.LinearOperatorScaledIdentity(4, np.array(2.0), is_non_singular=True),
        "circulant": linalg.LinearOperatorCirculant2D(
            np.array([[1.0, 2.0], [3.0, 4.0]]), input_output_dtype=tf.float64
        ),
        "inverse": linalg.LinearOperatorInversion(linalg.LinearOperatorFullMatrix(np.eye(4), is_non_singular=True)),
        "identity": linalg.LinearOperatorIdentity(4, dtype=tf.float64),
    }
    found = {}
    for one, left in made.items():
        for two, right in made.items():
            for each in (left.matmul(right), left.solve(right)):
                hints = each.is_non_singular, each.is_self_adjoint, each.is_positive_definite
                found.setdefault(f"{one} {two}", []).append((type(each).__name__, each.name, hints))
    return found
