"""The array methods that take their arguments in another form than NumPy's functions do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from .dispatch import apply
from .operators import ArrayOperators
from .registry import PRIMITIVES, defvjp
from .tensor import Tensor

__all__ = ["ArrayMethods"]


def astype(value: Any, dtype: Any) -> Any:
    """Return ``value`` in another type; the tape casts the gradient back."""
    return value.astype(dtype)


ASTYPE = defvjp(astype, lambda g, y, x, dtype: g, linear=True)


class ArrayMethods(ArrayOperators):
    """ndarray's methods, each as NumPy documents it."""

    __slots__ = ()

    if TYPE_CHECKING:  # made from NumPy's functions in `operators`

        def __getattr__(self, name: str) -> Any: ...

    def astype(self, dtype: Any, copy: bool = True) -> Any:
        """Return the value in another type, recorded where that is a float."""
        del copy
        target = np.dtype(dtype)
        if target.kind in "biu":
            return self._value.astype(target)
        return apply(ASTYPE, (self, target))

    def reshape(self, *shape: Any, order: Any = "C") -> Any:
        """Return the same elements in another shape: ``x.reshape(2, 3)`` or ``x.reshape((2, 3))``."""
        sizes = shape[0] if len(shape) == 1 else shape
        return apply(PRIMITIVES[np.reshape], (self, sizes), None if order == "C" else {"order": order})

    def transpose(self, *axes: Any) -> Any:
        """Return the axes in another order, reversed by default."""
        order = axes[0] if len(axes) == 1 else axes
        return np.transpose(self, order or None)

    def compress(self, condition: Any, axis: Any = None) -> Any:
        """Return the slices along an axis for which the condition holds."""
        return np.compress(condition, self, axis)

    def flatten(self, order: Any = "C") -> Any:
        """Return a one-dimensional copy."""
        flat = np.ravel(self, order=order)
        return flat.copy() if isinstance(flat, np.ndarray) else flat

    def item(self, *index: Any) -> Any:
        """Return one element as a Python number, without gradient."""
        return self._value.item(*index)

    def tolist(self) -> Any:
        """Return nested lists of Python numbers, without gradient."""
        return self._value.tolist()

    def copy(self, order: Any = "C") -> Any:
        """Return a copy, recorded."""
        return np.copy(self, order=order)


Tensor.__bases__ = (ArrayMethods, _core._Tensor)  # ArrayMethods in place of Operand, from which it comes too
