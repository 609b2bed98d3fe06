"""Following the steps of an `ExecutionPlan`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["FAILED", "Spread", "Step", "follow"]

FAILED = 2  # the place of the values table that tells which place a failed run was computing

Step = tuple[Callable[..., Any], tuple[int, ...], int]


def follow(steps: list[Step], values: list[Any]) -> None:
    """Evaluate one step after the other; the usual numbers of inputs are written out, in half the time."""
    place = -1
    try:
        for function, inputs, place in steps:
            count = len(inputs)
            if count == 1:
                values[place] = function(values[inputs[0]])
            elif count == 2:
                values[place] = function(values[inputs[0]], values[inputs[1]])
            else:
                values[place] = function(*[values[i] for i in inputs])
    except BaseException:
        values[FAILED] = place
        raise


class Spread:
    """Put each of several results, by its position, in its own place of the table."""

    def __init__(self, items: list[tuple[int, int]]) -> None:
        self.items = items

    def __call__(self, table: list[Any], results: Any) -> Any:
        for k, place in self.items:
            table[place] = results[k]
        return results
