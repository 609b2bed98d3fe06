"""What a run holds for a `TensorArray`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.dispatch import unwrap
from ..graph.errors import InvalidArgumentError, UnimplementedError
from ..graph.shapes import Shape, bracketed, compatible, text

__all__ = ["Elements", "scattered"]


class Elements:
    """The elements of a `TensorArray`: those written so far, never changed; ``alike`` where all have one shape."""

    __slots__ = ("alike", "dtype", "items", "may_grow", "shape")

    def __init__(self, items: list[Any], may_grow: bool, dtype: np.dtype[Any], shape: Shape, alike: bool) -> None:
        self.items, self.may_grow, self.dtype, self.shape, self.alike = items, may_grow, dtype, shape, alike

    def with_items(self, items: list[Any]) -> Elements:
        return Elements(items, self.may_grow, self.dtype, self.shape, self.alike)

    def fitting(self, index: int, shape: tuple[int, ...]) -> Elements:
        """Return the elements, of which the next one written has this shape; unwritten ones are zeros of it then."""
        if not compatible(self.shape, shape):
            raise _error(
                f"Could not write to TensorArray index {index} because the value shape is {bracketed(shape)} which is "
                f"incompatible with the TensorArray's inferred element shape: {bracketed(self.shape)} (consider "
                "setting infer_shape=False)."
            )
        known = shape if self.alike else self.shape
        return self if known == self.shape else Elements(self.items, self.may_grow, self.dtype, known, self.alike)

    def without_gradients(self) -> Elements:
        return self.with_items([None if item is None else unwrap(item) for item in self.items])

    def written(self, index: int, value: Any) -> Elements:
        items = self.items.copy()
        if index >= len(items) and self.may_grow:
            items += [None] * (index + 1 - len(items))
        if not 0 <= index < len(items):
            raise _error(f"Tried to write to index {index} but array is not resizeable and size is: {len(items)}")
        if items[index] is not None:
            raise _error(f"Could not write to TensorArray index {index} because it has already been written to.")
        items[index] = value
        shape = () if isinstance(value, bytes) else value.shape  # an element of an array of strings is bytes
        return self.fitting(index, shape).with_items(items)

    def at(self, index: int) -> Any:
        if not 0 <= index < len(self.items):
            raise _error(f"Tried to read from index {index} but array size is: {len(self.items)}")
        item = self.items[index]
        if item is not None:
            return item
        if self.shape is None or None in self.shape:
            raise _error(
                f"Could not read from TensorArray index {index}. Furthermore, the element shape is not fully defined: "
                f"{text(self.shape)}. It is possible you are working with a resizeable TensorArray and stop_gradients "
                "is not allowing the gradients to be written."
            )
        return np.zeros(tuple(size or 0 for size in self.shape), self.dtype)

    def stacked(self, indices: Any, shape: Shape) -> Any:
        """Return elements below each other; of none the shape says what the result is."""
        parts = [self.at(int(index)) for index in indices]
        if parts:
            return np.stack(parts)
        known = self.shape if shape is None else shape
        if known is None or None in known:
            raise UnimplementedError(
                None,
                None,
                f"TensorArray has size zero, but element shape {text(known)} is not fully defined. Currently only "
                "static shapes are supported when packing zero-size TensorArrays.",
            )
        return np.zeros((0, *known), self.dtype)

    def split(self, whole: Any, lengths: Any) -> Elements:
        """Return the array with the pieces of a tensor along its first axis."""
        rows = np.shape(whole)
        if not rows:
            raise _error("Expected value to be at least a vector, but received shape: []")
        if lengths.ndim != 1:
            raise _error(f"Expected lengths to be a vector, received shape: {list(lengths.shape)}")
        if lengths.sum() != rows[0]:
            raise _error(
                f"Expected sum of lengths to be equal to values.shape[0], but sum of lengths is {lengths.sum()} and "
                f"value's shape is: {list(rows)}"
            )
        if len(lengths) != len(self.items) and not self.may_grow:
            raise _error(
                f"TensorArray's size is not equal to the size of lengths ({len(self.items)} vs. {len(lengths)}), and "
                "the TensorArray is not marked as dynamically resizeable"
            )
        held, start = self, 0
        for k, length in enumerate(lengths.tolist()):
            held = held.written(k, whole[start : start + length])
            start += length
        return held


def _error(message: str) -> InvalidArgumentError:
    return InvalidArgumentError(None, None, f"TensorArray: {message}")


def scattered(held: Elements, indices: Any, rows: Any) -> Elements:
    numbers = [int(index) for index in indices]
    items = held.items.copy()
    if held.may_grow:
        items += [None] * (max(numbers, default=-1) + 1 - len(items))
    for position, index in enumerate(numbers):
        if not 0 <= index < len(items):
            raise _error(f"Tried to write to index {index} but array is not resizeable and size is: {len(items)}")
        if items[index] is not None:
            raise _error(f"Could not write to TensorArray index {index} because it has already been written to.")
        items[index] = rows[position]
    if numbers:
        held = held.fitting(numbers[0], rows.shape[1:])
    return held.with_items(items)
