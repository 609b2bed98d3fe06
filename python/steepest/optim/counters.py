"""Scalars that every step advances: counters and powers, without what assigning to a Variable in general costs."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from ..variables.variable import Variable

__all__ = ["advance", "count", "is_counter"]


def is_counter(step: Any) -> bool:
    """Tell whether this is a writable integer scalar, the usual global step."""
    return _core.is_counter(step)


def count(step: Variable) -> None:
    """Add one, as ``step.assign_add(1)`` does."""
    if not _core.count(step):
        step.assign_add(np.ones((), step.dtype))


def advance(power: Variable, factor: Any) -> None:
    """Multiply by the factor in place; repeated steps do it natively, to the same bits."""
    array = power.value
    np.multiply(array, factor, out=array, casting="same_kind")
    power._changed()
