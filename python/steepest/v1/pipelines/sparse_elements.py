"""Sparse tensors as elements of queues: each goes through as one value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..graph.build import call
from ..graph.dtypes import DType
from ..graph.errors import InvalidArgumentError
from ..graph.fetches import SparseTensorValue
from ..graph.run_values import array_of
from ..ops.sparse_array_ops import produced, rank_of
from ..ops.sparse_ops import SparseTensor

__all__ = ["SparseElement", "element_of", "kinds_of"]

_OPTIONS: dict[str, Any] = {"dtype": "string", "same": False, "differentiable": False}


@dataclass
class SparseElement:
    """What is known of a component that is sparse: the type of its values, and the number of its axes."""

    dtype: DType
    ndim: int | None

    def restored(self, values: Any) -> SparseTensor:
        """Return the sparse tensor of elements below each other, as large as the largest."""
        ndim = None if self.ndim is None else self.ndim + 1
        return produced("DeserializeManySparse", _stacked, [values], self.dtype, ndim, differentiable=False)


def kinds_of(tensors: list[Any], rows: bool) -> list[SparseElement | None]:
    """Return what is known of the sparse ones of components, None of the others; ``rows`` are elements each."""

    def kind(sparse: SparseTensor) -> SparseElement:
        ndim = rank_of(sparse)
        return SparseElement(sparse.dtype, ndim if ndim is None or not rows else ndim - 1)

    return [kind(tensor) if isinstance(tensor, SparseTensor) else None for tensor in tensors]


def element_of(tensor: Any, rows: bool) -> Any:
    """Return a tensor as it goes through a queue: a sparse one as a value, or as one for each row."""
    if not isinstance(tensor, SparseTensor):
        return tensor
    parts = tensor.indices, tensor.values, tensor.dense_shape
    if not rows:
        return call("SerializeSparse", _one, parts, shape=(), **_OPTIONS)
    count = tensor.shape.sizes
    return call("SerializeManySparse", _each, parts, shape=(None if count is None else count[0],), **_OPTIONS)


def _filled(elements: list[Any]) -> Any:
    array = np.empty(len(elements), object)
    for k, element in enumerate(elements):
        array[k] = element
    return array


def _one(*parts: Any) -> Any:
    return _filled([SparseTensorValue(*(np.array(array_of(part)) for part in parts))]).reshape(())


def _each(*parts: Any) -> Any:
    where, values, sizes = (np.array(array_of(part)) for part in parts)
    found = []
    for row in range(int(sizes[0])):
        inside = where[:, 0] == row
        found.append(SparseTensorValue(where[inside, 1:], values[inside], sizes[1:]))
    return _filled(found)


def _stacked(elements: Any) -> tuple[Any, Any, Any]:
    found = list(array_of(elements))
    sizes = [element.dense_shape for element in found]
    if not found or len({len(size) for size in sizes}) > 1:
        raise InvalidArgumentError(None, None, f"sparse elements must be some, of one rank, got {len(found)}")
    rows = [
        np.concatenate([np.full((len(element.indices), 1), k, np.int64), element.indices], axis=1)
        for k, element in enumerate(found)
    ]
    values = np.concatenate([element.values for element in found])
    return np.concatenate(rows), values, np.array([len(found), *np.max(sizes, axis=0)], np.int64)
