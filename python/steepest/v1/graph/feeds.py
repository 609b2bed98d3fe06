"""What a run is fed: values for placeholders and for any other tensor, checked against type and shape."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...ops.dispatch import unwrap
from ...ops.symbolic import Symbolic
from .composites import is_composite, parts_of
from .constants import constant_array
from .graph import Graph
from .node import Tensor
from .run_conversions import conversion_for
from .shapes import compatible, text
from .tensor_kind import Tensor as Result

__all__ = ["fed_tensor", "feed_value"]


def fed_tensor(graph: Graph, key: Any, value: Any) -> Iterator[tuple[Tensor, Any]]:
    """Give the tensors that a key of ``feed_dict`` stands for, with their values: one where the key is a tensor.

    Raises TypeError for a key that is no tensor of the graph.
    """
    if type(key) is Result and key.op.graph is graph:
        yield key, value
    elif is_composite(key):
        parts = [part for part in parts_of(key) if isinstance(part, Symbolic)]
        values = parts_of(value) if is_composite(value) else [item for item in value if item is not None]
        if len(parts) == 3 and len(values) == 2 and getattr(getattr(parts[2], "op", None), "type", "") == "Const":
            parts = parts[:2]  # a sparse placeholder of a known shape
        for part, part_value in zip(parts, values[: len(parts)], strict=True):
            yield from fed_tensor(graph, part, part_value)
    elif (conversion := conversion_for(key)) is not None:
        for part, part_value in conversion.feed(key, value):
            yield from fed_tensor(graph, part, part_value)
    elif isinstance(key, tuple) and isinstance(value, tuple) and len(key) == len(value):
        for part, part_value in zip(key, value, strict=True):
            yield from fed_tensor(graph, part, part_value)
    else:
        try:
            tensor = graph.as_graph_element(key, allow_operation=False)
        except (KeyError, TypeError, ValueError) as error:
            message = error.args[0] if error.args else error
            raise TypeError(f"Cannot interpret feed_dict key as Tensor: {message}") from None
        yield tensor, value


def feed_value(tensor: Tensor, value: Any) -> Any:
    """Return the array that is fed; TypeError for a node or a number out of range, ValueError for another shape."""
    graph = tensor.op.graph
    if graph._unfeedable and not graph.is_feedable(tensor):
        raise ValueError(f"Tensor {tensor.name} may not be fed.")
    dtype = tensor.dtype.dtype
    texts = dtype.kind == "O" and tensor.dtype.name == "string"  # an array of objects may be of str
    if type(value) is np.ndarray and value.dtype == dtype and not texts:
        array = value
    elif tensor.dtype.name == "variant" and hasattr(value, "element_dtype"):
        array = value  # a list of tensors
    else:
        if isinstance(value, Symbolic):
            raise TypeError(
                "The value of a feed cannot be a tf.Tensor object. Acceptable feed values include Python scalars, "
                f"strings, lists, numpy ndarrays, or TensorHandles. For reference, the tensor object was {value!r} "
                f"which was passed to the feed with key {tensor!r}."
            )
        if value is None and dtype.kind not in "bfc":  # NumPy's array of it: False or NaN, as in TensorFlow
            raise ValueError(f"Cannot feed None for Tensor {tensor.name!r} of type {tensor.dtype.name}.")
        if isinstance(value, int) and not isinstance(value, bool) and dtype.kind in "iu":
            limits = np.iinfo(dtype)
            if not limits.min <= value <= limits.max:
                raise TypeError(
                    f"Type of feed value {value} with type {type(value)} is not compatible with Tensor type "
                    f"{tensor.dtype.as_numpy_dtype}. Try explicitly setting the type of the feed tensor to a larger "
                    f"type (e.g. int64). The tensor is {tensor.name!r}."
                )
        try:
            array = constant_array(value, tensor.dtype) if dtype.kind == "O" else np.asarray(unwrap(value), dtype=dtype)
        except (TypeError, ValueError) as error:
            if isinstance(error, TypeError) and isinstance(value, int):
                raise TypeError(
                    f"Type of feed value {value} with type {type(value)} is not compatible with Tensor type "
                    f"tf.{tensor.dtype.name}. The tensor is {tensor.name!r}."
                ) from None
            raise type(error)(f"Cannot feed {value!r:.60} for Tensor {tensor.name!r}: {error}") from None
    if array.shape != tensor._shape and not compatible(tensor._shape, array.shape):
        raise ValueError(
            f"Cannot feed value of shape {array.shape} for Tensor {tensor.name!r}, which has shape "
            f"'{text(tensor._shape)}'"
        )
    return array
