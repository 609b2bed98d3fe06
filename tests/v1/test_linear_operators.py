"""Every class of ``tf.linalg.LinearOperator``: what it does is what its matrix does; batches, types, open shapes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from linear_operator_cases import blocks, cases, even, kron, numbers, square
from steepest.v1.python.ops.linalg import linear_operator_algebra as algebra
from steepest.v1.python.ops.linalg import linear_operator_test_util as helpers

import steepest.v1 as tf

L = tf.linalg

NAMES = list(cases("float32"))
TYPES = ["float32", "complex128"]


class Run:
    """One operator in a graph: its arrays as constants, or fed with nothing known of their shapes."""

    def __init__(self, name: str, dtype: str, fed: bool) -> None:
        self.feeds: dict[Any, Any] = {}
        self.fed = fed
        make, self.matrix = cases(dtype)[name]
        self.operator = make(self.tensor)
        self.limits = (
            {"rtol": 3e-3, "atol": 3e-3} if dtype in ("float32", "complex64") else {"rtol": 1e-9, "atol": 1e-9}
        )

    def tensor(self, value: Any) -> Any:
        if not self.fed:
            return tf.constant(value)
        node = tf.placeholder(value.dtype)
        self.feeds[node] = value
        return node

    def same(self, got: Any, want: Any) -> None:
        with tf.Session() as session:
            value = session.run(got, self.feeds)
        assert value.dtype == self.matrix.dtype or np.isrealobj(value)
        np.testing.assert_allclose(value, want, **self.limits)
        if not self.fed and got.shape.ndims is not None:
            assert got.shape.is_compatible_with(value.shape)


@pytest.fixture(autouse=True)
def graph() -> Any:
    with tf.Graph().as_default():
        yield


def adjoint(x: Any) -> Any:
    return np.conj(np.swapaxes(x, -1, -2))


@pytest.mark.parametrize("fed", [False, True])
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", NAMES)
def test_an_operator_does_what_its_matrix_does(name: str, dtype: str, fed: bool) -> None:
    run = Run(name, dtype, fed)
    operator, matrix = run.operator, run.matrix
    n = matrix.shape[-1]
    run.same(operator.to_dense(), matrix)
    run.same(operator.shape_tensor(), matrix.shape)
    run.same(operator.diag_part(), np.diagonal(matrix, axis1=-2, axis2=-1))
    run.same(operator.trace(), np.trace(matrix, axis1=-2, axis2=-1))
    run.same(operator.add_to_tensor(run.tensor(matrix + 1)), 2 * matrix + 1)
    if not fed:
        assert operator.shape.as_list() == list(matrix.shape)
    for x in (numbers((*matrix.shape[:-2], n, 2), dtype), numbers((n, 2), dtype)):
        run.same(operator.matmul(run.tensor(x)), matrix @ x)
        run.same(operator.matmul(run.tensor(x), adjoint=True), adjoint(matrix) @ x)
        run.same(operator.matmul(run.tensor(adjoint(x)), adjoint_arg=True), matrix @ x)
    vector = numbers((*matrix.shape[:-2], n), dtype)
    run.same(operator.matvec(run.tensor(vector)), (matrix @ vector[..., None])[..., 0])
    run.same(operator.adjoint().to_dense(), adjoint(matrix))
    run.same(operator.H.matvec(run.tensor(vector)), (adjoint(matrix) @ vector[..., None])[..., 0])


@pytest.mark.parametrize("fed", [False, True])
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", [each for each in NAMES if each != "Zeros"])
def test_what_is_solved(name: str, dtype: str, fed: bool) -> None:
    run = Run(name, dtype, fed)
    operator, matrix = run.operator, run.matrix
    run.same(operator.determinant(), np.linalg.det(matrix))
    run.same(operator.log_abs_determinant(), np.linalg.slogdet(matrix)[1])
    for x in (numbers((*matrix.shape[:-1], 2), dtype), numbers((matrix.shape[-1], 2), dtype)):
        right = x + np.zeros((*matrix.shape[:-2], 1, 1), dtype)
        run.same(operator.solve(run.tensor(x)), np.linalg.solve(matrix, right))
        run.same(operator.solve(run.tensor(x), adjoint=True), np.linalg.solve(adjoint(matrix), right))
        run.same(operator.solve(run.tensor(adjoint(x)), adjoint_arg=True), np.linalg.solve(matrix, right))
    vector = numbers(matrix.shape[:-1], dtype)
    run.same(operator.solvevec(run.tensor(vector)), np.linalg.solve(matrix, vector[..., None])[..., 0])
    run.same(operator.inverse().to_dense(), np.linalg.inv(matrix))
    if operator.is_self_adjoint and operator.is_positive_definite:
        run.same(operator.cholesky().to_dense(), np.linalg.cholesky(matrix))


def test_what_is_made_of_two_operators() -> None:
    a, b = square((), 3, "float64"), square((), 3, "float64")
    full, tril = L.LinearOperatorFullMatrix(a), L.LinearOperatorLowerTriangular(b)
    diag = L.LinearOperatorDiag(np.array([1.0, 2.0, 4.0]), is_positive_definite=True)
    unit = L.LinearOperatorIdentity(3, dtype="float64")
    scaled = L.LinearOperatorScaledIdentity(3, np.float64(5))
    none = L.LinearOperatorZeros(3, dtype="float64")
    ring = L.LinearOperatorCirculant(even((3,), 1), "float64")
    d = np.diag([1.0, 2.0, 4.0])
    kinds = [
        (full.matmul(full), L.LinearOperatorComposition, a @ a),
        (full.matmul(full, adjoint=True), L.LinearOperatorComposition, a.T @ a),
        (unit.matmul(full), L.LinearOperatorFullMatrix, a),
        (full.matmul(unit), L.LinearOperatorFullMatrix, a),
        (full.matmul(none), L.LinearOperatorZeros, 0 * a),
        (none.matmul(unit), L.LinearOperatorZeros, 0 * a),
        (diag.matmul(diag), L.LinearOperatorDiag, d @ d),
        (scaled.matmul(diag), L.LinearOperatorDiag, 5 * d),
        (diag.matmul(tril), L.LinearOperatorLowerTriangular, d @ np.tril(b)),
        (tril.matmul(diag), L.LinearOperatorLowerTriangular, np.tril(b) @ d),
        (ring.matmul(ring), L.LinearOperatorCirculant, None),
        (full.solve(full), L.LinearOperatorComposition, np.eye(3)),
        (diag.solve(tril), L.LinearOperatorLowerTriangular, np.linalg.inv(d) @ np.tril(b)),
        (diag.solve(scaled), L.LinearOperatorDiag, 5 * np.linalg.inv(d)),
        (unit.solve(full), L.LinearOperatorFullMatrix, a),
        (diag.inverse(), L.LinearOperatorDiag, np.linalg.inv(d)),
        (diag.cholesky(), L.LinearOperatorDiag, np.sqrt(d)),
        (full.inverse().inverse(), L.LinearOperatorFullMatrix, a),
        (full.H.H, L.LinearOperatorFullMatrix, a),
        (L.LinearOperatorKronecker([diag, diag]).inverse(), L.LinearOperatorKronecker, np.linalg.inv(kron(d, d))),
        (L.LinearOperatorBlockDiag([diag, full]).H, L.LinearOperatorBlockDiag, blocks(d, a.T)),
    ]
    with tf.Session() as session:
        for operator, kind, matrix in kinds:
            assert type(operator) is kind
            if matrix is not None:
                np.testing.assert_allclose(session.run(operator.to_dense()), matrix, atol=1e-12)
    assert (diag.matmul(diag).is_positive_definite, full.matmul(full).is_square) == (True, True)


def test_what_is_known_must_fit() -> None:
    full, wide = L.LinearOperatorFullMatrix(np.eye(3)), L.LinearOperatorFullMatrix(np.ones((3, 2)))
    refused: list[tuple[type[Exception], str, Callable[[], Any]]] = [
        (ValueError, "always self adjoint", lambda: L.LinearOperatorHouseholder([1.0], is_self_adjoint=False)),
        (ValueError, "non-positive definite", lambda: L.LinearOperatorHouseholder([1.0], is_positive_definite=True)),
        (NotImplementedError, "not square", lambda: L.LinearOperatorBlockDiag([full, wide]).trace()),
        (ValueError, "always singular", lambda: L.LinearOperatorZeros(3, is_non_singular=True)),
        (ValueError, "integer|0-D", lambda: L.LinearOperatorZeros([3])),
        (TypeError, "integer", lambda: L.LinearOperatorZeros(3.0)),
        (ValueError, "mismatched", lambda: L.LinearOperatorToeplitz([1.0, 2.0], [1.0])),
        (ValueError, "at least 2", lambda: L.LinearOperatorCirculant2D([1.0])),
        (ValueError, "self-adjoint operator", lambda: L.LinearOperatorCirculant([1.0], is_self_adjoint=False)),
        (ValueError, "is_non_singular", lambda: L.LinearOperatorInversion(L.LinearOperatorZeros(3))),
        (ValueError, "non square", wide.inverse),
        (ValueError, "Cholesky", full.cholesky),
        (ValueError, "incompatible", lambda: full.matmul(wide, adjoint_arg=True)),
        (TypeError, "same dtype", lambda: L.LinearOperatorComposition([full, L.LinearOperatorDiag([1.0])])),
        (ValueError, "non-empty", lambda: L.LinearOperatorComposition([])),
        (NotImplementedError, "not be square", lambda: wide.solve(np.ones((3, 1)))),
        (
            ValueError,
            "positive",
            lambda: L.LinearOperatorLowRankUpdate(full, full.to_dense(), is_diag_update_positive=False),
        ),
    ]
    for kind, words, make in refused:
        with pytest.raises(kind, match=words):
            make()


def test_assertions_hold_when_a_session_runs() -> None:
    symmetric, other = np.diag([1.0, 2.0]), np.array([[1.0, 2.0], [0.0, 1.0]])
    singular, negative = np.array([[1.0, 1.0], [1.0, 1.0]]), np.diag([1.0, -1.0])
    full = L.LinearOperatorFullMatrix
    known = {"is_self_adjoint": True, "is_positive_definite": True}
    right = [
        full(symmetric).assert_self_adjoint(),
        full(symmetric, is_self_adjoint=True).assert_positive_definite(),
        full(other).assert_non_singular(),
        L.LinearOperatorKronecker([full(symmetric), full(symmetric)]).assert_non_singular(),
        L.LinearOperatorCirculant([2.0, 1.0]).assert_positive_definite(),
        L.LinearOperatorDiag([1.0, 2.0]).assert_non_singular(),
        L.LinearOperatorCirculant(even((4,), 1).astype("complex64")).assert_hermitian_spectrum(),
    ]
    wrong: list[Callable[[], Any]] = [
        lambda: full(other).assert_self_adjoint(),
        lambda: full(singular).assert_non_singular(),
        lambda: full(negative, is_self_adjoint=True).assert_positive_definite(),
        lambda: full(negative, **known).assert_non_singular(),
        lambda: L.LinearOperatorDiag([1.0, 0.0]).assert_non_singular(),
        lambda: L.LinearOperatorDiag([1.0, -1.0]).assert_positive_definite(),
        lambda: L.LinearOperatorCirculant([1.0 + 1j, 2.0]).assert_self_adjoint(),
        lambda: L.LinearOperatorToeplitz([1.0, 2.0], [1.0, 3.0]).assert_self_adjoint(),
        lambda: L.LinearOperatorScaledIdentity(2, 0.0).assert_non_singular(),
        lambda: L.LinearOperatorHouseholder([1.0, 2.0]).assert_positive_definite(),
        lambda: L.LinearOperatorZeros(2).assert_non_singular(),
    ]
    with tf.Session() as session:
        session.run(right)
        for make in wrong:
            with pytest.raises(tf.errors.InvalidArgumentError):
                session.run(make())


def test_an_operator_of_a_program_and_its_rules() -> None:
    class Doubling(L.LinearOperator):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__(tf.float64, is_square=True)

        def _shape(self) -> Any:
            return tf.TensorShape([2, 2])

        def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
            return 2.0 * (L.adjoint(x) if adjoint_arg else x)

    @algebra.RegisterInverse(Doubling)
    def halving(operator: Doubling) -> Any:
        return L.LinearOperatorScaledIdentity(2, np.float64(0.5))

    double = Doubling()
    with tf.Session() as session:
        assert session.run(double.to_dense()).tolist() == [[2, 0], [0, 2]]
        assert session.run(double.determinant()) == 4.0
        assert session.run(double.solve(np.ones((2, 1)))).tolist() == [[0.5], [0.5]]
        assert session.run(double.inverse().to_dense()).tolist() == [[0.5, 0], [0, 0.5]]
    with pytest.raises(ValueError, match="already been registered"):
        algebra.RegisterInverse(Doubling)(halving)
    with pytest.raises(NotImplementedError, match="No cholesky registered"):
        algebra.cholesky(3)


def full_matrix_tests(wrong: float) -> Any:
    """Return a class of tests of a program's, as TensorFlow's own are written."""

    class Full(helpers.SquareLinearOperatorDerivedClassTest):  # type: ignore[misc]
        def operator_and_matrix(
            self, shapes_info: Any, dtype: Any, use_placeholder: bool, ensure_self_adjoint_and_pd: bool = False
        ) -> Any:
            matrix = helpers.random_positive_definite_matrix(list(shapes_info.shape), dtype, True)
            fed = tf.placeholder_with_default(matrix, None) if use_placeholder else matrix
            return L.LinearOperatorFullMatrix(fed, is_self_adjoint=True, is_positive_definite=True), matrix + wrong

        @staticmethod
        def dtypes_to_test() -> Any:
            return [tf.float64, tf.complex128]

    helpers.add_tests(Full)
    return Full


def test_helpers_of_tests_find_what_is_wrong() -> None:
    right, wrong = full_matrix_tests(0.0), full_matrix_tests(0.1)
    names = [name for name in dir(right) if name.startswith("test_") and name != "test_session"]
    assert len(names) == 2 * 2 * 5 * (14 + 4 * 4)
    for name in names[::37]:
        getattr(right(name), name)()
        if "(0, 0)" not in name and "_with_broadcast" not in name:
            if "composite_tensor_gradient" in name:
                continue  # it does not look at the matrix
            with pytest.raises(AssertionError):
                getattr(wrong(name), name)()
    near = helpers.random_normal_correlated_columns([2, 4], dtype=tf.float64, eps=0.0)
    with tf.Session() as session:
        assert np.linalg.matrix_rank(session.run(near)) == 2
        assert np.linalg.matrix_rank(session.run(helpers.random_tril_matrix([3, 3], tf.float64, True))) == 3
