"""What a run holds for a `TensorArray`."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from ...ops.dispatch import unwrap
from ..graph.errors import InvalidArgumentError, OutOfRangeError, UnimplementedError
from ..graph.shapes import Shape, bracketed, compatible, merge, text

__all__ = ["Elements", "Place"]


class Place:
    """What all states of one array in a run have in common.

    Args:
        name: what messages call it.
        clears: an element can be read once.
        eager: it was made in eager mode, in which elements may be overwritten and errors have other words.
    """

    def __init__(self, name: str, clears: bool, eager: bool) -> None:
        self.name, self.clears, self.eager = name, clears, eager
        self.cleared: set[int] = set()
        self.gradients: dict[str, Gradients] = {}

    def error(self, message: str) -> InvalidArgumentError:
        return InvalidArgumentError(None, None, message if self.eager else f"TensorArray {self.name}: {message}")

    def beyond(self, verb: str, index: int, size: int) -> Exception:
        """Return the error for an element that is not there."""
        rule = f"array is not resizeable and size is: {size}" if verb == "write to" else f"array size is: {size}"
        message = f"Tried to {verb} index {index} but {rule}"
        if not self.eager:
            return InvalidArgumentError(None, None, message) if verb == "read from" else self.error(message)
        doing = "Reading from" if verb == "read from" else "Writing to"
        negative = f"{doing} negative indices (index {index}) is not allowed."
        return OutOfRangeError(None, None, negative if index < 0 else message)


class Elements:
    """The elements of a `TensorArray`: those written so far, never changed; ``alike`` where all have one shape."""

    __slots__ = ("alike", "dtype", "items", "may_grow", "place", "shape")

    def __init__(
        self, items: list[Any], may_grow: bool, dtype: np.dtype[Any], shape: Shape, alike: bool, place: Place
    ) -> None:
        self.items, self.may_grow, self.dtype = items, may_grow, dtype
        self.shape, self.alike, self.place = shape, alike, place

    def with_items(self, items: list[Any]) -> Elements:
        return Elements(items, self.may_grow, self.dtype, self.shape, self.alike, self.place)

    def gradients(self, source: str) -> Gradients:
        """Return the array, one for each source, in which the gradients of the elements are summed."""
        found = self.place.gradients.get(source)
        if found is None:
            place = Place(f"{self.place.name}@{source}", False, False)
            items: list[Any] = [None] * len(self.items)
            found = Gradients(items, self.may_grow, self.dtype, self.shape, self.alike, place)
            self.place.gradients[source] = found
        return found

    def fitting(self, index: int, shape: tuple[int, ...]) -> Elements:
        """Return the elements, of which the next one written has this shape; unwritten ones are zeros of it then."""
        if not compatible(self.shape, shape):
            if self.place.eager:
                raise ValueError(f"Incompatible shape for value ({text(shape)}), expected ({text(self.shape)})")
            raise self.place.error(
                f"Could not write to TensorArray index {index} because the value shape is {bracketed(shape)} which is "
                f"incompatible with the TensorArray's inferred element shape: {bracketed(self.shape)} (consider "
                "setting infer_shape=False)."
            )
        known = shape if self.alike else self.shape
        if known == self.shape:
            return self
        return Elements(self.items, self.may_grow, self.dtype, known, self.alike, self.place)

    def without_gradients(self) -> Elements:
        return self.with_items([None if item is None else unwrap(item) for item in self.items])

    def written(self, index: int, value: Any) -> Elements:
        return self.with_all([index], [value])

    def with_all(self, indices: list[int], values: Any) -> Elements:
        """Return the array with several elements written, one after the other."""
        held, items = self, self.items.copy()
        if self.may_grow:
            items += [None] * (max(indices, default=-1) + 1 - len(items))
        for index, value in zip(indices, values, strict=True):
            if not 0 <= index < len(items):
                raise self.place.beyond("write to", index, len(items))
            if items[index] is not None and not self.place.eager:
                raise self.place.error(
                    f"Could not write to TensorArray index {index} because it has already been written to."
                )
            items[index] = value
            held = held.fitting(index, np.shape(value))
        return held.with_items(items)

    def scattered(self, indices: Any, rows: Any) -> Elements:
        """Return the array with rows of a tensor at some numbers."""
        numbers = [int(index) for index in indices]
        count = np.shape(rows)[0]
        if len(numbers) != count and not self.place.eager:
            message = f"Expected len(indices) == values.shape[0], but saw: {len(numbers)} vs. {count}"
            raise InvalidArgumentError(None, None, message)
        most, size = max(numbers, default=-1), len(self.items)
        if most >= size and not (self.may_grow or self.place.eager):
            message = f"Max scatter index must be < array size ({most} vs. {size})"
            raise InvalidArgumentError(None, None, message)
        return self.with_all(numbers, [rows[position] for position in range(len(numbers))])

    def unstacked(self, rows: Any) -> Elements:
        """Return the array whose elements are the rows of a tensor; in eager mode it is of their number then."""
        count = np.shape(rows)[0]
        if not self.place.eager:
            return self.scattered(range(count), rows)
        if count > len(self.items) and not self.may_grow:
            size = len(self.items)
            raise ValueError(f"Cannot unstack {count} tensors into a TensorArray of static size {size}")
        self.place.cleared.clear()
        return self.with_items([rows[position] for position in range(count)])  # of whatever shape

    def read(self, index: int, shape: Shape = None) -> Any:
        """Return an element, which is there once where reading clears."""
        if not self.place.clears:
            return self.at(index, shape)
        if index in self.place.cleared:
            raise self.place.error(
                f"Could not read index {index} twice because it was cleared after a previous read (perhaps try setting "
                "clear_after_read = false?)"
            )
        item = self.at(index, shape)
        self.place.cleared.add(index)
        return item

    def at(self, index: int, shape: Shape = None) -> Any:
        """Return an element, zeros for one that was not written; ``shape`` is what else is known of its shape."""
        if not 0 <= index < len(self.items):
            raise self.place.beyond("read from", index, len(self.items))
        item = self.items[index]
        if item is not None:
            return item
        known = merge(self.shape, shape) if compatible(self.shape, shape) else self.shape
        if known is None or None in known:
            raise self.place.error(
                f"Could not read from TensorArray index {index}.  Furthermore, the element shape is not fully defined: "
                f"{text(known)}.  It is possible you are working with a resizeable TensorArray and stop_gradients "
                "is not allowing the gradients to be written."
            )
        if self.dtype.kind == "O" and not self.place.eager:
            raise InvalidArgumentError(None, None, "tensor_array::TensorSetZero type not supported: string")
        return np.full(tuple(size or 0 for size in known), b"" if self.dtype.kind == "O" else 0, self.dtype)

    def stacked(self, indices: Any, shape: Shape) -> Any:
        """Return elements below each other; of those not written, and of none, the shape says what the result is."""
        parts = [self._whole(int(index), shape) for index in indices]
        if not parts and self.place.eager and (self.shape is None or None in self.shape):
            return np.zeros(0, self.dtype)
        if not parts:
            return np.zeros((0, *self._known(shape, True)), self.dtype)
        for k, part in enumerate(parts):
            if np.shape(part) != np.shape(parts[0]):
                raise self.place.error(
                    f"TensorArray has inconsistent shapes.  Index 0 has shape: {bracketed(np.shape(parts[0]))} but "
                    f"index {k} has shape: {bracketed(np.shape(part))}"
                )
        return np.stack([np.asarray(part, object) for part in parts] if self.dtype.kind == "O" else parts)

    def joined(self, shape: Shape) -> Any:
        """Return all elements behind each other along their first axis."""
        parts = [self._whole(index, shape) for index in range(len(self.items))]
        if not parts:
            return np.zeros((0, *self._known(shape, False)), self.dtype)
        first = np.shape(parts[0])
        for k, part in enumerate(parts):
            if not np.ndim(part):
                raise self.place.error(
                    f"Concat saw a scalar shape at index {k} but requires at least vectors.  Did you mean to call pack?"
                )
            if np.shape(part)[1:] != first[1:]:
                raise self.place.error(
                    "TensorArray has inconsistent shapes.  Index 0 has (excepting dimension 0) shape: "
                    f"{bracketed(first[1:])} but index {k} has (excepting dimension 0) shape: "
                    f"{bracketed(np.shape(part)[1:])}"
                )
        return np.concatenate(parts)

    def _whole(self, index: int, shape: Shape) -> Any:
        return self.at(index, shape) if self.place.eager else self.read(index, shape)

    def _known(self, shape: Shape, packed: bool) -> tuple[int, ...]:
        """Return the shape of an element of an empty array, for what is not packed without its first axis."""
        known = merge(self.shape, shape) if compatible(self.shape, shape) else self.shape
        known = known if packed or known is None else known[1:]
        if known is None or None in known:
            what, doing = ("element shape", "packing") if packed else ("element_shape_except0", "concatenating")
            raise UnimplementedError(
                None,
                None,
                f"TensorArray has size zero, but {what} {text(known)} is not fully defined. Currently only "
                f"static shapes are supported when {doing} zero-size TensorArrays.",
            )
        return tuple(size or 0 for size in known)

    def split(self, whole: Any, lengths: Any) -> Elements:
        """Return the array with the pieces of a tensor along its first axis."""
        rows = np.shape(whole)
        if not rows:
            raise self.place.error("Expected value to be at least a vector, but received shape: []")
        if lengths.ndim != 1:
            raise self.place.error(f"Expected lengths to be a vector, received shape: {list(lengths.shape)}")
        if lengths.sum() != rows[0]:
            raise InvalidArgumentError(
                None,
                None,
                f"Expected sum of lengths to be equal to values.shape[0], but sum of lengths is {lengths.sum()} and "
                f"value's shape is: {bracketed(rows)} ",
            )
        if len(lengths) != len(self.items) and not self.may_grow:
            raise self.place.error(
                f"TensorArray's size is not equal to the size of lengths ({len(self.items)} vs. {len(lengths)}), and "
                "the TensorArray is not marked as dynamically resizeable"
            )
        ends = np.cumsum([0, *lengths.tolist()]).tolist()
        pieces = [whole[start:end] for start, end in pairwise(ends)]
        if self.place.eager:  # of whatever shapes
            return self.with_items(pieces)
        return self.with_all(list(range(len(pieces))), pieces)


class Gradients(Elements):
    """The gradients of an array's elements: what is written to one element is added; all see it."""

    __slots__ = ()

    def with_all(self, indices: list[int], values: Any) -> Elements:
        for index, value in zip(indices, values, strict=True):
            self._add(index, value)
        return self

    def _add(self, index: int, value: Any) -> None:
        if index >= len(self.items) and self.may_grow:
            self.items.extend([None] * (index + 1 - len(self.items)))
        if not 0 <= index < len(self.items):
            raise self.place.beyond("write to", index, len(self.items))
        before = self.items[index]
        if before is not None and np.shape(before) != np.shape(value):
            raise self.place.error(
                f"Could not aggregate to TensorArray index {index} because the existing shape is "
                f"{bracketed(np.shape(before))} but the new input shape is {bracketed(np.shape(value))}."
            )
        self.items[index] = value if before is None else before + value
