"""An array that is nowhere in memory as a whole: it comes piece by piece, in order, while it is written."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..base.typing import Array

__all__ = ["Pieces"]


class Pieces:
    """An array of a shape and a type whose elements ``pieces()`` yields in order.

    Args:
        shape: of the whole array.
        dtype: of its elements.
        pieces: returns arrays that one after the other have all elements.
    """

    def __init__(self, shape: tuple[int, ...], dtype: Any, pieces: Callable[[], Iterable[Array]]) -> None:
        self.shape, self.dtype, self.pieces = shape, np.dtype(dtype), pieces

    @property
    def nbytes(self) -> int:
        """The bytes of all elements."""
        return math.prod(self.shape) * int(self.dtype.itemsize)
