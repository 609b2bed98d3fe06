"""Static shapes of eager values: tuples, as NumPy's are, with what TensorFlow 1's shapes have."""

from __future__ import annotations

from typing import Any

from .shapes import Dimension, TensorShape, as_shape

__all__ = ["EagerShape"]


class _Size(int):
    """The size of an axis; ``value`` is the plain integer."""

    @property
    def value(self) -> int:
        """The size."""
        return int(self)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(Dimension(int(self)), name)

    def __repr__(self) -> str:
        return f"Dimension({int(self)})"

    def __str__(self) -> str:
        return str(int(self))


class EagerShape(tuple[int, ...]):
    """A shape whose sizes are known: ``as_list()``, ``ndims``, ``shape[i].value`` and the like of `TensorShape`."""

    __slots__ = ()

    def __getitem__(self, key: Any) -> Any:
        part = super().__getitem__(key)
        return EagerShape(part) if isinstance(part, tuple) else _Size(part)

    def __add__(self, other: Any) -> Any:
        return EagerShape((*self, *other)) if isinstance(other, (list, tuple)) else TensorShape(tuple(self)) + other

    def __radd__(self, other: Any) -> Any:
        return EagerShape((*other, *self)) if isinstance(other, (list, tuple)) else other + TensorShape(tuple(self))

    def __getattr__(self, name: str) -> Any:
        return getattr(TensorShape(tuple(self)), name)

    def __repr__(self) -> str:
        return repr(TensorShape(tuple(self)))

    def __str__(self) -> str:
        return tuple.__repr__(self)

    def __eq__(self, other: object) -> bool:
        try:
            return tuple(self) == as_shape(other)
        except (TypeError, ValueError):
            return False

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = tuple.__hash__


TensorShape.register(EagerShape)
