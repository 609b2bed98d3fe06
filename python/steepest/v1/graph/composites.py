"""Values made of several tensors: `IndexedSlices`, and sparse tensors."""

from __future__ import annotations

from typing import Any

from ...ops.indexed_slices import IndexedSlices

__all__ = ["is_composite", "is_sparse", "parts_of", "with_parts", "with_values"]


def is_sparse(value: Any) -> bool:
    """Tell whether a value is a sparse tensor."""
    return hasattr(value, "_sparse_parts")


def is_composite(value: Any) -> bool:
    """Tell whether a value has several tensors as its parts."""
    return isinstance(value, IndexedSlices) or is_sparse(value)


def parts_of(value: Any) -> list[Any]:
    """Return the parts: of slices the values, the indices, and the dense shape where it is given."""
    if is_sparse(value):
        return list(value._sparse_parts)
    return [value.values, value.indices, *([] if value.dense_shape is None else [value.dense_shape])]


def with_parts(value: Any, parts: list[Any]) -> Any:
    """Return a value of the same kind with other parts, in the order of `parts_of`."""
    return type(value)(*parts)


def with_values(value: Any, values: Any) -> Any:
    """Return slices or a sparse tensor with other values at the same places."""
    if is_sparse(value):
        return type(value)(value.indices, values, value.dense_shape)
    return IndexedSlices(values, value.indices, value.dense_shape)
