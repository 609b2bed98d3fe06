"""Following the steps of an `ExecutionPlan`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...debugging import places
from ...ops.tensor import Tensor as EagerTensor
from ...variables.variable import Variable
from .run_values import array_of

__all__ = [
    "FAILED",
    "SESSION",
    "TABLE",
    "ReadyStep",
    "Spread",
    "Step",
    "follow",
    "handed_out",
    "named",
    "numbers_of",
    "ready",
]

# Places of the values table that hold no tensor's value: the table itself, the session, and which place a failed run
# was computing.
TABLE, SESSION, FAILED = 0, 1, 2

Step = tuple[Callable[..., Any], tuple[int, ...], int]
"""What is called, the places of its arguments, and the place of its result."""

ReadyStep = tuple[Callable[..., Any], int, int | None, tuple[int, ...] | None, int]
"""The same for `follow`: one argument, or two, stand beside the function; of more, and of none, the tuple."""


def ready(steps: list[Step]) -> list[ReadyStep]:
    """Return steps in the form that is followed in half the time."""
    return [
        (
            function,
            inputs[0] if inputs else -1,
            inputs[1] if len(inputs) > 1 else None,
            inputs if len(inputs) > 2 or not inputs else None,
            place,
        )
        for function, inputs, place in steps
    ]


def numbers_of(value: Any) -> Any:
    """Return the integers of a quantized value, as a program gets them: without the field that names their type."""
    array = array_of(value)
    return array[array.dtype.names[0]].copy() if array.dtype.names else array


def follow(steps: list[ReadyStep], values: list[Any]) -> None:
    """Evaluate one step after the other."""
    place = -1
    try:
        for function, first, second, more, place in steps:
            if more is not None:
                values[place] = function(*[values[i] for i in more])
            elif second is not None:
                values[place] = function(values[first], values[second])
            else:
                values[place] = function(values[first])
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


def named(steps: list[ReadyStep], owners: Mapping[int, Any]) -> list[ReadyStep]:
    """Return steps during which debugging knows the operation's name."""

    def under(function: Callable[..., Any], place: int) -> Callable[..., Any]:
        return places.under(owners[place].name, function) if place in owners else function

    return [(under(function, place), a, b, more, place) for function, a, b, more, place in steps]


def handed_out(value: Any) -> Any:
    """Return a copy that the user may change: never the memory of a constant, a feed or a variable."""
    if isinstance(value, (Variable, EagerTensor)):
        value = value._value
    if not isinstance(value, np.ndarray):
        return value
    return value.copy() if value.ndim else value[()]
