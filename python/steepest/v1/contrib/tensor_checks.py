"""Checks of tensors' shapes and types in `tf.contrib.framework`, and sums of several tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..graph.build import convert, dtype_of, shape_of
from ..graph.graph import get_default_graph
from ..graph.node import Node
from ..graph.shapes import TensorShape
from ..graph.static_values import constant_value
from ..ops.array_ops import identity, shape
from ..ops.compare_checks import assert_equal
from ..ops.matmul_ops import add_n
from ..ops.reduce_ops import reduce_sum
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
    expected = convert(expected_tensor)
    known = shape_of(expected)
    return with_shape(shape(expected) if known is None or None in known else list(known), tensor)


def with_shape(expected_shape: Any, tensor: Any) -> Any:
    """Return ``tensor``, which must have a shape.

    Args:
        expected_shape: sizes, or a tensor of them.

    Raises:
        ValueError: for another shape, or sizes that are no integers along one axis; InvalidArgumentError when a session
            runs, where only it knows.
    """
    node = convert(tensor)
    sizes = expected_shape.as_list() if isinstance(expected_shape, TensorShape) else expected_shape
    known = shape_of(node)
    if not isinstance(sizes, Node):
        wanted = np.asarray([-1 if size is None else size for size in sizes] if isinstance(sizes, list) else sizes)
        _check_sizes(wanted.dtype.kind in "iu" or not wanted.size, wanted.ndim)
        sizes = list(sizes) if wanted.ndim else sizes
        if not TensorShape(known).is_compatible_with(TensorShape(sizes)):
            raise ValueError(f"Invalid shape for tensor {node.name}, expected {sizes}, got {known}.")
        if known is not None and None not in known:
            return node
    else:
        _check_sizes(dtype_of(sizes).is_integer, None if shape_of(sizes) is None else len(shape_of(sizes) or ()))
    told = constant_value(sizes) if isinstance(sizes, Node) else np.array(sizes)
    defined = isinstance(sizes, Node) and told is not None and known is not None and None not in known
    if defined and tuple(told.tolist()) != tuple(known or ()):
        raise ValueError(f"Invalid shape for tensor {node.name}, expected {told.tolist()}, got {known}.")
    checked = assert_equal(shape(node, out_type=dtype_of(convert(sizes))), sizes, message="Wrong shape for tensor")
    with get_default_graph().control_dependencies([checked]):
        result = identity(node)
    if not isinstance(sizes, Node):
        result.set_shape(sizes)
    return result


def _check_sizes(integers: bool, ndim: int | None) -> None:
    if not integers:
        raise ValueError("with_shape: expected_shape must be integers (Invalid dtype)")
    if ndim is not None and ndim != 1:
        raise ValueError(f"with_shape: expected_shape must have one axis (Invalid rank), got {ndim}")
