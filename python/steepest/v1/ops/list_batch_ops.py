"""Tensors of lists of tensors: each list is joined with another, or gets a row more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph.build import call, convert
from ..graph.mode import executing_eagerly
from ..graph.shapes import bracketed
from .list_calls import of_eager_mode
from .sparse_ops import convert_to_tensor
from .tensor_lists import TensorList, held_by

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
    del element_dtype

    def joined(a: TensorList, b: TensorList, position: int) -> TensorList:
        if a.element_shape != b.element_shape or a.element_dtype != b.element_dtype:
            shapes = f"{bracketed(a.element_shape)}, {bracketed(b.element_shape)}"
            raise ValueError(f"input_lists element shapes are not identical at index {position}: {shapes}")
        return a.with_items([*a.items, *b.items])

    def compute(a: Any, b: Any) -> Any:
        return _by_element(joined, a, b)

    if executing_eagerly():
        return of_eager_mode(compute(held_by(input_a), held_by(input_b)))
    shape = convert(input_a)._shape
    return call("TensorListConcatLists", compute, (input_a, input_b), name=name, shape=shape, dtype="variant")


def tensor_list_push_back_batch(input_handles: Any, tensor: Any, name: str | None = None) -> Any:
    """Return the lists of a tensor of lists, each with a row of ``tensor`` more."""

    def compute(lists: Any, rows: Any) -> Any:
        return _by_element(lambda held, row, _: held.pushed(row), lists, rows)

    values = convert_to_tensor(tensor)
    if executing_eagerly():
        return of_eager_mode(compute(held_by(input_handles), held_by(values)))
    shape = convert(input_handles)._shape
    options: dict[str, Any] = {"shape": shape, "dtype": "variant", "same": False}
    return call("TensorListPushBackBatch", compute, (input_handles, values), name=name, **options)
