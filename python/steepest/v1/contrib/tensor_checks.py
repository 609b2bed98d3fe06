"""Checks of tensors' shapes and types in `tf.contrib.framework`, and sums of several tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..graph.build import convert, dtype_of, shape_of
from ..graph.composites import is_sparse
from ..graph.mode import executing_eagerly
from ..graph.scopes import control_dependencies, name_scope
from ..graph.shapes import TensorShape
from ..ops.array_ops import identity, rank, reshape, shape, size
from ..ops.check_ops import is_tensor
from ..ops.math_ops import equal, logical_and, logical_or
from ..ops.matmul_ops import add_n
from ..ops.reduce_ops import reduce_all, reduce_sum
from ..ops.script_ops import Assert
from ..ops.sparse_ops import convert_to_tensor
from ..ops.squeezing_ops import remove_squeezable_dimensions as _squeezed

__all__ = ["assert_scalar_int", "reduce_sum_n", "remove_squeezable_dimensions", "with_same_shape", "with_shape"]


def assert_scalar_int(tensor: Any, name: str | None = None) -> Any:
    """Return a tensor; ValueError where it is no integer, or has axes. Source: ``tf.contrib.framework``."""
    node = convert(tensor)
    if not dtype_of(node).is_integer:
        raise ValueError(f"Expected integer type for {name or node.name}, received type: {dtype_of(node).name}.")
    known = shape_of(node)
    if known is not None and len(known):
        raise ValueError(f"Expected scalar shape for {name or node.name}, saw shape: {known}.")
    return node


def reduce_sum_n(tensors: Sequence[Any], name: str | None = None) -> Any:
    """Return the sum of all elements of tensors. Raises ValueError for no tensors."""
    if not tensors:
        raise ValueError("No tensors provided.")
    sums = [reduce_sum(tensor, name=f"{name or 'reduce_sum_n'}/reduce_sum") for tensor in tensors]
    return sums[0] if len(sums) == 1 else add_n(sums, name=name)


def remove_squeezable_dimensions(predictions: Any, labels: Any, name: str | None = None) -> tuple[Any, Any]:
    """Return predictions and labels, the one with one axis more without its last, if that has size 1."""
    labels, predictions = _squeezed(labels, predictions, name=name)
    return predictions, labels


def with_same_shape(expected_tensor: Any, tensor: Any) -> Any:
    """Return ``tensor``, which must have the shape of the other; see `with_shape`."""
    expected, node = convert_to_tensor(expected_tensor), convert_to_tensor(tensor)
    known = shape_of(expected)
    with name_scope(None if executing_eagerly() else f"{node.op.name}/", "with_same_shape", [expected, node]):
        wanted = shape(expected, name="expected_shape") if known is None or None in known else list(known)
        return with_shape(wanted, node)


def with_shape(expected_shape: Any, tensor: Any) -> Any:
    """Return ``tensor``, which must have a shape: itself where its shape is known, else one that waits for the check.

    Args:
        expected_shape: sizes, -1 for any in a list of them, or a tensor of int32; for ``[]`` a tensor of one element
            is reshaped.

    Raises:
        ValueError: for another shape that is known, for sizes that are not of int32 along one axis, and for a sparse
            tensor.
        InvalidArgumentError: in a run, for another shape.
    """
    if is_sparse(tensor):
        raise ValueError("SparseTensor not supported.")
    node = convert_to_tensor(tensor)
    known = shape_of(node)
    sizes = expected_shape
    if is_tensor(sizes):
        _check_type(dtype_of(sizes).base_dtype.name, sizes, node)
    elif not isinstance(sizes, TensorShape):
        sizes = np.asarray(sizes if np.size(sizes) else np.zeros(0, np.int32))
        sizes = sizes.astype(np.int32) if isinstance(expected_shape, (list, tuple)) and sizes.dtype == "q" else sizes
        if sizes.ndim > 1:
            raise ValueError(f"Invalid rank {sizes.ndim} for shape {sizes} expected of tensor {_name(node)}.")
        _check_type(sizes.dtype.name, sizes, node)
        sizes = sizes.tolist()
    scalar = not is_tensor(sizes) and not len(sizes)
    if is_tensor(sizes) or known is None or None in known:
        with name_scope(None if executing_eagerly() else f"{node.op.name}/", "with_shape", [node]):
            if scalar:
                return reshape(node, [])
            check = _checked(sizes, node)
            with control_dependencies([] if check is None else [check]):
                result = identity(node)
            if not is_tensor(sizes):
                result.set_shape([None if each == -1 else each for each in _listed(sizes)])
            return result
    if TensorShape(known).is_compatible_with(sizes):
        return node
    if scalar and known == (1,):
        return reshape(node, [])
    raise ValueError(f"Invalid shape for tensor {_name(node)}, expected {sizes}, got {TensorShape(known)}.")


def _name(node: Any) -> str:
    return "" if executing_eagerly() else str(node.name)


def _checked(sizes: Any, node: Any) -> Any:
    """Return the check that a tensor has sizes, of which -1 may be any."""
    wanted = sizes if is_tensor(sizes) else convert_to_tensor(np.array(_listed(sizes), np.int32))
    with name_scope("assert_shape", values=[node]) as scope:
        own = shape(node, name="actual")
        same_sizes = reduce_all(logical_or(equal(wanted, -1), equal(wanted, own)))
        told = [f"Wrong shape for {_name(node)} [expected] [actual].", wanted, own]
        return Assert(logical_and(equal(size(wanted), rank(node)), same_sizes), told, name=scope)


def _listed(sizes: Any) -> list[int]:
    return [-1 if each is None else each for each in (sizes.as_list() if isinstance(sizes, TensorShape) else sizes)]


def _check_type(dtype: str, sizes: Any, node: Any) -> None:
    if dtype != "int32":
        raise ValueError(f"Invalid dtype {dtype} for shape {sizes} expected of tensor {_name(node)}.")
