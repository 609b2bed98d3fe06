"""Serialized ``tf.train.Example`` messages as tensors, one for each feature."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..graph.build import call
from ..graph.dtypes import as_dtype
from ..graph.run_values import array_of
from ..graph.shapes import TensorShape
from .example_messages import Example
from .sparse_ops import SparseTensor, convert_to_tensor
from .string_ops import as_bytes

__all__ = ["FixedLenFeature", "VarLenFeature", "parse_example", "parse_single_example"]


class FixedLenFeature(NamedTuple):
    """A feature that has one shape in all examples, and perhaps a value where it is missing.

    Source: ``tf.FixedLenFeature``.
    """

    shape: Any
    dtype: Any
    default_value: Any = None


class VarLenFeature(NamedTuple):
    """A feature of any length, which becomes a sparse tensor. Source: ``tf.VarLenFeature``."""

    dtype: Any


_KINDS = {"string": "bytes_list", "float32": "float_list", "int64": "int64_list"}


def parse_example(
    serialized: Any, features: Mapping[str, Any], name: str | None = None, example_names: Any = None
) -> dict[str, Any]:
    """Return the features of a batch of examples, by their names.

    Args:
        serialized: a vector of strings, each a ``tf.train.Example``.
        features: `FixedLenFeature` and `VarLenFeature` by the names of the features, of float32, int64 or string.
        example_names: accepted for TensorFlow's sake.

    Returns:
        For each name a tensor with one row an example, of a `VarLenFeature` a sparse tensor.

    InvalidArgumentError, when a session runs, for a feature that is missing, of another type or of another length.
    Source: ``tf.parse_example``.
    """
    return _parsed("ParseExample", serialized, features, name, 1)


def parse_single_example(
    serialized: Any, features: Mapping[str, Any], name: str | None = None, example_names: Any = None
) -> dict[str, Any]:
    """Return the features of one example, by their names: as `parse_example` does, without the axis of the batch.

    Source: ``tf.parse_single_example``.
    """
    return _parsed("ParseSingleExample", serialized, features, name, 0)


def _parsed(kind: str, serialized: Any, features: Mapping[str, Any], name: str | None, batch: int) -> dict[str, Any]:
    if not features:
        raise ValueError(f"Missing features: {features!r}.")
    wanted = [(key, *_checked(key, features[key])) for key in sorted(features)]
    texts = convert_to_tensor(serialized, "string")
    rank = texts.shape.ndims
    if rank is not None and rank != batch:
        raise ValueError(f"Shape must be rank {batch} but is rank {rank} for '{kind}' with input shape {texts.shape}.")

    def columns(given: Any) -> Any:
        examples = [Example.FromString(as_bytes(each)) for each in array_of(given).reshape(-1).tolist()]
        found: list[Any] = []
        for key, feature, dtype, default in wanted:
            rows = [_values(example, key, dtype) for example in examples]
            if isinstance(feature, VarLenFeature):
                found += _sparse(rows, dtype, batch)
            else:
                shape = _sizes(feature)
                dense = np.array([_row(key, k, row, shape, default) for k, row in enumerate(rows)], dtype.dtype)
                found.append(dense.reshape([*([len(rows)] if batch else []), *shape]))
        return tuple(found)

    dtypes: list[Any] = []
    shapes: list[Any] = []
    for _, feature, dtype, _ in wanted:
        sparse = isinstance(feature, VarLenFeature)
        dtypes += ["int64", dtype, "int64"] if sparse else [dtype]
        ends = [] if sparse else _sizes(feature)
        shapes += [(None, 1 + batch), (None,), (1 + batch,)] if sparse else [ends]

    def shape_fn(shape: Any) -> Any:
        rows = [] if not batch else [None if shape is None else shape[0]]
        return [each if isinstance(each, tuple) else (*rows, *each) for each in shapes]

    outputs = iter(
        call(
            kind,
            columns,
            (texts,),
            name=name,
            shape=shape_fn,
            dtype=[as_dtype(dtype) for dtype in dtypes],
            outputs=len(dtypes),
            same=False,
            differentiable=False,
        )
    )
    return {
        key: SparseTensor(next(outputs), next(outputs), next(outputs))
        if isinstance(feature, VarLenFeature)
        else next(outputs)
        for key, feature, _, _ in wanted
    }


def _checked(key: str, feature: Any) -> tuple[Any, Any, Any]:
    """Return a feature, its type and its default values; ValueError for another kind, type or shape."""
    if not isinstance(feature, (FixedLenFeature, VarLenFeature)):
        raise ValueError(f"Invalid feature {key}:{feature}.")
    if not feature.dtype:
        raise ValueError(f"Missing type for feature {key}.")
    dtype = as_dtype(feature.dtype)
    if dtype.name not in _KINDS:
        raise TypeError(f"parse_example: features must be of float32, int64 or string, got {dtype.name} for {key!r}")
    if isinstance(feature, VarLenFeature):
        return feature, dtype, None
    if feature.shape is None:
        raise ValueError(f"Missing shape for feature {key}.")
    if not TensorShape(feature.shape).is_fully_defined():
        raise ValueError(f"parse_example: shapes of features must be whole, got {feature.shape} for {key!r}")
    default = feature.default_value
    if default is None:
        return feature, dtype, None
    size = int(np.prod(_sizes(feature)))
    flat = np.array(default, object if dtype.name == "string" else dtype.dtype).reshape(-1)
    if flat.size not in (1, size):
        raise ValueError(f"Cannot reshape the default of {key!r}, of {flat.size} elements, to shape {_sizes(feature)}.")
    filled = np.resize(flat, size) if size else flat[:0]
    return feature, dtype, [as_bytes(each) for each in filled] if dtype.name == "string" else filled.tolist()


def _sizes(feature: FixedLenFeature) -> list[int]:
    """Return the shape of a feature, whose sizes are all known."""
    return [int(size) for size in TensorShape(feature.shape).as_list() or () if size is not None]


def _values(example: Example, key: str, dtype: Any) -> list[Any] | None:
    """Return the values of a feature, None where the example has none; ValueError for those of another type."""
    feature = example.features.feature.get(key)
    kind = None if feature is None else feature.WhichOneof()
    if feature is None or kind is None:
        return None
    if kind != _KINDS[dtype.name]:
        got = next(name for name, each in _KINDS.items() if each == kind)
        raise ValueError(f"Key: {key}.  Data types don't match. Expected type: {dtype.name}, got: {got}")
    found: list[Any] = getattr(feature, kind).value
    return found


def _row(key: str, number: int, values: list[Any] | None, shape: Sequence[int], default: Any) -> list[Any]:
    row = default if values is None else values
    if row is None:
        raise ValueError(f"Name: <unknown>, Key: {key}, Index: {number}.  Required but could not be found.")
    if len(row) != int(np.prod(shape)):
        told = f"values size: {len(row)} but output shape: {list(shape)}"
        raise ValueError(f"Name: <unknown>, Key: {key}, Index: {number}.  Number of values != expected.  {told}")
    return list(row)


def _sparse(rows: list[list[Any] | None], dtype: Any, batch: int) -> list[Any]:
    full = [row or [] for row in rows]
    places = [[*([k] if batch else []), j] for k, row in enumerate(full) for j in range(len(row))]
    values = [each for row in full for each in row]
    shape = [*([len(full)] if batch else []), max(map(len, full), default=0)]
    return [np.array(places, np.int64).reshape(-1, 1 + batch), np.array(values, dtype.dtype), np.array(shape, np.int64)]
