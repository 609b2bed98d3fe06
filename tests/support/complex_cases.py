"""Complex numbers in the catalogue of derivative rules: what only they have, and how a case is made complex.

A case is as in `tape_cases`: ``(function, label, f, shapes, low, high)``, f here of complex arrays.
"""

from __future__ import annotations

import itertools

import numpy as np
from numpy_cases import call, calls

SQUARE = [(3, 3)]
EXTENDED_NAMES = ("sqrt", "log", "log2", "log10", "power", "arccos", "arcsin", "arctanh")
EXTENDED = [getattr(np.emath, name) for name in EXTENDED_NAMES]
OF_PARTS = "parts"


def parts_of(f):
    """Return a function of real arrays that gives the real and imaginary parts of what f gives."""

    def parts(*args):
        y = f(*args)
        values = y if isinstance(y, (list, tuple)) else [y]
        return [part for z in values for part in ((np.real(z), np.imag(z)) if np.iscomplexobj(z) else (z,))]

    return parts


def on_parts(f):
    """Return f of complex arrays as a function of their real parts, followed by their imaginary parts."""

    def of_real(*args):
        half = len(args) // 2
        return f(*(a + b * 1j for a, b in zip(args[:half], args[half:], strict=True)))

    return parts_of(of_real)


def real_cases():
    """Give what has complex numbers between real arguments and real results."""
    for function, label, f, shapes, *limits in complex_cases():
        yield function, f"{OF_PARTS} {label}", on_parts(f), shapes * 2, *limits
    for function, label, f, *rest in fourier_cases(real=True):
        yield function, label, parts_of(f), *rest
    turn = np.array([[0.0, -1.0, 0.2], [1.0, 0.5, 0.0], [0.3, 0.1, 4.0]])
    for shape in ((3, 3), (2, 3, 3)):
        for label, base in (("real", np.diag([2.0, 4.0, 6.0])), ("complex", turn * 3)):
            yield call(np.linalg.eigvals, parts_of(lambda x, b=base: np.linalg.eigvals(x + b)), [shape], label=label)
            for part in (0, 1):
                f = lambda x, b=base, p=part: np.linalg.eig(x + b)[p]  # noqa: E731
                f = parts_of(f) if part == 0 or label == "real" else lambda x, f=f: np.abs(f(x))
                yield call(np.linalg.eig, f, [shape], label=f"{label} {part} {shape}")
    for function in EXTENDED:
        more = (1.5,) if function is np.emath.power else ()
        f = parts_of(lambda x, f=function, m=more: f(x, *m))
        yield call(function, f, low=0.1, high=0.9, label="inside")
        yield call(function, f, low=-2.1, high=-1.2, label="outside")
    roots = parts_of(lambda x: np.roots(np.concatenate([[1.0], x])))
    yield call(np.roots, roots, [(3,)], label="real and complex")
    yield call(np.roots, roots, [(4,)], -3.0, 3.0, label="four")
    yield call(np.roots, lambda x: np.sort(np.roots(np.stack([1, -x[0] - 3, 3 * x[0]]))), [(1,)], label="real")
    for shape in ((3,), (3, 3)):
        yield call(np.poly, np.poly, [shape], label=f"{shape}")
    for function in (np.real, np.imag, np.angle, np.real_if_close):
        yield call(function, parts_of(lambda x, f=function: f(x) * x), label="real")


def complex_cases():
    for shape in ((), (3,), (2, 3)):
        for function in (np.real, np.imag, np.angle, np.absolute, np.conjugate):
            yield call(function, function, [shape])
    yield call(np.angle, lambda z: np.angle(z, deg=True), label="degrees")
    yield call(np.real_if_close, np.real_if_close, label="complex")
    yield call(np.real_if_close, lambda z: np.real_if_close(np.real(z) + 0j), label="real")
    yield call(np.real, lambda z: z.real * z.imag, label="attributes")
    yield call(np.conjugate, lambda z: z.conj() * z, label="method")
    if hasattr(np, "astype"):
        yield call(np.astype, lambda z: np.astype(z, np.complex128) * z)
    for function in EXTENDED:
        more = (1.5,) if function is np.emath.power else ()
        yield call(function, lambda z, f=function, m=more: f(z, *m), label="complex")
    yield call(np.roots, lambda z: np.roots(np.concatenate([[1.0], z])), [(3,)])
    yield call(np.poly, np.poly, [(3,)])
    yield from _with_eigenvectors()
    yield from _transforms()


def _hermitian(z):
    return z + np.conjugate(np.swapaxes(z, -1, -2)) + np.diag([1.0, 4.0, 9.0])


def _with_eigenvectors():
    """Of eigenvectors and singular vectors only what does not depend on their phases."""
    for shape in ((3, 3), (2, 3, 3)):
        yield call(np.linalg.eigh, lambda z: np.abs(np.linalg.eigh(_hermitian(z))[1]), [shape], label=f"{shape}")
        yield call(np.linalg.eigh, lambda z: _rebuilt(np.linalg.eigh(_hermitian(z))), [shape], label=f"rebuilt {shape}")
        yield call(np.linalg.eigvalsh, lambda z: np.linalg.eigvalsh(_hermitian(z)), [shape], label=f"{shape}")
        yield call(np.linalg.eig, lambda z: np.linalg.eig(z + np.diag([1, 4, 9]))[0], [shape], label=f"values {shape}")
        yield call(np.linalg.eig, lambda z: np.abs(np.linalg.eig(z + np.diag([1, 4, 9]))[1]), [shape], label=f"{shape}")
        yield call(np.linalg.eigvals, lambda z: np.linalg.eigvals(z + np.diag([1, 4, 9])), [shape], label=f"{shape}")
    yield call(np.linalg.eigh, lambda z: np.abs(np.linalg.eigh(_hermitian(z), "U")[1]), SQUARE, label="U")
    for shape in ((3, 3), (4, 3), (3, 4), (2, 3, 4)):
        yield call(np.linalg.svd, lambda z: _usv(z, np.tanh), [shape], label=f"rebuilt {shape}")
        yield call(np.linalg.svd, lambda z: np.linalg.svd(z, compute_uv=False), [shape], label=f"values {shape}")
        for part in (0, 2):
            yield call(
                np.linalg.svd,
                lambda z, p=part: np.abs(np.linalg.svd(z, full_matrices=False)[p]),
                [shape],
                label=f"sizes {part} {shape}",
            )
    yield call(np.linalg.slogdet, lambda z: list(np.linalg.slogdet(z + np.eye(3))), SQUARE, label="both")
    yield call(np.linalg.slogdet, lambda z: list(np.linalg.slogdet(z + np.eye(3))), [(2, 3, 3)], label="stack")


def _rebuilt(parts):
    w, v = parts
    return (v * np.tanh(np.expand_dims(w, -2))) @ np.conjugate(np.swapaxes(v, -1, -2))


def _usv(z, function):
    u, s, vh = np.linalg.svd(z, full_matrices=False)
    return (u * np.expand_dims(function(s), -2)) @ vh


def fourier_cases(real):
    """Give the transforms of real, or of complex, numbers."""
    fft = np.fft
    one = (fft.fft, fft.ifft, fft.rfft, fft.ihfft) if real else (fft.fft, fft.ifft, fft.irfft, fft.hfft)
    for function, n, axis in itertools.product(one, (None, 3, 4, 7), (-1, 0)):
        yield call(function, lambda z, f=function, n=n, a=axis: f(z, n, a), [(4, 5)], label=f"{n} {axis}")
    for function, norm in itertools.product(one, ("ortho", "forward", "backward")):
        yield call(function, lambda z, f=function, m=norm: f(z, norm=m), [(2, 4)], label=norm)
    two = (fft.fft2, fft.ifft2, fft.rfft2) if real else (fft.fft2, fft.ifft2, fft.irfft2)
    several = (fft.fftn, fft.ifftn, fft.rfftn) if real else (fft.fftn, fft.ifftn, fft.irfftn)
    for function in (*two, *several):
        yield call(function, function, [(3, 4)])
        yield call(function, function, [(2, 3, 4)], label="stack")
        yield call(function, lambda z, f=function: f(z, (4, 3), (0, 2)), [(2, 3, 4)], label="lengths and axes")
        yield call(function, lambda z, f=function: f(z, axes=(1, 0), norm="ortho"), [(3, 4)], label="axes")
    yield from calls(fft.fftshift, [fft.fftshift, lambda z: fft.fftshift(z, 1)])
    yield from calls(fft.ifftshift, [fft.ifftshift, lambda z: fft.ifftshift(z, (0, 1))])


def _transforms():
    yield from fourier_cases(real=False)
