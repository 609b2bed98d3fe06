"""More of the catalogue of derivative rules: products of matrices, their decompositions, numeric calculus.

A case is as in `tape_cases`: ``(function, label, f, shapes, low, high)``.
"""

from __future__ import annotations

import itertools

import numpy as np
from numpy_cases import HOLES, call, calls


def linalg_cases():
    yield from _products()
    yield from _norms()
    yield from _decompositions()
    yield from _cumulative()
    yield from _calculus()


def _square(f, n=3):
    """A function of a matrix that is far from singular and from equal eigenvalues."""
    base = np.diag(np.arange(1.0, n + 1) * 2)
    return lambda x: f(x + base)


def _symmetric(f, n=3):
    base = np.diag(np.arange(1.0, n + 1) * 2)
    return lambda x: f((x + np.swapaxes(x, -1, -2)) / 2 + base)


def _products():
    pairs = [((), (3,)), ((2,), (3,)), ((2, 2), (3,)), ((2, 1), (1, 3)), ((2, 3), (2, 1, 2))]
    for a, b in pairs:
        yield call(np.kron, np.kron, [a, b], -1, 1)
    for a, b in [((3,), (3,)), ((2, 3), (3,)), ((4, 1, 3), (2, 3))]:
        yield call(np.cross, np.cross, [a, b], -1, 1)
    yield call(np.cross, lambda a, b: np.cross(a, b, axis=0), [(3, 2), (3, 2)], -1, 1, label="axis")
    yield call(np.cross, lambda a, b: np.cross(a, b, 0, 1, 0), [(3, 2), (2, 3)], -1, 1, label="axes")
    if hasattr(np, "vecdot"):
        yield call(np.vecdot, np.vecdot, [(2, 3), (3,)], -1, 1)
        yield call(np.vecdot, lambda a, b: np.vecdot(a, b, axis=0), [(3, 2), (3, 2)], -1, 1, label="axis")
        yield call(np.linalg.vecdot, np.linalg.vecdot, [(2, 3), (3,)], -1, 1)
        yield call(np.linalg.cross, np.linalg.cross, [(2, 3), (2, 3)], -1, 1)
        yield call(np.linalg.matmul, np.linalg.matmul, [(2, 3), (3, 2)], -1, 1)
        yield call(np.linalg.outer, np.linalg.outer, [(2,), (3,)], -1, 1)
        yield call(np.linalg.tensordot, np.linalg.tensordot, [(2, 3), (2, 3)], -1, 1)
        yield call(np.linalg.diagonal, lambda x: np.linalg.diagonal(x, offset=1), [(2, 3, 3)], -1, 1)
        yield call(np.linalg.trace, np.linalg.trace, [(2, 3, 3)], -1, 1)
        yield call(np.linalg.svdvals, np.linalg.svdvals, [(3, 2)], -1, 1)
        for p in (1, 2, 3.5, np.inf, -np.inf, -1):
            yield call(np.linalg.vector_norm, lambda x, p=p: np.linalg.vector_norm(x, ord=p), label=f"{p}")
            yield call(
                np.linalg.vector_norm,
                lambda x, p=p: np.linalg.vector_norm(x, ord=p, axis=0, keepdims=True),
                label=f"{p} axis",
            )
        for p in ("fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf):
            yield call(np.linalg.matrix_norm, lambda x, p=p: np.linalg.matrix_norm(x, ord=p), [(2, 2, 3)], label=f"{p}")
    if hasattr(np, "matvec"):
        yield call(np.matvec, np.matvec, [(2, 2, 3), (3,)], -1, 1)
        yield call(np.vecmat, np.vecmat, [(2, 3), (3, 4)], -1, 1)
    yield call(np.linalg.multi_dot, lambda a, b, c: np.linalg.multi_dot([a, b, c]), [(2, 3), (3, 4), (4,)], -1, 1)
    for n in (-3, -1, 1, 2, 5):
        yield call(
            np.linalg.matrix_power, _square(lambda x, n=n: np.linalg.matrix_power(x / 4, n)), [(3, 3)], label=f"{n}"
        )
    yield call(
        np.linalg.tensorinv, lambda x: np.linalg.tensorinv(np.reshape(x + 4 * np.eye(6), (2, 3, 6)), 2), [(6, 6)]
    )
    yield call(
        np.linalg.tensorsolve,
        lambda a, b: np.linalg.tensorsolve(np.reshape(a + 4 * np.eye(6), (2, 3, 6)), b),
        [(6, 6), (2, 3)],
    )
    for mode, (m, n) in itertools.product(("full", "same", "valid"), [(5, 3), (3, 5), (4, 4), (5, 2), (2, 5), (1, 3)]):
        for f in (np.convolve, np.correlate):
            yield call(f, lambda a, v, f=f, k=mode: f(a, v, k), [(m,), (n,)], -1, 1, label=f"{mode} {m} {n}")
    yield call(np.convolve, lambda a: np.convolve(a, [1.0, 2.0]), [(4,)], label="list")
    yield call(np.correlate, lambda a: np.correlate(a, [1.0, 2.0]), [(4,)], label="list")


def _norms():
    for p in (None, 1, 2, 3, 0.5, 2.5, np.inf, -np.inf, -1, -2):
        yield call(np.linalg.norm, lambda x, p=p: np.linalg.norm(x, p), [(4,)], label=f"vector {p}")
        for axis, keepdims in itertools.product((0, 1), (False, True)):
            yield call(
                np.linalg.norm,
                lambda x, p=p, a=axis, k=keepdims: np.linalg.norm(x, p, a, k),
                label=f"{p} {axis} {keepdims}",
            )
    for p in (None, "fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf):
        yield call(np.linalg.norm, lambda x, p=p: np.linalg.norm(x, p), label=f"matrix {p}")
        for axes in ((0, 1), (2, 0), (-1, -2)):
            yield call(
                np.linalg.norm,
                lambda x, p=p, a=axes: np.linalg.norm(x, p, a, keepdims=True),
                [(2, 3, 2)],
                label=f"{p} {axes}",
            )
    yield call(np.linalg.norm, np.linalg.norm, [(2, 3, 2)], label="of all")
    for p in (None, 2, -2, 1, np.inf, "fro"):
        yield call(np.linalg.cond, _square(lambda x, p=p: np.linalg.cond(x, p)), [(3, 3)], label=f"{p}")


def _decompositions():
    linalg = np.linalg
    for shape in ((3, 3), (2, 3, 3)):
        yield call(linalg.cholesky, _symmetric(linalg.cholesky), [shape])
        yield call(linalg.cholesky, _square(linalg.cholesky), [shape], label="one triangle")
        yield call(linalg.slogdet, _square(lambda x: linalg.slogdet(x)[1]), [shape])
        yield call(linalg.slogdet, lambda x: linalg.slogdet(x - 4 * np.eye(3)).logabsdet, [shape], label="negative")
        for uplo in "LU":
            yield call(linalg.eigh, _square(lambda x, u=uplo: list(linalg.eigh(x, u))), [shape], label=uplo)
            yield call(linalg.eigvalsh, _square(lambda x, u=uplo: linalg.eigvalsh(x, u)), [shape], label=uplo)
        yield call(linalg.eigh, _symmetric(lambda x: linalg.eigh(x).eigenvectors), [shape], label="symmetric")
    if np.lib.NumpyVersion(np.__version__) >= "2.0.0":
        yield call(linalg.cholesky, _square(lambda x: linalg.cholesky(x, upper=True)), [(3, 3)], label="upper")
    for shape in ((3, 3), (3, 2), (2, 3), (2, 3, 2)):
        low, high = -1, 1
        yield call(linalg.svd, lambda x: list(linalg.svd(x, full_matrices=False)), [shape], low, high)
        yield call(linalg.svd, lambda x: linalg.svd(x, compute_uv=False), [shape], low, high, label="values")
        yield call(linalg.qr, lambda x: list(linalg.qr(x)), [shape], low, high)
        yield call(linalg.qr, lambda x: linalg.qr(x, mode="r"), [shape], low, high, label="r")
        yield call(linalg.pinv, linalg.pinv, [shape], low, high)
    yield call(linalg.svd, lambda x: list(linalg.svd(x)), [(2, 2)], -1, 1, label="square")
    yield call(linalg.svd, lambda x: list(linalg.svd(x)), [(3, 2)], -1, 1, label="one row more")
    yield call(linalg.svd, lambda x: list(linalg.svd(x)), [(2, 3)], -1, 1, label="one column more")
    yield call(linalg.qr, lambda x: list(linalg.qr(x, "complete")), [(2, 3)], -1, 1, label="complete")
    yield call(linalg.pinv, lambda x: linalg.pinv(x @ np.swapaxes(x, -1, -2)), [(3, 2)], -1, 1, label="low rank")
    for a, b in [((4, 2), (4,)), ((4, 2), (4, 3)), ((2, 4), (2,)), ((3, 3), (3, 2))]:
        yield call(linalg.lstsq, lambda a, b: linalg.lstsq(a, b, rcond=None)[0], [a, b], -1, 1, label="solution")
    yield call(linalg.lstsq, lambda a, b: linalg.lstsq(a, b, None)[1], [(4, 2), (4, 2)], -1, 1, label="residuals")
    yield call(linalg.lstsq, lambda a, b: linalg.lstsq(a, b, None)[3], [(4, 2), (4,)], -1, 1, label="singular values")
    yield call(linalg.solve, lambda a: linalg.solve(a + 4 * np.eye(3), [1.0, 2.0, 3.0]), [(3, 3)], label="list")


def _cumulative():
    zero = np.array([1.0, 0.0, 2.0, 3.0])
    for axis in (None, 0, -1):
        yield call(np.cumprod, lambda x, a=axis: np.cumprod(x, axis=a), label=f"{axis}")
        yield call(np.cumprod, lambda x, a=axis: np.cumprod(x * zero, axis=a), label=f"a zero {axis}")
        yield call(np.nancumsum, lambda x, a=axis: np.nancumsum(x + HOLES, axis=a), label=f"{axis}")
        yield call(np.nancumprod, lambda x, a=axis: np.nancumprod(x + HOLES, axis=a), label=f"{axis}")
    yield call(np.cumprod, lambda x: x.cumprod(1) * x.cumprod(axis=0), label="method")
    yield call(np.cumprod, lambda x: np.cumprod(x * np.array([0.0, 2.0, 0.0, 1.0]), axis=1), label="two zeros")
    if hasattr(np, "cumulative_sum"):
        for f in (np.cumulative_sum, np.cumulative_prod):
            yield from calls(
                f,
                [
                    lambda x, f=f: f(x, axis=1),
                    lambda x, f=f: f(x, axis=-2, include_initial=True),
                    lambda x, f=f: f(x[0]),
                ],
            )
    yield from calls(
        np.diff,
        [
            lambda x: np.diff(x, n=2), lambda x: np.diff(x, n=0), lambda x: np.diff(x, prepend=0.0),
            lambda x: np.diff(x, prepend=x[:, :1] * 2, append=[[1.0], [2.0], [3.0]]),
            lambda x: np.diff(x, n=2, axis=0, append=x[0, 0]), lambda x: np.diff(np.ones((3, 4)), prepend=x[:, :2]),
        ],
    )  # fmt: skip
    yield from calls(np.ediff1d, [np.ediff1d, lambda x: np.ediff1d(x, to_begin=x[0, 0] * 2, to_end=[1.0, 2.0])])


def _calculus():
    xs = np.array([0.0, 0.3, 0.35, 0.8])
    yield from calls(np.sinc, [np.sinc, lambda x: np.sinc(x - 0.5), lambda x: np.sinc(x * 0.1)])
    trapezoid = getattr(np, "trapezoid", None) or np.__dict__["trapz"]
    yield from calls(
        trapezoid,
        [
            trapezoid, lambda x: trapezoid(x, dx=0.5, axis=0), lambda x: trapezoid(x, x=xs),
            lambda x: trapezoid(x, x=np.cumsum(x, axis=1)), lambda x: trapezoid(np.ones(4), x=x[0]),
            lambda x: trapezoid(x, x=x[:, 0], axis=0),
        ],
    )  # fmt: skip
    at = np.array([-1.0, 0.1, 0.32, 0.5, 0.9, 0.3])
    yield from calls(
        np.interp,
        [
            lambda x: np.interp(at, xs, x[0]), lambda x: np.interp(x, [0.05, 0.3, 0.7, 0.95], [1.0, 3.0, 2.0, 5.0]),
            lambda x: np.interp(0.4, np.cumsum(x[0]), x[1]), lambda x: np.interp(at, xs, x[0], left=-1.0, right=7.0),
            lambda x: np.interp(x, [0.5], [2.0]),
            lambda x: np.interp(at, xs, x[0], left=x[1, 1]),
        ],
    )  # fmt: skip
    turns = [0.0, 1.0, 3.0, 4.0]
    yield call(
        np.interp, lambda x: np.interp(x * 10, turns, [1.0, 3.0, 2.0, 5.0], period=5.0), low=0, high=1.2, label="period"
    )
    yield from calls(
        np.gradient,
        [
            lambda x: list(np.gradient(x)), lambda x: np.gradient(x, axis=1), lambda x: np.gradient(x, 0.5, axis=-1),
            lambda x: np.gradient(x, xs, axis=1), lambda x: list(np.gradient(x, 2.0, xs)),
            lambda x: list(np.gradient(x, edge_order=2)), lambda x: np.gradient(x, xs, axis=1, edge_order=2),
            lambda x: list(np.gradient(x, 0.5, axis=(1, 0))), lambda x: np.gradient(x[0]),
        ],
    )  # fmt: skip
    yield from calls(
        np.linspace,
        [
            lambda x: np.linspace(x[0, 0], 3.0, 5), lambda x: np.linspace(x[0], x[1] * 2, 4, axis=1),
            lambda x: np.linspace(x[0], 1.0, 4, endpoint=False),
            lambda x: np.linspace(0.0, x[0, 1], 3, retstep=True)[1],
            lambda x: np.linspace(x[0, 0], x[0, 1], 1),
        ],
    )  # fmt: skip
    yield from calls(
        np.logspace, [lambda x: np.logspace(x[0, 0], x[0, 1], 4), lambda x: np.logspace(0, x[0], 3, base=2)]
    )
    yield from calls(
        np.geomspace, [lambda x: np.geomspace(x[0, 0], x[0, 1], 4), lambda x: np.geomspace(-x[0], -9 * x[1], 3)]
    )
    yield from calls(
        np.polyval,
        [lambda x: np.polyval([1.0, 2.0, 3.0], x), lambda x: np.polyval(x[0], 0.5), lambda x: np.polyval(x, x)],
    )
    yield from calls(np.vander, [lambda x: np.vander(x[0]), lambda x: np.vander(x[0], 3, increasing=True)])
    fit = np.polyfit
    yield call(fit, lambda x, y: fit(x, y, 2), [(5,), (5,)])
    yield call(fit, lambda x, y: fit(x, y, 1, w=x * x), [(5,), (5, 2)], label="weights")
    yield call(np.unwrap, lambda x: np.unwrap(x * 8.0, axis=0))
    yield call(np.polymul, lambda x: np.polymul(x[0], x[1, :2]))
    yield from calls(np.polyadd, [lambda x: np.polyadd(x[0], x[1, :2]), lambda x: np.polyadd([1.0, 2.0], x[0])])
    yield from calls(np.polysub, [lambda x: np.polysub(x[0], x[1, :2]), lambda x: np.polysub([1.0, 2.0], x[0])])
    yield from calls(np.polyder, [lambda x: np.polyder(x[0]), lambda x: np.polyder(x[0], 2)])
    yield from calls(np.polyint, [lambda x: np.polyint(x[0]), lambda x: np.polyint(x[0], 2, k=[1.0, 2.0])])
