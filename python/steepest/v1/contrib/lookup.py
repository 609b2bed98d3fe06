"""``tf.contrib.lookup``: tables from texts to numbers and back, with buckets for texts that they do not have."""

from __future__ import annotations

import os
from typing import Any

from ..graph.build import dtype_of
from ..graph.dtypes import as_dtype
from ..graph.missing import namespace
from ..graph.node import Node
from ..graph.scopes import name_scope
from ..graph.static_values import constant_value
from ..ops.array_ops import size as size_of
from ..ops.cast_ops import cast
from ..ops.creation_ops import range as _range
from ..ops.sparse_ops import convert_to_tensor
from ..tables.hash_buckets import FastHashSpec, HasherSpec, IdTableWithHashBuckets, StrongHashSpec
from ..tables.lookup_tables import HashTable, Table
from ..tables.mutable_tables import DenseHashTable as MutableDenseHashTable
from ..tables.mutable_tables import MutableHashTable as _MutableHashTable
from ..tables.table_initializers import (
    KeyValueTensorInitializer,
    TableInitializer,
    TextFileIdTableInitializer,
    TextFileIndex,
    TextFileInitializer,
    TextFileStringTableInitializer,
)

__all__ = [
    "FastHashSpec",
    "HashTable",
    "HasherSpec",
    "IdTableWithHashBuckets",
    "InitializableLookupTableBase",
    "KeyValueTensorInitializer",
    "LookupInterface",
    "MutableDenseHashTable",
    "MutableHashTable",
    "StrongHashSpec",
    "TableInitializerBase",
    "TextFileIdTableInitializer",
    "TextFileIndex",
    "TextFileInitializer",
    "TextFileStringTableInitializer",
    "index_table_from_file",
    "index_table_from_tensor",
    "index_to_string",
    "index_to_string_table_from_file",
    "index_to_string_table_from_tensor",
    "string_to_index",
    "string_to_index_table_from_file",
    "string_to_index_table_from_tensor",
]

__getattr__, __dir__ = namespace(__name__)


class MutableHashTable(_MutableHashTable):
    """A table that a program fills itself; tables of one session with the same ``shared_name`` are one.

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
        super().__init__(key_dtype, value_dtype, default_value, name, checkpoint, _shared_name=shared_name or "")


LookupInterface, InitializableLookupTableBase, TableInitializerBase = Table, HashTable, TableInitializer


def index_table_from_tensor(
    mapping: Any = None,
    num_oov_buckets: int = 0,
    default_value: int = -1,
    hasher_spec: HasherSpec = FastHashSpec,
    dtype: Any = "string",
    name: str | None = None,
    vocabulary_list: Any = None,
) -> Table:
    """Return the table from texts (or integers, as ``dtype`` says) to their positions in a vector.

    Raises ValueError for no vector, TypeError for keys of another kind.
    """
    keys = vocabulary_list if mapping is None else mapping
    if keys is None:
        raise ValueError("`vocabulary_list` must be specified.")
    kind = as_dtype(dtype)
    if kind != "string" and not kind.is_integer:
        raise TypeError("`dtype` must either be integer or string.")
    with name_scope(name, "string_to_index"):
        keys = convert_to_tensor(keys)
        if kind.is_integer != dtype_of(keys).is_integer:
            expected = "integer" if kind.is_integer else "non-integer"
            raise ValueError(f"Invalid `dtype`: Expected {expected}, got {dtype_of(keys)!r}.")
        values = cast(_range(size_of(keys)), "int64")
        with name_scope(None, "hash_table"):
            stored = cast(keys, "int64") if kind.is_integer else keys
            pairs = KeyValueTensorInitializer(stored, values, value_dtype="int64", name="table_init")
            table = HashTable(pairs, default_value)
        return _with_buckets(table, num_oov_buckets, hasher_spec, kind)


def index_table_from_file(
    vocabulary_file: Any = None,
    num_oov_buckets: int = 0,
    vocab_size: int | None = None,
    default_value: int = -1,
    hasher_spec: HasherSpec = FastHashSpec,
    key_dtype: Any = "string",
    name: str | None = None,
    key_column_index: int = TextFileIndex.WHOLE_LINE,
    value_column_index: int = TextFileIndex.LINE_NUMBER,
    delimiter: str = "\t",
) -> Table:
    """Return the table from the lines of a file to their numbers. Raises ValueError for no file or no lines."""
    if vocabulary_file is None or (isinstance(vocabulary_file, str) and not vocabulary_file):
        raise ValueError("`vocabulary_file` must be specified and must not be empty.")
    if vocab_size is not None and vocab_size < 1:
        known = constant_value(vocabulary_file) if isinstance(vocabulary_file, Node) else vocabulary_file
        file = "?" if known is None else os.fsdecode(known.item() if hasattr(known, "item") else known)
        raise ValueError(f"`vocab_size` must be greater than 0, got {vocab_size} for vocabulary_file: {file}.")
    kind = as_dtype(key_dtype)
    if kind != "string" and not kind.is_integer:
        raise TypeError("`dtype` must either be integer or string.")
    stored = "int64" if kind.is_integer else "string"
    with name_scope(name, "string_to_index"):
        with name_scope(None, "hash_table"):
            columns = (stored, key_column_index, "int64", value_column_index)
            lines = TextFileInitializer(vocabulary_file, *columns, vocab_size, delimiter, "table_init")
            table = HashTable(lines, default_value)
        return _with_buckets(table, num_oov_buckets, hasher_spec, kind)


def index_to_string_table_from_tensor(
    mapping: Any = None, default_value: str = "UNK", name: str | None = None, vocabulary_list: Any = None
) -> HashTable:
    """Return the table from positions in a vector to its texts. Raises ValueError for no vector."""
    values = vocabulary_list if mapping is None else mapping
    if values is None:
        raise ValueError("`vocabulary_list` argument must be specified.")
    with name_scope(name, "index_to_string"):
        values = convert_to_tensor(values, "string")
        positions = cast(_range(size_of(values)), "int64")
        pairs = KeyValueTensorInitializer(positions, values, "int64", "string", "table_init")
        return HashTable(pairs, default_value)


def index_to_string_table_from_file(
    vocabulary_file: Any,
    vocab_size: int | None = None,
    default_value: str = "UNK",
    name: str | None = None,
    key_column_index: int = TextFileIndex.LINE_NUMBER,
    value_column_index: int = TextFileIndex.WHOLE_LINE,
    delimiter: str = "\t",
) -> HashTable:
    """Return the table from the numbers of a file's lines to these. Raises ValueError for no file."""
    if vocabulary_file is None or (isinstance(vocabulary_file, str) and not vocabulary_file):
        raise ValueError("`vocabulary_file` must be specified and must not be empty.")
    if vocab_size is not None and vocab_size < 1:
        raise ValueError(f"`vocab_size` must be greater than 0, got {vocab_size}.")
    with name_scope(name, "index_to_string"):
        columns = ("int64", key_column_index, "string", value_column_index)
        lines = TextFileInitializer(vocabulary_file, *columns, vocab_size, delimiter, "table_init")
        return HashTable(lines, default_value)


def string_to_index_table_from_tensor(
    mapping: Any,
    num_oov_buckets: int = 0,
    default_value: int = -1,
    hasher_spec: HasherSpec = FastHashSpec,
    name: str | None = None,
) -> Table:
    """Do what `index_table_from_tensor` does for texts. Raises ValueError for other keys."""
    mapping = convert_to_tensor(mapping)
    if dtype_of(mapping) != "string":
        raise ValueError("string_to_index_table_from_tensor requires string.")
    return index_table_from_tensor(mapping, num_oov_buckets, default_value, hasher_spec, name=name)


def string_to_index_table_from_file(
    vocabulary_file: Any = None,
    num_oov_buckets: int = 0,
    vocab_size: int | None = None,
    default_value: int = -1,
    hasher_spec: HasherSpec = FastHashSpec,
    name: str | None = None,
) -> Table:
    """Do what `index_table_from_file` does for texts."""
    return index_table_from_file(vocabulary_file, num_oov_buckets, vocab_size, default_value, hasher_spec, name=name)


def string_to_index(tensor: Any, mapping: Any, default_value: int = -1, name: str | None = None) -> Any:
    """Return the positions of texts in a vector of texts; ``tf.tables_initializer()`` is to be run before."""
    return index_table_from_tensor(mapping, default_value=default_value, name=name).lookup(tensor)


def index_to_string(tensor: Any, mapping: Any, default_value: str = "UNK", name: str | None = None) -> Any:
    """Return the texts at positions of a vector of texts; ``tf.tables_initializer()`` is to be run before."""
    return index_to_string_table_from_tensor(mapping, default_value, name).lookup(tensor)


def _with_buckets(table: HashTable, count: int, spec: HasherSpec, kind: Any) -> Table:
    if count < 0:
        raise ValueError(f"`num_oov_buckets` must be greater or equal than 0, got {count}.")
    return IdTableWithHashBuckets(table, count, spec, key_dtype=kind) if count else table
