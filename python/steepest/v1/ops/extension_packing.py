"""One tensor that stands for several, of whatever types and shapes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...ops.dispatch import unwrap
from ..graph.build import call
from ..graph.dtypes import OTHERS

__all__ = ["parts_of", "together"]


class _Parts:
    """What the one tensor holds: the arrays of the others."""

    __slots__ = ("arrays",)
    element_dtype = None  # as lists have it, which are values of that type as well
    dtype, shape = OTHERS["variant"].dtype, ()

    def __init__(self, arrays: tuple[Any, ...]) -> None:
        self.arrays = arrays


def _together(*arrays: Any) -> _Parts:
    return _Parts(tuple(map(np.asarray, arrays)))


def together(parts: Sequence[Any]) -> Any:
    """Return the one tensor that stands for several."""
    return call(
        "CompositeTensorVariantFromComponents",
        _together,
        parts,
        shape=(),
        dtype="variant",
        same=False,
        differentiable=False,
    )


def parts_of(tensor: Any, specs: Sequence[Any]) -> list[Any]:
    """Return the tensors for which one tensor stands."""
    alone = len(specs) == 1

    def apart(held: Any) -> Any:
        array = unwrap(held)
        one: Any = array[()] if isinstance(array, np.ndarray) else array
        return one.arrays[0] if alone else one.arrays

    shapes = [None if spec.shape.ndims is None else tuple(spec.shape.as_list()) for spec in specs]
    dtypes = [spec.dtype for spec in specs]
    found = call(
        "CompositeTensorVariantToComponents",
        apart,
        (tensor,),
        outputs=None if alone else len(specs),
        shape=shapes[0] if alone else shapes,
        dtype=dtypes[0] if alone else dtypes,
        same=False,
        differentiable=False,
    )
    return [found] if alone else list(found)
