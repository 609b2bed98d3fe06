"""Values that tensors of type variant hold: what lists and maps of tensors share, and how eager mode keeps them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ...ops.dispatch import apply
from ...ops.registry import Primitive
from ...ops.tensor import Tensor as EagerTensor
from ..graph.dtypes import OTHERS
from ..graph.mode import executing_eagerly

__all__ = ["VariantValue", "beside", "boxed", "held_by"]


class VariantValue:
    """A value that is no array; operations that change it return another one."""

    __slots__ = ()
    dtype = OTHERS["variant"].dtype  # of the value of a tensor, or as an element of another value
    shape = ()

    def zeros(self) -> Any:
        """Return the value to which others are added: zeros in place of its tensors, or nothing at all."""
        raise NotImplementedError

    def without_gradients(self) -> Any:
        """Return the same value, through which no gradient flows."""
        raise NotImplementedError

    def pairs(self, seed: Any) -> list[tuple[Any, Any]]:
        """Return the tensors with what arrives at each, where both are there."""
        raise NotImplementedError


def boxed(held: VariantValue) -> Any:
    """Return an array without axes whose element is a value of type variant."""
    holder = np.empty((), object)
    holder[()] = held
    return holder


def held_by(value: Any) -> Any:
    """Return the value of type variant, or the array of such, of a tensor of eager mode; anything else as it is."""
    if isinstance(value, EagerTensor) and (array := value.value).dtype.kind == "O":
        first = array.flat[0] if array.size else None
        return value if not isinstance(first, VariantValue) else array if array.ndim else first
    return value


def _first(item: Any, *others: Any) -> Any:
    return item


def _zeros_beside(positions: Any, g: Any, y: Any, item: Any, *others: Any) -> list[Any]:
    every = (item, *others)
    return [g if position == 0 else np.zeros(np.shape(every[position]), g.dtype) for position in positions]


_BESIDE = Primitive(_first, vjp_argnums=_zeros_beside, linear=True)


def beside(item: Any, others: Iterable[Any]) -> Any:
    """Return a tensor that was read; in eager mode the gradients of those kept beside it are zeros, and not missing.

    A graph tells by itself that they belong together.
    """
    if not isinstance(item, EagerTensor) or not executing_eagerly():
        return item
    kept = [
        other for other in others if other is not item and isinstance(other, EagerTensor) and other.dtype.kind in "fc"
    ]
    return apply(_BESIDE, (item, *kept)) if kept else item
