"""What sessions hold of lookup tables: keys and their values, in a dict, or as in TensorFlow's buckets."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..graph.errors import AbortedError, FailedPreconditionError, InvalidArgumentError
from ..graph.run_values import array_of
from ..graph.shapes import bracketed
from ..ops.string_ops import as_bytes

__all__ = ["DenseEntries", "Entries", "keys_of"]


def keys_of(array: Any, key_shape: tuple[int, ...] = ()) -> list[Any]:
    """Return keys as a dict has them: texts as bytes, vectors as tuples."""
    array = array_of(array)
    if key_shape:
        return [tuple(row) for row in array.reshape(-1, int(np.prod(key_shape))).tolist()]
    flat: list[Any] = array.reshape(-1).tolist()
    return [as_bytes(key) if isinstance(key, (str, bytes)) else key for key in flat]


class Entries:
    """The entries of a table in one session.

    Args:
        elements, key_elements: NumPy's types of values and of keys.
        value_shape, key_shape: the shapes of one.
        filled: whether it may be asked; else it must be initialized first.
    """

    def __init__(
        self,
        elements: Any,
        key_elements: Any,
        value_shape: tuple[int, ...] = (),
        key_shape: tuple[int, ...] = (),
        filled: bool = True,
    ) -> None:
        self.filled = filled
        self.kind = elements, key_elements, value_shape, key_shape
        self.values: dict[Any, Any] = {}
        self._elements, self._key_elements = elements, key_elements
        self._value_shape, self._key_shape = value_shape, key_shape

    def __len__(self) -> int:
        return len(self.values)

    def find(self, keys: Any, default: Any) -> Any:
        """Return the values of keys, ``default`` for those that are not here.

        Raises FailedPreconditionError before the table is initialized.
        """
        self._check()
        array = array_of(keys)
        default = array_of(default)
        default = default if self._value_shape else _plain(default)[0]
        found = [self.values.get(key, default) for key in self._keys(array)]
        lead = array.shape[: array.ndim - len(self._key_shape)]
        return self._array(found).reshape((*lead, *self._value_shape))

    def insert(self, keys: Any, values: Any) -> None:
        """Put values for keys, over those that they have. Raises InvalidArgumentError for another shape."""
        array, given = array_of(keys), array_of(values)
        expected = array.shape[: array.ndim - len(self._key_shape)] + self._value_shape
        if given.shape != expected:
            why = f"Expected shape {bracketed(expected)} for value, got {bracketed(given.shape)}"
            raise InvalidArgumentError(None, None, why)
        self._insert(dict(zip(self._keys(array), self._rows(given), strict=True)))

    def replace(self, keys: Any, values: Any) -> None:
        """Forget what is here, and hold others."""
        self.values.clear()
        self.insert(keys, values)

    def fill(self, pairs: Iterable[tuple[Any, Any]]) -> None:
        """Initialize with keys and values. FailedPreconditionError where one key has two values."""
        found: dict[Any, Any] = {}
        for key, value in pairs:
            if found.setdefault(key, value) != value:
                had = f"Key {key!r} has {found[key]!r} and trying to add value {value!r}"
                raise FailedPreconditionError(None, None, f"HashTable has different value for same key. {had}")
        self.values, self.filled = found, True

    def remove(self, keys: Any) -> None:
        """Forget keys."""
        for key in self._keys(array_of(keys)):
            self._removed(key)

    def export(self) -> tuple[Any, Any]:
        """Return all keys, and their values in the same order. AbortedError before the table is initialized."""
        if not self.filled:
            raise AbortedError(None, None, "HashTable is not initialized.")
        return self._key_array(list(self.values)), self._array(list(self.values.values()))

    def _insert(self, entries: dict[Any, Any]) -> None:
        self.values.update(entries)

    def _removed(self, key: Any) -> Any:
        return self.values.pop(key, None)

    def _check(self) -> None:
        if not self.filled:
            raise FailedPreconditionError(None, None, "Table not initialized.")

    def _keys(self, array: Any) -> list[Any]:
        return keys_of(array, self._key_shape)

    def _rows(self, values: Any) -> list[Any]:
        return list(values.reshape(-1, *self._value_shape)) if self._value_shape else _plain(values)

    def _array(self, values: list[Any]) -> Any:
        return _stacked(values, self._elements, self._value_shape)

    def _key_array(self, keys: list[Any]) -> Any:
        return _stacked(keys, self._key_elements, self._key_shape)


def _plain(values: Any) -> list[Any]:
    flat: list[Any] = values.reshape(-1).tolist()
    return [as_bytes(value) if isinstance(value, str) else value for value in flat]


def _stacked(values: list[Any], elements: Any, shape: tuple[int, ...]) -> Any:
    out = np.empty((len(values), *shape), elements)
    if values:
        out[:] = values
    return out


_LOAD = 0.8  # of the buckets so many are taken before there are twice as many


class DenseEntries(Entries):
    """Entries in buckets: the exported ones are all buckets, those that are empty or deleted too.

    Args as of `Entries`, and
        empty, deleted: the keys of empty and of deleted buckets.
        buckets: how many there are at first, a power of two.
    """

    def __init__(self, empty: Any, deleted: Any, buckets: int, *shapes: Any) -> None:
        super().__init__(*shapes)
        (self._empty,), (self._deleted,) = self._keys(array_of(empty)), self._keys(array_of(deleted))
        if self._empty == self._deleted:
            raise InvalidArgumentError(None, None, "Empty and deleted keys cannot be equal")
        if buckets < 4 or buckets & (buckets - 1):
            raise InvalidArgumentError(
                None, None, f"Number of buckets must be at least 4 and a power of 2, got: {buckets}"
            )
        self._buckets = buckets
        self._left: list[Any] = []  # the values of what was deleted

    def replace(self, keys: Any, values: Any) -> None:
        """Hold the buckets of an export."""
        self.values.clear()
        self._left.clear()
        self._buckets = len(array_of(keys))
        for key, value in zip(super()._keys(array_of(keys)), self._rows(array_of(values)), strict=True):
            if key == self._deleted:
                self._left.append(value)
            elif key != self._empty:
                self.values[key] = value

    def export(self) -> tuple[Any, Any]:
        """Return the keys and the values of all buckets, as rows."""
        keys, values = super().export()
        empty = self._buckets - len(keys) - len(self._left)
        others = self._key_array([self._deleted] * len(self._left) + [self._empty] * empty)
        nothing = np.full((empty, *self._value_shape), b"" if self._elements is object else 0, self._elements)
        whole = np.concatenate([keys, others]), np.concatenate([values, self._array(self._left), nothing])
        return whole[0].reshape(self._buckets, -1), whole[1].reshape(self._buckets, -1)

    def _insert(self, entries: dict[Any, Any]) -> None:
        if len(self.values) + len(entries) > self._buckets * _LOAD:
            while len(self.values) + len(entries) > self._buckets * _LOAD:
                self._buckets *= 2
            self._left.clear()
        super()._insert(entries)

    def _removed(self, key: Any) -> None:
        value = super()._removed(key)
        if value is not None:
            self._left.append(value)

    def _keys(self, array: Any) -> list[Any]:
        found = super()._keys(array)
        for what in ("empty", "deleted"):  # which a key must not be, once they are known
            if getattr(self, f"_{what}", None) in found and hasattr(self, "_left"):
                raise InvalidArgumentError(None, None, f"Using the {what}_key as a table key is not allowed")
        return found
