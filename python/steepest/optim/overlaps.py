"""Which arrays share memory, by the addresses of their first and last bytes."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from .. import _core
from ..base.dtypes import Array

__all__ = ["Memory", "share_memory"]


class Memory:
    """The memory of some arrays; strided ones count from their first byte to their last."""

    def __init__(self, arrays: Iterable[Array]) -> None:
        bounds = sorted(_bounds(array) for array in arrays)
        self._begins = np.array([begin for begin, _ in bounds], np.int64)
        self._ends: list[int] = []  # the farthest end so far
        for _, end in bounds:
            self._ends.append(max(end, self._ends[-1]) if self._ends else end)

    def holds_some_of(self, array: Array) -> bool:
        """Tell whether a byte of the array may be in it."""
        begin, end = _bounds(array)
        before = int(np.searchsorted(self._begins, end))
        return begin < end and before > 0 and self._ends[before - 1] > begin


def share_memory(arrays: Iterable[Array]) -> bool:
    """Tell whether two of the arrays may share memory."""
    reach = 0
    for begin, end in sorted(_bounds(array) for array in arrays):
        if begin < min(reach, end):
            return True
        reach = max(reach, end)
    return False


def _bounds(array: Array) -> tuple[int, int]:
    if array.size == 0:
        return 0, 0
    begin = _core.address(array)
    spans = [(size - 1) * stride for size, stride in zip(array.shape, array.strides, strict=True)]
    return begin + sum(s for s in spans if s < 0), begin + sum(s for s in spans if s > 0) + array.itemsize
