"""What lookup tables are filled with: keys and values of tensors, or of the lines of a file."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from ...variables.collections import GraphKeys
from ..graph.build import dtype_of, shape_of
from ..graph.dtypes import DType, as_dtype
from ..graph.errors import InvalidArgumentError
from ..graph.file_errors import translated
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.run_values import array_of
from ..graph.session_values import lifted
from ..ops.sparse_ops import convert_to_tensor
from ..ops.string_ops import as_bytes
from .table_entries import keys_of

__all__ = [
    "KeyValueTensorInitializer",
    "TableInitializer",
    "TextFileIdTableInitializer",
    "TextFileIndex",
    "TextFileInitializer",
    "TextFileStringTableInitializer",
]

Pairs = Iterable[tuple[Any, Any]]


class TableInitializer:
    """Base class: the types of keys and values, the tensors that these come from, and how."""

    _shared_name = ""  # under which tables that are filled with the same are one

    def __init__(self, key_dtype: Any, value_dtype: Any) -> None:
        self._key_dtype, self._value_dtype = as_dtype(key_dtype), as_dtype(value_dtype)

    key_dtype = property(lambda self: self._key_dtype, doc="The type of the keys.")
    value_dtype = property(lambda self: self._value_dtype, doc="The type of the values.")

    def inputs(self) -> tuple[Any, ...]:
        """Return the tensors that keys and values come from."""
        raise NotImplementedError

    def pairs(self, *arrays: Any) -> Pairs:
        """Return keys and their values, of the values that the tensors have in a run."""
        raise NotImplementedError


class KeyValueTensorInitializer(TableInitializer):
    """Keys and values of two tensors of one size. Source: ``tf.contrib.lookup.KeyValueTensorInitializer``."""

    def __init__(
        self, keys: Any, values: Any, key_dtype: Any = None, value_dtype: Any = None, name: str | None = None
    ) -> None:
        del name
        with lifted(get_default_graph()):
            self._keys, self._values = convert_to_tensor(keys, key_dtype), convert_to_tensor(values, value_dtype)
        super().__init__(dtype_of(self._keys), dtype_of(self._values))

    def inputs(self) -> tuple[Any, ...]:
        """Return keys and values. Raises ValueError where they are known to be of other sizes."""
        keys, values = shape_of(self._keys), shape_of(self._values)
        if keys and values and None not in (keys[0], values[0]) and keys[0] != values[0]:
            raise ValueError(f"Dimension 0 in both shapes must be equal, but are {keys[0]} and {values[0]}")
        return self._keys, self._values

    def pairs(self, *arrays: Any) -> Pairs:
        """Return keys and values. Raises InvalidArgumentError where there are none, or not as many of both."""
        keys, values = (keys_of(array) for array in arrays)
        if not keys or not values:
            raise InvalidArgumentError(None, None, "keys and values cannot be empty tensors.")
        if len(keys) != len(values):
            told = f"Got {len(keys)} and {len(values)}"
            raise InvalidArgumentError(None, None, f"keys and values should have the same number of elements. {told}")
        return zip(keys, values, strict=True)


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
    ) -> None:
        if isinstance(filename, (str, bytes)) and not filename:
            raise ValueError(f"Filename required for {name}.")
        super().__init__(key_dtype, value_dtype)
        for what, index, dtype in (("Key", key_index, self._key_dtype), ("Value", value_index, self._value_dtype)):
            if index < TextFileIndex.WHOLE_LINE:
                raise ValueError(f"Invalid {what.lower()} index {index}.")
            texts = "string" if what == "Value" else "string or an integer"
            if index == TextFileIndex.LINE_NUMBER and dtype != "int64":
                raise ValueError(f"Signature mismatch. {what}s must be dtype int64, got {dtype.name}.")
            if index == TextFileIndex.WHOLE_LINE and dtype != "string" and not (what == "Key" and dtype.is_integer):
                raise ValueError(f"Signature mismatch. {what}s must be dtype {texts}, got {dtype.name}.")
        if vocab_size is not None and vocab_size <= 0:
            raise ValueError(f"Invalid vocab_size {vocab_size}.")
        self._indices, self._size, self._delimiter = (key_index, value_index), vocab_size, delimiter
        self._filename = filename
        count = "" if vocab_size is None else f"{vocab_size}_"
        self._shared_name = f"hash_table_{filename}_{count}{key_index}_{value_index}"

    def inputs(self) -> tuple[Any, ...]:
        """Return the name of the file, which is an asset. Raises ValueError for several names."""
        path = self._filename
        path = os.fspath(path) if isinstance(path, os.PathLike) else path
        name = convert_to_tensor(path, "string", name="asset_filepath")
        shape = shape_of(name)
        if shape:
            raise ValueError(f"Shapes {shape} and () must have the same rank: a table has one file")
        if not executing_eagerly():
            get_default_graph().add_to_collection(GraphKeys.ASSET_FILEPATHS, name)
        return (name,)

    def pairs(self, *arrays: Any) -> Pairs:
        """Return keys and values of the lines."""
        path = os.fsdecode(as_bytes(array_of(arrays[0]).item()))
        with translated(open)(path, "rb") as file:
            lines = file.read().splitlines()
        if self._size is not None and len(lines) < self._size:
            _refuse(f"Invalid vocab_size in {path}: expected {self._size} but got {len(lines)}")
        rows = list(enumerate(lines[: self._size]))
        both = zip(self._indices, (self._key_dtype, self._value_dtype), strict=True)
        keys, values = ([self._field(*row, index, dtype, path) for row in rows] for index, dtype in both)
        return zip(keys, values, strict=True)

    def _field(self, number: int, line: bytes, index: int, dtype: DType, path: str) -> Any:
        if index == TextFileIndex.LINE_NUMBER:
            return number
        text = line
        if index != TextFileIndex.WHOLE_LINE:
            parts = line.split(self._delimiter.encode())
            if index >= len(parts):
                shown = line.decode(errors="replace")
                told = f"line {number} ({shown}) : expected at least {index + 1} got {len(parts)}"
                _refuse(f"Invalid number of columns in {path} {told}")
            text = parts[index]
        if dtype == "string":
            return text
        try:
            return dtype.dtype.type(float(text) if dtype.is_floating else int(text)).item()
        except (ValueError, OverflowError):
            called = {"float32": "float", "float64": "double"}.get(dtype.name, dtype.name)
            _refuse(f"Field {text.decode(errors='replace')} in line {number} is not a valid {called}.")


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
