"""What programs say of the features of examples: their types, and whether they are dense, sparse or rows of rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..graph.dtypes import DType, as_dtype
from ..graph.shapes import TensorShape
from .sparse_making_ops import sparse_merge
from .string_ops import as_bytes

__all__ = ["Column", "FixedLenFeature", "FixedLenSequenceFeature", "SparseFeature", "VarLenFeature"]


class FixedLenFeature(NamedTuple):
    """A feature that has one shape in all examples, and perhaps a value where it is missing.

    Source: ``tf.FixedLenFeature``.
    """

    shape: Any
    dtype: Any
    default_value: Any = None


class FixedLenSequenceFeature(NamedTuple):
    """A feature that is any number of rows of one shape; of fewer rows than others the rest is ``default_value``.

    Source: ``tf.FixedLenSequenceFeature``.
    """

    shape: Any
    dtype: Any
    allow_missing: bool = False
    default_value: Any = None


class VarLenFeature(NamedTuple):
    """A feature of any length, which becomes a sparse tensor. Source: ``tf.VarLenFeature``."""

    dtype: Any


class SparseFeature(NamedTuple):
    """A sparse tensor whose values are one feature, and whose places are others: one for each axis.

    Source: ``tf.SparseFeature``.
    """

    index_key: Any
    value_key: Any
    dtype: Any
    size: Any
    already_sorted: bool = False


_TYPES = ("float32", "int64", "string")


class Column(NamedTuple):
    """What is read of one feature. ``kind``: ``sparse``, ``dense`` or ``rows``; ``default``: values, None for none."""

    key: str
    dtype: DType
    kind: str
    shape: tuple[int, ...] = ()
    default: list[Any] | None = None
    may_be_missing: bool = False

    @property
    def size(self) -> int:
        """How many values a row has."""
        return int(np.prod(self.shape, dtype=np.int64))


def columns_of(features: Mapping[str, Any] | None, kinds: Iterable[type]) -> list[Column]:
    """Return what is read for features, the sparse ones first, each in the order of their names.

    Raises ValueError for features of other kinds, and for those that do not say enough; TypeError for other types.
    """
    sparse: dict[str, Column] = {}
    dense: list[Column] = []
    kinds = tuple(kinds)
    for key in sorted(features or {}):
        feature = (features or {})[key]
        if not isinstance(feature, (FixedLenFeature, FixedLenSequenceFeature, SparseFeature, VarLenFeature)):
            raise ValueError(f"Invalid feature {key}:{feature}.")
        if not isinstance(feature, kinds):
            raise ValueError(f"Unsupported {type(feature).__name__} {feature}.")
        for what in ("index_key", "value_key") if isinstance(feature, SparseFeature) else ():
            if not getattr(feature, what):
                raise ValueError(f"Missing {what} for SparseFeature {feature}.")
        if not feature.dtype:
            raise ValueError(f"Missing type for feature {key}.")
        dtype = _type(key, feature.dtype)
        if isinstance(feature, VarLenFeature):
            _add(sparse, key, dtype)
        elif isinstance(feature, SparseFeature):
            for index_key in sorted(_index_keys(feature)):
                _add(sparse, index_key, as_dtype("int64"))
            _add(sparse, feature.value_key, dtype)
        else:
            dense.append(_dense(key, feature, dtype))
    return [*sparse.values(), *dense]


def _add(sparse: dict[str, Column], key: str, dtype: DType) -> None:
    known = sparse.setdefault(key, Column(key, dtype, "sparse"))
    if known.dtype != dtype:
        raise ValueError(f"Conflicting type {known.dtype} vs {dtype.name} for feature {key}.")


def _index_keys(feature: SparseFeature) -> Sequence[str]:
    keys: Sequence[str] = [feature.index_key] if isinstance(feature.index_key, str) else feature.index_key
    return keys


def _type(key: str, given: Any) -> DType:
    dtype = as_dtype(given)
    if dtype.name not in _TYPES:
        allowed = ", ".join(_TYPES)
        raise TypeError(
            f"Value passed to parameter 'features' has DataType {dtype.name} not in list of allowed values: {allowed}, "
            f"for {key!r}"
        )
    return dtype


def _dense(key: str, feature: Any, dtype: DType) -> Column:
    if feature.shape is None:
        raise ValueError(f"Missing shape for feature {key}.")
    shape = TensorShape(feature.shape)
    sizes = shape.as_list()
    if isinstance(feature, FixedLenFeature):
        if sizes and sizes[0] is None:
            why = "unknown. Consider using FixedLenSequenceFeature."
            raise ValueError(f"First dimension of shape for feature {key} {why}")
        if not shape.is_fully_defined():
            why = f"need to be known but received {feature.shape}."
            raise ValueError(f"All dimensions of shape for feature {key} {why}")
        column = Column(key, dtype, "dense", tuple(int(size or 0) for size in sizes))
        return column._replace(default=_filled(column, feature.default_value))
    if not shape.is_fully_defined():
        raise ValueError(f"dense_shapes of {key} has unknown rank or unknown inner dimensions: {shape}")
    column = Column(key, dtype, "rows", tuple(int(size or 0) for size in sizes))
    default = None if feature.default_value is None else _flat(column, feature.default_value)
    if default is not None and len(default) != 1:
        shape_told = f"{[1] * (len(sizes) + 1)} (1 elements)"
        raise ValueError(f"Cannot reshape a tensor with {len(default)} elements to shape {shape_told} for {key!r}")
    return column._replace(default=default, may_be_missing=feature.allow_missing)


def _flat(column: Column, given: Any) -> list[Any]:
    texts = column.dtype.name == "string"
    flat = np.array(given, object if texts else column.dtype.dtype).reshape(-1).tolist()
    return [as_bytes(each) for each in flat] if texts else flat


def _filled(column: Column, given: Any) -> list[Any] | None:
    if given is None:
        return None
    flat = _flat(column, given)
    if len(flat) not in (1, column.size):
        shape = list(column.shape)
        raise ValueError(f"Cannot reshape a tensor with {len(flat)} elements to shape {shape} ({column.size} elements)")
    return flat * column.size if len(flat) == 1 else flat


def with_sparse_features(features: Mapping[str, Any], tensors: dict[str, Any]) -> dict[str, Any]:
    """Return tensors by name, with those of `SparseFeature` put together, and without what these are made of."""
    made = dict(tensors)
    for key in sorted(features):
        feature = features[key]
        if isinstance(feature, SparseFeature):
            one = isinstance(feature.index_key, str)
            ids = tensors[feature.index_key] if one else [tensors[each] for each in feature.index_key]
            sizes = feature.size if one else list(feature.size)
            values = tensors[feature.value_key]
            made[key] = sparse_merge(ids, values, sizes, already_sorted=feature.already_sorted)
    return {key: tensor for key, tensor in made.items() if key in features}
