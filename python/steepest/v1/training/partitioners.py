"""Partitioners of variables: accepted by scopes and ``get_variable``, without effect: all is in one place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..graph.shapes import as_shape

__all__ = ["fixed_size_partitioner", "min_max_variable_partitioner", "variable_axis_size_partitioner"]

Partitioner = Callable[..., list[int]]


def _whole(shape: Any, dtype: Any = None) -> list[int]:
    return [1] * len(as_shape(shape) or ())


def fixed_size_partitioner(num_shards: int, axis: int = 0) -> Partitioner:
    """Return a partitioner; here a variable is never cut."""
    return _whole


def variable_axis_size_partitioner(
    max_shard_bytes: int, axis: int = 0, bytes_per_string_element: int = 16, max_shards: int | None = None
) -> Partitioner:
    """Return a partitioner; here a variable is never cut. Raises ValueError for sizes below 1."""
    if max_shard_bytes < 1 or bytes_per_string_element < 1 or (max_shards is not None and max_shards < 1):
        raise ValueError("max_shard_bytes, bytes_per_string_element and max_shards must be positive.")
    return _whole


def min_max_variable_partitioner(
    max_partitions: int = 1, axis: int = 0, min_slice_size: int = 256 << 10, bytes_per_string_element: int = 16
) -> Partitioner:
    """Return a partitioner; here a variable is never cut. Raises ValueError for sizes below 1."""
    if max_partitions < 1 or min_slice_size < 1 or bytes_per_string_element < 1:
        raise ValueError("max_partitions, min_slice_size and bytes_per_string_element must be positive.")
    return _whole
