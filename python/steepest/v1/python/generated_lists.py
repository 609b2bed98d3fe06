"""Operations on lists of tensors under the names, and with the arguments, of the generated module ``gen_list_ops``."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..graph.build import call
from ..graph.dtypes import as_dtype
from ..graph.mode import executing_eagerly
from ..graph.run_values import array_of
from ..ops import list_ops
from ..ops.list_calls import as_sizes, build_element_shape, of_eager_mode, together
from ..ops.tensor_lists import TensorList
from ..ops.variant_values import held_by

__all__ = [
    "tensor_list_concat",
    "tensor_list_concat_v2",
    "tensor_list_gather",
    "tensor_list_get_item",
    "tensor_list_pop_back",
    "tensor_list_scatter_into_existing_list",
    "tensor_list_scatter_v2",
    "tensor_list_stack",
]


class TensorListConcat(NamedTuple):
    """Elements behind each other, and how long each is."""

    tensor: Any
    lengths: Any


def tensor_list_concat(
    input_handle: Any, element_dtype: Any, element_shape: Any = None, name: str | None = None
) -> TensorListConcat:
    """Return the elements behind each other along their first axis, and how long each is."""
    return tensor_list_concat_v2(input_handle, element_shape, np.zeros(0, np.int64), element_dtype, name)


def tensor_list_concat_v2(
    input_handle: Any, element_shape: Any, leading_dims: Any, element_dtype: Any, name: str | None = None
) -> TensorListConcat:
    """Return what `tensor_list_concat` does; ``leading_dims`` are the lengths of elements that were not written."""
    sizes, dtype = build_element_shape(element_shape), as_dtype(element_dtype)

    def joined(held: TensorList, given: Any, lengths: Any) -> tuple[Any, Any]:
        held.check_read(dtype.dtype)
        whole, parts = held.joined(as_sizes(given), array_of(lengths).tolist())
        return whole, np.asarray(parts, np.int64)

    if executing_eagerly():
        found = joined(held_by(input_handle), sizes, leading_dims)
        return TensorListConcat(*map(of_eager_mode, found))
    element = together(input_handle, sizes)
    shapes = [None if not element else (None, *element[1:]), (None,)]
    made = call(
        "TensorListConcatV2",
        joined,
        (input_handle, sizes, leading_dims),
        name=name,
        shape=shapes,
        dtype=[dtype, "int64"],
        same=False,
        outputs=2,
    )
    return TensorListConcat(*made)


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
    if np.ndim(num_elements):
        raise ValueError(f"Shape must be rank 0 but is rank {np.ndim(num_elements)}: num_elements must be a scalar")
    return list_ops.tensor_list_scatter(tensor, indices, element_shape, None, name, num_elements)


def tensor_list_stack(
    input_handle: Any, element_shape: Any, element_dtype: Any, num_elements: int = -1, name: str | None = None
) -> Any:
    """Return the elements below each other; those that were not written are zeros."""
    return list_ops.tensor_list_stack(input_handle, element_dtype, num_elements, element_shape, name)
