"""Dead values: what a ``Switch`` gives where its predicate does not say so, and all that is computed from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .errors import InvalidArgumentError

__all__ = ["DEAD", "DIVIDING", "MERGING", "Guarded", "check_alive", "zeros_for_dead"]


class _Dead:
    """The one value that stands for none."""

    __slots__ = ()


DEAD = _Dead()

DIVIDING = frozenset({"Enter", "RefEnter", "RefSwitch", "Switch"})
"""Types of operations after which a value may be dead: only graphs that have one are run with dead values."""

MERGING = frozenset({"Merge", "RefMerge"})
"""Types of operations that take dead values."""


class Guarded:
    """A step that is left out where one of the values that it waits for is dead: it is dead itself then.

    Args:
        function: what is called otherwise.
        count: how many of the step's inputs the function takes; the others only tell whether it runs.
        spreads: the places of the table, which comes first, in which the function puts results.
        taken: how many of the first inputs may be dead.
    """

    def __init__(self, function: Callable[..., Any], count: int, spreads: tuple[int, ...] = (), taken: int = 0) -> None:
        self._function, self._count, self._spreads, self._taken = function, count, spreads, taken

    def __call__(self, *values: Any) -> Any:
        for value in values[self._taken :]:
            if value is DEAD:
                for place in self._spreads:
                    values[0][place] = DEAD
                return DEAD
        return self._function(*values[: self._count])


def zeros_for_dead(function: Callable[..., Any], count: int) -> Callable[..., Any]:
    """Return a function that takes zeros for those of its first arguments that are dead."""

    def called(*values: Any) -> Any:
        alive = [np.float32(0) if value is DEAD else value for value in values[:count]]
        return function(*alive, *values[count:])

    return called


def check_alive(position: int) -> Callable[[Any], Any]:
    """Return the step that raises InvalidArgumentError where the fetch at a position is dead."""

    def alive(value: Any) -> Any:
        if value is DEAD:
            raise InvalidArgumentError(None, None, f"Retval[{position}] does not have value")
        return value

    return alive
