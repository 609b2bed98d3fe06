"""The shapes that hold in every round of a loop, as ``shape_invariants`` says them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..graph.body_errors import BodyTypeError, BodyValueError
from ..graph.composites import is_composite, is_sparse, parts_of
from ..graph.nests import assert_same_structure
from ..graph.node import Node, Tensor
from ..graph.shapes import Shape, as_shape, text
from .tensor_array_ops import TensorArray
from .type_spec import TypeSpec
from .type_specs import IndexedSlicesSpec, SparseTensorSpec, TensorSpec

__all__ = ["invariants_of", "results_checked"]


def results_checked(initial: Sequence[Tensor], results: Sequence[Tensor], shapes: Sequence[Shape]) -> list[Any]:
    """Return what a run must check, where the graph cannot tell that a shape stays as it is.

    Raises BodyTypeError where a type changes, BodyValueError for a shape that is not said to.
    """
    checks: list[Any] = []
    for position, (first, result, shape) in enumerate(zip(initial, results, shapes, strict=True)):
        if result.dtype.base_dtype != first.dtype.base_dtype:
            after_one = f"Input tensor {first.name!r} enters the loop with type {first.dtype.name}, but has type "
            raise BodyTypeError(
                f"{after_one}{result.dtype.name} after one iteration. Loop var {first.name} enters the loop with type "
                f"{first.dtype} but has type {result.dtype} after 1 iteration."
            )
        if shape is None:
            continue
        after = result._shape
        if after is None or (len(after) == len(shape) and _open(shape, after)):
            checks.append((position, f"Input tensor {first.name!r}", shape))
        if after is None:
            continue
        if len(after) != len(shape) or any(None not in (a, b) and a != b for a, b in zip(shape, after, strict=True)):
            raise BodyValueError(
                f"Input tensor {first.name!r} enters the loop with shape {text(shape)}, but has shape {text(after)} "
                "after one iteration. To allow the shape to vary across iterations, use the `shape_invariants` "
                "argument of tf.while_loop to specify a less-specific shape."
            )
    return checks


def _open(shape: Sequence[int | None], after: Sequence[int | None]) -> bool:
    return any(size is not None and other is None for size, other in zip(shape, after, strict=True))


def invariants_of(shape_invariants: Any, variables: list[Any], initial: list[Tensor]) -> list[Shape]:
    """Return the shapes of a loop's tensors, which hold in all rounds.

    Raises ValueError for those that the first values do not have.
    """
    if shape_invariants is None:
        tensors = iter(initial)
        return [shape for variable in variables for shape in _own_shapes(variable, tensors)]
    given = list(shape_invariants) if isinstance(shape_invariants, (list, tuple)) else [shape_invariants]
    if len(given) != len(variables):
        assert_same_structure(list(variables), given, False)
    flat: list[Shape] = []
    for shape, variable in zip(given, variables, strict=True):
        flat += _shapes_of(shape, variable)
    for tensor, shape in zip(initial, flat, strict=True):
        if tensor.dtype.base_dtype != "variant" and not _within(tensor._shape, shape):
            raise ValueError(
                f"The shape invariant specified for {tensor.name} is not compatible with the initial shape of the loop "
                f"variable. It enters the loop with shape {text(tensor._shape)}, but the specified shape invariant is "
                f"{text(shape)}."
            )
    return flat


def _within(shape: Shape, limit: Shape) -> bool:
    """Tell whether every value of a shape has the shape ``limit`` too."""
    if limit is None or shape is None:
        return limit is None
    return len(shape) == len(limit) and all(b is None or a == b for a, b in zip(shape, limit, strict=True))


def _shapes_of(shape: Any, variable: Any) -> list[Shape]:
    if isinstance(variable, dict):
        return [each for key, item in sorted(variable.items()) for each in _shapes_of(shape[key], item)]
    if isinstance(variable, (list, tuple)):
        return [each for part, item in zip(shape, variable, strict=True) for each in _shapes_of(part, item)]
    if isinstance(variable, TensorArray):
        return [()]
    return _part_shapes(shape, variable) if is_composite(variable) else [_spec_shape(shape, variable)]


def _own_shapes(variable: Any, tensors: Iterator[Tensor]) -> list[Shape]:
    """Return the shapes of a loop variable's tensors where nothing is said: a sparse tensor may have more elements."""
    if isinstance(variable, (list, tuple)):
        return [shape for item in variable for shape in _own_shapes(item, tensors)]
    if isinstance(variable, dict):
        return [shape for _, item in sorted(variable.items()) for shape in _own_shapes(item, tensors)]
    if not is_composite(variable):
        return [next(tensors)._shape]
    shapes = [next(tensors)._shape for _ in parts_of(variable)]
    return _sparse_shapes(_rank_of(shapes[2])) if is_sparse(variable) else shapes


def _part_shapes(given: Any, variable: Any) -> list[Shape]:
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


def _spec_shape(given: Any, variable: Any) -> Shape:
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
