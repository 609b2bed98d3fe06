"""Lists of tensors: TensorFlow's ``list_ops``, whose lists are values that operations take and return."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.build import call, convert
from ..graph.dtypes import as_dtype
from ..graph.errors import InvalidArgumentError
from ..graph.mode import executing_eagerly
from ..graph.run_values import array_of
from ..graph.shapes import compatible, merge
from .control_flow_ops import cond
from .list_batch_ops import tensor_list_concat_lists as tensor_list_concat_lists
from .list_batch_ops import tensor_list_push_back_batch as tensor_list_push_back_batch
from .list_calls import (
    as_sizes,
    build_element_shape,
    known_shape,
    list_call,
    of_eager_mode,
    shape_of_elements,
    tensor_call,
    together,
)
from .math_ops import greater_equal
from .sparse_ops import convert_to_tensor
from .tensor_lists import TensorList, split_rows
from .variant_values import held_by

__all__ = [
    "_build_element_shape",
    "empty_tensor_list",
    "tensor_list_concat",
    "tensor_list_concat_lists",
    "tensor_list_element_shape",
    "tensor_list_from_tensor",
    "tensor_list_gather",
    "tensor_list_get_item",
    "tensor_list_length",
    "tensor_list_pop_back",
    "tensor_list_push_back",
    "tensor_list_push_back_batch",
    "tensor_list_reserve",
    "tensor_list_resize",
    "tensor_list_scatter",
    "tensor_list_set_item",
    "tensor_list_split",
    "tensor_list_stack",
]

_build_element_shape = build_element_shape


def empty_tensor_list(
    element_shape: Any, element_dtype: Any, max_num_elements: int | None = None, name: str | None = None
) -> Any:
    """Return a list without elements, to which at most ``max_num_elements`` are pushed."""
    dtype, limit = as_dtype(element_dtype), -1 if max_num_elements is None else max_num_elements
    sizes = build_element_shape(element_shape)

    def make(shape: Any) -> TensorList:
        return TensorList([], dtype.dtype, as_sizes(shape), limit)

    return list_call("EmptyTensorList", make, (sizes,), name, known_shape(sizes), dtype)


def tensor_list_reserve(element_shape: Any, num_elements: Any, element_dtype: Any, name: str | None = None) -> Any:
    """Return a list of some elements that are not written yet."""
    dtype, sizes = as_dtype(element_dtype), build_element_shape(element_shape)

    def make(shape: Any, count: Any) -> TensorList:
        number = array_of(count)
        told = "The num_elements to reserve must be a"
        if number.size != 1:
            raise InvalidArgumentError(None, None, f"{told} tensor size 1, but got {list(number.shape)}")
        if (elements := int(number.item())) < 0:
            raise InvalidArgumentError(None, None, f"{told} non negative number, but got {elements}")
        return TensorList([None] * elements, dtype.dtype, as_sizes(shape))

    return list_call("TensorListReserve", make, (sizes, num_elements), name, known_shape(sizes), dtype)


def tensor_list_from_tensor(tensor: Any, element_shape: Any, name: str | None = None) -> Any:
    """Return the list of a tensor's rows."""
    rows, sizes = convert_to_tensor(tensor), build_element_shape(element_shape)
    dtype = as_dtype(rows.dtype).base_dtype

    def make(values: Any, shape: Any) -> TensorList:
        held = TensorList([], dtype.dtype, as_sizes(shape))
        return held.scattered(values, range(np.shape(values)[0]))

    return list_call("TensorListFromTensor", make, (rows, sizes), name, known_shape(sizes), dtype)


def tensor_list_push_back(input_handle: Any, tensor: Any, name: str | None = None) -> Any:
    """Return the list with an element more."""
    inputs, shape = (input_handle, convert_to_tensor(tensor)), shape_of_elements(input_handle)
    return list_call("TensorListPushBack", lambda held, item: held.pushed(item), inputs, name, shape)


def tensor_list_pop_back(
    input_handle: Any, element_dtype: Any, name: str | None = None, element_shape: Any = None
) -> tuple[Any, Any]:
    """Return the list without its last element, and that."""
    sizes, dtype = build_element_shape(element_shape), as_dtype(element_dtype)

    def popped(held: TensorList, shape: Any) -> Any:
        held.check_read(dtype.dtype)
        return held.popped(as_sizes(shape))

    if executing_eagerly():
        rest, item = popped(held_by(input_handle), sizes)
        return of_eager_mode(rest), of_eager_mode(item)
    shape = shape_of_elements(input_handle)
    shapes = [(), merge(shape, known_shape(sizes)) if compatible(shape, known_shape(sizes)) else None]
    options: dict[str, Any] = {"attributes": {"element_shape": shape}, "same": False, "outputs": 2}
    found = call(
        "TensorListPopBack", popped, (input_handle, sizes), name=name, shape=shapes, dtype=["variant", dtype], **options
    )
    return found[0], found[1]


def tensor_list_get_item(
    input_handle: Any, index: Any, element_dtype: Any, element_shape: Any = None, name: str | None = None
) -> Any:
    """Return an element; one that was not written is zeros."""
    sizes = build_element_shape(element_shape)
    shape = None if executing_eagerly() else together(input_handle, sizes)

    dtype = as_dtype(element_dtype).dtype

    def item(held: TensorList, at: Any, known: Any) -> Any:
        held.check_read(dtype)
        return held.item(int(array_of(at)), as_sizes(known))

    return tensor_call("TensorListGetItem", item, (input_handle, index, sizes), name, shape, element_dtype)


def tensor_list_set_item(
    input_handle: Any, index: Any, item: Any, resize_if_index_out_of_bounds: bool = False, name: str | None = None
) -> Any:
    """Return the list with another element at a place; ``resize_if_index_out_of_bounds`` makes it longer for that."""
    if resize_if_index_out_of_bounds:
        at = convert_to_tensor(index, "int32")
        held = input_handle
        input_handle = cond(
            greater_equal(at, tensor_list_length(held)), lambda: tensor_list_resize(held, at + 1), lambda: held
        )

    def changed(held: TensorList, at: Any, value: Any) -> TensorList:
        return held.with_item(int(array_of(at)), value)

    inputs = (input_handle, index, convert_to_tensor(item))
    return list_call("TensorListSetItem", changed, inputs, name, shape_of_elements(input_handle))


def tensor_list_gather(
    input_handle: Any, indices: Any, element_dtype: Any, element_shape: Any = None, name: str | None = None
) -> Any:
    """Return some elements below each other."""
    sizes = build_element_shape(element_shape)
    where = np.zeros(0, np.int32) if isinstance(indices, (list, tuple)) and not indices else indices
    known = None if executing_eagerly() else convert(where)._shape
    element = None if executing_eagerly() else together(input_handle, sizes)
    shape = None if known is None or element is None else (*known, *element)

    dtype = as_dtype(element_dtype).dtype

    def gathered(held: TensorList, wanted: Any, given: Any) -> Any:
        held.check_read(dtype)
        return held.rows(array_of(wanted).tolist(), as_sizes(given), "gather")

    return tensor_call("TensorListGather", gathered, (input_handle, where, sizes), name, shape, element_dtype)


def tensor_list_scatter(
    tensor: Any,
    indices: Any,
    element_shape: Any = None,
    input_handle: Any = None,
    name: str | None = None,
    num_elements: int = -1,
) -> Any:
    """Return a list, or ``input_handle``, with the rows of a tensor at some places."""
    rows, sizes = convert_to_tensor(tensor), build_element_shape(element_shape)
    dtype = as_dtype(rows.dtype).base_dtype

    def scattered(values: Any, wanted: Any, shape: Any) -> TensorList:
        where = array_of(wanted).tolist()
        if num_elements < -1:
            words = f"TensorListScatter expects num_elements >= -1, found: {num_elements}"
            raise InvalidArgumentError(None, None, words)
        if num_elements >= 0 and max(where, default=-1) >= num_elements:
            size = f"at index {max(where)} in list with size {num_elements}"
            raise InvalidArgumentError(None, None, f"TensorListScatter: Trying to scatter {size}")
        empty = TensorList([None] * max(num_elements, 0), dtype.dtype, as_sizes(shape))
        return empty.scattered(values, where)

    if input_handle is None:
        return list_call("TensorListScatterV2", scattered, (rows, indices, sizes), name, known_shape(sizes), dtype)

    def into(held: TensorList, values: Any, wanted: Any) -> TensorList:
        return held.scattered(values, array_of(wanted).tolist())

    inputs = (input_handle, rows, indices)
    return list_call("TensorListScatterIntoExistingList", into, inputs, name, shape_of_elements(input_handle))


def tensor_list_stack(
    input_handle: Any, element_dtype: Any, num_elements: int = -1, element_shape: Any = None, name: str | None = None
) -> Any:
    """Return the elements below each other; those that were not written are zeros."""
    sizes = build_element_shape(element_shape)
    element = None if executing_eagerly() else together(input_handle, sizes)
    shape = None if element is None else (None if num_elements < 0 else num_elements, *element)

    dtype = as_dtype(element_dtype).dtype

    def stacked(held: TensorList, given: Any) -> Any:
        held.check_read(dtype)
        return held.stacked(num_elements, as_sizes(given))

    return tensor_call("TensorListStack", stacked, (input_handle, sizes), name, shape, element_dtype)


def tensor_list_concat(
    input_handle: Any, element_dtype: Any, element_shape: Any = None, name: str | None = None
) -> Any:
    """Return the elements behind each other along their first axis."""
    sizes = build_element_shape(element_shape)
    element = None if executing_eagerly() else together(input_handle, sizes)
    shape = None if not element else (None, *element[1:])

    dtype = as_dtype(element_dtype).dtype

    def joined(held: TensorList, given: Any) -> Any:
        held.check_read(dtype)
        return held.joined(as_sizes(given))[0]

    return tensor_call("TensorListConcatV2", joined, (input_handle, sizes), name, shape, element_dtype)


def tensor_list_split(tensor: Any, element_shape: Any, lengths: Any, name: str | None = None) -> Any:
    """Return the list of a tensor's pieces along its first axis."""
    rows, sizes = convert_to_tensor(tensor), build_element_shape(element_shape)
    dtype = as_dtype(rows.dtype).base_dtype

    def pieces(values: Any, shape: Any, parts: Any) -> TensorList:
        return split_rows(values, array_of(parts), dtype.dtype, as_sizes(shape))

    shape = known_shape(sizes)
    if shape is not None and rows.shape.ndims not in (None, len(shape)) and not executing_eagerly():
        raise ValueError(f"Shapes must be equal rank, but are {rows.shape.ndims} and {len(shape)}")
    return list_call("TensorListSplit", pieces, (rows, sizes, lengths), name, shape, dtype)


def tensor_list_length(input_handle: Any, name: str | None = None) -> Any:
    """Return how many elements there are."""

    def count(held: TensorList) -> Any:
        return np.asarray(len(held.items), np.int32)

    return tensor_call("TensorListLength", count, (input_handle,), name, (), "int32")


def tensor_list_resize(input_handle: Any, size: Any, name: str | None = None) -> Any:
    """Return the list cut off, or with elements that are not written yet."""

    def resized(held: TensorList, count: Any) -> TensorList:
        number = array_of(count)
        if number.ndim:
            raise InvalidArgumentError(None, None, "size must be a scalar")
        return held.resized(int(number))

    if not executing_eagerly() and (known := convert(size)._shape):
        raise ValueError(f"Shape must be rank 0 but is rank {len(known)}")
    return list_call("TensorListResize", resized, (input_handle, size), name, shape_of_elements(input_handle))


def tensor_list_element_shape(input_handle: Any, shape_type: Any, name: str | None = None) -> Any:
    """Return the shape of the elements, -1 for what is not known of it."""
    dtype = as_dtype(shape_type)

    def told(held: TensorList) -> Any:
        return np.asarray(build_element_shape(held.element_shape), dtype.dtype)

    return tensor_call("TensorListElementShape", told, (input_handle,), name, None, dtype)
