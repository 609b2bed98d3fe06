"""Operations on lists of tensors under the names, and with the arguments, of the generated module ``gen_list_ops``."""

from __future__ import annotations

from typing import Any

from ..ops import list_ops

__all__ = [
    "tensor_list_gather",
    "tensor_list_get_item",
    "tensor_list_pop_back",
    "tensor_list_scatter_into_existing_list",
    "tensor_list_scatter_v2",
    "tensor_list_stack",
]


def tensor_list_gather(
    input_handle: Any, indices: Any, element_shape: Any, element_dtype: Any, name: str | None = None
) -> Any:
    """Return some elements below each other."""
    return list_ops.tensor_list_gather(input_handle, indices, element_dtype, element_shape, name)


def tensor_list_get_item(
    input_handle: Any, index: Any, element_shape: Any, element_dtype: Any, name: str | None = None
) -> Any:
    """Return an element; one that was not written is zeros."""
    return list_ops.tensor_list_get_item(input_handle, index, element_dtype, element_shape, name)


def tensor_list_pop_back(input_handle: Any, element_shape: Any, element_dtype: Any, name: str | None = None) -> Any:
    """Return the list without its last element, and that."""
    return list_ops.tensor_list_pop_back(input_handle, element_dtype, name, element_shape)


def tensor_list_scatter_into_existing_list(
    input_handle: Any, tensor: Any, indices: Any, name: str | None = None
) -> Any:
    """Return the list with the rows of a tensor at some places."""
    return list_ops.tensor_list_scatter(tensor, indices, None, input_handle, name)


def tensor_list_scatter_v2(
    tensor: Any, indices: Any, element_shape: Any, num_elements: int, name: str | None = None
) -> Any:
    """Return a list of ``num_elements``, or of as many as need be, with the rows of a tensor at some places."""
    return list_ops.tensor_list_scatter(tensor, indices, element_shape, None, name, num_elements)


def tensor_list_stack(
    input_handle: Any, element_shape: Any, element_dtype: Any, num_elements: int = -1, name: str | None = None
) -> Any:
    """Return the elements below each other; those that were not written are zeros."""
    return list_ops.tensor_list_stack(input_handle, element_dtype, num_elements, element_shape, name)
