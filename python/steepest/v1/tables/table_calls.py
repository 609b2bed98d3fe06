"""TensorFlow's operations on lookup tables, under its internal names: ``lookup_table_find_v2`` and the like.

The first input of each is the table's handle.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...ops.dispatch import unwrap
from ..graph.build import call, dtype_of
from ..graph.dtypes import as_dtype
from ..graph.errors import InvalidArgumentError
from ..graph.mode import executing_eagerly
from ..graph.node import Node
from ..graph.shapes import Shape, compatible, contradiction
from ..ops.sparse_ops import convert_to_tensor
from ..variables.handles import as_handle
from .table_entries import Entries

__all__ = [
    "changed",
    "initialize_table_v2",
    "lookup_table_export_v2",
    "lookup_table_find_v2",
    "lookup_table_import_v2",
    "lookup_table_insert_v2",
    "lookup_table_remove_v2",
    "lookup_table_size_v2",
]

_OPTIONS: dict[str, Any] = {"differentiable": False, "same": False}


def _entries_of(handle: Any) -> Entries:
    value = unwrap(handle)
    held = value.item() if isinstance(value, np.ndarray) and value.ndim == 0 else value
    if not isinstance(held, Entries):
        told = "Trying to access resource using the wrong type. Expected a lookup table"
        raise InvalidArgumentError(None, None, told)
    return held


def _shapes(handle: Any) -> tuple[Shape, Shape]:
    """Return what the graph knows of the shapes of one key and of one value: None where it is nothing."""
    told = handle.op._attributes if isinstance(handle, Node) else {}
    of_scalars = isinstance(handle, Node) and handle.op.type in ("MutableHashTableV2", "AnonymousMutableHashTable")
    return ((), ()) if of_scalars else told.get("_shapes", (None, None))


def changed(
    op_type: str,
    function: Callable[..., None],
    inputs: Sequence[Any],
    name: str | None,
    shape_fn: Callable[..., Any] | None = None,
    **attributes: Any,
) -> Any:
    """Return the operation that changes the entries of a table, None in eager mode, where that is done at once."""

    def done(handle: Any, *arrays: Any) -> Any:
        function(_entries_of(handle), *arrays)
        return np.int32(0)

    made = call(
        op_type,
        done,
        inputs,
        name=name,
        shape=shape_fn or (),
        dtype="int32",
        writes=True,
        attributes=attributes,
        **_OPTIONS,
    )
    return None if executing_eagerly() else made.op


def _types(handle: Any, keys: Any, values: Any) -> dict[str, Any]:
    """Return the types of keys and values. Raises ValueError where the graph knows that the table has others."""
    found = {"Tin": dtype_of(keys), "Tout": dtype_of(values)}
    told = handle.op._attributes if isinstance(handle, Node) and handle.op.type != "HashTableV2" else {}
    for own, given in zip((told.get("key_dtype"), told.get("value_dtype")), found.values(), strict=True):
        if own is not None and own != given:
            raise ValueError(f"Trying to read value with wrong dtype. Expected {own.name} got {given.name}")
    return found


def _same(of_keys: Shape, of_values: Shape) -> None:
    if not compatible(of_keys, of_values):
        raise ValueError(contradiction(of_keys, of_values))


def _insert(entries: Entries, *arrays: Any) -> None:
    entries.insert(*arrays)


def _remove(entries: Entries, *arrays: Any) -> None:
    entries.remove(*arrays)


def _replace(entries: Entries, *arrays: Any) -> None:
    entries.replace(*arrays)


def lookup_table_find_v2(table_handle: Any, keys: Any, default_value: Any, name: str | None = None) -> Any:
    """Return the values of keys, the default value of those that the table does not have.

    ``default_value``: one for all keys, or in a table that a program fills itself also one for each.
    Source: ``gen_lookup_ops.lookup_table_find_v2``.
    """
    keys, default_value = convert_to_tensor(keys), convert_to_tensor(default_value)
    key_shape, value_shape = _shapes(table_handle)

    def find(handle: Any, array: Any, default: Any) -> Any:
        return as_handle(_entries_of(handle).find(array, default))

    def shaped(_: Shape, keys_shape: Shape, *__: Any) -> Shape:
        if keys_shape is None or value_shape is None or key_shape is None:
            return None
        return (*keys_shape[: len(keys_shape) - len(key_shape)], *value_shape)

    inputs, told = (table_handle, keys, default_value), _types(table_handle, keys, default_value)
    return call(
        "LookupTableFindV2",
        find,
        inputs,
        name=name,
        shape=shaped,
        dtype=dtype_of(default_value),
        attributes=told,
        **_OPTIONS,
    )


def lookup_table_insert_v2(table_handle: Any, keys: Any, values: Any, name: str | None = None) -> Any:
    """Return the operation that puts values for keys, over those that they have."""
    keys, values = convert_to_tensor(keys), convert_to_tensor(values)
    told = _types(table_handle, keys, values)
    return changed("LookupTableInsertV2", _insert, (table_handle, keys, values), name, **told)


def lookup_table_remove_v2(table_handle: Any, keys: Any, name: str | None = None) -> Any:
    """Return the operation that takes keys out, where they are in."""
    keys = convert_to_tensor(keys)
    return changed("LookupTableRemoveV2", _remove, (table_handle, keys), name, Tin=dtype_of(keys))


def lookup_table_import_v2(table_handle: Any, keys: Any, values: Any, name: str | None = None) -> Any:
    """Return the operation that fills a table with keys and values, in place of what it has.

    Raises ValueError where keys and values are known to be of other sizes, or the latter to have no row.
    """
    keys, values = convert_to_tensor(keys), convert_to_tensor(values)

    def shaped(_: Shape, of_keys: Shape, of_values: Shape) -> Shape:
        if of_keys is not None and len(of_keys) != 1:
            raise ValueError(f"Shape must be rank 1 but is rank {len(of_keys)}")
        if of_values == ():
            raise ValueError("Shape must be at least rank 1 but is rank 0")
        if of_keys and of_values:
            _same(of_keys[:1], of_values[:1])
        return ()

    return changed(
        "LookupTableImportV2",
        _replace,
        (table_handle, keys, values),
        name,
        shaped,
        **_types(table_handle, keys, values),
    )


def initialize_table_v2(table_handle: Any, keys: Any, values: Any, name: str | None = None) -> Any:
    """Return the operation that fills a table with the keys and values of two vectors."""
    keys, values = convert_to_tensor(keys), convert_to_tensor(values)

    def shaped(_: Shape, of_keys: Shape, of_values: Shape) -> Shape:
        _same(of_keys, of_values)
        return ()

    told = {"Tkey": dtype_of(keys), "Tval": dtype_of(values)}
    return changed("InitializeTableV2", _replace, (table_handle, keys, values), name, shaped, **told)


def lookup_table_size_v2(table_handle: Any, name: str | None = None) -> Any:
    """Return how many keys the table has."""

    def size(handle: Any) -> Any:
        return np.int64(len(_entries_of(handle)))

    return call("LookupTableSizeV2", size, (table_handle,), name=name, shape=(), dtype="int64", **_OPTIONS)


def lookup_table_export_v2(table_handle: Any, Tkeys: Any, Tvalues: Any, name: str | None = None) -> tuple[Any, Any]:
    """Return all keys, and their values in the same order; of a table in buckets all of these, as rows."""
    key_shape, value_shape = _shapes(table_handle)
    dense = isinstance(table_handle, Node) and "Dense" in table_handle.op.type

    def export(handle: Any) -> Any:
        return _entries_of(handle).export()

    def rows(shape: Shape) -> Shape:
        if shape is None:
            return None
        return (None, math.prod(size or 0 for size in shape)) if dense else (None, *shape)

    shapes = [rows(() if key_shape is None and not dense else key_shape), rows(value_shape)]
    types = [as_dtype(Tkeys), as_dtype(Tvalues)]
    exported: tuple[Any, Any] = call(
        "LookupTableExportV2",
        export,
        (table_handle,),
        name=name,
        shape=lambda *_: shapes,
        dtype=types,
        outputs=2,
        attributes={"Tkeys": types[0], "Tvalues": types[1]},
        **_OPTIONS,
    )
    return exported
