"""What the functions of this package accept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..base.arrays import to_array
from ..base.errors import describe, must
from ..base.typing import Value
from ..ops.dispatch import apply, unwrap
from ..ops.registry import Primitive

__all__ = ["check_named", "evaluate", "to_axes", "to_floats", "to_number"]

evaluate: Callable[[Primitive, tuple[Any, ...]], Value] = apply
"""Evaluate a primitive that has one result, as `apply` does."""


def to_floats(who: str, argument: str, value: Any) -> Any:
    """Return an array, Tensor or Variable of floats; integers become float64.

    Raises TypeError for other types.
    """
    if not hasattr(value, "ndim"):
        value = to_array(who, argument, value)
    if value.dtype.kind in "biu":
        value = value.astype(np.float64)
    if value.dtype.kind != "f" and value.dtype.name != "bfloat16":
        raise TypeError(must(who, argument, "be an array of floats", describe(value)))
    return value


def to_number(who: str, argument: str, value: Any) -> Any:
    """Return a real number, as it was given; TypeError for anything else."""
    if not isinstance(value, (int, float)):
        array = to_array(who, argument, unwrap(value))
        if array.ndim or array.dtype.kind not in "biuf":
            raise TypeError(must(who, argument, "be a real number", describe(value)))
    return value


def to_axes(who: str, x: Any, axis: Any) -> Any:
    """Return the axes as a tuple of positions; None means all. Raises ValueError for an axis that is not there."""
    axes = tuple(range(x.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    for a in axes:
        if not -x.ndim <= a < x.ndim:
            raise ValueError(must(who, "axis", f"be one of the {x.ndim} axes", axis))
    return tuple(int(a) % x.ndim for a in axes)


def check_named(who: str, sentinel: Any, labels: Any, logits: Any) -> None:
    """Raise ValueError unless labels and logits were given by name; TensorFlow 1 forbids positions here."""
    if sentinel is not None or labels is None or logits is None:
        got = "a positional argument" if sentinel is not None else "no labels" if labels is None else "no logits"
        raise ValueError(must(who, "labels and logits", "be given by name", got, "write labels=..., logits=..."))
