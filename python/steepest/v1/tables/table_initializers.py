"""What lookup tables are filled with: keys and values of tensors, or of the lines of a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ..graph.build import dtype_of
from ..graph.dtypes import as_dtype
from ..ops.sparse_ops import convert_to_tensor

__all__ = ["KeyValueTensorInitializer", "TableInitializer", "TextFileIndex", "TextFileInitializer"]


class TableInitializer:
    """Base class: the types of keys and values, and ``pairs()``, their tensors."""

    key_dtype: Any
    value_dtype: Any

    def pairs(self) -> tuple[Any, Any]:
        """Return keys and values."""
        raise NotImplementedError


class KeyValueTensorInitializer(TableInitializer):
    """Keys and values of two tensors of one size. Source: ``tf.contrib.lookup.KeyValueTensorInitializer``."""

    def __init__(
        self, keys: Any, values: Any, key_dtype: Any = None, value_dtype: Any = None, name: str | None = None
    ) -> None:
        del name
        self._keys, self._values = convert_to_tensor(keys, key_dtype), convert_to_tensor(values, value_dtype)
        self.key_dtype, self.value_dtype = dtype_of(self._keys), dtype_of(self._values)

    def pairs(self) -> tuple[Any, Any]:
        """Return keys and values."""
        return self._keys, self._values


class TextFileIndex:
    """What of a line is taken: a column by its number, or one of these. Source: ``tf.contrib.lookup.TextFileIndex``."""

    WHOLE_LINE = -2
    LINE_NUMBER = -1


class TextFileInitializer(TableInitializer):
    """Keys and values of the lines of a file, which is read when the table is made.

    Args:
        filename: the file's path.
        key_dtype, value_dtype: their types.
        key_index, value_index: a column, or `TextFileIndex`.
        vocab_size: how many lines are taken; None: all.
        delimiter: what parts columns.

    Raises ValueError for fewer lines than ``vocab_size``, or a line without the column.

    Source: ``tf.contrib.lookup.TextFileInitializer``.
    """

    def __init__(
        self,
        filename: str,
        key_dtype: Any,
        key_index: int,
        value_dtype: Any,
        value_index: int,
        vocab_size: int | None = None,
        delimiter: str = "\t",
        name: str | None = None,
    ) -> None:
        del name
        self.key_dtype, self.value_dtype = as_dtype(key_dtype), as_dtype(value_dtype)
        lines = Path(filename).read_bytes().decode().splitlines()
        if vocab_size is not None and len(lines) < vocab_size:
            raise ValueError(f"Invalid vocab_size in {filename}: expected {vocab_size} but got {len(lines)}")
        rows = list(enumerate(lines[:vocab_size]))
        self._keys = self._column(rows, key_index, self.key_dtype, delimiter, filename)
        self._values = self._column(rows, value_index, self.value_dtype, delimiter, filename)

    @staticmethod
    def _column(rows: list[tuple[int, str]], index: int, dtype: Any, delimiter: str, filename: str) -> Any:
        def of_line(number: int, line: str) -> Any:
            if index in (TextFileIndex.WHOLE_LINE, TextFileIndex.LINE_NUMBER):
                return line if index == TextFileIndex.WHOLE_LINE else number
            parts = line.split(delimiter)
            if index >= len(parts):
                raise ValueError(
                    f"Invalid number of columns in {filename} line {number} ({line}): expected {index + 1}"
                )
            return parts[index]

        found = [of_line(number, line) for number, line in rows]
        texts = dtype == "string"
        return convert_to_tensor(
            np.array([str(item).encode() for item in found], object) if texts else np.array(found).astype(dtype.dtype)
        )

    def pairs(self) -> tuple[Any, Any]:
        """Return keys and values."""
        return self._keys, self._values
