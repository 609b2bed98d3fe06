"""Fourier transforms of the last one, two or three axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...ops.dispatch import Operand
from ..graph import shape_inference
from ..graph.arguments import as_sizes, call_with
from ..graph.bound_names import name_functions
from ..graph.build import call, dtype_of, shape_of
from ..graph.node import Node, Tensor
from ..graph.shapes import text
from .sparse_ops import convert_to_tensor

__all__ = [
    "fft",
    "fft2d",
    "fft3d",
    "ifft",
    "ifft2d",
    "ifft3d",
    "irfft",
    "irfft2d",
    "irfft3d",
    "rfft",
    "rfft2d",
    "rfft3d",
]

Transform = Callable[..., Any]


def _checked(axes: int, shape: Any) -> Any:
    if shape is not None and len(shape) < axes:
        raise ValueError(f"Shape must be at least rank {axes} but is rank {len(shape)}")
    return shape


def _transform(op_type: str, function: Any, axes: int, text: str) -> Transform:
    over = tuple(range(-axes, 0))

    def operation(input: Any, name: str | None = None) -> Any:
        def compute(x: Any) -> Any:
            return function(x, axes=over).astype(x.dtype) if x.size else x

        if not isinstance(input, (Node, Operand)) and np.asarray(input).dtype.kind != "c":
            input = np.asarray(input, np.complex64)  # what is no tensor yet takes the first type that there is
        return call(op_type, compute, (input,), name=name, shape=lambda s: shape_inference.same(_checked(axes, s)))

    operation.__doc__ = text
    return operation


_PARTNERS = {"float32": "complex64", "float64": "complex128", "complex64": "float32", "complex128": "float64"}


def _with_lengths(op_type: str, function: Any, axes: int, inverse: bool, about: str) -> Transform:
    over = tuple(range(-axes, 0))

    def own_lengths(x: Any) -> tuple[int, ...]:
        sizes = list(x.shape[-axes:])
        if inverse:
            sizes[-1] = max(2 * (sizes[-1] - 1), 0)
        return tuple(sizes)

    def compute(lengths: Any, x: Any) -> Any:
        sizes = own_lengths(x) if lengths is None else tuple(lengths)
        if min(sizes) < 0:
            raise ValueError(f"fft_length[{_first_negative(sizes)}] must >= 0, but got: {min(sizes)}")
        if not x.size:  # NumPy has no transform of nothing
            return np.zeros(shape_fn(lengths, x.shape), _PARTNERS[x.dtype.name])
        for axis, size in enumerate(sizes):
            needed = size // 2 + 1 if inverse and axis == axes - 1 else size
            if lengths is not None and x.shape[axis - axes] < needed:
                x = np.pad(x, [(0, 0)] * (x.ndim - axes) + _missing(x.shape[-axes:], sizes, inverse))
                break
        return function(x, s=sizes, axes=over).astype(_PARTNERS[x.dtype.name])

    def shape_fn(lengths: Any, shape: Any) -> Any:
        if _checked(axes, shape) is None:
            return None
        if isinstance(lengths, Tensor):
            return (*shape[:-axes], *((None,) * axes))
        sizes = list(shape[-axes:] if lengths is None else lengths)
        if lengths is not None and min(sizes) < 0:
            return None  # a run refuses it
        if lengths is None and sizes[-1] is not None:
            sizes[-1] = max(2 * (sizes[-1] - 1), 0) if inverse else sizes[-1] // 2 + (sizes[-1] > 0)
        elif not inverse and sizes[-1] is not None:
            sizes[-1] = sizes[-1] // 2 + 1
        return (*shape[:-axes], *sizes)

    def operation(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Any:
        # What is no tensor yet, such as an array of float64, takes the first type that there is.
        tensor = convert_to_tensor(input_tensor, preferred_dtype="complex64" if inverse else "float32")
        own = dtype_of(tensor).base_dtype.name
        if own not in _PARTNERS and not inverse:
            raise ValueError(f"RFFT requires tf.float32 or tf.float64 inputs, got: {tensor}")
        own = own if own in _PARTNERS else "complex64"
        rank = len(known) if (known := shape_of(tensor)) is not None else axes
        if rank < axes:
            raise ValueError(f"Shape {text(known)} must have rank at least {axes}")
        if not isinstance(fft_length, Node) and fft_length is not None and np.shape(fft_length) != (axes,):
            if np.ndim(fft_length) != 1:
                raise ValueError(f"Shape {np.shape(fft_length)} must have rank 1: fft_length")
            raise ValueError(f"Dimension must be {axes} but is {len(fft_length)}: fft_length")
        settings = [(fft_length, as_sizes)]
        return call_with(op_type, settings, compute, (tensor,), shape=shape_fn, name=name, dtype=_PARTNERS[own])

    operation.__doc__ = about
    return operation


def _first_negative(sizes: Any) -> int:
    return next(axis for axis, size in enumerate(sizes) if size < 0)


def _missing(shape: Any, sizes: Any, inverse: bool) -> list[tuple[int, int]]:
    wanted = [*sizes[:-1], sizes[-1] // 2 + 1 if inverse else sizes[-1]]
    return [(0, max(size - have, 0)) for have, size in zip(shape, wanted, strict=True)]


_PLACES = {1: "the last axis", 2: "the last two axes", 3: "the last three axes"}


def _family(axes: int) -> tuple[Transform, Transform, Transform, Transform]:
    place, suffix = _PLACES[axes], "" if axes == 1 else f"{axes}D"
    return (
        _transform(f"FFT{suffix}", np.fft.fftn, axes, f"Return the Fourier transform over {place}."),
        _transform(f"IFFT{suffix}", np.fft.ifftn, axes, f"Return the inverse Fourier transform over {place}."),
        _with_lengths(
            f"RFFT{suffix}", np.fft.rfftn, axes, False, f"Return the Fourier transform of real numbers over {place}."
        ),
        _with_lengths(f"IRFFT{suffix}", np.fft.irfftn, axes, True, f"Return the inverse of `rfft` over {place}."),
    )


fft, ifft, rfft, irfft = _family(1)
fft2d, ifft2d, rfft2d, irfft2d = _family(2)
fft3d, ifft3d, rfft3d, irfft3d = _family(3)

name_functions(__name__)
