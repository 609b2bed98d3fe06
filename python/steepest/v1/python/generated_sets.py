"""Operations on sets of rows as TensorFlow's generated module has them: of the parts of sparse tensors, by a word."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ..graph.build import shape_of
from ..graph.errors import InvalidArgumentError
from ..ops import set_ops
from ..ops.sparse_ops import SparseTensor

__all__ = [
    "dense_to_dense_set_operation",
    "dense_to_sparse_set_operation",
    "set_size",
    "sparse_to_sparse_set_operation",
]


class SetOperation(NamedTuple):
    """The parts of the sparse tensor that an operation on sets gives."""

    result_indices: Any
    result_values: Any
    result_shape: Any


def _a_minus_b(a: Any, b: Any, validate_indices: bool) -> SparseTensor:
    return set_ops.set_difference(a, b, True, validate_indices)


def _b_minus_a(a: Any, b: Any, validate_indices: bool) -> SparseTensor:
    return set_ops.set_difference(a, b, False, validate_indices)


_FUNCTIONS: dict[str, Callable[[Any, Any, bool], SparseTensor]] = {
    "a-b": _a_minus_b,
    "b-a": _b_minus_a,
    "intersection": set_ops.set_intersection,
    "union": set_ops.set_union,
}


def dense_to_dense_set_operation(
    set1: Any, set2: Any, set_operation: str, validate_indices: bool = True, name: str | None = None
) -> SetOperation:
    """Return the parts of what ``a-b``, ``b-a``, ``intersection`` or ``union`` make of rows.

    Raises InvalidArgumentError for another word.
    """
    del name
    if set_operation not in _FUNCTIONS:
        raise InvalidArgumentError(None, None, f"Invalid set_operation {set_operation}.")
    found = _FUNCTIONS[set_operation](set1, set2, validate_indices)
    return SetOperation(found.indices, found.values, found.dense_shape)


def dense_to_sparse_set_operation(
    set1: Any,
    set2_indices: Any,
    set2_values: Any,
    set2_shape: Any,
    set_operation: str,
    validate_indices: bool = True,
    name: str | None = None,
) -> SetOperation:
    """Do what `dense_to_dense_set_operation` does for a second set that is sparse."""
    second = SparseTensor(set2_indices, set2_values, set2_shape)
    return dense_to_dense_set_operation(set1, second, set_operation, validate_indices, name)


def set_size(
    set_indices: Any, set_values: Any, set_shape: Any, validate_indices: bool = True, name: str | None = None
) -> Any:
    """Return how many different values each row of a sparse tensor has, of which these are the parts.

    Raises InvalidArgumentError for a shape that is no vector.
    """
    del name
    sizes = shape_of(set_shape)
    if sizes is not None and len(sizes) != 1:
        raise InvalidArgumentError(None, None, "Shape must be a 1D tensor.")
    return set_ops.set_size(SparseTensor(set_indices, set_values, set_shape), validate_indices)


def sparse_to_sparse_set_operation(
    set1_indices: Any,
    set1_values: Any,
    set1_shape: Any,
    set2_indices: Any,
    set2_values: Any,
    set2_shape: Any,
    set_operation: str,
    validate_indices: bool = True,
    name: str | None = None,
) -> SetOperation:
    """Do what `dense_to_dense_set_operation` does for two sets that are sparse."""
    first = SparseTensor(set1_indices, set1_values, set1_shape)
    return dense_to_sparse_set_operation(
        first, set2_indices, set2_values, set2_shape, set_operation, validate_indices, name
    )
