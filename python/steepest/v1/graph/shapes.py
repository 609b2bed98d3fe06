"""Static shapes: what is known of a value's shape before a session runs."""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ...base.errors import must
from .dimension import Dimension, size_of
from .shape_protos import TensorShapeProto

__all__ = [
    "Dimension",
    "Shape",
    "TensorShape",
    "as_shape",
    "bracketed",
    "compatible",
    "contradiction",
    "disable_v2_tensorshape",
    "enable_v2_tensorshape",
    "merge",
    "text",
]

Shape = tuple[int | None, ...] | None
"""A shape inside this package: None for a size, or for the whole, that is not known."""


_size: Callable[[int | None], Any] = Dimension


def enable_v2_tensorshape() -> None:
    """Have ``shape[i]`` of nodes be an int or None, as in TensorFlow 2, from now on in this process."""
    global _size
    _size = _plain


def disable_v2_tensorshape() -> None:
    """Have ``shape[i]`` of nodes be a Dimension, which it is by default."""
    global _size
    _size = Dimension


def _plain(size: int | None) -> int | None:
    return size


class TensorShape(metaclass=ABCMeta):  # noqa: B024  # eager shapes are virtual subclasses
    """The static shape of a node: ``as_list()``, ``ndims``, ``is_fully_defined()``, ``shape[i].value``."""

    __slots__ = ("_sizes",)

    def __init__(self, dims: Any) -> None:
        self._sizes = as_shape(dims)

    @property
    def sizes(self) -> Shape:
        """The shape as a tuple of ints and None."""
        return self._sizes

    @property
    def dims(self) -> list[Dimension] | None:
        """The sizes as Dimensions, None where even their number is not known."""
        return None if self._sizes is None else [Dimension(size) for size in self._sizes]

    _dims = dims

    _v2_behavior = False  # sizes are Dimensions

    def __reduce__(self) -> Any:
        return TensorShape, (self.dims,)

    @property
    def ndims(self) -> int | None:
        """The number of axes, None where it is not known."""
        return None if self._sizes is None else len(self._sizes)

    rank = ndims

    def as_proto(self) -> TensorShapeProto:
        """Return the shape with the fields of TensorFlow's message."""
        if self._sizes is None:
            return TensorShapeProto(unknown_rank=True)
        return TensorShapeProto([TensorShapeProto.Dim(-1 if size is None else size) for size in self._sizes])

    def as_list(self) -> list[int | None]:
        """Return the sizes, None for those that are not known; ValueError where their number is not known."""
        if self._sizes is None:
            raise ValueError("as_list() is not defined on an unknown TensorShape.")
        return list(self._sizes)

    def is_fully_defined(self) -> bool:
        """Tell whether every size is known."""
        return self._sizes is not None and None not in self._sizes

    def num_elements(self) -> int | None:
        """Return the number of elements, None where it is not known."""
        if self._sizes is None:
            return None
        total = 1
        for size in self._sizes:
            if size is None:
                return None
            total *= size
        return total

    def is_compatible_with(self, other: Any) -> bool:
        """Tell whether one value could have both shapes."""
        return compatible(self._sizes, as_shape(other))

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raise ValueError where no value could have both shapes."""
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {TensorShape(other)} are incompatible")

    def merge_with(self, other: Any) -> TensorShape:
        """Return what both say together; ValueError where they contradict each other."""
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {TensorShape(other)} are not compatible")
        return TensorShape(merge(self._sizes, as_shape(other)))

    def most_specific_compatible_shape(self, other: Any) -> TensorShape:
        """Return what is true of both shapes: a size where they agree, else None."""
        sizes = as_shape(other)
        if self._sizes is None or sizes is None or len(sizes) != len(self._sizes):
            return TensorShape(None)
        return TensorShape([a if a == b else None for a, b in zip(self._sizes, sizes, strict=True)])

    def is_subtype_of(self, other: Any) -> bool:
        """Tell whether every value of this shape is one of the other; False for what is no shape."""
        return isinstance(other, TensorShape) and other._sizes == self.most_specific_compatible_shape(other)._sizes

    def most_specific_common_supertype(self, others: Any) -> TensorShape | None:
        """Return what is true of this shape and of all others; None where one of them is no shape."""
        found = self
        for other in others:
            if not isinstance(other, TensorShape):
                return None
            found = found.most_specific_compatible_shape(other)
        return found

    def concatenate(self, other: Any) -> TensorShape:
        """Return these axes followed by those of ``other``."""
        more = as_shape(other)
        return TensorShape(None if self._sizes is None or more is None else self._sizes + more)

    def __add__(self, other: Any) -> TensorShape:
        return self.concatenate(other)

    def __radd__(self, other: Any) -> TensorShape:
        return TensorShape(other).concatenate(self)

    def with_rank(self, rank: int) -> TensorShape:
        """Return this shape; ValueError where its number of axes is another."""
        if self._sizes is not None and len(self._sizes) != rank:
            raise ValueError(f"Shape {self} must have rank {rank}")
        return self if self._sizes is not None else TensorShape([None] * rank)

    def with_rank_at_least(self, rank: int) -> TensorShape:
        """Return this shape; ValueError where it has fewer axes."""
        if self._sizes is not None and len(self._sizes) < rank:
            raise ValueError(f"Shape {self} must have rank at least {rank}")
        return self

    def with_rank_at_most(self, rank: int) -> TensorShape:
        """Return this shape; ValueError where it has more axes."""
        if self._sizes is not None and len(self._sizes) > rank:
            raise ValueError(f"Shape {self} must have rank at most {rank}")
        return self

    def assert_has_rank(self, rank: int) -> None:
        """Raise ValueError where the number of axes is another."""
        self.with_rank(rank)

    def assert_same_rank(self, other: Any) -> None:
        """Raise ValueError where the other shape has another number of axes."""
        sizes = as_shape(other)
        if None not in (sizes, self._sizes) and len(sizes or ()) != self.ndims:
            raise ValueError(f"Shapes {self} and {TensorShape(other)} must have the same rank")

    def assert_is_fully_defined(self) -> None:
        """Raise ValueError where a size is not known."""
        if not self.is_fully_defined():
            raise ValueError(f"Shape {self} is not fully defined")

    def __getitem__(self, key: Any) -> Any:
        if self._sizes is None:
            return _unknown_part(key) if isinstance(key, slice) else _size(None)
        return TensorShape(self._sizes[key]) if isinstance(key, slice) else _size(self._sizes[key])

    def __len__(self) -> int:
        if self._sizes is None:
            raise ValueError("Cannot take the length of shape with unknown rank.")
        return len(self._sizes)

    def __iter__(self) -> Iterator[Any]:
        if self._sizes is None:
            raise ValueError("Cannot iterate over a shape with unknown rank.")
        return iter([_size(size) for size in self._sizes])

    def __bool__(self) -> bool:
        return self._sizes is not None

    def __eq__(self, other: object) -> bool:
        try:
            return self._sizes == as_shape(other)
        except (TypeError, ValueError):
            return False

    def __hash__(self) -> int:
        return hash(self._sizes)

    def __repr__(self) -> str:
        return f"TensorShape({self.dims})"

    def __str__(self) -> str:
        return text(self._sizes)


def _unknown_part(key: slice) -> TensorShape:
    """Return what is known of a slice of a shape of which nothing is known."""
    start, stop = key.start or 0, key.stop
    known = stop is not None and key.step is None and start >= 0 and stop >= 0
    return TensorShape([None] * max(stop - start, 0) if known else None)


def as_shape(value: Any) -> Shape:
    """Return a shape for a TensorShape, a size, or a list of sizes and None; TypeError for anything else."""
    if value is None:
        return None
    if isinstance(value, TensorShape):
        return value.sizes
    if isinstance(value, Dimension):
        return (value.value,)
    if isinstance(value, TensorShapeProto):
        value = None if value.unknown_rank else list(value)
    if value is None:
        return None
    if isinstance(value, (str, bytes)):
        raise TypeError("A string has ambiguous TensorShape, please wrap in a list or convert to an int.")
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if hasattr(value, "__index__"):
        value = (value,)
    sizes: list[int | None] = []
    try:
        for size in value:
            sizes.append(size_of(size))
    except (TypeError, AttributeError):
        raise TypeError(must("TensorShape", "shape", "be a list of integers and None", value)) from None
    if any(size is not None and size < 0 for size in sizes):
        raise ValueError(must("TensorShape", "shape", "have no negative size", repr(sizes)))
    return tuple(sizes)


def compatible(a: Shape, b: Shape) -> bool:
    """Tell whether one value could have both shapes."""
    if a is None or b is None:
        return True
    if len(a) != len(b):
        return False
    for x, y in zip(a, b, strict=True):  # noqa: SIM110  # every feed comes here: a generator takes twice the time
        if x != y and x is not None and y is not None:
            return False
    return True


def merge(a: Shape, b: Shape) -> Shape:
    """Return what two compatible shapes say together."""
    if a is None or b is None:
        return b if a is None else a
    return tuple(y if x is None else x for x, y in zip(a, b, strict=True))


def bracketed(shape: Shape) -> str:
    """Write a shape as TensorFlow's operations do in messages: ``[?,3]``."""
    return "<unknown>" if shape is None else f"[{','.join('?' if size is None else str(size) for size in shape)}]"


def contradiction(a: Shape, b: Shape) -> str:
    """Return in TensorFlow's words in what two shapes that are not compatible differ."""
    first, second = a or (), b or ()
    if len(first) != len(second):
        return f"Shapes must be equal rank, but are {len(first)} and {len(second)}"
    at = next(k for k, (x, y) in enumerate(zip(first, second, strict=True)) if None not in (x, y) and x != y)
    told = f"Dimension {at} in both shapes must be equal, but are {first[at]} and {second[at]}."
    return f"{told} Shapes are {bracketed(a)} and {bracketed(b)}."


def text(shape: Shape) -> str:
    """Write a shape as TensorFlow does: ``(?, 3)``."""
    if shape is None:
        return "<unknown>"
    shown = ", ".join("?" if size is None else str(size) for size in shape)
    return f"({shown},)" if len(shape) == 1 else f"({shown})"
