"""Tensors of lists of tensors: each list is joined with another, or gets a row more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph.build import call, convert
from ..graph.dtypes import as_dtype, name_in_messages
from ..graph.errors import InvalidArgumentError
from ..graph.mode import executing_eagerly
from ..graph.shapes import bracketed
from .list_calls import held_of_parts, of_eager_mode
from .sparse_ops import convert_to_tensor
from .tensor_lists import TensorList
from .variant_values import held_by

__all__ = ["tensor_list_concat_lists", "tensor_list_push_back_batch"]


def _by_element(function: Callable[..., Any], lists: Any, others: Any) -> Any:
    """Return lists, one or an array of them, which a function makes of lists, what belongs to each, and numbers."""
    if isinstance(lists, TensorList):
        return function(lists, others, 0)
    out = np.empty(len(lists), object)
    out[:] = [function(held, other, k) for k, (held, other) in enumerate(zip(lists, others, strict=True))]
    return out


def tensor_list_concat_lists(input_a: Any, input_b: Any, element_dtype: Any, name: str | None = None) -> Any:
    """Return the lists of one tensor of lists, each with the elements of the other's list behind its own."""
    dtype = None if element_dtype is None else as_dtype(element_dtype).dtype

    def joined(a: TensorList, b: TensorList, position: int) -> TensorList:
        for which, held in (("a", a), ("b", b)):
            if dtype is not None and held.element_dtype != dtype:
                words = f"input_{which}[{position}].dtype != element_dtype."
                raise InvalidArgumentError(None, None, words)
        if a.element_shape != b.element_shape or a.element_dtype != b.element_dtype:
            shapes = f"{bracketed(a.element_shape)}, {bracketed(b.element_shape)}"
            raise InvalidArgumentError(
                None, None, f"input_lists element shapes are not identical at index {position}: {shapes}"
            )
        return a.with_items([*a.items, *b.items])

    def compute(a: Any, b: Any) -> Any:
        return _by_element(joined, a, b)

    if executing_eagerly():
        return of_eager_mode(compute(held_by(input_a), held_by(input_b)))
    a, b = convert(input_a), convert(input_b)
    for which, each in (("a", a), ("b", b)):
        known = held_of_parts(each, "element_dtype")
        if known is not None and dtype is not None and known.dtype != dtype:
            words = f"input_{which}.type != element_dtype: {name_in_messages(known)} vs. "
            raise ValueError(words + name_in_messages(as_dtype(element_dtype)))
    ranks = [held_of_parts(each, "element_shape") for each in (a, b)]
    if None not in ranks and len(ranks[0]) != len(ranks[1]):
        raise ValueError(f"Shapes must be equal rank, but are {len(ranks[0])} and {len(ranks[1])}")
    shape = a._shape
    return call("TensorListConcatLists", compute, (input_a, input_b), name=name, shape=shape, dtype="variant")


def tensor_list_push_back_batch(input_handles: Any, tensor: Any, name: str | None = None) -> Any:
    """Return the lists of a tensor of lists, each with a row of ``tensor`` more."""

    def compute(lists: Any, rows: Any) -> Any:
        return _by_element(lambda held, row, k: held.pushed(row, f"to a list at index {k}"), lists, rows)

    values = convert_to_tensor(tensor)
    if executing_eagerly():
        return of_eager_mode(compute(held_by(input_handles), held_by(values)))
    known = held_of_parts(convert(input_handles), "element_dtype")
    if known is not None and known != values.dtype.base_dtype:
        had, pushed = name_in_messages(known), name_in_messages(values.dtype)
        words = f"List has type {had} but trying to push element with type {pushed}"
        raise ValueError(f"Trying to push to list with wrong element dtype. {words}")
    shape = convert(input_handles)._shape
    options: dict[str, Any] = {"shape": shape, "dtype": "variant", "same": False}
    return call("TensorListPushBackBatch", compute, (input_handles, values), name=name, **options)
