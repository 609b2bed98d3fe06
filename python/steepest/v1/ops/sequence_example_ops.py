"""Serialized ``tf.train.SequenceExample`` messages as tensors: those of the whole sequence, and those of its steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..graph.run_values import array_of
from .example_columns import CALLED, KINDS, Groups, dense, outputs, padded, places, sparse_arrays, together, values_of
from .example_features import Column, FixedLenFeature, FixedLenSequenceFeature, VarLenFeature, columns_of
from .example_messages import Feature, parsed
from .sequence_messages import SequenceExample
from .sparse_ops import convert_to_tensor
from .string_ops import as_bytes

__all__ = ["parse_sequence_example", "parse_single_sequence_example"]

Features = Mapping[str, Any]


def parse_single_sequence_example(
    serialized: Any,
    context_features: Features | None = None,
    sequence_features: Features | None = None,
    example_name: Any = None,
    name: str | None = None,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the features of one sequence, and those of its steps, both by their names.

    Args:
        serialized: a string, a ``tf.train.SequenceExample``.
        context_features: `FixedLenFeature` and `VarLenFeature` by name: what is read of the whole.
        sequence_features: `FixedLenSequenceFeature` and `VarLenFeature` by name: what is read of the steps; the first
            axis is that of the steps.
        example_name: a name for the example, which messages tell.

    InvalidArgumentError, when a session runs, for a feature that is missing, of another type or of another length.
    Source: ``tf.parse_single_sequence_example``.
    """
    context, lists = _columns(context_features, sequence_features)
    inputs = _inputs("ParseSingleSequenceExample", serialized, example_name, 0)

    def arrays(given: Any, *named: Any) -> Any:
        example = _message(as_bytes(array_of(given).item()))
        called = as_bytes(array_of(named[0]).item()).decode() if named else ""
        found: list[Any] = []
        for column in context:
            row = _of_context(example, column, _Single(called))
            if column.kind == "dense":
                found.append(dense([row], column, ()))
            else:
                found += sparse_arrays([[k] for k in range(len(row))], row, column, [len(row)])
        for column in lists:
            rows = _of_list(example, column, _Single(called))
            found += _stacked(rows, column) if column.kind == "sparse" else [dense(rows, column, (len(rows),))]
        return together(found)

    groups: Groups = [[(column, 1, ()) for column in context], [(column, 2, (None,)) for column in lists]]
    of_context, of_lists, _ = outputs("ParseSingleSequenceExample", arrays, inputs, groups, name)
    return of_context, of_lists


def parse_sequence_example(
    serialized: Any,
    context_features: Features | None = None,
    sequence_features: Features | None = None,
    example_names: Any = None,
    name: str | None = None,
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Return as `parse_single_sequence_example` those of a batch; then how many steps each dense feature has in each.

    Steps that a sequence does not have are filled with zeros or empty texts.

    Source: ``tf.io.parse_sequence_example``.
    """
    context, lists = _columns(context_features, sequence_features)
    inputs = _inputs("ParseSequenceExample", serialized, example_names, 1)
    stepped = [column for column in lists if column.kind == "rows"]

    def arrays(given: Any, *named: Any) -> Any:
        texts = [as_bytes(each) for each in array_of(given).tolist()]
        called = [as_bytes(each).decode() for each in array_of(named[0]).reshape(-1).tolist()] if named else []
        wheres = [_Batched(called[k] if k < len(called) else "<unknown>") for k in range(len(texts))]
        pairs = [(_message(text), where) for text, where in zip(texts, wheres, strict=True)]
        found: list[Any] = []
        lengths: list[Any] = []
        for column in context:
            rows = [_of_context(example, column, where) for example, where in pairs]
            if column.kind == "dense":
                found.append(dense(rows, column, (len(rows),)))
            else:
                found += _stacked(rows, column)
        for column in lists:
            several = [_of_list(example, column, where) for example, where in pairs]
            if column.kind == "sparse":
                where = [place for k, rows in enumerate(several) for place in places(rows, (k,))]
                values = [each for rows in several for row in rows for each in row]
                steps = max(map(len, several), default=0)
                most = max((len(row) for rows in several for row in rows), default=0)
                found += sparse_arrays(where, values, column, [len(several), steps, most])
            else:
                found.append(padded([[each for row in rows for each in row] for rows in several], column))
                lengths.append(np.array([len(rows) for rows in several], np.int64))
        return together([*found, *lengths])

    count = None if inputs[0].shape.ndims is None else inputs[0].shape.as_list()[0]
    groups: Groups = [
        [(column, 2, (count,)) for column in context],
        [(column, 3, (count, None)) for column in lists],
    ]
    of_context, of_lists, lengths = outputs(
        "ParseSequenceExample", arrays, inputs, groups, name, len(stepped), (count,)
    )
    return of_context, of_lists, {column.key: each for column, each in zip(stepped, lengths, strict=True)}


def _columns(context: Features | None, lists: Features | None) -> tuple[list[Column], list[Column]]:
    if not (context or lists):
        raise ValueError("Missing features.")
    of_lists = columns_of(lists, (FixedLenSequenceFeature, VarLenFeature))
    for column in of_lists:
        if column.default is not None:
            raise ValueError(f"Value feature_list_dense_defaults[{column.key}] must be None")
    return columns_of(context, (FixedLenFeature, VarLenFeature)), of_lists


def _inputs(kind: str, serialized: Any, names: Any, rank: int) -> list[Any]:
    texts = convert_to_tensor(serialized, "string")
    found = texts.shape.ndims
    if found is not None and found != rank:
        raise ValueError(f"Shape must be rank {rank} but is rank {found} for '{kind}' with input shape {texts.shape}.")
    return [texts, *([] if names is None else [convert_to_tensor(names, "string")])]


class _Single:
    """What is said of one sequence that cannot be read."""

    def __init__(self, name: str) -> None:
        self._name = name

    def no_context(self, column: Column) -> str:
        return f"Name: {self._name}, Context feature '{column.key}' is required but could not be found."

    def context_type(self, column: Column, kind: str) -> str:
        return f"Name: {self._name}, Context feature: {column.key}.  {_mistyped(column, kind)}"

    def no_list(self, key: str) -> str:
        told = "Did you mean to include it in feature_list_dense_missing_assumed_empty or feature_list_dense_defaults?"
        return f"Name: {self._name}, Feature list '{key}' is required but could not be found.  {told}"

    def list_type(self, column: Column, step: int, kind: str) -> str:
        said = "Feature List" if column.kind == "sparse" else "Feature list"
        return f"Name: {self._name}, {said}: {column.key}, Index: {step}.  {_mistyped(column, kind)}"

    def count(self, column: Column, step: int, count: int) -> str:
        told = f"Number of {KINDS[column.dtype.name].removesuffix('_list')} values != expected."
        end = f"values size: {count} but output shape: {_sizes(column)}"
        return f"Name: {self._name}, Key: {column.key}, Index: {step}.  {told}  {end}"


class _Batched(_Single):
    """What is said of one sequence of a batch: in the words of TensorFlow 2, and of TensorFlow 1 behind them."""

    def no_context(self, column: Column) -> str:
        return self.count(column, 0, 0)

    def context_type(self, column: Column, kind: str) -> str:
        return f"{super().context_type(column, kind)}. Error in context feature {column.key} in example {self._name}"

    def no_list(self, key: str) -> str:
        return f"{super().no_list(key)} Missing feature {key} in example {self._name}"

    def list_type(self, column: Column, step: int, kind: str) -> str:
        told = f"Name: {self._name}, Feature list: {column.key}, Index: {step}.  {_mistyped(column, kind)}"
        return f"{told}. Error in sequence feature {column.key} in example {self._name}"

    def count(self, column: Column, step: int, count: int) -> str:
        if column.kind == "dense":
            told = f"expected {column.size}, but found {count}"
            return f"Inconsistent max number of elements for feature {column.key}: {told}"
        told = f"values size: {count} but output shape: {_sizes(column)}"
        said = f"Name: {self._name}, Key: {column.key}, Index: {step}.  Number of values != expected.  {told}"
        return f"{said}. Unexpected number of elements in feature {column.key}, example {self._name}"

    def total(self, column: Column, total: int) -> str:
        shape = f"[?,{_sizes(column)[1:]}"
        told = f"Total values size: {total} is not consistent with output shape: {shape}"
        said = f"Feature list '{column.key}' has an unexpected number of values.  {told}"
        return f"{said}. Unexpected number of elements in feature {column.key}, example {self._name}"


def _sizes(column: Column) -> str:
    return f"[{','.join(map(str, column.shape))}]"


def _mistyped(column: Column, kind: str) -> str:
    return f"Data types don't match. Expected type: {CALLED[column.dtype.name]}  Feature is: {kind}"


def _message(text: bytes) -> SequenceExample:
    return parsed(SequenceExample, text)


def _of_context(example: SequenceExample, column: Column, where: _Single) -> list[Any]:
    feature = example.context.feature.get(column.key)
    values = values_of(feature, column, lambda kind: where.context_type(column, kind))
    if column.kind == "sparse":
        return values or []
    if values is None:
        if column.default is None:
            raise ValueError(where.no_context(column))
        return column.default
    if len(values) != column.size:
        raise ValueError(where.count(column, 0, len(values)))
    return values


def _of_list(example: SequenceExample, column: Column, where: _Single) -> list[list[Any]]:
    """Return the values of each step. Raises ValueError for a step without values where all must have some."""
    listed = example.feature_lists.feature_list.get(column.key)
    if listed is None:
        if column.kind == "rows" and not column.may_be_missing:
            raise ValueError(where.no_list(column.key))
        return []
    if isinstance(where, _Batched) and column.kind == "rows":
        total = sum(len(_values(feature, column, k, where) or ()) for k, feature in enumerate(listed.feature))
        if total % (column.size or 1):
            raise ValueError(where.total(column, total))
    return [_step(feature, column, k, where) for k, feature in enumerate(listed.feature)]


def _values(feature: Feature, column: Column, step: int, where: _Single) -> list[Any] | None:
    values: list[Any] | None = values_of(feature, column, lambda kind: where.list_type(column, step, kind))
    return values


def _step(feature: Feature, column: Column, step: int, where: _Single) -> list[Any]:
    values = _values(feature, column, step, where)
    if column.kind == "sparse":
        return values or []
    if values is None:
        batched = isinstance(where, _Batched)
        raise ValueError(where.count(column, step, 0) if batched else where.list_type(column, step, ""))
    if len(values) != column.size:
        raise ValueError(where.count(column, step, len(values)))
    return values


def _stacked(rows: list[list[Any]], column: Column) -> list[Any]:
    values = [each for row in rows for each in row]
    return sparse_arrays(places(rows), values, column, [len(rows), max(map(len, rows), default=0)])
