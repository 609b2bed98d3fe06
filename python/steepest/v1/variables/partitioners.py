"""Variables that are cut into parts along an axis, and partitioners, which tell into how many.

``get_variable`` asks the partitioner that it is given, or the scope's (`partitioned_variable`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from ..graph.dtypes import as_dtype
from ..graph.node import Node
from ..graph.scopes import variable_scope
from ..graph.shapes import as_shape
from .get_variable import get_variable_by_full_name
from .partitioned_variable import in_parts

__all__ = [
    "create_partitioned_variables",
    "fixed_size_partitioner",
    "min_max_variable_partitioner",
    "variable_axis_size_partitioner",
]

Partitioner = Callable[..., list[int]]


def _sizes(shape: Any, axis: int) -> list[int]:
    """Return a known shape that has the axis; ValueError for others."""
    sizes = as_shape(shape)
    if sizes is None or None in sizes:
        raise ValueError(f"The shape of a partitioned variable must be known, got {shape}")
    if not -len(sizes) <= axis < len(sizes):
        raise ValueError(f"Can not partition variable along axis {axis} when shape is only {list(sizes)}")
    return [int(size or 0) for size in sizes]


def _along(count: int, sizes: list[int], axis: int) -> list[int]:
    parts = [1] * len(sizes)
    parts[axis] = count
    return parts


def _size_of_element(dtype: Any, of_string: int) -> int:
    kind = as_dtype(dtype).base_dtype
    return of_string if kind.name == "string" else int(kind.size)


def fixed_size_partitioner(num_shards: int, axis: int = 0) -> Partitioner:
    """Return a partitioner into ``num_shards`` parts along an axis, or as many as it has places."""

    def partitioner(shape: Any, dtype: Any = None, **unused: Any) -> list[int]:
        sizes = _sizes(shape, axis)
        return _along(min(num_shards, sizes[axis]), sizes, axis)

    return partitioner


def variable_axis_size_partitioner(
    max_shard_bytes: int, axis: int = 0, bytes_per_string_element: int = 16, max_shards: int | None = None
) -> Partitioner:
    """Return a partitioner into parts of at most so many bytes. Raises ValueError for sizes below 1."""
    if max_shard_bytes < 1 or bytes_per_string_element < 1 or (max_shards is not None and max_shards < 1):
        raise ValueError("max_shard_bytes, bytes_per_string_element and max_shards must be positive.")

    def partitioner(shape: Any, dtype: Any = "float32", **unused: Any) -> list[int]:
        sizes = _sizes(shape, axis)
        of_slice = math.prod(sizes) // max(sizes[axis], 1) * _size_of_element(dtype, bytes_per_string_element)
        together = max(1, max_shard_bytes // max(of_slice, 1))
        count = max(1, math.ceil(sizes[axis] / together))
        return _along(count if max_shards is None else min(count, max_shards), sizes, axis)

    return partitioner


def min_max_variable_partitioner(
    max_partitions: int = 1, axis: int = 0, min_slice_size: int = 256 << 10, bytes_per_string_element: int = 16
) -> Partitioner:
    """Return a partitioner into at most ``max_partitions`` parts of at least ``min_slice_size`` bytes.

    Raises ValueError for sizes below 1.
    """
    if max_partitions < 1 or min_slice_size < 1 or bytes_per_string_element < 1:
        raise ValueError("max_partitions, min_slice_size and bytes_per_string_element must be positive.")

    def partitioner(shape: Any, dtype: Any = "float32", **unused: Any) -> list[int]:
        sizes = _sizes(shape, axis)
        total = math.prod(sizes) * _size_of_element(dtype, bytes_per_string_element)
        return _along(max(1, min(sizes[axis], max_partitions, math.ceil(total / min_slice_size))), sizes, axis)

    return partitioner


def create_partitioned_variables(
    shape: Sequence[int],
    slicing: Sequence[int],
    initializer: Any,
    dtype: Any = "float32",
    trainable: bool = True,
    collections: Sequence[str] | None = None,
    name: str | None = None,
    reuse: Any = None,
) -> list[Any]:
    """Return variables that are the parts of an array, cut along one axis: ``<name>/part_0``, ``<name>/part_1``, ...

    Args:
        shape: of the whole array.
        slicing: into how many parts each axis is cut; 1 for all axes but one.
        initializer: a function of a part's shape, or a value of the whole shape.
        name: of the variable scope, by default ``PartitionedVariable``.

    Raises:
        ValueError: for a slicing that does not fit the shape, or cuts along several axes.

    Source: ``tf.create_partitioned_variables``.
    """
    sizes, counts = [int(size) for size in shape], [int(count) for count in slicing]
    what = f"shape: {sizes}, slicing: {counts}"
    if len(sizes) != len(counts):
        raise ValueError(f"The 'shape' and 'slicing' of a partitioned Variable must have the length: {what}")
    if not sizes:
        raise ValueError(f"A partitioned Variable must have rank at least 1: {what}")
    if any(not 1 <= count <= max(size, 1) for size, count in zip(sizes, counts, strict=True)):
        raise ValueError(f"A partitioned Variable must be cut into at least 1 part, and no more than its size: {what}")
    cut = [axis for axis, count in enumerate(counts) if count > 1] or [0]
    if len(cut) > 1:
        raise ValueError(f"Can only slice a variable along one dimension: {what}")
    kind = as_dtype(
        initializer._tensor().dtype if isinstance(initializer, Node) else dtype
    ).base_dtype  # a tensor keeps its own
    with variable_scope(name, "PartitionedVariable", reuse=reuse) as scope:

        def new_part(part_name: str, part_shape: Any, first: Any) -> Any:
            options: dict[str, Any] = {"trainable": trainable, "collections": collections}
            return get_variable_by_full_name(part_name, part_shape, kind, first, reuse=scope.reuse, **options)

        return list(in_parts(scope.name, sizes, kind, initializer, counts, new_part))
