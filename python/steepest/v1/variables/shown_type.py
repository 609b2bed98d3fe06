"""Variables of eager mode that keep more digits than programs see: slots of half types, and Adam's powers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.tensor import Tensor
from ..graph.dtypes import of_array

__all__ = ["shown_class"]


class ShownType:
    """A base, before an eager variable's class: of one type for programs, while kernels have the array of a wider one.

    TensorFlow keeps such values in the narrow type, and a program's own update rule computes with them in it.
    """

    __slots__ = ()

    _shown: np.dtype[Any]
    _kept: Any

    @property
    def dtype(self) -> Any:
        """The type of an element, as programs see it."""
        return of_array(self._shown)

    @property
    def _value(self) -> Any:
        return self._kept.astype(self._shown)

    def _operand(self) -> Any:
        return self._value

    def _current_leaf(self) -> Any:  # no tape watches what an optimizer keeps
        return Tensor(self._value)

    def __reduce__(self) -> Any:
        whole: Any = super()  # the eager variable's, which is the next base
        make, arguments = whole.__reduce__()
        return _restored, (make, arguments, self._shown)


_made: dict[tuple[type, np.dtype[Any]], type] = {}


def shown_class(kind: type, dtype: np.dtype[Any]) -> type:
    """Return the class of a variable of class ``kind`` that looks like one of type ``dtype``."""
    if (kind, dtype) not in _made:
        _made[kind, dtype] = _class(kind, dtype)
    return _made[kind, dtype]


def _class(kind: type, dtype: np.dtype[Any]) -> type:
    return type(kind.__name__, (ShownType, kind), {"__slots__": (), "__module__": kind.__module__, "_shown": dtype})


def _restored(make: Any, arguments: Any, dtype: np.dtype[Any]) -> Any:
    made = make(*arguments)
    made._show_as(dtype)
    return made
