"""Serialized ``tf.train.Example`` messages as tensors, one for each feature."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..graph.run_values import array_of
from .example_columns import CALLED, KINDS, dense, outputs, padded, places, sparse_arrays, together, values_of
from .example_features import (
    Column,
    FixedLenFeature,
    FixedLenSequenceFeature,
    SparseFeature,
    VarLenFeature,
    columns_of,
    with_sparse_features,
)
from .example_messages import Example, parsed
from .sparse_ops import convert_to_tensor
from .string_ops import as_bytes

__all__ = [
    "FixedLenFeature",
    "FixedLenSequenceFeature",
    "SparseFeature",
    "VarLenFeature",
    "parse_example",
    "parse_single_example",
]

_TYPES = {kind: CALLED[dtype] for dtype, kind in KINDS.items()}


def parse_example(
    serialized: Any, features: Mapping[str, Any], name: str | None = None, example_names: Any = None
) -> dict[str, Any]:
    """Return the features of a batch of examples, by their names.

    Args:
        serialized: a vector of strings, each a ``tf.train.Example``; or one, of which results have no rows.
        features: `FixedLenFeature`, `FixedLenSequenceFeature`, `VarLenFeature` and `SparseFeature` by the names of the
            features, of float32, int64 or string.
        example_names: names for the examples, which messages tell.

    Returns:
        For each name a tensor with one row an example, of a `VarLenFeature` and of a `SparseFeature` a sparse tensor.

    InvalidArgumentError, when a session runs, for a feature that is missing, of another type or of another length.
    Source: ``tf.parse_example``.
    """
    if not features:
        raise ValueError(f"Missing: features was {features}.")
    texts = convert_to_tensor(serialized, "string")
    return _parsed("ParseExample", texts, features, name, texts.shape.ndims != 0, example_names)


def parse_single_example(
    serialized: Any, features: Mapping[str, Any], name: str | None = None, example_names: Any = None
) -> dict[str, Any]:
    """Return the features of one example, by their names: as `parse_example` does, without the axis of the batch.

    Source: ``tf.parse_single_example``.
    """
    if not features:
        raise ValueError("Missing features.")
    return _parsed("ParseSingleExample", serialized, features, name, False, example_names)


def _parsed(
    kind: str, serialized: Any, features: Mapping[str, Any], name: str | None, batch: bool, names: Any
) -> dict[str, Any]:
    columns = columns_of(features, (FixedLenFeature, FixedLenSequenceFeature, SparseFeature, VarLenFeature))
    if any(column.kind == "rows" and not column.may_be_missing for column in columns):
        raise ValueError("Unsupported: FixedLenSequenceFeature requires allow_missing to be True.")
    texts = convert_to_tensor(serialized, "string")
    rank = texts.shape.ndims
    if rank is not None and rank != batch:
        shape = f"with input shape {texts.shape}."
        raise ValueError(f"Shape must be rank {int(batch)} but is rank {rank} for '{kind}' {shape}")
    inputs = [texts, *([] if names is None else [convert_to_tensor(names, "string")])]

    def arrays(given: Any, *called: Any) -> Any:
        examples = [parsed(Example, as_bytes(each)) for each in array_of(given).reshape(-1).tolist()]
        told = [as_bytes(each).decode() for each in array_of(called[0]).reshape(-1).tolist()] if called else []
        if told and len(told) != len(examples):
            raise ValueError(f"Expected len(names) == len(serialized), but got: {len(told)} vs. {len(examples)}")
        found: list[Any] = []
        for column in columns:
            rows = [
                _row(example, column, _Where(k, told[k] if told else "<unknown>", batch or bool(told)))
                for k, example in enumerate(examples)
            ]
            found += _arrays(rows, column, batch)
        return together(found)

    rows = (None if texts.shape.ndims is None else texts.shape.as_list()[0],) if batch else ()
    group = [(column, 1 + batch, (*rows, None) if column.kind == "rows" else rows) for column in columns]
    tensors, _ = outputs(kind, arrays, inputs, [group], name)
    return with_sparse_features(features, tensors)


class _Where:
    """Of which example a message tells."""

    def __init__(self, number: int, name: str, named: bool) -> None:
        self.number, self.name, self.named = number, name, named

    def key(self, key: str) -> str:
        """Return the beginning of what is said of a feature."""
        return f"Name: {self.name}, Key: {key}, Index: {self.number}.  " if self.named else f"Key: {key}.  "

    def counted(self, key: str, told: str) -> str:
        """Return what is said of another number of values."""
        return self.key(key) + told if self.named else f"{self.key(key)}Can't parse serialized Example. {told}"


def _row(example: Example, column: Column, where: _Where) -> list[Any]:
    """Return the values that one example has for a column. Raises ValueError as `parse_example` says."""

    def mistyped(kind: str) -> str:
        wanted, got = CALLED[column.dtype.name], _TYPES[kind]
        told = f"Expected type: {wanted}, Actual type: {got}"
        if column.kind != "sparse":
            told = f"Data type: {got} but expected type: {wanted}"
        return f"{where.key(column.key)}Data types don't match. {told}"

    values = values_of(example.features.feature.get(column.key), column, mistyped)
    if values is None and column.kind == "dense":
        if column.default is None:
            called = f"Name: {where.name}, " if where.named else ""
            told = f"(data type: {CALLED[column.dtype.name]}) is required but could not be found."
            raise ValueError(f"{called}Feature: {column.key} {told}")
        return column.default
    values = values or []
    shape = ",".join(map(str, column.shape))
    counted = f"Number of {KINDS[column.dtype.name].removesuffix('_list')} values"
    if column.kind == "dense" and len(values) != column.size:
        told = f"{counted} != expected.  Values size: {len(values)} but output shape: [{shape}]"
        raise ValueError(where.counted(column.key, told))
    if column.kind == "rows" and len(values) % max(column.size, 1):
        told = f"Saw {len(values)} values but output shape is: [?,{shape}]"
        told = f"{counted} is not a multiple of stride length. {told}"
        raise ValueError(where.counted(column.key, told))
    return values


def _arrays(rows: list[list[Any]], column: Column, batch: bool) -> list[Any]:
    if column.kind == "sparse":
        found = places(rows)
        most = max(map(len, rows), default=0)
        values = [each for row in rows for each in row]
        where = found if batch else [place[1:] for place in found]
        return sparse_arrays(where, values, column, [len(rows), most] if batch else [most])
    if column.kind == "rows":
        whole = padded(rows, column)
        return [whole if batch else whole[0]]
    return [dense(rows, column, (len(rows),) if batch else ())]
