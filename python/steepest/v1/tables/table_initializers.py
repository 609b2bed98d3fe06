"""What lookup tables are filled with: keys and values of tensors, or of the lines of a file."""

from __future__ import annotations

import os
from typing import Any

from ...variables.collections import GraphKeys
from ..graph.build import dtype_of
from ..graph.dtypes import DType, as_dtype
from ..graph.errors import InvalidArgumentError
from ..graph.file_errors import translated
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Node
from ..graph.run_values import array_of
from ..graph.scopes import init_scope, name_scope
from ..graph.session_values import lifted
from ..graph.shapes import Shape
from ..ops.sparse_ops import convert_to_tensor
from ..ops.string_ops import as_bytes
from .table_calls import changed, lookup_table_import_v2

__all__ = [
    "KeyValueTensorInitializer",
    "TableInitializer",
    "TextFileIdTableInitializer",
    "TextFileIndex",
    "TextFileInitializer",
    "TextFileStringTableInitializer",
    "check_table_dtypes",
    "initialize_table_from_text_file_v2",
]


class TableInitializer:
    """Base class: the types of keys and values, the tensors that these come from, and how."""

    _shared_name = ""  # under which tables that are filled with the same are one

    def __init__(self, key_dtype: Any, value_dtype: Any) -> None:
        self._key_dtype, self._value_dtype = as_dtype(key_dtype), as_dtype(value_dtype)

    key_dtype = property(lambda self: self._key_dtype, doc="The type of the keys.")
    value_dtype = property(lambda self: self._value_dtype, doc="The type of the values.")

    def initialize(self, table: Any) -> Any:
        """Return the operation that fills the table, which is added to the collection of these; None in eager mode.

        Raises TypeError for a table whose keys or values are of another type.
        """
        raise NotImplementedError

    def _initialized(self, done: Any) -> Any:
        if not executing_eagerly():
            get_default_graph().add_to_collection(GraphKeys.TABLE_INITIALIZERS, done)
        return done


def check_table_dtypes(table: Any, key_dtype: Any, value_dtype: Any) -> None:
    """Raise TypeError for a table whose keys or values are of another type."""
    pairs = (("key", table.key_dtype, as_dtype(key_dtype)), ("value", table.value_dtype, as_dtype(value_dtype)))
    for what, own, given in pairs:
        if own != given.base_dtype:
            raise TypeError(f"Invalid {what} dtype for table, expected {own!r} but got {given!r}.")


class KeyValueTensorInitializer(TableInitializer):
    """Keys and values of two tensors of one size. Source: ``tf.contrib.lookup.KeyValueTensorInitializer``."""

    def __init__(
        self, keys: Any, values: Any, key_dtype: Any = None, value_dtype: Any = None, name: str | None = None
    ) -> None:
        self._name = name or "key_value_init"
        with lifted(get_default_graph()):
            self._keys = convert_to_tensor(keys, key_dtype, "keys")
            self._values = convert_to_tensor(values, value_dtype, "values")
        super().__init__(dtype_of(self._keys), dtype_of(self._values))

    def initialize(self, table: Any) -> Any:
        """Return the operation that fills the table. Raises ValueError for keys and values of other sizes."""
        check_table_dtypes(table, self._key_dtype, self._value_dtype)
        with name_scope(self._name):
            done = lookup_table_import_v2(table.resource_handle, self._keys, self._values)
        return self._initialized(done)


class TextFileIndex:
    """What of a line is taken: a column by its number, or one of these. Source: ``tf.contrib.lookup.TextFileIndex``."""

    WHOLE_LINE = -2
    LINE_NUMBER = -1


class TextFileInitializer(TableInitializer):
    """Keys and values of the lines of a file, which is read when a session initializes the table.

    Args:
        filename: the file's path, perhaps a tensor; in the collection of assets it may be fed.
        key_dtype, value_dtype: their types.
        key_index, value_index: a column, or `TextFileIndex`.
        vocab_size: how many lines are taken; None: all.
        delimiter: what parts columns.
        value_index_offset: is added to the numbers of lines, and to other numbers of the file.

    Raises ValueError for no file, and for types that lines or numbers do not have. InvalidArgumentError, in a run, for
    fewer lines than ``vocab_size``, a line without the column, and what is no number where one should be.

    Source: ``tf.contrib.lookup.TextFileInitializer``.
    """

    def __init__(
        self,
        filename: Any,
        key_dtype: Any,
        key_index: int,
        value_dtype: Any,
        value_index: int,
        vocab_size: int | None = None,
        delimiter: str = "\t",
        name: str | None = None,
        value_index_offset: int = 0,
    ) -> None:
        if isinstance(filename, (str, bytes)) and not filename:
            raise ValueError("`filename` argument required for tf.lookup.TextFileInitializer")
        super().__init__(key_dtype, value_dtype)
        for what, index, dtype in (("key", key_index, self._key_dtype), ("value", value_index, self._value_dtype)):
            if index < TextFileIndex.WHOLE_LINE:
                raise ValueError(f"`{what}_index` should be >= -2, received: {index}.")
            if index == TextFileIndex.LINE_NUMBER and dtype != "int64":
                raise ValueError(f"`{what}_dtype` must be int64 if `{what}_index` is {index}, received: {dtype!r}")
            if index == TextFileIndex.WHOLE_LINE and dtype != "string" and not dtype.is_integer:
                rule = f"`{what}_dtype` should be either integer or string for `{what}_index` {index}"
                raise ValueError(f"{rule}, received: {dtype!r}")
        if vocab_size is not None and vocab_size <= 0:
            raise ValueError(f"`vocab_size` should be > 0, received: {vocab_size}")
        self._indices, self._size, self._delimiter = (key_index, value_index), vocab_size, delimiter
        self._name, self._offset = name, value_index_offset
        with init_scope():
            path = os.fspath(filename) if isinstance(filename, os.PathLike) else filename
            self._filename = convert_to_tensor(path, "string", name="asset_path")
        parts = [filename, vocab_size, key_index, value_index, value_index_offset or None]
        self._shared_name = "_".join(["hash_table", *(str(part) for part in parts if part is not None)])

    def initialize(self, table: Any) -> Any:
        """Return the operation that fills the table. Raises ValueError for several names of files."""
        check_table_dtypes(table, self._key_dtype, self._value_dtype)
        with name_scope(self._name, "text_file_init"):
            size = -1 if self._size is None else self._size
            rest = self._filename, *self._indices, size, self._delimiter, self._offset
            done = initialize_table_from_text_file_v2(table.resource_handle, *rest)
        if isinstance(self._filename, Node) and self._filename.op.type == "Const":
            get_default_graph().add_to_collection(GraphKeys.ASSET_FILEPATHS, self._filename)
        return self._initialized(done)


def initialize_table_from_text_file_v2(
    table_handle: Any,
    filename: Any,
    key_index: int,
    value_index: int,
    vocab_size: int = -1,
    delimiter: str = "\t",
    offset: int = 0,
    name: str | None = None,
) -> Any:
    """Return the operation that fills a table with the lines of a file.

    Source: ``gen_lookup_ops.initialize_table_from_text_file_v2``.
    """
    filename = convert_to_tensor(filename, "string")

    def shaped(_: Shape, of_name: Shape) -> Shape:
        if of_name:
            raise ValueError(f"Shape must be rank 0 but is rank {len(of_name)}")
        return ()

    def read(entries: Any, path: Any) -> None:
        lines = _Lines(path, delimiter, offset, vocab_size)
        keys = lines.fields(key_index, entries.key_dtype)
        entries.fill(list(zip(keys, lines.fields(value_index, entries.value_dtype), strict=True)))

    told: dict[str, Any] = {"key_index": key_index, "value_index": value_index, "vocab_size": vocab_size}
    told |= {"delimiter": delimiter.encode(), "offset": offset}
    return changed("InitializeTableFromTextFileV2", read, (table_handle, filename), name, shaped, **told)


class _Lines:
    """The lines of a file, and what is in their columns."""

    def __init__(self, path: Any, delimiter: str, offset: int, size: int) -> None:
        array = array_of(path)
        if array.ndim:
            told = f"filename should be a single string, but got {list(array.shape)}"
            raise InvalidArgumentError(None, None, told)
        self._path, self._delimiter, self._offset = os.fsdecode(as_bytes(array.item())), delimiter.encode(), offset
        with translated(open)(self._path, "rb") as file:
            lines = file.read().splitlines()
        if len(lines) < size:
            _refuse(f"Invalid vocab_size in {self._path}: expected {size} but got {len(lines)}")
        self._rows = list(enumerate(lines if size < 0 else lines[:size]))

    def fields(self, index: int, dtype: DType) -> list[Any]:
        return [self._field(number, line, index, dtype) for number, line in self._rows]

    def _field(self, number: int, line: bytes, index: int, dtype: DType) -> Any:
        if index == TextFileIndex.LINE_NUMBER:
            return number + self._offset
        text = line
        if index != TextFileIndex.WHOLE_LINE:
            parts = line.split(self._delimiter)
            if index >= len(parts):
                shown = line.decode(errors="replace")
                told = f"line {number} ({shown}) : expected at least {index + 1} got {len(parts)}"
                _refuse(f"Invalid number of columns in {self._path} {told}")
            text = parts[index]
        if dtype == "string":
            return text
        try:
            value = dtype.dtype.type(float(text) if dtype.is_floating else int(text)).item()
        except (ValueError, OverflowError):
            called = {"float32": "float", "float64": "double"}.get(dtype.name, dtype.name)
            _refuse(f"Field {text.decode(errors='replace')} in line {number} is not a valid {called}.")
        return value + self._offset


def _refuse(why: str) -> Any:
    raise InvalidArgumentError(None, None, why)


class TextFileIdTableInitializer(TextFileInitializer):
    """The lines of a file as keys, their numbers as values.

    Source: ``tf.contrib.lookup.TextFileIdTableInitializer``.
    """

    def __init__(
        self,
        filename: Any,
        key_column_index: int = TextFileIndex.WHOLE_LINE,
        value_column_index: int = TextFileIndex.LINE_NUMBER,
        vocab_size: int | None = None,
        delimiter: str = "\t",
        name: str = "text_file_id_table_init",
        key_dtype: Any = "string",
    ) -> None:
        columns = (key_dtype, key_column_index, "int64", value_column_index)
        super().__init__(filename, *columns, vocab_size, delimiter, name)


class TextFileStringTableInitializer(TextFileInitializer):
    """The numbers of a file's lines as keys, the lines as values.

    Source: ``tf.contrib.lookup.TextFileStringTableInitializer``.
    """

    def __init__(
        self,
        filename: Any,
        key_column_index: int = TextFileIndex.LINE_NUMBER,
        value_column_index: int = TextFileIndex.WHOLE_LINE,
        vocab_size: int | None = None,
        delimiter: str = "\t",
        name: str = "text_file_string_table_init",
    ) -> None:
        columns = ("int64", key_column_index, "string", value_column_index)
        super().__init__(filename, *columns, vocab_size, delimiter, name)
