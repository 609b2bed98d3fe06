"""Derivatives of Fourier transforms: transforms again, because the matrix of one is its own transpose."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dispatch import conjugated
from ..registry import LATE_RULES, also_complex, composite, defvjp
from .indexing import picked


def _resized(x: Any, n: int, axis: int) -> Any:
    """Cut an axis at a length, or fill it up with zeros, as a transform does with its argument."""
    size = x.shape[axis]
    if size >= n:
        return x if size == n else picked(x, slice(0, n), axis)
    widths = [(0, 0)] * x.ndim
    widths[axis] = (0, n - size)
    return np.pad(x, widths)


def _halved(x: Any, n: int, axis: int) -> Any:
    """Multiply by how often a transform to n real numbers uses each complex one: twice, but for the ends."""
    counts = np.full(n // 2 + 1, 2.0)
    counts[0] = 1
    if n % 2 == 0:
        counts[-1] = 1
    shape = [1] * x.ndim
    shape[axis] = -1
    return picked(x, slice(0, n // 2 + 1), axis) * counts.reshape(shape)


def _fft_back(g: Any, y: Any, a: Any, n: Any = None, axis: int = -1, norm: Any = None) -> Any:
    return _resized(np.fft.fft(g, None, axis, norm), a.shape[axis], axis)


def _ifft_back(g: Any, y: Any, a: Any, n: Any = None, axis: int = -1, norm: Any = None) -> Any:
    return _resized(np.fft.ifft(g, None, axis, norm), a.shape[axis], axis)


def _rfft_back(g: Any, y: Any, a: Any, n: Any = None, axis: int = -1, norm: Any = None) -> Any:
    n = a.shape[axis] if n is None else n
    return _resized(np.real(np.fft.fft(g, n, axis, norm)), a.shape[axis], axis)


def _irfft_back(g: Any, y: Any, a: Any, n: Any = None, axis: int = -1, norm: Any = None) -> Any:
    n = y.shape[axis]
    return _resized(_halved(np.fft.ifft(g, n, axis, norm), n, axis), a.shape[axis], axis)


def _over_axes(x: Any, s: Any, axes: Any) -> list[tuple[Any, int]]:
    """Return the length and the axis of each transform of several."""
    if axes is None:
        axes = range(x.ndim) if s is None else range(-len(s), 0)
    axes = list(axes)
    lengths = [None] * len(axes) if s is None else [None if n == -1 else n for n in s]
    if len(lengths) != len(axes):
        raise ValueError("Shape and axes have different lengths.")
    return list(zip(lengths, axes, strict=True))


def _fftn(a: Any, s: Any = None, axes: Any = None, norm: Any = None) -> Any:
    for n, axis in reversed(_over_axes(a, s, axes)):
        a = np.fft.fft(a, n, axis, norm)
    return a


def _ifftn(a: Any, s: Any = None, axes: Any = None, norm: Any = None) -> Any:
    for n, axis in reversed(_over_axes(a, s, axes)):
        a = np.fft.ifft(a, n, axis, norm)
    return a


def _rfftn(a: Any, s: Any = None, axes: Any = None, norm: Any = None) -> Any:
    *others, (n, axis) = _over_axes(a, s, axes)
    a = np.fft.rfft(a, n, axis, norm)
    for n, axis in reversed(others):
        a = np.fft.fft(a, n, axis, norm)
    return a


def _irfftn(a: Any, s: Any = None, axes: Any = None, norm: Any = None) -> Any:
    *others, (last, last_axis) = _over_axes(a, s, axes)
    for n, axis in others:
        a = np.fft.ifft(a, n, axis, norm)
    return np.fft.irfft(a, last, last_axis, norm)


def _over_two(several: Any) -> Any:
    def transform(a: Any, s: Any = None, axes: Any = (-2, -1), norm: Any = None) -> Any:
        return several(a, s, axes, norm)

    return transform


_SWAPPED: dict[Any, Any] = {None: "forward", "backward": "forward", "ortho": "ortho", "forward": "backward"}


def _hfft(a: Any, n: Any = None, axis: int = -1, norm: Any = None) -> Any:
    return np.fft.irfft(conjugated(a), n, axis, _SWAPPED[norm])


def _ihfft(a: Any, n: Any = None, axis: int = -1, norm: Any = None) -> Any:
    return np.conjugate(np.fft.rfft(a, n, axis, _SWAPPED[norm]))


def _fftshift(x: Any, axes: Any = None) -> Any:
    axes = tuple(range(x.ndim)) if axes is None else axes if isinstance(axes, (tuple, list)) else (axes,)
    return np.roll(x, tuple(x.shape[axis] // 2 for axis in axes), tuple(axes))


def _ifftshift(x: Any, axes: Any = None) -> Any:
    axes = tuple(range(x.ndim)) if axes is None else axes if isinstance(axes, (tuple, list)) else (axes,)
    return np.roll(x, tuple(-(x.shape[axis] // 2) for axis in axes), tuple(axes))


def _declare() -> None:
    fft = np.fft
    rules: dict[Any, Any] = {fft.fft: _fft_back, fft.ifft: _ifft_back, fft.rfft: _rfft_back, fft.irfft: _irfft_back}
    for function, rule in rules.items():
        defvjp(function, rule, linear=True)
    parts: dict[Any, Any] = {
        fft.fftn: _fftn, fft.ifftn: _ifftn, fft.rfftn: _rfftn, fft.irfftn: _irfftn,
        fft.fft2: _over_two(_fftn), fft.ifft2: _over_two(_ifftn),
        fft.rfft2: _over_two(_rfftn), fft.irfft2: _over_two(_irfftn),
        fft.hfft: _hfft, fft.ihfft: _ihfft, fft.fftshift: _fftshift, fft.ifftshift: _ifftshift,
    }  # fmt: skip
    for function, implementation in parts.items():
        composite(function)(implementation)
    also_complex(*rules, *(set(parts) - {fft.rfftn, fft.rfft2, fft.ihfft}))  # which take real numbers


LATE_RULES["numpy.fft"] = _declare  # NumPy imports it when it is first asked for
