"""Lookup tables: from texts or integers to values, filled in each session; ``tf.contrib.lookup`` takes its names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar
from uuid import uuid4

from ..graph.build import dtype_of, shape_of
from ..graph.dtypes import as_dtype
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Node, Tensor
from ..graph.scopes import colocate_with, init_scope, name_scope
from ..graph.session_values import lifted
from ..graph.shapes import TensorShape
from ..graph.static_values import constant_value
from ..ops.sparse_ops import SparseTensor, convert_to_tensor
from ..saving.trackable import Trackable
from .table_calls import (
    lookup_table_export_v2,
    lookup_table_find_v2,
    lookup_table_size_v2,
)
from .table_handles import (
    anonymous_hash_table,
    hash_table_v2,
)
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

    def __getitem__(self, keys: Any) -> Any:
        """Do as `lookup`."""
        return self.lookup(keys)

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


class ResourceTable(Table, Trackable):
    """A table whose entries are behind a handle: a session holds them, or in eager mode the handle.

    Args:
        default_value: the value of keys that the table does not have; its shape is that of values.
        name: of the operation that makes the handle.
        anonymous: nothing but the handle finds the entries, so that in a session each run has others.
    """

    _COLOCATED = True
    _SCOPES: ClassVar[dict[str, str]]  # the names below which operations are

    def __init__(self, key_dtype: Any, value_dtype: Any, default_value: Any, name: str, anonymous: bool) -> None:
        super().__init__(key_dtype, value_dtype)
        self._is_anonymous = anonymous
        self._default = default_value
        self._value_shape = shape_of(self._default) or ()
        with init_scope():
            self._resource_handle = self._create_resource(name)
            self._name = None if executing_eagerly() else self._resource_handle.op.name.rpartition("/")[2]

    resource_handle = property(lambda self: self._resource_handle, doc="The tensor that stands for the table.")
    default_value = property(lambda self: self._default, doc="The value of keys that the table does not have.")

    def _create_resource(self, name: str) -> Any:
        raise NotImplementedError

    def _shared(self, shared_name: str) -> tuple[str, str, bool]:
        """Return container, shared name, and whether the node's name is one where there is none."""
        return "", shared_name, not shared_name and not executing_eagerly()

    def _default_here(self) -> Any:
        """Return the default value so that it can be taken in any graph: as an array where it is known."""
        elsewhere = isinstance(self._default, Node) and self._default.graph is not get_default_graph()
        known = constant_value(self._default) if elsewhere else None
        return self._default if known is None else known

    @contextmanager
    def _scope(self, what: str, name: str | None = None) -> Iterator[None]:
        with name_scope(name, f"{self.name}_{self._SCOPES.get(what, what)}"):
            if executing_eagerly() or not self._COLOCATED:
                yield
                return
            with colocate_with(self._resource_handle):
                yield

    def _found(self, keys: Any, name: str | None, default: Any = None) -> Any:
        with self._scope("Lookup", name):
            default = self._default_here() if default is None else convert_to_tensor(default, self._value_dtype)
            return lookup_table_find_v2(self._resource_handle, keys, default)

    def size(self, name: str | None = None) -> Any:
        """Return how many keys the table has."""
        with self._scope("Size", name):
            return lookup_table_size_v2(self._resource_handle)

    def export(self, name: str | None = None) -> tuple[Any, Any]:
        """Return all keys, and their values in the same order."""
        with self._scope("Export", name):
            return lookup_table_export_v2(self._resource_handle, self._key_dtype, self._value_dtype)


class HashTable(ResourceTable):
    """A table that an initializer fills when a session runs ``initializer``, or ``tf.tables_initializer()``.

    Args:
        initializer: `KeyValueTensorInitializer` or `TextFileInitializer`.
        default_value: the value of keys that the table does not have.
        shared_name: tables of one session with the same name are one.

    Source: ``tf.contrib.lookup.HashTable``.
    """

    _COLOCATED = False
    _SCOPES: ClassVar[dict[str, str]] = {}

    def __init__(
        self,
        initializer: TableInitializer,
        default_value: Any,
        shared_name: str | None = None,
        name: str | None = None,
        experimental_is_anonymous: bool = False,
    ) -> None:
        self._shared_name = shared_name or initializer._shared_name or f"hash_table_{uuid4()}"
        self._table_initializer = initializer
        types = initializer.key_dtype, initializer.value_dtype
        default = convert_to_tensor(default_value, as_dtype(types[1]))
        super().__init__(*types, default, name or "hash_table", experimental_is_anonymous)
        TensorShape(self._value_shape).merge_with(())
        with lifted(get_default_graph()):
            self._initializer = initializer.initialize(self)

    def _create_resource(self, name: str) -> Any:
        types = self._key_dtype, self._value_dtype
        if self._is_anonymous:
            return anonymous_hash_table(*types, name=name)
        return hash_table_v2(*types, shared_name=self._shared_name, name=name)

    def _found(self, keys: Any, name: str | None, default: Any = None) -> Any:
        found = super()._found(keys, name, default)
        if isinstance(found, Tensor):
            found.set_shape(shape_of(keys))
        return found

    initializer = property(lambda self: self._initializer, doc="The operation that fills the table.")
    init = initializer
    _init_op = initializer
