"""The shapes that hold in every round of a loop, as ``shape_invariants`` says them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..graph.composites import is_composite, is_sparse, parts_of
from ..graph.node import Node, Tensor
from ..graph.shapes import Shape, as_shape
from .type_spec import TypeSpec
from .type_specs import IndexedSlicesSpec, SparseTensorSpec, TensorSpec

__all__ = ["own_shapes", "part_shapes", "spec_shape"]


def own_shapes(variable: Any, tensors: Iterator[Tensor]) -> list[Shape]:
    """Return the shapes of a loop variable's tensors where nothing is said: a sparse tensor may have more elements."""
    if isinstance(variable, (list, tuple)):
        return [shape for item in variable for shape in own_shapes(item, tensors)]
    if isinstance(variable, dict):
        return [shape for _, item in sorted(variable.items()) for shape in own_shapes(item, tensors)]
    if not is_composite(variable):
        return [next(tensors)._shape]
    shapes = [next(tensors)._shape for _ in parts_of(variable)]
    return _sparse_shapes(_rank_of(shapes[2])) if is_sparse(variable) else shapes


def part_shapes(given: Any, variable: Any) -> list[Shape]:
    """Return the shapes of the parts of slices whose shape is said, or of a sparse tensor whose rank is, as ``[rank]``.

    Raises TypeError for a spec of another kind, ValueError for what is no rank.
    """
    kind = SparseTensorSpec if is_sparse(variable) else IndexedSlicesSpec
    if isinstance(given, TypeSpec):
        if not isinstance(given, kind):
            raise TypeError(f"TypeSpec {given!r} is not compatible with {variable!r}")
        shape = as_shape(given._shape)
        rank = None if shape is None else len(shape)
    else:
        shape = as_shape(given)
        if is_sparse(variable) and shape is not None and len(shape) != 1:
            raise ValueError(f"Expected a shape with 1 dimension, the rank of the sparse tensor, got {given}")
        rank = None if shape is None else shape[0]
    if is_sparse(variable):
        return _sparse_shapes(rank)
    parts: list[Shape] = [shape, (None if not shape else shape[0],)]
    return parts if variable.dense_shape is None else [*parts, (None if shape is None else len(shape),)]


def spec_shape(given: Any, variable: Any) -> Shape:
    """Return the shape that is said of a tensor. Raises TypeError for a spec of another kind or type."""
    if not isinstance(given, TypeSpec):
        return as_shape(given)
    if not isinstance(given, TensorSpec):
        raise TypeError(f"TypeSpec {given!r} is not compatible with {variable!r}")
    if isinstance(variable, Node) and variable._tensor().dtype.base_dtype != given.dtype:
        raise TypeError(f"TensorSpec {given!r} is not compatible with {variable!r}")
    return as_shape(given.shape)


def _sparse_shapes(rank: int | None) -> list[Shape]:
    return [(None, rank), (None,), (rank,)]


def _rank_of(dense_shape: Shape) -> int | None:
    return dense_shape[0] if dense_shape else None
