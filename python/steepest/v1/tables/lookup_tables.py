"""Lookup tables: from texts or integers to values, filled in each session; ``tf.contrib.lookup`` takes its names."""

from __future__ import annotations

import weakref
from functools import partial
from itertools import count
from typing import Any

import numpy as np

from ...base.errors import must
from ...variables.collections import GraphKeys
from ..graph import shape_inference
from ..graph.build import call, dtype_of
from ..graph.dtypes import DType, as_dtype
from ..graph.errors import FailedPreconditionError
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.run_values import array_of
from ..graph.scopes import name_scope
from ..graph.static_values import constant_value
from ..ops.sparse_ops import SparseTensor, convert_to_tensor
from ..ops.string_ops import as_bytes
from ..saving.saveables import SaveableObject, SaveSpec
from .table_initializers import TableInitializer

__all__ = ["HashTable", "MutableHashTable", "Table"]


def _plain(values: Any) -> list[Any]:
    """Return keys or values as a dict has them: texts as bytes."""
    flat: list[Any] = array_of(values).ravel().tolist()
    return [as_bytes(value) if isinstance(value, (str, bytes)) else value for value in flat]


class Table:
    """What tables share: keys of one type, values of one type, and a dict for each session.

    Source: ``tf.contrib.lookup.LookupInterface``.
    """

    _starts_empty = False  # else it must be initialized

    def __init__(self, key_dtype: Any, value_dtype: Any, default_value: Any, name: str) -> None:
        self._key_dtype, self._value_dtype = as_dtype(key_dtype), as_dtype(value_dtype)
        default = constant_value(default_value)
        if default is None:
            raise ValueError(must("Table", "default_value", "be known before a session runs", default_value))
        (self._default,) = _plain(np.asarray(default, self._elements()))
        self._name = name
        self._entries: weakref.WeakKeyDictionary[Any, dict[Any, Any]] = weakref.WeakKeyDictionary()

    key_dtype = property(lambda self: self._key_dtype, doc="The type of the keys.")
    value_dtype = property(lambda self: self._value_dtype, doc="The type of the values.")
    name = property(lambda self: self._name, doc="The table's name.")
    default_value = property(lambda self: self._default, doc="The value of keys that the table does not have.")

    def _elements(self) -> Any:
        return object if self._value_dtype == "string" else self._value_dtype.dtype

    def _entries_in(self, session: Any) -> dict[Any, Any]:
        found = self._entries.get(session)
        if found is None:
            if not self._starts_empty:
                raise FailedPreconditionError(None, None, "Table not initialized.")
            found = self._entries[session] = {}
        return found

    def _array(self, values: list[Any], shape: tuple[int, ...]) -> Any:
        array = np.empty(len(values), self._elements())
        array[:] = values
        return array.reshape(shape)

    def _keys(self, keys: Any) -> Any:
        keys = convert_to_tensor(keys, None if hasattr(keys, "dtype") else self._key_dtype)
        if dtype_of(keys) != self._key_dtype:
            raise TypeError(f"Dtype of argument `keys` must be {self._key_dtype!r}, received: {dtype_of(keys)!r}")
        return keys

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """Return for each key its value, the default value where the table has none; of a sparse tensor a sparse one.

        Raises TypeError for keys of another type. FailedPreconditionError, in a run, before the table is initialized.
        """
        if isinstance(keys, SparseTensor):
            return SparseTensor(keys.indices, self.lookup(keys.values, name), keys.dense_shape)
        return self._found(self._keys(keys), name)

    def _found(self, keys: Any, name: str | None) -> Any:
        def found(session: Any, keys: Any) -> Any:
            entries = self._entries_in(session)
            return self._array([entries.get(key, self._default) for key in _plain(keys)], np.shape(keys))

        return self._call("LookupTableFindV2", found, (keys,), name, shape_inference.same)

    def size(self, name: str | None = None) -> Any:
        """Return how many keys the table has."""
        return self._call(
            "LookupTableSizeV2", lambda session: np.int64(len(self._entries_in(session))), (), name, (), "int64"
        )

    def _call(self, op_type: str, function: Any, inputs: Any, name: Any, shape: Any, dtype: Any = None) -> Any:
        dtype = self._value_dtype if dtype is None else dtype
        options: Any = {"contextual": True, "differentiable": False, "same": False}
        return call(op_type, function, inputs, name=name, shape=shape, dtype=dtype, **options)

    def _fill(self, session: Any, keys: Any, values: Any) -> Any:
        """Put values for keys; a key that comes again must have the value that it has."""
        entries: dict[Any, Any] = {}
        for key, value in zip(_plain(keys), _plain(values), strict=True):
            if entries.setdefault(key, value) != value:
                had = f"Key {key!r} has {entries[key]!r} and trying to add value {value!r}"
                raise FailedPreconditionError(None, None, f"HashTable has different value for same key. {had}")
        self._entries[session] = entries
        return np.int32(0)


class HashTable(Table):
    """A table that an initializer fills when a session runs ``initializer``, or ``tf.tables_initializer()``.

    Args:
        initializer: `KeyValueTensorInitializer` or `TextFileInitializer`.
        default_value: the value of keys that the table does not have.
        shared_name: accepted for TensorFlow's sake.

    Source: ``tf.contrib.lookup.HashTable``.
    """

    def __init__(
        self, initializer: TableInitializer, default_value: Any, shared_name: str | None = None, name: str | None = None
    ) -> None:
        del shared_name
        with name_scope(name, "hash_table") as scope:
            super().__init__(initializer.key_dtype, initializer.value_dtype, default_value, scope.rstrip("/"))
            keys, values = initializer.pairs()
            done = call(
                "InitializeTableV2",
                self._fill,
                (keys, values),
                name="table_init",
                shape=(),
                dtype="int32",
                same=False,
                contextual=True,
                writes=True,
                differentiable=False,
            )
        self._initializer = None if executing_eagerly() else done.op
        if self._initializer is not None:
            get_default_graph().add_to_collection(GraphKeys.TABLE_INITIALIZERS, self._initializer)

    initializer = property(lambda self: self._initializer, doc="The operation that fills the table.")
    init = initializer


class MutableHashTable(Table):
    """A table that a program fills itself, with `insert`; it is empty at first in each session.

    With ``checkpoint`` a `tf.train.Saver` of all variables saves and restores it, as ``<name>-keys`` and
    ``<name>-values``; where a table before has the name, ``_1`` and so on follow it.

    Source: ``tf.contrib.lookup.MutableHashTable``.
    """

    _starts_empty = True

    def __init__(
        self,
        key_dtype: Any,
        value_dtype: Any,
        default_value: Any,
        shared_name: str | None = None,
        name: str = "MutableHashTable",
        checkpoint: bool = True,
    ) -> None:
        del shared_name
        super().__init__(key_dtype, value_dtype, default_value, name)
        if checkpoint and not executing_eagerly():
            get_default_graph().add_to_collection(GraphKeys.SAVEABLE_OBJECTS, _SavedTable(self))

    def insert(self, keys: Any, values: Any, name: str | None = None) -> Any:
        """Return the operation that puts values for keys, over those that they have."""

        return self._put("LookupTableInsertV2", keys, values, name)

    def _put(self, op_type: str, keys: Any, values: Any, name: str | None = None) -> Any:
        def put(session: Any, keys: Any, values: Any) -> Any:
            entries = dict(zip(_plain(keys), _plain(values), strict=True))
            if op_type == "LookupTableImportV2":  # which is all of the table
                self._entries_in(session).clear()
            self._entries_in(session).update(entries)
            return np.int32(0)

        inputs = self._keys(keys), convert_to_tensor(values, self._value_dtype)
        options: Any = {"contextual": True, "writes": True, "differentiable": False, "same": False}
        done = call(op_type, put, inputs, name=name, shape=(), dtype="int32", **options)
        return None if executing_eagerly() else done.op

    def export(self, name: str | None = None) -> tuple[Any, Any]:
        """Return all keys, and their values in the same order."""
        keys = self._call(
            "LookupTableExportV2",
            lambda session: _listed(self._entries_in(session), self._key_dtype),
            (),
            name,
            (None,),
            self._key_dtype,
        )
        return keys, self.lookup(keys)


class _SavedTable(SaveableObject):
    """A table as a `Saver` takes it."""

    def __init__(self, table: MutableHashTable) -> None:
        others = {each.name for each in get_default_graph().get_collection(GraphKeys.SAVEABLE_OBJECTS)}
        name = next(name for k in count() if (name := f"{table.name}_{k}" if k else table.name) not in others)
        exported: list[Any] = []

        def part(which: int) -> Any:
            if not exported:
                exported.extend(table.export())
            return exported[which]

        dtypes = {"keys": table.key_dtype, "values": table.value_dtype}
        specs = [
            SaveSpec(partial(part, k), "", f"{name}-{kind}", dtype) for k, (kind, dtype) in enumerate(dtypes.items())
        ]
        super().__init__(table, specs, name)

    def restore(self, restored_tensors: Any, restored_shapes: Any) -> Any:
        return self.op._put("LookupTableImportV2", *restored_tensors)


def _listed(entries: dict[Any, Any], dtype: DType) -> Any:
    array = np.empty(len(entries), object if dtype == "string" else dtype.dtype)
    array[:] = list(entries)
    return array
