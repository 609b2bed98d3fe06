"""Lookup tables that a program fills itself, and that savers save."""

from __future__ import annotations

from functools import partial
from itertools import count
from typing import Any, ClassVar

from ...variables.collections import GraphKeys
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.scopes import name_scope
from ..ops.sparse_ops import convert_to_tensor
from ..saving.saveables import SaveableObject, SaveSpec
from .lookup_tables import ResourceTable
from .table_calls import (
    lookup_table_find_v2,
    lookup_table_import_v2,
    lookup_table_insert_v2,
    lookup_table_remove_v2,
)
from .table_handles import (
    anonymous_mutable_dense_hash_table,
    anonymous_mutable_hash_table,
    anonymous_mutable_hash_table_of_tensors,
    mutable_dense_hash_table_v2,
    mutable_hash_table_of_tensors_v2,
    mutable_hash_table_v2,
)

__all__ = ["DenseHashTable", "MutableHashTable"]


class _FilledTable(ResourceTable):
    """What tables share that a program fills itself; savers and checkpoints save them."""

    _SCOPES: ClassVar[dict[str, str]] = {
        "Lookup": "lookup_table_find",
        "Insert": "lookup_table_insert",
        "Remove": "lookup_table_remove",
        "Export": "lookup_table_export_values",
        "Restore": "table_restore",
    }

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """Return for each key its value, the default value where the table has none.

        Raises ValueError for keys of another type.
        """
        with self._scope("Lookup", name):
            return lookup_table_find_v2(self._resource_handle, self._taken(keys), self._default_here())

    def _taken(self, keys: Any) -> Any:
        return convert_to_tensor(keys, self._key_dtype, "keys")

    def insert(self, keys: Any, values: Any, name: str | None = None) -> Any:
        """Return the operation that puts values for keys, over those that they have."""
        with self._scope("Insert", name):
            values = convert_to_tensor(values, self._value_dtype, "values")
            return lookup_table_insert_v2(self._resource_handle, self._taken(keys), values)

    def remove(self, keys: Any, name: str | None = None) -> Any:
        """Return the operation that takes keys out, where they are in. Raises TypeError for keys of another type."""
        with name_scope(name, f"{self.name}_lookup_table_remove"):
            return lookup_table_remove_v2(self._resource_handle, self._keys(keys))

    def _imported(self, keys: Any, values: Any) -> Any:
        with self._scope("Restore"):
            return lookup_table_import_v2(self._resource_handle, keys, values)

    def _saved(self, name: str) -> None:
        """Have savers of all variables save the table."""
        if executing_eagerly():
            return
        held = get_default_graph().get_collection_ref(GraphKeys.SAVEABLE_OBJECTS)
        others = {each.name for each in held}
        self._saved_name = next(full for k in count() if (full := f"{name}_{k}" if k else name) not in others)
        held.append(_SavedTable(self, self._saved_name))

    _saved_name: str | None = None

    @property
    def _self_saveable_object_factories(self) -> dict[str, Any]:
        return self._gather_saveables_for_checkpoint()

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        return {"table": lambda name=self._saved_name or self.name: _SavedTable(self, name)}


class MutableHashTable(_FilledTable):
    """A table that a program fills itself, with `insert`; it is empty at first in each session.

    With ``checkpoint`` a `tf.train.Saver` of all variables saves and restores it, as ``<name>-keys`` and
    ``<name>-values``; where a table before has the name, ``_1`` and so on follow it.

    Args:
        key_dtype, value_dtype: the types of keys and values.
        default_value: the value of keys that the table does not have; its shape is that of all values.
        experimental_is_anonymous: nothing but the table's handle finds its entries; in a session each run has others.

    Source: ``tf.lookup.experimental.MutableHashTable``.
    """

    def __init__(
        self,
        key_dtype: Any,
        value_dtype: Any,
        default_value: Any,
        name: str = "MutableHashTable",
        checkpoint: bool = True,
        experimental_is_anonymous: bool = False,
        _shared_name: str = "",
    ) -> None:
        self._given_name = _shared_name
        default = convert_to_tensor(default_value, value_dtype)
        super().__init__(key_dtype, value_dtype, default, name, experimental_is_anonymous)
        if checkpoint:
            self._saved(name)

    def lookup(  # type: ignore[override]  # TensorFlow has the name last here
        self, keys: Any, dynamic_default_values: Any = None, name: str | None = None
    ) -> Any:
        """Return for each key its value, where the table has none the default value.

        ``dynamic_default_values``: in its place one for all keys, or one for each.
        Raises ValueError for keys of another type.
        """
        with self._scope("Lookup", name):
            keys, default = self._taken(keys), dynamic_default_values
            default = self._default_here() if default is None else default
            return lookup_table_find_v2(self._resource_handle, keys, default)

    def _create_resource(self, name: str) -> Any:
        told: dict[str, Any] = {"key_dtype": self._key_dtype, "value_dtype": self._value_dtype, "name": name}
        vectors: dict[str, Any] = {"value_shape": self._value_shape} if self._value_shape else {}
        if self._is_anonymous:
            anonymous = anonymous_mutable_hash_table_of_tensors if vectors else anonymous_mutable_hash_table
            return anonymous(**told, **vectors)
        container, shared, by_node = self._shared(self._given_name)
        told |= {"container": container, "shared_name": shared, "use_node_name_sharing": by_node}
        return (mutable_hash_table_of_tensors_v2 if vectors else mutable_hash_table_v2)(**told, **vectors)


class DenseHashTable(_FilledTable):
    """A table whose entries are in buckets, of which all are exported and saved.

    Args as of `MutableHashTable`, and
        empty_key, deleted_key: keys that are used for empty and for deleted buckets, and for nothing else; their shape
            is that of all keys.
        initial_num_buckets: a power of two.

    Source: ``tf.lookup.experimental.DenseHashTable``.
    """

    def __init__(
        self,
        key_dtype: Any,
        value_dtype: Any,
        default_value: Any,
        empty_key: Any,
        deleted_key: Any,
        initial_num_buckets: int | None = None,
        name: str = "MutableDenseHashTable",
        checkpoint: bool = True,
        experimental_is_anonymous: bool = False,
    ) -> None:
        self._buckets = 131072 if initial_num_buckets is None else int(initial_num_buckets)
        self._reserved = empty_key, deleted_key
        default = convert_to_tensor(default_value, value_dtype, "default_value")
        super().__init__(key_dtype, value_dtype, default, name, experimental_is_anonymous)
        if checkpoint:
            self._saved(name)

    def _create_resource(self, name: str) -> Any:
        names = "empty_key", "deleted_key"
        empty, deleted = [
            convert_to_tensor(*each) for each in zip(self._reserved, [self._key_dtype] * 2, names, strict=True)
        ]
        sizes: dict[str, Any] = {"value_shape": self._value_shape, "initial_num_buckets": self._buckets, "name": name}
        if self._is_anonymous:
            return anonymous_mutable_dense_hash_table(empty, deleted, self._value_dtype, **sizes)
        return mutable_dense_hash_table_v2(empty, deleted, self._value_dtype, *self._shared(""), **sizes)

    def insert_or_assign(self, keys: Any, values: Any, name: str | None = None) -> Any:
        """Do as `insert`."""
        return self.insert(keys, values, name)

    def erase(self, keys: Any, name: str | None = None) -> Any:
        """Do as `remove`."""
        return self.remove(keys, name)


class _SavedTable(SaveableObject):
    """A table as a `Saver` takes it."""

    def __init__(self, table: _FilledTable, name: str) -> None:
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
        return self.op._imported(*restored_tensors)
