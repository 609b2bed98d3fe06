"""Complex numbers: made of two real ones, and their parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...ops.dispatch import conjugated
from ..graph import shape_inference
from ..graph.bound_names import name_functions
from ..graph.build import REAL, call, convert, dtype_of
from ..graph.dtypes import DType
from ..graph.mode import executing_eagerly
from ..graph.run_values import array_of
from .creation_ops import zeros_like
from .sparse_ops import convert_to_tensor

__all__ = ["angle", "complex", "conj", "imag", "real"]

_COMPLEX = {"float32": "complex64", "float64": "complex128"}


def complex(real: Any, imag: Any, name: str | None = None) -> Any:
    """Return ``real + 1j * imag``; of float32 numbers complex64, of float64 ones complex128.

    Raises TypeError for two types, and for other ones.
    """
    if not executing_eagerly():
        real = convert(real, name="real")
        imag = convert(imag, name="imag")
    kinds = dtype_of(real), dtype_of(imag)
    if kinds[0] != kinds[1] or kinds[0].name not in _COMPLEX:
        raise TypeError(f"real and imag have incorrect types: {kinds[0].name} {kinds[1].name}")
    dtype = _COMPLEX[kinds[0].name]
    unit = np.dtype(dtype).type(1j)

    def made(x: Any, y: Any) -> Any:
        return x.astype(dtype) + y.astype(dtype) * unit

    return call("Complex", made, (real, imag), name=name, shape=shape_inference.broadcast, dtype=dtype)


def _of_complex(op_type: str, function: Any, dtype: Any, of_real: Callable[[Any], Any], text: str) -> Any:
    """Return a function of complex numbers, and what it is of real ones."""

    def operation(input: Any, name: str | None = None) -> Any:
        tensor = convert_to_tensor(input, name=name)  # in eager mode of a variable too: its value, as it is now
        kind: DType = dtype_of(tensor)
        if not kind.is_complex:
            if kind.dtype.kind == "O" and op_type != "Imag":
                if op_type == "Conj":
                    raise TypeError(f"Expected numeric or variant tensor, got dtype {kind!r}.")
                raise TypeError(f"input must be a numeric tensor, but got tensor with dtype {kind}")
            return of_real(tensor)
        return call(op_type, function, (tensor,), name=name, shape=shape_inference.same, dtype=dtype)

    operation.__doc__ = text
    return operation


def _angle_of_real(x: Any) -> Any:
    def angles(value: Any) -> Any:
        plain = array_of(value)
        return np.where(plain < 0, np.pi, 0).astype(plain.dtype)

    return call("Select", angles, (x,), shape=shape_inference.same, differentiable=False)


real = _of_complex("Real", np.real, REAL, lambda x: x, "Return the real part; real numbers as they are.")
imag = _of_complex("Imag", np.imag, REAL, zeros_like, "Return the imaginary part, zeros of real numbers.")
_conj = _of_complex("Conj", lambda x: conjugated(x), None, lambda x: x, "")
angle = _of_complex("Angle", np.angle, REAL, _angle_of_real, "Return the angle: of real numbers 0 or pi.")


def conj(x: Any, name: str | None = None) -> Any:
    """Return the conjugate; real numbers as they are."""
    return _conj(x, name)


name_functions(__name__)
