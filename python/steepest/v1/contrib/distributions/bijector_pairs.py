"""What bijectors keep of what they computed: places with their values, and by what the inverse stretches there."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...graph.build import dtype_of, shape_of
from ...graph.mode import executing_eagerly
from ...ops.array_ops import rank, shape
from ...ops.creation_ops import ones
from ...ops.creation_ops import range as _range
from ...ops.reduce_ops import reduce_sum

__all__ = ["KeptPairs", "Pair", "sum_over_event"]


class Pair:
    """A place, the function's value there, and by what the inverse stretches, by the number of an event's axes."""

    def __init__(self, x: Any, y: Any, kwargs: dict[str, Any]) -> None:
        self.x, self.y, self.kwargs = x, y, kwargs
        self.stretches: dict[Any, Any] = {}

    def is_of(self, kwargs: dict[str, Any], x: Any, y: Any) -> bool:
        """Return whether this is the pair of a place or a value, with these arguments."""
        if kwargs.keys() != self.kwargs.keys() or any(kwargs[key] is not self.kwargs[key] for key in kwargs):
            return False
        return (x is not None and self.x is x) or (y is not None and self.y is y)


class KeptPairs:
    """The pairs of one function: all in graph mode, the last one in eager mode."""

    def __init__(self) -> None:
        self._pairs: list[Pair] = []

    def of(self, kwargs: dict[str, Any], x: Any = None, y: Any = None) -> Pair:
        """Return the pair that a tensor is kept in, or a new one, which is kept then."""
        for pair in reversed(self._pairs):
            if pair.is_of(kwargs, x, y):
                return pair
        if executing_eagerly():
            self._pairs.clear()
        self._pairs.append(Pair(x, y, kwargs))
        return self._pairs[-1]


def sum_over_event(value: Any, stretch: Any, least: int, ranks: Any) -> Any:
    """Return the sums of the stretches over the axes that an event has beyond one value's."""
    if isinstance(ranks, int) and ranks == least:
        return stretch
    sizes = shape_of(value)
    if sizes is not None and None not in sizes and isinstance(ranks, int):
        axes: Any = list(sizes[len(sizes) - ranks : len(sizes) - least])
    else:
        axes = shape(value)[rank(value) - ranks : rank(value) - least]
    along = list(np.arange(least - ranks, 0)) if isinstance(ranks, int) else _range(least - ranks, 0)
    return reduce_sum(ones(axes, dtype_of(stretch)) * stretch, along)
