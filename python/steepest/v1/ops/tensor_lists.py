"""What a run holds for a list of tensors of `list_ops`: its elements, and what is known of their shape."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ...ops.dispatch import unwrap
from ..graph.dtypes import as_dtype, name_in_messages
from ..graph.errors import InvalidArgumentError
from ..graph.shapes import Shape, bracketed, compatible, merge
from .variant_values import VariantValue, beside, held_by

__all__ = ["TensorList", "merged_shape", "split_rows"]


def _error(message: str) -> InvalidArgumentError:
    return InvalidArgumentError(None, None, message)


def merged_shape(one: Shape, other: Shape) -> Shape:
    """Return what two shapes of one tensor tell. Raises InvalidArgumentError where they differ."""
    if compatible(one, other):
        return merge(one, other)
    one, other = one or (), other or ()
    if len(one) != len(other):
        raise _error(f"Incompatible ranks during merge: {len(one)} vs. {len(other)}")
    raise _error(f"Incompatible shapes during merge: {bracketed(one)} vs. {bracketed(other)}")


def _whole(shape: Shape) -> tuple[int, ...] | None:
    """Return a shape of which every size is known, None of others."""
    return None if shape is None or None in shape else tuple(size or 0 for size in shape)


_WITHOUT_SHAPE = {
    ("stack", False): "elements of an empty list with",
    ("stack", True): "list which only contains uninitialized tensors and has a",
    ("gather", False): "0-elements from a list with",
    ("gather", True): "uninitialized tensors from a list with",
}


def _zeros_of(item: Any, dtype: Any) -> Any:
    if item is None or isinstance(item, VariantValue):
        return None if item is None else item.zeros()
    return np.zeros(np.shape(item), dtype)


def _shape_of_sum(one: Shape, other: Shape) -> Shape:
    if not compatible(one, other):
        shapes = f"One is {bracketed(one)} and the other is {bracketed(other)}"
        raise _error(f"Trying to add two lists of tensors with incompatible element shapes. {shapes}")
    return merge(one, other)


class TensorList(VariantValue):
    """Tensors of one type, None where none was written; ``limit`` is how many there are at most, -1 for any number."""

    __slots__ = ("element_dtype", "element_shape", "items", "limit")

    def __repr__(self) -> str:
        return "<TensorList>"

    def __init__(self, items: list[Any], dtype: Any, shape: Shape, limit: int = -1) -> None:
        self.items, self.element_dtype, self.element_shape, self.limit = items, np.dtype(dtype), shape, limit

    def with_items(self, items: list[Any]) -> TensorList:
        return TensorList(items, self.element_dtype, self.element_shape, self.limit)

    def without_gradients(self) -> TensorList:
        return self.with_items([None if item is None else unwrap(item) for item in self.items])

    def pairs(self, seed: Any) -> list[tuple[Any, Any]]:
        both = zip(self.items[::-1], seed.items[::-1], strict=False)  # the last ones belong together
        return [(item, given) for item, given in both if item is not None and given is not None]

    def __add__(self, added: Any) -> TensorList:
        other: TensorList = held_by(added)
        if len(self.items) != len(other.items):
            raise _error(
                f"Trying to add two lists of tensors with different lengths. One is {len(self)} and the other is "
                f"{len(other)}"
            )
        pairs = zip(self.items, other.items, strict=True)
        sums = [b if a is None else a if b is None else a + b for a, b in pairs]
        return TensorList(sums, self.element_dtype, _shape_of_sum(self.element_shape, other.element_shape), self.limit)

    def zeros(self) -> TensorList:
        """Return a list of as many zeros; what was not written is not written there either."""
        kind = self.element_dtype
        return self.with_items([_zeros_of(item, kind) for item in self.items])

    def __len__(self) -> int:
        return len(self.items)

    def _check(self, item: Any, doing: str, where: str) -> None:
        kind = getattr(item, "dtype", self.element_dtype)
        if np.dtype(kind) != self.element_dtype:
            names = name_in_messages(as_dtype(kind)), name_in_messages(as_dtype(self.element_dtype))
            raise _error(f"Invalid data types; op elements {names[0]} but list elements {names[1]}")
        if not compatible(self.element_shape, np.shape(item)):
            raise _error(
                f"Tried to {doing} a tensor with incompatible shape {where}. Op element shape: "
                f"{bracketed(np.shape(item))} list shape: {bracketed(self.element_shape)}"
            )

    def pushed(self, item: Any, where: str = "to a list") -> TensorList:
        self._check(item, "append", where)
        if 0 <= self.limit <= len(self.items):
            raise _error(
                f"Tried to push item into a full list list size: {len(self.items)} max_num_elements: {self.limit}"
            )
        return self.with_items([*self.items, item])

    def check_read(self, dtype: Any) -> None:
        """Raise InvalidArgumentError where elements are not of the type that is asked for."""
        if np.dtype(dtype) != self.element_dtype:
            names = name_in_messages(as_dtype(dtype)), name_in_messages(as_dtype(self.element_dtype))
            raise _error(f"Invalid data types; op elements {names[0]} but list elements {names[1]}")

    def popped(self, shape: Shape) -> tuple[TensorList, Any]:
        if not self.items:
            raise _error("Trying to pop from an empty list.")
        return self.with_items(self.items[:-1]), self._read(len(self.items) - 1, shape)

    def item(self, index: int, shape: Shape) -> Any:
        if not 0 <= index < len(self.items):
            raise _error(f"Trying to access element {index} in a list with {len(self.items)} elements.")
        return self._read(index, shape)

    def _read(self, index: int, shape: Shape) -> Any:
        known = merged_shape(shape, self.element_shape)
        item = self.items[index]
        if item is not None:
            merged_shape(known, np.shape(item))
            return beside(item, self.items)
        whole = _whole(known)
        if whole is None:
            raise _error(
                f"Trying to read an uninitialized tensor but element_shape is not fully defined.{bracketed(shape)}"
            )
        return np.zeros(whole, self.element_dtype)

    def with_item(self, index: int, item: Any) -> TensorList:
        if not 0 <= index < len(self.items):
            raise _error(f"Trying to modify element {index} in a list with {len(self.items)} elements.")
        self._check(item, "set", "at a list index")
        return self.with_items([*self.items[:index], item, *self.items[index + 1 :]])

    def resized(self, size: int) -> TensorList:
        if size < 0:
            raise _error(f"TensorListSlice expects size to be non-negative. Got: {size}")
        return self.with_items([*self.items[:size], *[None] * (size - len(self.items))])

    def rows(self, indices: Sequence[int], shape: Shape, doing: str) -> Any:
        """Return elements below each other; those that were not written are zeros of the others' shape."""
        known = merged_shape(shape, self.element_shape)
        for index in indices:
            if not 0 <= index < len(self.items):
                raise _error(f"Trying to {doing} element {index} in a list with {len(self.items)} elements.")
            if self.items[index] is not None:
                known = merged_shape(known, np.shape(self.items[index]))
        if _whole(known) is None:  # elements beside those that are asked for have their shape too
            for item in self.items:
                if item is not None and compatible(known, np.shape(item)) and indices:
                    known = merge(known, np.shape(item))
        whole = _whole(known)
        if whole is None:
            what = (
                "elements of an empty list"
                if not indices
                else "list which only contains uninitialized tensors and has a"
            )
            if doing == "gather":
                what = "uninitialized tensors from a list" if indices else "0-elements from a list"
            words = f"Tried to {doing} {what} {'with ' if what.endswith('list') else ''}non-fully-defined element_shape"
            raise _error(f"{words}: {bracketed(merged_shape(shape, self.element_shape))}")
        parts = [np.zeros(whole, self.element_dtype) if self.items[k] is None else self.items[k] for k in indices]
        return np.stack(parts) if parts else np.zeros((0, *whole), self.element_dtype)

    def stacked(self, count: int, shape: Shape) -> Any:
        if count not in (-1, len(self.items)):
            raise _error(
                f"Operation expected a list with {count} elements but got a list with {len(self.items)} elements."
            )
        return self.rows(range(len(self.items)), shape, "stack")

    def joined(self, shape: Shape, lengths: Sequence[int] = ()) -> tuple[Any, list[int]]:
        """Return the elements behind each other along their first axis, and how long each is.

        One that was not written is as long as ``lengths`` say, or else as all the others.
        """
        known = merged_shape(shape, self.element_shape)
        if known == ():
            words = "Concat requires elements to be at least vectors, found scalars instead."
            raise _error(f"{words} element_shape must not be empty")
        if not self.items:
            whole = None if known is None else _whole(known[1:])
            if whole is None:
                raise _error(
                    "All except the first dimension must be fully defined when concating an empty tensor list. "
                    f"element_shape: {bracketed(known)}"
                )
            return np.zeros((0, *whole), self.element_dtype), []
        rest: Shape = None if known is None else known[1:]
        for k, item in enumerate(self.items):
            if item is not None:
                if not np.ndim(item):
                    raise _error(f"Concat saw a scalar shape at index {k} but requires at least vectors.")
                rest = merged_shape(rest, np.shape(item)[1:])
        parts = [self._part(k, known, rest, lengths) if item is None else item for k, item in enumerate(self.items)]
        return np.concatenate(parts), [np.shape(part)[0] for part in parts]

    def _part(self, at: int, known: Shape, rest: Shape, lengths: Sequence[int]) -> Any:
        """Return the zeros that stand for an element that was not written, of the shape ``rest`` behind its length."""
        whole = _whole(rest)
        if whole is None:
            words = "Trying to concat list with only uninitialized tensors but element_shape_except_first_dim is not"
            told = "element_shape_except_first_dim_ is not fully defined"  # TensorFlow 1.15's name of it
            raise _error(f"{words} fully defined: {bracketed(rest)} ({told})")
        sizes = {np.shape(item)[0] for item in self.items if item is not None}
        first = known[0] if known and known[0] is not None else sizes.pop() if len(sizes) == 1 else None
        if at >= len(lengths) and first is None:
            words = (
                f"List contains uninitialized tensor at index {at} but leading_dims has only {len(lengths)} elements."
            )
            raise _error(words)
        return np.zeros((lengths[at] if at < len(lengths) else first, *whole), self.element_dtype)

    def scattered(self, rows: Any, indices: Sequence[int]) -> TensorList:
        """Return the list, longer where need be, with rows of a tensor at some places."""
        if len(indices) != np.shape(rows)[0]:
            raise _error(
                f"Invalid number of rows in input tensor. Expected: {len(indices)} Actual: {np.shape(rows)[0]}"
            )
        if any(index < 0 for index in indices):
            raise _error("Indices in TensorListScatter must all be non-negative.")
        held = self.resized(max([len(self.items), *(index + 1 for index in indices)]))
        for position, index in enumerate(indices):
            held = held.with_item(index, rows[position])
        return held


def split_rows(rows: Any, lengths: Any, dtype: Any, shape: Shape) -> TensorList:
    """Return the list of pieces of a tensor along its first axis."""
    if lengths.ndim != 1:
        raise _error(f"Expected lengths to be a vector, received shape: {list(lengths.shape)}")
    if not np.ndim(rows):
        raise _error("Tensor must be at least a vector, but saw shape: []")
    if shape == ():
        raise _error("TensorListSplit requires element_shape to be at least of rank 1, but saw: []")
    if not compatible(None if shape is None else (None, *shape[1:]), np.shape(rows)):
        told = f"tensor shape {bracketed(np.shape(rows))} is not compatible with element_shape {bracketed(shape)}"
        raise _error(told)
    ends = np.cumsum([0, *lengths.tolist()]).tolist()
    size = np.shape(rows)[0]
    for start, end in pairwise(ends):
        if end < start:
            raise _error(f"Invalid value in lengths: {end - start}")
        if end > size:
            raise _error(f"Attempting to slice [{start}, {end}] from tensor with length {size}")
    if ends[-1] != size:
        raise _error(f"Unused values in tensor. Length of tensor: {size} Values used: {ends[-1]}")
    held = TensorList([], dtype, shape)
    for start, end in pairwise(ends):
        held = held.pushed(rows[start:end])
    return held
