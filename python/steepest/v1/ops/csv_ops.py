"""Lines of CSV as columns of numbers and strings."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..graph.build import call, shape_of
from ..graph.dtypes import DType, as_dtype
from ..graph.errors import InvalidArgumentError
from ..graph.mode import executing_eagerly
from ..graph.run_values import array_of
from ..ops.sparse_ops import convert_to_tensor
from .string_ops import as_bytes

__all__ = ["decode_csv"]

_KINDS = {"float32": "float", "float64": "double", "int32": "int32", "int64": "int64"}


def decode_csv(
    records: Any,
    record_defaults: Sequence[Any],
    field_delim: str = ",",
    use_quote_delim: bool = True,
    name: str | None = None,
    na_value: str = "",
    select_cols: Sequence[int] | None = None,
) -> list[Any]:
    """Return one tensor for each column of the records, strings that are lines of CSV (RFC 4180).

    Args:
        records: strings of any shape, which is that of the columns.
        record_defaults: for each column a list of one value, its type's and that of empty fields; an empty list, or a
            type, where a field must not be empty.
        field_delim: one character.
        use_quote_delim: fields in quotation marks may hold delimiters and ends of lines.
        na_value: what else stands for an empty field.
        select_cols: the numbers of the columns that are taken, ascending; all others are left out.

    InvalidArgumentError, when a session runs, for another number of fields, an empty field without a default, and what
    is no number. Source: ``tf.decode_csv``.
    """
    if select_cols is not None:
        if any(a >= b for a, b in itertools.pairwise(select_cols)):
            raise ValueError("select_cols is not strictly increasing.")
        if any(column < 0 for column in select_cols):
            raise ValueError("select_cols contains negative values.")
        if len(select_cols) != len(record_defaults):
            raise ValueError("Length of select_cols and record_defaults do not match.")
    defaults = [_default(item) for item in record_defaults]
    delimiter, missing = as_bytes(field_delim), as_bytes(na_value)

    def columns(given: Any, *values: Any) -> Any:
        if len(delimiter) != 1:
            raise ValueError("field_delim should be only 1 char")
        strings = array_of(given)
        made: list[list[Any]] = [[] for _ in defaults]
        own = [array_of(value).reshape(-1).tolist() for value in values]
        for record, line in enumerate(strings.reshape(-1).tolist()):
            chosen = _fields(as_bytes(line), delimiter, use_quote_delim, select_cols)
            if len(chosen) != len(defaults):
                raise ValueError(f"Expect {len(defaults)} fields but have {len(chosen)} in record {record}")
            for k, (text, (dtype, _)) in enumerate(zip(chosen, defaults, strict=True)):
                if text in (b"", missing):
                    if not own[k]:
                        raise ValueError(f"Field {k} is required but missing in record {record}!")
                    made[k].append(own[k][0])
                else:
                    made[k].append(_read(text, dtype, k, record))
        found = [_column(items, dtype, strings.shape) for items, (dtype, _) in zip(made, defaults, strict=True)]
        return tuple(found) if len(found) > 1 else found[0]

    inputs = [convert_to_tensor(value, dtype) for dtype, value in defaults]

    def shape_fn(shape: Any, *others: Any) -> Any:
        return [shape] * len(defaults)

    outputs = call(
        "DecodeCSV",
        columns,
        (records, *inputs),
        name=name,
        shape=shape_fn,
        dtype=[dtype for dtype, _ in defaults],
        outputs=len(defaults),
        same=False,
        differentiable=False,
    )
    return list(outputs)


def _default(item: Any) -> tuple[DType, Any]:
    """Return the type of a column and what stands for its empty fields: an array of one element, or of none."""
    if isinstance(item, (DType, type)):
        return as_dtype(item), []
    tensor = convert_to_tensor(item)
    dtype = as_dtype(tensor.dtype).base_dtype
    if len(shape_of(tensor) or ()) > 1:
        if executing_eagerly():
            raise InvalidArgumentError(None, None, "Each record default should be at most rank 1")
        raise ValueError(f"Shape must be at most rank 1 but is rank {len(shape_of(tensor) or ())} for a record default")
    if dtype.name not in (*_KINDS, "string"):
        raise TypeError(f"decode_csv: record_defaults must be of float, integer or string types, got {dtype.name}")
    return dtype, tensor


def _fields(line: bytes, delimiter: bytes, quotes: bool, columns: Sequence[int] | None) -> list[bytes]:
    """Return the fields of a line: all, or those of some columns, up to the last of which it is read.

    Raises ValueError for quotation marks and ends of lines where they must not be.
    """
    if b"\n" not in line and b"\r" not in line and not (quotes and b'"' in line):
        fields = line.split(delimiter) if line else []
        return fields if columns is None else [fields[k] for k in columns if k < len(fields)]
    found: list[bytes] = []
    place = number = 0
    while place < len(line) and (columns is None or len(found) < len(columns)):
        if line[place] in b"\r\n":
            place += 1
            continue
        if quotes and line[place] == ord('"'):
            field, place = _quoted(line, place + 1, delimiter)
        else:
            end = line.find(delimiter, place)
            field = line[place:] if end < 0 else line[place:end]
            if any(mark in field for mark in (b"\n", b"\r", *([b'"'] if quotes else []))):
                raise ValueError("Unquoted fields cannot have quotes/CRLFs inside")
            place += len(field) + 1
        if columns is None or number == columns[len(found)]:
            found.append(field)
        number += 1
    wanted = columns is None or (len(found) < len(columns) and number == columns[len(found)])
    return [*found, b""] if wanted and line.endswith(delimiter) else found


def _quoted(line: bytes, place: int, delimiter: bytes) -> tuple[bytes, int]:
    """Return the field in quotation marks that begins at a place, and where the next one begins."""
    field = b""
    while True:
        end = line.find(b'"', place)
        if end < 0:
            raise ValueError("Quoted field has to end with quote followed by delim or end")
        field += line[place:end]
        if end + 1 == len(line) or line[end + 1 : end + 2] == delimiter:
            return field, end + 2
        if line[end + 1 : end + 2] != b'"':
            raise ValueError("Quote inside a string has to be escaped by another quote")
        if end + 2 == len(line):  # the second one is the end
            raise ValueError("Quoted field has to end with quote followed by delim or end")
        field, place = field + b'"', end + 2


def _read(text: bytes, dtype: DType, field: int, record: int) -> Any:
    if dtype.name == "string":
        return text
    try:
        value = int(text) if dtype.is_integer else float(text)
        if dtype.is_integer and not np.iinfo(dtype.dtype).min <= value <= np.iinfo(dtype.dtype).max:
            raise ValueError
    except ValueError:
        raise ValueError(
            f"Field {field} in record {record} is not a valid {_KINDS[dtype.name]}: {_shown(text)}"
        ) from None
    return value


def _shown(text: bytes) -> str:
    return text.decode("utf-8", "surrogateescape")


def _column(items: list[Any], dtype: DType, shape: tuple[int, ...]) -> Any:
    out = np.empty(len(items), object if dtype.name == "string" else dtype.dtype)
    out[:] = [as_bytes(item) for item in items] if dtype.name == "string" else items
    return out.reshape(shape)
