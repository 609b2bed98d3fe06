"""Functions that TensorFlow 2's internal modules have and those of TensorFlow 1 have not: its tests use them."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import numpy as np

from .. import math as _math
from ..graph.composites import is_composite
from ..graph.dtypes import as_dtype
from ..graph.equality import compares_elements
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.nests import is_nested, map_structure
from ..graph.scopes import control_dependencies
from ..graph.scopes import name_scope as name_scope_v1
from ..graph.static_values import constant_value as try_evaluate_constant
from ..ops.array_ops import rank
from ..ops.cast_ops import cast
from ..ops.check_ops import is_tensor as is_tf_type
from ..ops.compare_checks import assert_equal, assert_greater_equal
from ..ops.sparse_math_ops import (
    sparse_reduce_max,
    sparse_reduce_max_sparse,
    sparse_reduce_sum,
    sparse_reduce_sum_sparse,
)
from ..ops.sparse_ops import SparseTensor, convert_to_tensor, convert_to_tensor_or_indexed_slices
from .framework_ops import convert_to_tensor_or_composite

__all__ = [
    "build_ta_with_new_flow",
    "check_per_example_loss_rank",
    "convert_n_to_tensor_or_composite",
    "convert_n_to_tensor_or_indexed_slices",
    "convert_to_int_tensor",
    "gelu",
    "get_all_collection_keys",
    "get_positive_axis",
    "inside_function",
    "is_nested_or_composite",
    "is_tf_type",
    "map_values",
    "name_from_scope_name",
    "name_scope_v1",
    "path_to_bytes",
    "sparse_reduce_max_v2",
    "sparse_reduce_sum_v2",
    "tensor_equals",
    "tensor_id",
    "tensor_not_equals",
    "to_bfloat16",
    "try_evaluate_constant",
]


def build_ta_with_new_flow(old_ta: Any, flow: Any) -> Any:
    """Return a ``TensorArray`` as it is behind another flow. Source: ``tensor_array_ops.build_ta_with_new_flow``."""
    return old_ta.with_flow(flow)


def tensor_equals(self: Any, other: Any) -> Any:
    """Do what ``==`` of tensors does: tell whether both are the same one, or where elements are, compare these."""
    if other is None:
        return False
    return _math.equal(self, other) if compares_elements() and executing_eagerly() else self is other


def tensor_not_equals(self: Any, other: Any) -> Any:
    """Do what ``!=`` of tensors does."""
    if other is None:
        return True
    return _math.not_equal(self, other) if compares_elements() and executing_eagerly() else self is not other


def tensor_id(tensor: Any) -> int:
    """Return a number that no other tensor has that is there at the same time."""
    return id(tensor)


def inside_function() -> bool:
    """Tell whether nodes are made for a function's body."""
    graph = get_default_graph()
    return bool(graph.building_function or graph._context.bodies)


def get_all_collection_keys() -> list[str]:
    """Return the names of the collections of the default graph."""
    return get_default_graph().get_all_collection_keys()


def name_from_scope_name(name: str) -> str:
    """Return the name of an operation whose scope has a name: without the slash at the end."""
    return name.removesuffix("/")


def convert_n_to_tensor_or_composite(values: Sequence[Any], dtype: Any = None, name: str | None = None) -> list[Any]:
    """Return `convert_to_tensor_or_composite` of each value; None stays None."""
    return _each(convert_to_tensor_or_composite, values, dtype, name)


def convert_n_to_tensor_or_indexed_slices(
    values: Sequence[Any], dtype: Any = None, name: str | None = None
) -> list[Any]:
    """Return `convert_to_tensor_or_indexed_slices` of each value; None stays None."""
    return _each(convert_to_tensor_or_indexed_slices, values, dtype, name)


def _each(convert: Callable[..., Any], values: Sequence[Any], dtype: Any, name: str | None) -> list[Any]:
    names = [None if name is None else f"{name}_{k}" for k in range(len(values))]
    return [None if each is None else convert(each, dtype, own) for each, own in zip(values, names, strict=True)]


def convert_to_int_tensor(tensor: Any, name: str | None, dtype: Any = np.int32) -> Any:
    """Return a value as a tensor of integers, of ``dtype`` where this is not None. Raises TypeError for others."""
    made = convert_to_tensor(tensor, name=name, preferred_dtype=np.int32 if dtype is None else dtype)
    if not made.dtype.is_integer:
        raise TypeError(
            f"Argument `tensor` (name: {name}) must be of type integer. Received `tensor` = {made} of dtype: "
            f"{made.dtype}"
        )
    return made if dtype is None else cast(made, dtype)


def get_positive_axis(axis: int, ndims: int | None, axis_name: str = "axis", ndims_name: str = "ndims") -> int:
    """Return an axis counted from the front. Raises TypeError for no int, ValueError for one that is not there."""
    if not isinstance(axis, int):
        raise TypeError(f"{axis_name} must be an int; got {type(axis).__name__}")
    if ndims is None:
        if axis < 0:
            raise ValueError(f"{axis_name}={axis} may only be negative if {ndims_name} is statically known.")
        return axis
    if not -ndims <= axis < ndims:
        raise ValueError(f"{axis_name}={axis} out of bounds: expected {-ndims}<={axis_name}<{ndims}")
    return axis % ndims


def to_bfloat16(x: Any, name: str = "ToBFloat16") -> Any:
    """Return the values in bfloat16."""
    return cast(x, "bfloat16", name)


def gelu(features: Any, approximate: bool = False, name: str | None = None) -> Any:
    """Return ``x P(X <= x)`` of a standard normal X, or about ``x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))``.

    Raises ValueError for what is not floating.

    Source: Hendrycks and Gimpel, "Gaussian Error Linear Units", 2016.
    """
    with name_scope_v1(name, "Gelu", [features]):
        x = convert_to_tensor(features, name="features")
        if not as_dtype(x.dtype).is_floating:
            raise ValueError(f"`features.dtype` must be a floating point tensor. Received:features.dtype={x.dtype}")
        if approximate:
            return 0.5 * x * (1.0 + _math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * _math.pow(x, 3))))
        return 0.5 * x * (1.0 + _math.erf(x * math.sqrt(0.5)))


def sparse_reduce_max_v2(
    sp_input: Any, axis: Any = None, keepdims: Any = None, output_is_sparse: bool = False, name: str | None = None
) -> Any:
    """Do what `tf.sparse.reduce_max` does, or `tf.sparse.reduce_max_sparse`."""
    reduce = sparse_reduce_max_sparse if output_is_sparse else sparse_reduce_max
    return reduce(sp_input, axis, keepdims, name=name)


def sparse_reduce_sum_v2(
    sp_input: Any, axis: Any = None, keepdims: Any = None, output_is_sparse: bool = False, name: str | None = None
) -> Any:
    """Do what `tf.sparse.reduce_sum` does, or `tf.sparse.reduce_sum_sparse`."""
    reduce = sparse_reduce_sum_sparse if output_is_sparse else sparse_reduce_sum
    return reduce(sp_input, axis, keepdims, name=name)


def map_values(op: Callable[..., Any], *args: Any, **kwargs: Any) -> SparseTensor:
    """Return the sparse tensor whose values are ``op`` of those of the sparse tensors among the arguments.

    Raises ValueError where there is none, InvalidArgumentError where several differ in indices or shapes.
    Source: ``tf.sparse.map_values``.
    """
    found: list[SparseTensor] = []

    def values(item: Any) -> Any:
        if isinstance(item, SparseTensor):
            found.append(item)
            return item.values
        return item

    positional, named = map_structure(values, [list(args), kwargs])
    if not found:
        raise ValueError("No SparseTensor in argument list of map_values")
    first, message = found[0], "Mismatched {} in map_values"
    checks = [assert_equal(each.indices, first.indices, message=message.format("indices")) for each in found[1:]]
    checks += [
        assert_equal(each.dense_shape, first.dense_shape, message=message.format("shapes")) for each in found[1:]
    ]
    with _after(checks):
        return SparseTensor(first.indices, op(*positional, **named), first.dense_shape)


@contextmanager
def check_per_example_loss_rank(per_example_loss: Any) -> Iterator[None]:
    """Check that a loss has at least one axis, in a session before what is made inside. Raises ValueError otherwise."""
    known = per_example_loss.shape.rank
    if known == 0:
        raise ValueError(
            "Invalid value passed for `per_example_loss`. Expected a tensor with at least rank 1. Received "
            f"per_example_loss={per_example_loss} with rank 0"
        )
    told = "Invalid value passed for `per_example_loss`. Expected a tensor with at least rank 1."
    with _after([assert_greater_equal(rank(per_example_loss), 1, message=told)] if known is None else []):
        yield


@contextmanager
def _after(checks: list[Any]) -> Iterator[None]:
    with ExitStack() as stack:
        if not executing_eagerly():
            stack.enter_context(control_dependencies(checks))
        yield


def is_nested_or_composite(seq: Any) -> bool:
    """Tell whether a value is a nest, or made of several tensors."""
    return is_nested(seq) or is_composite(seq)


def path_to_bytes(path: Any) -> bytes:
    """Return a path as bytes."""
    return os.fsencode(path)
