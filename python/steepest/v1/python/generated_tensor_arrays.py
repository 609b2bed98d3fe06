"""Operations on ``TensorArray`` under the names, and with the arguments, of the generated ``gen_data_flow_ops``.

An array's state is its flow, and so is its handle here: what is done is done to ``flow_in``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..graph.build import call, dtype_of
from ..graph.dtypes import DType, as_dtype
from ..graph.errors import InvalidArgumentError
from ..graph.mode import executing_eagerly
from ..graph.shapes import TensorShape
from ..ops.sparse_ops import convert_to_tensor
from ..ops.tensor_array_elements import Elements
from ..ops.tensor_array_ops import TensorArray

__all__ = [
    "tensor_array_close_v3",
    "tensor_array_concat_v3",
    "tensor_array_gather_v3",
    "tensor_array_grad_v3",
    "tensor_array_read_v3",
    "tensor_array_scatter_v3",
    "tensor_array_size_v3",
    "tensor_array_split_v3",
    "tensor_array_v3",
    "tensor_array_write_v3",
]


class TensorArrayV3(NamedTuple):
    """What stands for an array, and its first state."""

    handle: Any
    flow: Any


class TensorArrayGradV3(NamedTuple):
    """What stands for the array of gradients, and its state."""

    grad_handle: Any
    flow_out: Any


class TensorArrayConcatV3(NamedTuple):
    """The elements behind each other, and how long each is."""

    value: Any
    lengths: Any


def tensor_array_v3(
    size: Any,
    dtype: Any,
    element_shape: Any = None,
    dynamic_size: bool = False,
    clear_after_read: bool = True,
    identical_element_shapes: bool = False,
    tensor_array_name: str = "",
    name: str | None = None,
) -> TensorArrayV3:
    """Return what stands for a new array, and its flow."""
    made = TensorArray(
        dtype,
        size,
        dynamic_size,
        clear_after_read,
        tensor_array_name,
        infer_shape=identical_element_shapes,
        element_shape=element_shape,
        name=name or "TensorArrayV3",
    )
    return TensorArrayV3(made.flow, made.flow)


def tensor_array_write_v3(handle: Any, index: Any, value: Any, flow_in: Any, name: str | None = None) -> Any:
    """Return the flow behind an element that is written."""
    return TensorArray.behind(flow_in, _dtype(handle, value)).write(index, value, name or "TensorArrayWriteV3").flow


def tensor_array_scatter_v3(handle: Any, indices: Any, value: Any, flow_in: Any, name: str | None = None) -> Any:
    """Return the flow behind rows that are written to some numbers."""
    array = TensorArray.behind(flow_in, _dtype(handle, value))
    return array.scatter(indices, value, name or "TensorArrayScatterV3").flow


def tensor_array_split_v3(handle: Any, value: Any, lengths: Any, flow_in: Any, name: str | None = None) -> Any:
    """Return the flow behind pieces of a tensor that are written."""
    array = TensorArray.behind(flow_in, _dtype(handle, value))
    return array.split(value, lengths, name or "TensorArraySplitV3").flow


def tensor_array_read_v3(handle: Any, index: Any, flow_in: Any, dtype: Any, name: str | None = None) -> Any:
    """Return an element. Raises InvalidArgumentError, in a run, where the array is of another type."""
    return TensorArray.behind(_checked(handle, flow_in, dtype), dtype).read(index, name or "TensorArrayReadV3")


def tensor_array_gather_v3(
    handle: Any, indices: Any, flow_in: Any, dtype: Any, element_shape: Any = None, name: str | None = None
) -> Any:
    """Return some elements beside each other along a new first axis. Raises as `tensor_array_read_v3`."""
    array = TensorArray.behind(_checked(handle, flow_in, dtype), dtype, element_shape)
    return array.gather(indices, name or "TensorArrayGatherV3")


def tensor_array_concat_v3(
    handle: Any, flow_in: Any, dtype: Any, element_shape_except0: Any = None, name: str | None = None
) -> TensorArrayConcatV3:
    """Return all elements behind each other along their first axis, and their lengths.

    Raises as `tensor_array_read_v3`.
    """
    rest = TensorShape(element_shape_except0)
    element = None if rest.sizes is None else (None, *rest.sizes)

    def joined(held: Elements) -> tuple[Any, Any]:
        lengths = [0 if item is None else np.shape(item)[0] for item in held.items if np.ndim(item) or item is None]
        return held.joined(element), np.asarray(lengths, np.int64)

    flow = _checked(handle, flow_in, dtype)
    if executing_eagerly():
        return TensorArrayConcatV3(*map(convert_to_tensor, joined(flow)))
    made = call(
        "TensorArrayConcatV3",
        joined,
        (flow,),
        name=name,
        outputs=2,
        shape=[element, (None,)],
        dtype=[dtype, "int64"],
        same=False,
    )
    return TensorArrayConcatV3(*made)


def tensor_array_size_v3(handle: Any, flow_in: Any, name: str | None = None) -> Any:
    """Return how many elements there are."""
    del handle
    return TensorArray.behind(flow_in, "float32").size(name or "TensorArraySizeV3")


def tensor_array_grad_v3(handle: Any, flow_in: Any, source: str, name: str | None = None) -> TensorArrayGradV3:
    """Return what stands for the array in which gradients of the elements are summed, one for each ``source``."""
    del handle
    flow = TensorArray.behind(flow_in, "float32").grad(source, None, name or "TensorArrayGradV3").flow
    return TensorArrayGradV3(flow, flow)


def tensor_array_close_v3(handle: Any, name: str | None = None) -> Any:
    """Return an operation that does nothing: the elements are freed when nobody holds them."""
    return TensorArray.behind(handle, "float32").close(name or "TensorArrayCloseV3")


def _dtype(handle: Any, value: Any) -> Any:
    """Return the type of an array's elements, where that is known; else that of what is written."""
    return _told(handle) or dtype_of(value)


def _told(handle: Any) -> DType | None:
    if isinstance(handle, Elements):
        return as_dtype(handle.dtype)
    return handle.op.get_attr("dtype") if handle.op.type == "TensorArrayV3" else None


def _checked(handle: Any, flow: Any, dtype: Any) -> Any:
    """Return the flow, whose run tells where the array is of another type than the one that is asked for."""
    asked = as_dtype(dtype).base_dtype
    if _told(handle) == asked:
        return flow

    def same(held: Elements) -> Elements:
        own = as_dtype(held.dtype)
        if own != asked:
            raise InvalidArgumentError(
                None, None, f"TensorArray dtype is {_named(own)} but Op requested dtype {_named(asked)}."
            )
        return held

    if executing_eagerly():
        return same(flow)
    return call("Identity", same, (flow,), shape=(), dtype="float32", same=False)


def _named(dtype: DType) -> str:
    return {"float32": "float", "float64": "double"}.get(dtype.name, dtype.name)
