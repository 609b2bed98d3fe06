"""The size of one axis, known or not."""

from __future__ import annotations

import operator
from typing import Any, NoReturn

import numpy as np

from ...base.errors import must

__all__ = ["Dimension", "size_of"]


class Dimension:
    """The size of one axis; ``value`` is an int, or None where it is not known.

    It works as an integer where it is known: in arithmetic, as an index, as an argument of NumPy's functions.
    """

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value: int | None = size_of(value)
        if self.value is not None and self.value < 0:
            raise ValueError(f"Dimension {self.value} must be >= 0")

    @property
    def _value(self) -> int | None:
        """The size, under the name by which old libraries ask."""
        return self.value

    def __index__(self) -> int:
        if self.value is None:
            raise TypeError(must("Dimension", "size", "be known to be used as an integer", None, "use tf.shape(x)[i]"))
        return self.value

    __int__ = __index__

    def _with(self, other: Any, compute: Any) -> Any:
        try:
            size = size_of(other)
        except TypeError:
            return NotImplemented
        return Dimension(None if self.value is None or size is None else compute(self.value, size))

    def __add__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a + b)

    def __radd__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: b + a)

    def __sub__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a - b)

    def __rsub__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: b - a)

    def __mul__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a * b)

    def __rmul__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: b * a)

    def __floordiv__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a // b)

    def __rfloordiv__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: b // a)

    def __mod__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a % b)

    def __rmod__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: b % a)

    def __reduce__(self) -> Any:
        return type(self), (self.value,)

    def __float__(self) -> float:
        return float(self.__index__())

    def __truediv__(self, other: Any) -> NoReturn:
        raise TypeError(_no_division("Dimension", type(other).__name__))

    def __rtruediv__(self, other: Any) -> NoReturn:
        raise TypeError(_no_division(type(other).__name__, "Dimension"))

    def _compare(self, other: Any, compute: Any) -> Any:
        """Return what a comparison says, None where a size is not known."""
        try:
            size = size_of(other)
        except TypeError:
            return NotImplemented
        return None if self.value is None or size is None else compute(self.value, size)

    def __eq__(self, other: object) -> Any:  # None is a third answer, as in TensorFlow
        return self._compare(other, operator.eq)

    def __ne__(self, other: object) -> Any:
        return self._compare(other, operator.ne)

    def __lt__(self, other: Any) -> Any:
        return self._compare(other, operator.lt)

    def __le__(self, other: Any) -> Any:
        return self._compare(other, operator.le)

    def __gt__(self, other: Any) -> Any:
        return self._compare(other, operator.gt)

    def __ge__(self, other: Any) -> Any:
        return self._compare(other, operator.ge)

    def __bool__(self) -> bool:
        return bool(self.value)

    def is_compatible_with(self, other: Any) -> bool:
        """Tell whether one axis could have both sizes."""
        size = Dimension(other).value
        return self.value is None or size is None or self.value == size

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raise ValueError where no axis could have both sizes."""
        if not self.is_compatible_with(other):
            raise ValueError(f"Dimensions {self} and {other} are not compatible")

    def merge_with(self, other: Any) -> Dimension:
        """Return what both say together; ValueError where they contradict each other."""
        self.assert_is_compatible_with(other)
        return Dimension(other) if self.value is None else Dimension(self)

    def __hash__(self) -> int:
        return hash(self.value)

    def __repr__(self) -> str:
        return f"Dimension({self.value})"

    def __str__(self) -> str:
        return "?" if self.value is None else str(self.value)


def size_of(value: Any) -> int | None:
    """Return the size that a dimension, a number without a fraction, the text of one or None says, as TensorFlow 1.

    Raises TypeError for anything else.
    """
    if isinstance(value, Dimension):
        return value.value
    if value is None:
        return None
    if hasattr(value, "__index__"):
        return int(value.__index__())
    whole = float(value).is_integer() if isinstance(value, (float, np.floating)) else _is_number(value)
    if not whole:
        raise TypeError(f"Dimension value must be integer or None or have an __index__ method, got {value!r:.60}")
    return int(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, (str, bytes)) and value.strip().isdigit()


def _no_division(left: str, right: str) -> str:
    return f"unsupported operand type(s) for /: '{left}' and '{right}', please use // instead"
