"""Operands in eager mode: two values of one operation have one type, as TensorFlow has it; Python's numbers take it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...ops.dispatch import Operand
from ...ops.operators import ArrayOperators
from ...ops.tensor import Tensor
from .dtypes import as_dtype, of_array
from .eager_shapes import EagerShape
from .errors import InvalidArgumentError

__all__ = ["CheckedOperands", "give_tensors_their_methods", "operand"]

_BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul")
_COMPARISONS = ("lt", "le", "gt", "ge")


def mismatch(op_type: str, position: int, expected: Any, got: Any) -> InvalidArgumentError:
    """Return the error for an operand of another type."""
    expected, got = as_dtype(expected).name, as_dtype(got).name
    return InvalidArgumentError(
        None, None, f"cannot compute {op_type} as input #{position} was expected to be a {expected} tensor, not {got}"
    )


def operand(op_type: str, own: np.dtype[Any], other: Any, position: int = 1) -> Any:
    """Return the other operand in the type of the first; InvalidArgumentError for one that is of another type.

    Arrays of floats and Python's numbers are converted.
    """
    if isinstance(other, Operand):
        its: np.dtype[Any] = other._value.dtype  # type: ignore[attr-defined]  # every operand has a value
        if its is not own and its != own:
            raise mismatch(op_type, position, own, its)
    elif isinstance(other, (np.ndarray, np.generic)):
        if other.dtype.kind == own.kind == "f" and other.dtype != own:
            return other.astype(own)
    elif isinstance(other, float) and own.kind in "iub":
        raise mismatch(op_type, position, own, np.float32)
    return other


def _checked(name: str) -> Callable[[Any, Any], Any]:
    method = getattr(ArrayOperators, name)

    def compute(self: Any, other: Any) -> Any:
        return method(self, operand(name, self._value.dtype, other))

    compute.__name__ = name
    return compute


_OPERATORS = [f"__{name}__" for name in (*_BINARY, *_COMPARISONS)] + [f"__r{name}__" for name in _BINARY]
_PLAIN = {name: getattr(ArrayOperators, name) for name in _OPERATORS if hasattr(ArrayOperators, name)}
_CHECKED = {name: _checked(name) for name in _PLAIN}


class CheckedOperands:
    """The operators of eager values, which refuse a value of another type."""

    __slots__ = ()

    locals().update(_CHECKED)


def give_tensors_their_methods(on: bool) -> None:
    """Let the core's tensors have TensorFlow 1's shapes and checks, as eager execution is enabled, or no longer."""
    tensor: Any = Tensor
    if on:
        tensor.shape = property(lambda self: EagerShape(self.value.shape))
        tensor.dtype = property(lambda self: of_array(self.value.dtype))
        tensor.get_shape = lambda self: self.shape
        for name, method in _CHECKED.items():
            setattr(tensor, name, method)
    else:
        for name in ("shape", "dtype", "get_shape", *_CHECKED):
            if name in vars(tensor):
                delattr(tensor, name)
