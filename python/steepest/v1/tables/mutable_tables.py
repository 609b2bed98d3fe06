"""Lookup tables that a program fills itself, and that savers save."""

from __future__ import annotations

import math
from functools import partial
from itertools import count
from typing import Any

from ...variables.collections import GraphKeys
from ..graph.build import shape_of
from ..graph.errors import InvalidArgumentError
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.run_values import array_of
from ..graph.static_values import constant_value
from ..ops.sparse_ops import convert_to_tensor
from ..saving.saveables import SaveableObject, SaveSpec
from ..saving.trackable import Trackable
from .lookup_tables import ResourceTable, _elements
from .table_entries import DenseEntries, Entries

__all__ = ["DenseHashTable", "MutableHashTable"]


class _FilledTable(ResourceTable, Trackable):
    """What tables share that a program fills itself; savers and checkpoints save them."""

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """Return for each key its value, the default value where the table has none.

        Raises ValueError for keys of another type.
        """
        return self._found(convert_to_tensor(keys, self._key_dtype), name)

    def insert(self, keys: Any, values: Any, name: str | None = None) -> Any:
        """Return the operation that puts values for keys, over those that they have."""
        inputs = convert_to_tensor(keys, self._key_dtype), convert_to_tensor(values, self._value_dtype)
        return self._change("LookupTableInsertV2", Entries.insert, inputs, name)

    def remove(self, keys: Any, name: str | None = None) -> Any:
        """Return the operation that takes keys out, where they are in. Raises TypeError for keys of another type."""
        return self._change("LookupTableRemoveV2", Entries.remove, (self._keys(keys),), name)

    def _imported(self, keys: Any, values: Any) -> Any:
        def replace(entries: Entries, *arrays: Any) -> None:
            entries.replace(*arrays)

        return self._change("LookupTableImportV2", replace, (keys, values))

    def _saved(self, name: str) -> None:
        """Have savers of all variables save the table."""
        if executing_eagerly():
            return
        held = get_default_graph().get_collection_ref(GraphKeys.SAVEABLE_OBJECTS)
        others = {each.name for each in held}
        self._saved_name = next(full for k in count() if (full := f"{name}_{k}" if k else name) not in others)
        held.append(_SavedTable(self, self._saved_name))

    _saved_name: str | None = None

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        return {"table": lambda name=self._saved_name or self.name: _SavedTable(self, name)}


class MutableHashTable(_FilledTable):
    """A table that a program fills itself, with `insert`; it is empty at first in each session.

    With ``checkpoint`` a `tf.train.Saver` of all variables saves and restores it, as ``<name>-keys`` and
    ``<name>-values``; where a table before has the name, ``_1`` and so on follow it.

    Args:
        key_dtype, value_dtype: the types of keys and values.
        default_value: the value of keys that the table does not have; its shape is that of all values.
        shared_name: tables of one session with the same name are one.

    Source: ``tf.contrib.lookup.MutableHashTable``.
    """

    def __init__(
        self,
        key_dtype: Any,
        value_dtype: Any,
        default_value: Any,
        shared_name: str | None = None,
        name: str = "MutableHashTable",
        checkpoint: bool = True,
    ) -> None:
        default = convert_to_tensor(default_value, value_dtype, "default_value")
        if len(sizes := shape_of(default) or ()) > 1:
            raise InvalidArgumentError(None, None, f"Default value must be a vector, got shape {list(sizes)}")
        kind = "MutableHashTableOfTensorsV2" if shape_of(default) else "MutableHashTableV2"
        super().__init__(key_dtype, value_dtype, default, kind, name, shared_name or "")
        if checkpoint:
            self._saved(name)


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
    ) -> None:
        self._buckets = 131072 if initial_num_buckets is None else int(initial_num_buckets)
        self._reserved = [
            convert_to_tensor(key, key_dtype, what)
            for what, key in (("empty_key", empty_key), ("deleted_key", deleted_key))
        ]
        empty, deleted = [tuple(int(size or 0) for size in shape_of(key) or ()) for key in self._reserved]
        if empty != deleted:
            told = f"got shapes: {list(empty)} and {list(deleted)}"
            raise InvalidArgumentError(None, None, f"Empty and deleted keys must have same shape, {told}")
        super().__init__(key_dtype, value_dtype, default_value, "MutableDenseHashTableV2", name, key_shape=empty)
        if checkpoint:
            self._saved(name)

    def insert_or_assign(self, keys: Any, values: Any, name: str | None = None) -> Any:
        """Do as `insert`."""
        return self.insert(keys, values, name)

    def erase(self, keys: Any, name: str | None = None) -> Any:
        """Do as `remove`."""
        return self.remove(keys, name)

    def _exported_shapes(self) -> list[tuple[int, ...]]:
        return [(math.prod(shape),) for shape in super()._exported_shapes()]

    def _made(self) -> Entries:
        empty, deleted = (_known(key) for key in self._reserved)
        shapes = self._value_shape, self._key_shape
        kinds = _elements(self._value_dtype), _elements(self._key_dtype)
        return DenseEntries(empty, deleted, self._buckets, *kinds, *shapes)


def _known(key: Any) -> Any:
    """Return the value of a key that is used for buckets; ValueError where only a run knows it."""
    value = array_of(key) if executing_eagerly() else constant_value(key)
    if value is None:
        raise ValueError(f"DenseHashTable: empty_key and deleted_key must be known when the table is made, got {key}")
    return value


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
