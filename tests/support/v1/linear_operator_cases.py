"""Operators of each class of ``tf.linalg.LinearOperator``, each with its matrix by NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

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
