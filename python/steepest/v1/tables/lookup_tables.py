"""Lookup tables: from texts or integers to values, filled in each session; ``tf.contrib.lookup`` takes its names."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from ...variables.collections import GraphKeys
from ..graph.build import call, dtype_of, shape_of
from ..graph.dtypes import as_dtype
from ..graph.errors import InvalidArgumentError
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Operation
from ..graph.session_values import lifted
from ..graph.shapes import Shape, TensorShape
from ..graph.static_values import constant_value
from ..ops.sparse_ops import SparseTensor, convert_to_tensor
from .table_entries import Entries
from .table_initializers import TableInitializer

__all__ = ["HashTable", "ResourceTable", "Table"]


class Table:
    """What tables share: keys of one type, and values of one type.

    Source: ``tf.contrib.lookup.LookupInterface``.
    """

    def __init__(self, key_dtype: Any, value_dtype: Any, name: str | None = None) -> None:
        self._key_dtype, self._value_dtype, self._name = as_dtype(key_dtype), as_dtype(value_dtype), name

    key_dtype = property(lambda self: self._key_dtype, doc="The type of the keys.")
    value_dtype = property(lambda self: self._value_dtype, doc="The type of the values.")
    name = property(lambda self: self._name, doc="The table's name.")

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """Return for each key its value, the default value where the table has none; of a sparse tensor a sparse one.

        Raises TypeError for keys of another type. FailedPreconditionError, in a run, before the table is initialized.
        """
        if isinstance(keys, SparseTensor):
            return SparseTensor(keys.indices, self.lookup(keys.values, name), keys.dense_shape)
        return self._found(self._keys(keys), name)

    def size(self, name: str | None = None) -> Any:
        """Return how many keys the table has."""
        raise NotImplementedError

    def _found(self, keys: Any, name: str | None) -> Any:
        raise NotImplementedError

    def _keys(self, keys: Any) -> Any:
        keys = convert_to_tensor(keys, None if hasattr(keys, "dtype") else self._key_dtype)
        if dtype_of(keys) != self._key_dtype:
            told = f"Dtype of argument `keys` must be {self._key_dtype!r}, received: {dtype_of(keys)!r}"
            raise TypeError(f"Signature mismatch. {told}")
        return keys


def _elements(dtype: Any) -> Any:
    return object if dtype == "string" else dtype.dtype


_held: weakref.WeakKeyDictionary[Any, dict[Any, Entries]] = weakref.WeakKeyDictionary()


class ResourceTable(Table):
    """A table whose entries a session holds.

    Args:
        default_value: the value of keys that the table does not have; its shape is that of values.
        op_type, name: of the operation that stands for the table.
        shared: the name under which other tables of a session find it.
        key_shape: the shape of one key.
    """

    def __init__(
        self,
        key_dtype: Any,
        value_dtype: Any,
        default_value: Any,
        op_type: str,
        name: str,
        shared: str = "",
        key_shape: tuple[int, ...] = (),
    ) -> None:
        super().__init__(key_dtype, value_dtype)
        self._default = convert_to_tensor(default_value, self._value_dtype, "default_value")
        self._value_shape = tuple(int(size or 0) for size in shape_of(self._default) or ())
        self._key_shape, self._shared = key_shape, shared
        self._eager = self._made() if executing_eagerly() else None
        self._resource_handle: Any = None
        if self._eager is not None:
            self._name = name
            return
        graph = get_default_graph()
        with lifted(graph):
            full = graph._operation_name(name, op_type)
            told: dict[str, Any] = {"container": graph._container.encode(), "shared_name": shared.encode()}
            told |= {"key_dtype": self._key_dtype, "value_dtype": self._value_dtype}
            results: list[Any] = [(as_dtype("string"), ())]
            made = Operation(
                graph, op_type, full, self._entries_in, (), results, True, differentiable=False, attributes=told
            )
        self._resource_handle, self._name = made.outputs[0], full.rpartition("/")[2]

    resource_handle = property(lambda self: self._resource_handle, doc="The tensor that stands for the table.")
    default_value = property(lambda self: self._default, doc="The value of keys that the table does not have.")

    def _made(self) -> Entries:
        shapes = self._value_shape, self._key_shape
        return Entries(_elements(self._value_dtype), _elements(self._key_dtype), *shapes, filled=self._starts_filled)

    _starts_filled = True  # else it must be initialized

    def _entries_in(self, session: Any) -> Entries:
        if self._eager is not None:
            return self._eager
        tables = _held.setdefault(session, {})
        key = self._shared or weakref.ref(self)
        found = tables.get(key)
        if found is None:
            return tables.setdefault(key, self._made())
        if self._shared and found.kind != self._made().kind:
            told = f"{self._shared!r} has other keys or values"
            raise InvalidArgumentError(None, None, f"Trying to access resource using the wrong type: {told}")
        return found

    def _found(self, keys: Any, name: str | None) -> Any:
        def sized(shape: Shape, *_: Any) -> Shape:
            return None if shape is None else (*shape[: len(shape) - len(self._key_shape)], *self._value_shape)

        inputs = (keys, self._default_here())
        return self._call("LookupTableFindV2", Entries.find, inputs, name, sized, self._value_dtype)

    def _default_here(self) -> Any:
        """Return the default value so that it can be taken in any graph: as an array where it is known."""
        known = None if self._eager is not None else constant_value(self._default)
        return self._default if known is None else known

    def size(self, name: str | None = None) -> Any:
        """Return how many keys the table has."""
        return self._call("LookupTableSizeV2", lambda entries: np.int64(len(entries)), (), name, (), "int64")

    def export(self, name: str | None = None) -> tuple[Any, Any]:
        """Return all keys, and their values in the same order."""
        shapes = [(None, *shape) for shape in self._exported_shapes()]
        types = [self._key_dtype, self._value_dtype]
        exported: tuple[Any, Any] = self._call(
            "LookupTableExportV2", lambda entries: entries.export(), (), name, lambda *_: shapes, types, outputs=2
        )
        return exported

    def _exported_shapes(self) -> list[tuple[int, ...]]:
        return [self._key_shape, self._value_shape]

    def _call(
        self, op_type: str, function: Callable[..., Any], inputs: Any, name: Any, shape: Any, dtype: Any, **more: Any
    ) -> Any:
        def of_session(session: Any, *arrays: Any) -> Any:
            return function(self._entries_in(session), *arrays)

        options: Any = {"contextual": True, "differentiable": False, "same": False, **more}
        return call(op_type, of_session, inputs, name=name, shape=shape, dtype=dtype, **options)

    def _change(self, op_type: str, function: Callable[..., None], inputs: Any, name: str | None = None) -> Any:
        """Return the operation that changes the entries, None in eager mode, where that is done at once."""

        def changed(entries: Entries, *arrays: Any) -> Any:
            function(entries, *arrays)
            return np.int32(0)

        done = self._call(op_type, changed, inputs, name, (), "int32", writes=True)
        return None if executing_eagerly() else done.op


class HashTable(ResourceTable):
    """A table that an initializer fills when a session runs ``initializer``, or ``tf.tables_initializer()``.

    Args:
        initializer: `KeyValueTensorInitializer` or `TextFileInitializer`.
        default_value: the value of keys that the table does not have.
        shared_name: tables of one session with the same name are one.

    Source: ``tf.contrib.lookup.HashTable``.
    """

    _starts_filled = False

    def __init__(
        self, initializer: TableInitializer, default_value: Any, shared_name: str | None = None, name: str | None = None
    ) -> None:
        types = initializer.key_dtype, initializer.value_dtype
        shared = shared_name or initializer._shared_name
        super().__init__(*types, default_value, "HashTableV2", name or "hash_table", shared)
        TensorShape(self._value_shape).merge_with(())
        with lifted(get_default_graph()):
            self._initializer = self._change(
                "InitializeTableV2",
                lambda entries, *arrays: entries.fill(initializer.pairs(*arrays)),
                initializer.inputs(),
                "table_init",
            )
        if self._initializer is not None:
            get_default_graph().add_to_collection(GraphKeys.TABLE_INITIALIZERS, self._initializer)

    initializer = property(lambda self: self._initializer, doc="The operation that fills the table.")
    init = initializer
    _init_op = initializer
