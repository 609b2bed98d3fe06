"""How operations on lists of tensors are made, and what is known of the shape of a list's elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...ops.tensor import Tensor as EagerTensor
from ..graph.build import call, convert
from ..graph.errors import InvalidArgumentError
from ..graph.mode import executing_eagerly
from ..graph.node import Node, Tensor
from ..graph.run_values import array_of
from ..graph.shapes import Shape, TensorShape, bracketed, compatible, merge
from ..graph.static_values import constant_value
from .sparse_ops import convert_to_tensor
from .variant_values import VariantValue, boxed, held_by

__all__ = [
    "as_sizes",
    "build_element_shape",
    "held_of_parts",
    "known_shape",
    "list_call",
    "of_eager_mode",
    "shape_of_elements",
    "tensor_call",
    "together",
]


def build_element_shape(shape: Any) -> Any:
    """Return a shape as the operations take it: a tensor, or sizes that are -1 where they are not known."""
    if isinstance(shape, Node) or hasattr(shape, "numpy"):
        return shape
    if isinstance(shape, (list, tuple)) and any(isinstance(size, (Node, list, tuple)) for size in shape):
        return [-1 if size is None else size for size in shape]
    if isinstance(shape, (list, tuple, np.ndarray)) and np.ndim(shape) == 1:
        shape = [None if size == -1 else size for size in shape]
    sizes = shape if shape is None or (np.ndim(shape) == 0 and shape == -1) else TensorShape(shape)
    if sizes is None or isinstance(sizes, int) or sizes.ndims is None:
        return np.int32(-1)
    return np.array([-1 if size is None else size for size in sizes.as_list()], np.int32)


def as_sizes(sizes: Any) -> Shape:
    array = array_of(sizes)
    if array.ndim > 1:
        raise InvalidArgumentError(None, None, f"Shape must be at most rank 1 but is rank {array.ndim}")
    return tuple(None if size < 0 else int(size) for size in array.tolist()) if array.ndim else None


def known_shape(sizes: Any) -> Shape:
    """Return what is known of a shape before a session runs."""
    if isinstance(sizes, list) and not executing_eagerly():
        sizes = convert(sizes)
    if isinstance(sizes, Tensor) and sizes._shape is not None and len(sizes._shape) > 1:
        raise ValueError(f"Shape must be at most rank 1 but is rank {len(sizes._shape)}")
    value = constant_value(sizes) if isinstance(sizes, Node) else sizes
    return None if value is None else as_sizes(value)


def shape_of_elements(handle: Any) -> Shape:
    """Return what the graph knows of the shape of a list's elements."""
    shape: Shape = handle.op._attributes.get("element_shape") if isinstance(handle, Node) else None
    return shape


def held_of_parts(handle: Any, key: str) -> Any:
    """Return what the graph knows of the lists of a tensor: ``element_shape`` or ``element_dtype``."""
    parts = [each for each in handle.op.inputs if each.dtype == handle.dtype] if handle.op.type == "Pack" else [handle]
    found = [each.op._attributes.get(key) for each in parts]
    return found[0] if found else None


def of_eager_mode(result: Any) -> Any:
    """Return a tensor of eager mode that holds a list, or what else an operation gives."""
    if not isinstance(result, VariantValue):
        return convert_to_tensor(result) if not _are_lists(result) else EagerTensor(result)
    return EagerTensor(boxed(result))


def _are_lists(result: Any) -> bool:
    plain = type(result) is np.ndarray and result.dtype.kind == "O" and result.size > 0
    return plain and isinstance(result.flat[0], VariantValue)


def list_call(
    op_type: str,
    function: Callable[..., Any],
    inputs: Sequence[Any],
    name: str | None,
    shape: Shape,
    element_dtype: Any = None,
) -> Any:
    """Return the list that ``function(*inputs)`` will be."""
    if executing_eagerly():
        return of_eager_mode(function(*map(held_by, inputs)))
    if element_dtype is None and inputs and isinstance(inputs[0], Tensor):
        element_dtype = inputs[0].op._attributes.get("element_dtype") if inputs[0].dtype.name == "variant" else None
    kept = {} if element_dtype is None else {"element_dtype": element_dtype}
    options: dict[str, Any] = {"attributes": {"element_shape": shape, **kept}, "same": False}
    return call(op_type, function, inputs, name=name, shape=(), dtype="variant", **options)


def tensor_call(
    op_type: str, function: Callable[..., Any], inputs: Sequence[Any], name: str | None, shape: Shape, dtype: Any
) -> Any:
    """Return the tensor that ``function(*inputs)`` will be."""
    if executing_eagerly():
        return of_eager_mode(function(*map(held_by, inputs)))
    return call(op_type, function, inputs, name=name, shape=shape, dtype=dtype, same=False)


def together(handle: Any, sizes: Any) -> Shape:
    """Return what a list and an argument tell of elements. Raises ValueError where the two differ."""
    own, given = shape_of_elements(handle), known_shape(sizes)
    if not compatible(own, given):
        raise ValueError(f"Incompatible shapes during merge: {bracketed(given)} vs. {bracketed(own)}")
    return merge(own, given)
