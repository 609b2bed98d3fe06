"""Hyper-parameters: numbers, callables, Variables or schedules, checked against the rule's own ranges."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from .. import _core
from ..base.dtypes import Array, is_real
from ..base.errors import describe, must
from ..variables.variable import Variable
from .schedules.schedule import own_steps
from .updates import array_of

__all__ = [
    "SCHEMA",
    "HyperReader",
    "called_once",
    "check_hyper",
    "hyper_dtype",
    "is_constant",
    "learning_rate_of",
    "runs_code",
    "scalar",
    "slot_form",
]

SCHEMA = _core.schema()
_RANGES = {(rule, entry["name"]): entry for rule, info in SCHEMA.items() for entry in info["hyper"]}


def slot_form(slot: dict[str, Any], shape: tuple[int, ...], dtype: Any) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Return shape and dtype of a slot that `SCHEMA` declares, for a parameter of this shape and dtype, or its name."""
    shapes = {"element": shape, "row": shape[:1], "parameter": ()}
    real = np.dtype(np.float64 if str(dtype) == "float64" else np.float32)
    types = {"real": real, "integer": np.dtype(np.int64), "double": np.dtype(np.float64)}
    return shapes[slot["extent"]], types[slot["slot_type"]]


def is_constant(value: Any) -> bool:
    """Tell whether a hyper-parameter has the same value at every step, so that it can be checked at once."""
    return type(value) is float or isinstance(value, (int, float, np.number, str, bytes, type(None)))


def runs_code(value: Any) -> bool:
    """Tell whether reading a hyper-parameter may run functions of the user's."""
    return not (is_constant(value) or type(value) in (Variable, np.ndarray))


def scalar(who: str, name: str, value: Any) -> float:
    """Return the value of a hyper-parameter now; callables and schedules are called, Variables read.

    Raises:
        TypeError: for what is not a real number.
        ValueError: for a vector.
    """
    if callable(value):
        value = value() if _once.results is None else _once.call(who, name, value)
    if type(value) is float:
        return value  # the usual case, in a tenth of the time
    if isinstance(value, (str, bytes)) or value is None:
        raise TypeError(must(who, name, "be a number, a callable, a Variable or a schedule", describe(value)))
    array = array_of(value)
    if not is_real(array.dtype):
        raise TypeError(must(who, name, "be a real number", value))
    if array.ndim:
        raise ValueError(must(who, name, "be a scalar", array))
    return float(array)


class _Once(threading.local):
    """What functions have given since `called_once` was entered in this thread, None outside."""

    results: dict[Any, Any] | None = None

    def call(self, who: str, name: str, function: Any) -> Any:
        assert self.results is not None
        key = who, name, id(function)
        if key not in self.results:
            self.results[key] = function(), function  # which stays alive, and its id its own
        return self.results[key][0]


_once = _Once()


@contextmanager
def called_once() -> Iterator[None]:
    """Call each function among hyper-parameters once inside, however often it is read: a rank tells what it gives."""
    _once.results = {}
    try:
        yield
    finally:
        _once.results = None


def check_hyper(who: str, rule: str, name: str, value: Any) -> float:
    """Return the value as a float; ValueError when it is outside the range that the rule declares."""
    number = scalar(who, name, value)
    entry = _RANGES[rule, name]
    low, high = entry["low"], entry["high"]
    inside = (low < number if entry["low_open"] else low <= number) and (
        number < high if entry["high_open"] else number <= high
    )
    if not inside or (entry["integer"] and not math.floor(number) == number):
        raise ValueError(must(who, name, entry["requirement"], f"{number!r}"))
    return number


def learning_rate_of(source: Any) -> float:
    """Return an optimizer's learning rate of this step; TypeError where it has none."""
    name = "learning_rate"
    if source._rule is not None:
        return check_hyper(source._name, source._rule, name, source._hyper()[name])
    if not hasattr(source, "_learning_rate"):
        rule = "have a _learning_rate for decoupled weight decay"
        raise TypeError(must(source._name, "optimizer", rule, type(source).__name__))
    return scalar(source._name, name, source._learning_rate)


def hyper_dtype(value: Any) -> type[np.floating[Any]]:
    """Return float32 for a value that is float32 (as TensorFlow's are), else float64."""
    return np.float32 if getattr(value, "dtype", None) == np.float32 else np.float64


class HyperReader:
    """The hyper-parameters of one rule as numbers: constants are checked once, what may change at every step."""

    def __init__(self, rule: str) -> None:
        self.rule = rule
        self.values: list[float] = []  # those of this step, in the rule's order
        self.runs_code = True  # whether reading them calls functions of the user's
        self.sources: tuple[Any, ...] = ()  # the objects that were read at the last step
        self.counting: tuple[tuple[Array, None], ...] = ()  # what schedules among them count: arrays, plus one
        self.varying: list[tuple[int, str]] = []  # position and name of what is no constant

    def read(self, who: str, hyper: dict[str, Any], unchanged: bool) -> None:
        """Read what may have changed since the last step; TypeError or ValueError as `check_hyper`.

        ``unchanged``: the user's objects are those that were read then, ``sources``.
        """
        if not unchanged:
            sources = tuple(hyper.values())
            self.values = [check_hyper(who, self.rule, name, source) for name, source in hyper.items()]
            self.varying = [(k, name) for k, (name, source) in enumerate(hyper.items()) if not is_constant(source)]
            self.runs_code = any(map(runs_code, sources))
            self.counting = tuple((own.count, None) for own in own_steps(sources))
            self.sources = sources  # last: an interrupted read is done again
        else:
            for k, name in self.varying:
                self.values[k] = check_hyper(who, self.rule, name, self.sources[k])
