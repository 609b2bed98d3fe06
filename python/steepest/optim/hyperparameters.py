"""Hyper-parameters: numbers, callables, Variables or schedules, checked against the rule's own ranges."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import _core
from ..base.dtypes import is_real
from ..base.errors import must
from ..variables.variable import Variable
from .updates import array_of

__all__ = ["SCHEMA", "check_hyper", "hyper_dtype", "is_constant", "runs_code", "scalar"]

SCHEMA = _core.schema()
_RANGES = {(rule, entry["name"]): entry for rule, info in SCHEMA.items() for entry in info["hyper"]}


def is_constant(value: Any) -> bool:
    """Tell whether a hyper-parameter has the same value at every step, so that it can be checked at once."""
    return type(value) is float or isinstance(value, (int, float, np.number, str, bytes, type(None)))


def runs_code(value: Any) -> bool:
    """Tell whether reading a hyper-parameter may run functions of the user's."""
    return not (is_constant(value) or type(value) in (Variable, np.ndarray))


def scalar(who: str, name: str, value: Any) -> float:
    """Return the value of a hyper-parameter now; callables and schedules are called, Variables read.

    Raises TypeError for what is not one real number, ValueError for a vector.
    """
    if callable(value):
        value = value()
    if type(value) is float:
        return value  # the usual case, in a tenth of the time
    if isinstance(value, (str, bytes)) or value is None:
        raise TypeError(must(who, name, "be a number, a callable, a Variable or a schedule", value))
    array = array_of(value)
    if not is_real(array.dtype):
        raise TypeError(must(who, name, "be a real number", value))
    if array.ndim:
        raise ValueError(must(who, name, "be a scalar", array))
    return float(array)


def check_hyper(who: str, rule: str, name: str, value: Any) -> float:
    """Return the value as a float; ValueError when it is outside the range that the rule declares."""
    number = scalar(who, name, value)
    entry = _RANGES[rule, name]
    low, high = entry["low"], entry["high"]
    inside = (low < number if entry["low_open"] else low <= number) and (
        number < high if entry["high_open"] else number <= high
    )
    if not inside or (entry["integer"] and not math.floor(number) == number):
        raise ValueError(must(who, name, entry["rule"], f"{number!r}"))
    return number


def hyper_dtype(value: Any) -> type[np.floating[Any]]:
    """Return float32 for a value that is float32 (as TensorFlow's are), else float64."""
    return np.float32 if getattr(value, "dtype", None) == np.float32 else np.float64
