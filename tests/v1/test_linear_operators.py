"""Every class of ``tf.linalg.LinearOperator``: what it does is what its matrix does; batches, types, open shapes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from steepest.v1.python.ops.linalg import linear_operator_algebra as algebra
from steepest.v1.python.ops.linalg import linear_operator_test_util as helpers

import steepest.v1 as tf

L = tf.linalg
RNG = np.random.default_rng(7)


def numbers(shape: Any, dtype: str) -> Any:
    values = RNG.standard_normal(shape)
    if dtype.startswith("complex"):
        values = values + 1j * RNG.standard_normal(shape)
    return values.astype(dtype)


def square(batch: tuple[int, ...], n: int, dtype: str) -> Any:
    return numbers((*batch, n, n), dtype) + 4 * np.eye(n, dtype=dtype)


def definite(batch: tuple[int, ...], n: int, dtype: str) -> Any:
    x = numbers((*batch, n, n), dtype)
    return x @ np.conj(np.swapaxes(x, -1, -2)) + np.eye(n, dtype=dtype)


def kron(*matrices: Any) -> Any:
    product = matrices[0]
    for right in matrices[1:]:
        a, b = np.broadcast_arrays(product[..., :, None, :, None], right[..., None, :, None, :])
        product = (a * b).reshape(*a.shape[:-4], a.shape[-4] * a.shape[-3], a.shape[-2] * a.shape[-1])
    return product


def blocks(*matrices: Any) -> Any:
    batch = np.broadcast_shapes(*(each.shape[:-2] for each in matrices))
    n = sum(each.shape[-1] for each in matrices)
    whole, at = np.zeros((*batch, n, n), matrices[0].dtype), 0
    for each in matrices:
        whole[..., at : at + each.shape[-1], at : at + each.shape[-1]] = each
        at += each.shape[-1]
    return whole


def circulant(spectrum: Any, depth: int, dtype: str) -> Any:
    n = int(np.prod(spectrum.shape[-depth:]))
    axes = tuple(range(-depth, 0))
    units = np.eye(n).reshape(n, *spectrum.shape[-depth:])
    columns = np.fft.ifftn(np.expand_dims(spectrum, -depth - 1) * np.fft.fftn(units, axes=axes), axes=axes)
    whole = np.swapaxes(columns.reshape(*spectrum.shape[:-depth], n, n), -1, -2)
    return (whole if dtype.startswith("complex") else whole.real).astype(dtype)


def toeplitz(col: Any, row: Any) -> Any:
    n = col.shape[-1]
    at = np.arange(n)[:, None] - np.arange(n)
    return np.where(at >= 0, col[..., np.maximum(at, 0)], row[..., np.maximum(-at, 0)])


def even(shape: Any, depth: int) -> Any:
    """Return eigenvalues of a real circulant matrix, far from 0."""
    return np.fft.fftn(RNG.standard_normal(shape) * 0.3, axes=tuple(range(-depth, 0))) + 3


Made = tuple[Callable[[Callable[[Any], Any]], Any], Any]


def cases(dtype: str) -> dict[str, Made]:
    a, b = square((2,), 3, dtype), square((), 2, dtype)
    diagonal = numbers((2, 3), dtype) + 3
    axis = numbers((2, 3), dtype)
    unit = (axis / np.linalg.norm(axis, axis=-1, keepdims=True))[..., None]
    u, v, d = numbers((2, 3, 2), dtype), numbers((3, 2), dtype), numbers((2,), dtype) + 2
    pd = definite((2,), 3, dtype)
    col, row = numbers((2, 4), dtype), numbers((2, 4), dtype)
    col[..., 0] = row[..., 0] = 5
    full = L.LinearOperatorFullMatrix
    spectra = {
        k: even((2, *sizes), k).astype("complex128" if dtype.endswith(("64", "128")) else "complex64")
        for k, sizes in ((1, (4,)), (2, (2, 3)), (3, (2, 2, 2)))
    }
    spectra = {
        k: each.astype("complex64" if dtype in ("float32", "complex64") else "complex128")
        for k, each in spectra.items()
    }
    known = {"is_self_adjoint": True, "is_positive_definite": True}
    wide = numbers((3, 2), dtype)
    return {
        "FullMatrix": (lambda t: full(t(a)), a),
        "FullMatrix, positive": (lambda t: full(t(pd), **known), pd),
        "LowerTriangular": (lambda t: L.LinearOperatorLowerTriangular(t(a)), np.tril(a)),
        "Diag": (lambda t: L.LinearOperatorDiag(t(diagonal)), diagonal[..., None] * np.eye(3, dtype=dtype)),
        "Identity": (
            lambda t: L.LinearOperatorIdentity(3, [2], dtype=dtype),
            np.eye(3, dtype=dtype) + np.zeros((2, 1, 1), dtype),
        ),
        "ScaledIdentity": (
            lambda t: L.LinearOperatorScaledIdentity(3, t(d)),
            d[:, None, None] * np.eye(3, dtype=dtype),
        ),
        "Adjoint": (lambda t: L.LinearOperatorAdjoint(full(t(a))), np.conj(np.swapaxes(a, -1, -2))),
        "Inversion": (lambda t: L.LinearOperatorInversion(full(t(a))), np.linalg.inv(a)),
        "Composition": (
            lambda t: L.LinearOperatorComposition([full(t(a)), L.LinearOperatorDiag(t(diagonal))]),
            a * diagonal[..., None, :],
        ),
        "Composition, not square inside": (
            lambda t: L.LinearOperatorComposition([full(t(np.swapaxes(wide, 0, 1))), full(t(wide))]),
            wide.T @ wide,
        ),
        "BlockDiag": (lambda t: L.LinearOperatorBlockDiag([full(t(a)), full(t(b))]), blocks(a, b)),
        "Kronecker": (lambda t: L.LinearOperatorKronecker([full(t(a)), full(t(b)), full(t(b + 1))]), kron(a, b, b + 1)),
        "Householder": (
            lambda t: L.LinearOperatorHouseholder(t(axis)),
            np.eye(3, dtype=dtype) - 2 * unit * np.conj(np.swapaxes(unit, -1, -2)),
        ),
        "LowRankUpdate": (
            lambda t: L.LinearOperatorLowRankUpdate(full(t(a)), t(u), t(d), t(v)),
            a + u * d @ np.conj(v.T),
        ),
        "LowRankUpdate, positive": (
            lambda t: L.LinearOperatorLowRankUpdate(full(t(pd), **known), t(u)),
            pd + u @ np.conj(np.swapaxes(u, -1, -2)),
        ),
        "Circulant": (lambda t: L.LinearOperatorCirculant(t(spectra[1]), dtype), circulant(spectra[1], 1, dtype)),
        "Circulant2D": (lambda t: L.LinearOperatorCirculant2D(t(spectra[2]), dtype), circulant(spectra[2], 2, dtype)),
        "Circulant3D": (lambda t: L.LinearOperatorCirculant3D(t(spectra[3]), dtype), circulant(spectra[3], 3, dtype)),
        "Toeplitz": (lambda t: L.LinearOperatorToeplitz(t(col), t(row)), toeplitz(col, row)),
        "Zeros": (lambda t: L.LinearOperatorZeros(3, batch_shape=[2], dtype=dtype), np.zeros((2, 3, 3), dtype)),
    }


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
        (ValueError, "square matrices", lambda: L.LinearOperatorBlockDiag([full, wide])),
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
        full(symmetric).assert_positive_definite(),
        full(other).assert_non_singular(),
        L.LinearOperatorKronecker([full(symmetric), full(symmetric)]).assert_non_singular(),
        L.LinearOperatorCirculant([2.0, 1.0]).assert_positive_definite(),
        L.LinearOperatorDiag([1.0, 2.0]).assert_non_singular(),
        L.LinearOperatorCirculant(even((4,), 1).astype("complex64")).assert_hermitian_spectrum(),
    ]
    wrong: list[Callable[[], Any]] = [
        lambda: full(other).assert_self_adjoint(),
        lambda: full(singular).assert_non_singular(),
        lambda: full(negative).assert_positive_definite(),
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
    assert len(names) == 2 * 2 * 5 * (8 + 4 * 4)
    for name in names[::37]:
        getattr(right(name), name)()
        if "(0, 0)" not in name and "_with_broadcast" not in name:
            with pytest.raises(AssertionError):
                getattr(wrong(name), name)()
    near = helpers.random_normal_correlated_columns([2, 4], dtype=tf.float64, eps=0.0)
    with tf.Session() as session:
        assert np.linalg.matrix_rank(session.run(near)) == 2
        assert np.linalg.matrix_rank(session.run(helpers.random_tril_matrix([3, 3], tf.float64, True))) == 3
