"""What sessions hold of lookup tables: keys and their values, in a dict, or as in TensorFlow's buckets."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.dtypes import DType, as_dtype
from ..graph.errors import AbortedError, FailedPreconditionError, InvalidArgumentError, UnimplementedError
from ..graph.run_values import array_of
from ..graph.shapes import bracketed
from ..ops.string_ops import as_bytes
from ..variables.handles import Resource

__all__ = ["DenseEntries", "Entries", "FixedEntries", "keys_of"]


def keys_of(array: Any, key_shape: tuple[int, ...] = ()) -> list[Any]:
    """Return keys as a dict has them: texts as bytes, vectors as tuples."""
    array = array_of(array)
    if key_shape:
        return [tuple(row) for row in array.reshape(-1, int(np.prod(key_shape))).tolist()]
    flat: list[Any] = array.reshape(-1).tolist()
    return [as_bytes(key) if isinstance(key, (str, bytes)) else key for key in flat]


class Entries(Resource):
    """The entries of a table: what its handle stands for.

    Args:
        name: what the table is called.
        key_dtype, value_dtype, key_shape, value_shape: the types and the shapes of one key and of one value.
    """

    def __init__(
        self,
        name: str,
        key_dtype: DType,
        value_dtype: DType,
        key_shape: tuple[int, ...] = (),
        value_shape: tuple[int, ...] = (),
    ) -> None:
        super().__init__(name)
        self.kind = key_dtype, value_dtype, key_shape, value_shape
        self.key_dtype, self.value_dtype = key_dtype, value_dtype
        self.values: dict[Any, Any] = {}
        self._key_shape, self._value_shape = key_shape, value_shape

    def __len__(self) -> int:
        return len(self.values)

    def told(self) -> str:
        return self.place("tensorflow::lookup::LookupInterface")

    def find(self, keys: Any, default: Any) -> Any:
        """Return the values of keys, ``default`` for those that are not here: one for all, or one for each.

        Raises InvalidArgumentError for keys or values of another type, and a default value of another shape.
        """
        array, default = array_of(keys), array_of(default)
        self._check_types(array, default)
        lead = array.shape[: array.ndim - len(self._key_shape)]
        one, each = self._value_shape, (*lead, *self._value_shape)
        if default.shape not in (one, each):
            either = bracketed(one) + ("" if one == each else f" or {bracketed(each)}")
            why = f"Expected shape {either} for default value, got {bracketed(default.shape)}"
            raise InvalidArgumentError(None, None, why)
        keys, others = self._keys(array), self._rows(default)
        others = others * len(keys) if default.shape == one else others
        found = [self.values.get(key, other) for key, other in zip(keys, others, strict=True)]
        return self._array(found).reshape(each)

    def insert(self, keys: Any, values: Any) -> None:
        """Put values for keys, over those that they have. Raises InvalidArgumentError for another shape or type."""
        array, given = array_of(keys), array_of(values)
        self._check_types(array, given)
        expected = array.shape[: array.ndim - len(self._key_shape)] + self._value_shape
        if given.shape != expected:
            why = f"Expected shape {bracketed(expected)} for value, got {bracketed(given.shape)}"
            raise InvalidArgumentError(None, None, why)
        self._insert(dict(zip(self._keys(array), self._rows(given), strict=True)))

    def replace(self, keys: Any, values: Any) -> None:
        """Forget what is here, and hold others."""
        self.values.clear()
        self.insert(keys, values)

    def remove(self, keys: Any) -> None:
        """Forget keys."""
        for key in self._keys(array_of(keys)):
            self._removed(key)

    def export(self) -> tuple[Any, Any]:
        """Return all keys, and their values in the same order."""
        return self._key_array(list(self.values)), self._array(list(self.values.values()))

    def _insert(self, entries: dict[Any, Any]) -> None:
        self.values.update(entries)

    def _removed(self, key: Any) -> Any:
        return self.values.pop(key, None)

    def _check_types(self, keys: Any, values: Any) -> None:
        for what, array, dtype in (("Key", keys, self.key_dtype), ("Value", values, self.value_dtype)):
            given = dtype.name if array.dtype == object and dtype.name in _OBJECTS else as_dtype(array.dtype).name
            if given != dtype.name:
                raise InvalidArgumentError(None, None, f"{what} must be type {dtype.name} but got {given}")

    def _keys(self, array: Any) -> list[Any]:
        return keys_of(array, self._key_shape)

    def _rows(self, values: Any) -> list[Any]:
        return list(values.reshape(-1, *self._value_shape)) if self._value_shape else _plain(values)

    def _array(self, values: list[Any]) -> Any:
        return _stacked(values, self.value_dtype, self._value_shape)

    def _key_array(self, keys: list[Any]) -> Any:
        return _stacked(keys, self.key_dtype, self._key_shape)


def _plain(values: Any) -> list[Any]:
    flat: list[Any] = values.reshape(-1).tolist()
    return [as_bytes(value) if isinstance(value, str) else value for value in flat]


_OBJECTS = ("resource", "string")


def _stacked(values: list[Any], dtype: DType, shape: tuple[int, ...]) -> Any:
    out = np.empty((len(values), *shape), object if dtype.name in _OBJECTS else dtype.dtype)
    if values:
        out[:] = values
    return out


class FixedEntries(Entries):
    """Entries that are filled once, and are as they are from then on."""

    filled = False

    def find(self, keys: Any, default: Any) -> Any:
        """Return the values of keys. Raises FailedPreconditionError before the table is initialized."""
        if not self.filled:
            raise FailedPreconditionError(None, None, "Table not initialized.")
        return super().find(keys, default)

    def insert(self, keys: Any, values: Any) -> None:
        """Raise UnimplementedError."""
        raise UnimplementedError(None, None, "Insert not supported by InitializableLookupTable implementations")

    def remove(self, keys: Any) -> None:
        """Raise UnimplementedError."""
        raise UnimplementedError(None, None, "Remove not supported by InitializableLookupTable implementations")

    def replace(self, keys: Any, values: Any) -> None:
        """Initialize with keys and values. Raises InvalidArgumentError where there are none, or not as many of both."""
        array, given = array_of(keys), array_of(values)
        self._check_types(array, given)
        if array.shape != given.shape:
            told = f"{bracketed(array.shape)} vs {bracketed(given.shape)}"
            raise InvalidArgumentError(None, None, f"keys and values should have the same dimension.{told}")
        if not array.size:
            raise InvalidArgumentError(None, None, "keys and values cannot be empty tensors.")
        self.fill(list(zip(self._keys(array), self._rows(given), strict=True)))

    def fill(self, pairs: list[tuple[Any, Any]]) -> None:
        """Initialize with keys and values; a table that is initialized stays as it is.

        Raises FailedPreconditionError where one key has two values, and where the table has another number of keys.
        """
        if self.filled:
            if len(pairs) != len(self.values):
                raise FailedPreconditionError(None, None, "Table was already initialized with different data.")
            return
        found: dict[Any, Any] = {}
        for key, value in pairs:
            if found.setdefault(key, value) != value:
                had = f"Key {key!r} has {found[key]!r} and trying to add value {value!r}"
                raise FailedPreconditionError(None, None, f"HashTable has different value for same key. {had}")
        self.values, self.filled = found, True

    def export(self) -> tuple[Any, Any]:
        """Return all keys, and their values. Raises AbortedError before the table is initialized."""
        if not self.filled:
            raise AbortedError(None, None, "HashTable is not initialized.")
        return super().export()


class DenseEntries(Entries):
    """Entries in buckets: the exported ones are all buckets, those that are empty or deleted too.

    Args as of `Entries`, and
        empty, deleted: the keys of empty and of deleted buckets.
        buckets: how many there are at first, a power of two.
        load: of the buckets so many are taken before there are twice as many.
    """

    def __init__(
        self,
        empty: Any,
        deleted: Any,
        buckets: int,
        load: float,
        name: str,
        key_dtype: DType,
        value_dtype: DType,
        value_shape: tuple[int, ...],
    ) -> None:
        super().__init__(name, key_dtype, value_dtype, empty.shape, value_shape)
        if empty.shape != deleted.shape:
            told = f"got shapes: {bracketed(empty.shape)} and {bracketed(deleted.shape)}"
            raise InvalidArgumentError(None, None, f"Empty and deleted keys must have same shape, {told}")
        self._load = load
        (self._empty,), (self._deleted,) = keys_of(empty, self._key_shape), keys_of(deleted, self._key_shape)
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
        empty, text = self._buckets - len(keys) - len(self._left), self.value_dtype.name in _OBJECTS
        others = self._key_array([self._deleted] * len(self._left) + [self._empty] * empty)
        nothing = np.full((empty, *self._value_shape), *((b"", object) if text else (0, self.value_dtype.dtype)))
        whole = np.concatenate([keys, others]), np.concatenate([values, self._array(self._left), nothing])
        return whole[0].reshape(self._buckets, -1), whole[1].reshape(self._buckets, -1)

    def _insert(self, entries: dict[Any, Any]) -> None:
        if len(self.values) + len(entries) > self._buckets * self._load:
            while len(self.values) + len(entries) > self._buckets * self._load:
                self._buckets *= 2
            self._left.clear()
        super()._insert(entries)

    def _removed(self, key: Any) -> None:
        value = super()._removed(key)
        if value is not None:
            self._left.append(value)

    def _keys(self, array: Any) -> list[Any]:
        count = array.shape[0] if array.ndim else 1
        if array.size != count * int(np.prod(self._key_shape)):
            expected = bracketed((count, *self._key_shape))
            raise InvalidArgumentError(None, None, f"Expected key shape {expected} got {bracketed(array.shape)}")
        found = super()._keys(array)
        for what in ("empty", "deleted"):
            if getattr(self, f"_{what}") in found:
                raise InvalidArgumentError(None, None, f"Using the {what}_key as a table key is not allowed")
        return found
