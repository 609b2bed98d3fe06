"""What ears hear of spectra: mel scales, cosine transforms, cepstral coefficients; halves of spectra exchanged."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..graph import shape_inference
from ..graph.arguments import as_count, call_with
from ..graph.build import call, shape_of
from ..graph.dtypes import as_dtype
from ..graph.scopes import name_scope
from ..graph.static_values import constant_value
from .sparse_ops import convert_to_tensor

__all__ = ["dct", "fftshift", "idct", "ifftshift", "linear_to_mel_weight_matrix", "mfccs_from_log_mel_spectrograms"]

_BREAK, _HIGH = 700.0, 1127.0  # of the scale: frequency in hertz, and its factor


def _mel(hertz: Any) -> Any:
    return _HIGH * np.log1p(np.asarray(hertz, np.float64) / _BREAK)


def linear_to_mel_weight_matrix(
    num_mel_bins: int = 20,
    num_spectrogram_bins: Any = 129,
    sample_rate: Any = 8000,
    lower_edge_hertz: float = 125.0,
    upper_edge_hertz: float = 3800.0,
    dtype: Any = "float32",
    name: str | None = None,
) -> Any:
    """Return the matrix by which spectra ``[..., bins]`` are multiplied for their shares in triangles of the mel scale.

    Raises ValueError for bins, rates or edges that are no scale. Source: ``tf.signal.linear_to_mel_weight_matrix``.
    """
    kind = as_dtype(dtype)
    rate = constant_value(convert_to_tensor(sample_rate))
    if rate is None:
        raise ValueError("`sample_rate` was a non-constant Tensor. Must be a Python float or a constant Tensor.")
    if num_mel_bins <= 0:
        raise ValueError(f"num_mel_bins must be positive. Got: {num_mel_bins}")
    if lower_edge_hertz < 0.0:
        raise ValueError(f"lower_edge_hertz must be non-negative. Got: {lower_edge_hertz}")
    if lower_edge_hertz >= upper_edge_hertz:
        raise ValueError(f"lower_edge_hertz {lower_edge_hertz:.1f} >= upper_edge_hertz {upper_edge_hertz:.1f}")
    if rate <= 0.0:
        raise ValueError(f"sample_rate must be positive. Got: {rate}")
    if upper_edge_hertz > float(rate) / 2:
        raise ValueError(f"upper_edge_hertz must not be larger than the Nyquist frequency, got {upper_edge_hertz}")
    if not kind.is_floating:
        raise ValueError(f"dtype must be a floating point type. Got: {kind.name}")
    edges = np.linspace(_mel(lower_edge_hertz), _mel(upper_edge_hertz), num_mel_bins + 2)
    lower, centre, upper = edges[:-2], edges[1:-1], edges[2:]

    def weights(bins: int) -> Any:
        places = _mel(np.linspace(0.0, float(rate) / 2, bins)[1:])[:, None]  # the constant has no place on the scale
        rising, falling = (places - lower) / (centre - lower), (upper - places) / (upper - centre)
        return np.pad(np.maximum(0.0, np.minimum(rising, falling)), [(1, 0), (0, 0)]).astype(kind.dtype)

    name = name or "linear_to_mel_weight_matrix"
    known = constant_value(convert_to_tensor(num_spectrogram_bins))
    if known is not None:
        return convert_to_tensor(weights(int(known)), name=name)
    counts = [(num_spectrogram_bins, as_count)]
    return call_with(name, counts, weights, shape=(None, num_mel_bins), name=name, dtype=kind, differentiable=False)


def _cosines(size: int, kind: int, dtype: Any) -> Any:
    n = np.arange(size)
    if kind == 1:
        table = 2 * np.cos(np.pi * n[:, None] * n / (size - 1))
        table[[0, -1]] /= 2  # the ends count once
    elif kind == 2:
        table = 2 * np.cos(np.pi * (2 * n[:, None] + 1) * n / (2 * size))
    elif kind == 3:
        table = 2 * np.cos(np.pi * n[:, None] * (2 * n + 1) / (2 * size))
        table[0] = 1
    else:
        table = 2 * np.cos(np.pi * (2 * n[:, None] + 1) * (2 * n + 1) / (4 * size))
    return table.astype(dtype)


def dct(
    input: Any, type: int = 2, n: Any = None, axis: int = -1, norm: str | None = None, name: str | None = None
) -> Any:
    """Return the cosine transform of real vectors along the last axis, of type 1 to 4; ``norm``: None or "ortho".

    Type 1 takes at least two numbers, and has no other norm. Raises ValueError for what is none of these.

    Source: ``tf.signal.dct``.
    """
    if type not in (1, 2, 3, 4):
        raise ValueError(f"Types I, II, III and IV (I)DCT are supported, got {type}")
    if type == 1 and norm == "ortho":
        raise ValueError("Normalization is not supported for the Type-I DCT.")
    if norm not in (None, "ortho"):
        raise ValueError(f"Unknown normalization. Expected None or 'ortho', got: {norm}")
    if axis != -1:
        raise NotImplementedError(f"axis must be -1. Got: {axis}")
    length = None if n is None else int(n)
    known = shape_of(input) if length is None else (length,)
    if type == 1 and known and known[-1] is not None and known[-1] < 2:
        raise ValueError("Type-I DCT requires the dimension to be greater than one.")
    if length is not None and length < 1:
        raise ValueError(f"n should be a positive integer or None, got {n}")

    def transformed(x: Any) -> Any:
        if length is not None:
            x = x[..., :length]
            x = np.pad(x, [(0, 0)] * (x.ndim - 1) + [(0, length - x.shape[-1])])
        size = x.shape[-1]
        table = _cosines(size, type, np.float64)
        if norm == "ortho":
            scale = np.full(size, math.sqrt(0.5 / size))
            if type != 4:
                scale[0] = math.sqrt(0.25 / size) if type == 2 else math.sqrt(1.0 / size)
            table = table * (scale if type == 2 else scale[:, None])
        return np.matmul(x, table.astype(x.dtype))

    def shape_fn(s: Any) -> Any:
        return s if s is None or length is None else (*s[:-1], length)

    with name_scope(name, "dct"):
        return call("dct", transformed, (convert_to_tensor(input),), shape=shape_fn)


def idct(
    input: Any, type: int = 2, n: Any = None, axis: int = -1, norm: str | None = None, name: str | None = None
) -> Any:
    """Return what `dct` of the type gave, times twice the length without ``norm``. Source: ``tf.signal.idct``."""
    return dct(input, {2: 3, 3: 2}.get(type, type), n, axis, norm, name)


def mfccs_from_log_mel_spectrograms(log_mel_spectrograms: Any, name: str | None = None) -> Any:
    """Return the cepstral coefficients of logarithms of mel spectra.

    Source: ``tf.signal.mfccs_from_log_mel_spectrograms``.
    """
    with name_scope(name, "mfccs_from_log_mel_spectrograms"):
        spectra = convert_to_tensor(log_mel_spectrograms)
        known = shape_of(spectra)
        if known is not None and known[-1] == 0:
            raise ValueError("num_mel_bins must be positive. Got: 0")

        def coefficients(x: Any) -> Any:
            size = x.shape[-1]
            return np.matmul(x, (_cosines(size, 2, np.float64) / math.sqrt(2 * size)).astype(x.dtype))

        return call("mfccs", coefficients, (spectra,), shape=shape_inference.same)


def _rolled(op_type: str, x: Any, axes: Any, name: str | None, places: Any) -> Any:
    def rolled(value: Any) -> Any:
        along = range(value.ndim) if axes is None else np.atleast_1d(axes).tolist()
        for axis in along:
            value = np.roll(value, places(value.shape[axis]), axis)
        return value

    with name_scope(name, op_type):
        return call(op_type, rolled, (convert_to_tensor(x),), shape=shape_inference.same)


def fftshift(x: Any, axes: Any = None, name: str | None = None) -> Any:
    """Return a spectrum with the constant in the middle of its axes. Source: ``tf.signal.fftshift``."""
    return _rolled("fftshift", x, axes, name, lambda size: size // 2)


def ifftshift(x: Any, axes: Any = None, name: str | None = None) -> Any:
    """Return what `fftshift` took. Source: ``tf.signal.ifftshift``."""
    return _rolled("ifftshift", x, axes, name, lambda size: -(size // 2))
