"""The moment in which a step is taken: what it advances besides parameters and slots, in the same native call."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np

from .. import _core
from ..base.dtypes import Array
from ..variables.variable import Variable
from .updates import Update

__all__ = ["Advance", "StepCommit", "advance", "changed_variables", "plus_one", "times"]

Advance: TypeAlias = tuple[Any, float | Array | None]
"""A scalar Variable or array, and what a step does to it: add one (None), multiply by a number, or set to a value."""

_NATIVE = "bhilqBHILQfd"


class StepCommit:
    """Whether a step has been taken. Python may be interrupted anywhere, also just after the call that has taken it.

    ``marker`` is one of the scalars that the native call advances; it tells what is to be put back where a step ends
    with an exception.
    """

    __slots__ = ("marker", "step")

    def __init__(self, step: Variable | None) -> None:
        self.marker = np.zeros((), np.int64)
        self.step = step

    def __bool__(self) -> bool:
        return bool(self.marker)

    def settle(self, who: str, groups: list[Any]) -> None:
        """Do what cannot wait until the locks of the native call are held; ``groups`` are those of native rules."""

    def ready(self, who: str, jobs: list[Any], items: list[Any], hooks: list[Any]) -> list[Any]:
        """Return the items of the native call, which comes next; ranks agree here, and find norms together."""
        return items

    def alone(self, *more: Advance) -> list[Advance]:
        """Return the marker and ``more``: the step is taken, and what else it counts is counted elsewhere."""
        return [(self.marker, None), *more]

    def with_step(self, *more: Advance) -> list[Advance]:
        """Return everything that a whole step advances: the marker, ``more``, and the global step."""
        given = [] if self.step is None else [plus_one(self.step)]
        return [(self.marker, None), *more, *given]


def plus_one(scalar: Variable) -> Advance:
    """Return how a step counts a scalar Variable of any numeric type."""
    if scalar.dtype.char in _NATIVE:
        return scalar, None
    return scalar, np.asarray(scalar._kept + np.ones((), scalar.dtype), scalar.dtype)


def times(scalar: Variable, factor: float) -> Advance:
    """Return how a step multiplies a scalar Variable of any floating type."""
    if scalar.dtype.char in "fd":
        return scalar, factor
    return scalar, np.asarray(np.multiply(scalar._kept, factor, dtype=np.float64), scalar.dtype)


def advance(scalars: Iterable[Advance], updates: Iterable[Update] = ()) -> None:
    """Advance scalars, and let tapes know that updated Variables have changed: all at once, or on any error nothing."""
    _core.advance(list(scalars), changed_variables(updates))


def changed_variables(updates: Iterable[Update]) -> list[Variable]:
    """Return the Variables among what is updated, once for each update."""
    return [update.parameter for update in updates if isinstance(update.parameter, Variable)]
