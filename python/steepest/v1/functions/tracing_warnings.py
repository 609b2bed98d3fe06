"""A warning where a function's body is made again and again, which costs more than its calls."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from ..graph.log import warning

__all__ = ["note_tracing"]

_HISTORY, _MANY, _WARNINGS = 10, 5, 2


class _Tracings:
    """The latest calls of a function: how many there were from each that made a body to the next one."""

    def __init__(self) -> None:
        self._calls: deque[int] = deque()
        self._warnings = 0

    def note(self, name: str, calls: int) -> None:
        """Note a call that made a body, and how many did not since the one before."""
        if calls:
            if not self._calls:
                self._calls.append(0)
            self._calls[-1] += calls
        self._calls.append(1)
        while sum(self._calls) - self._calls[0] > _HISTORY:
            self._calls.popleft()
        if len(self._calls) >= _MANY and self._warnings < _WARNINGS:
            self._warnings += 1
            warning(
                "%s out of the last %s calls to %s triggered tf.function retracing. Tracing is expensive: define a "
                "tf.function outside of loops, pass tensors in place of Python's values, and give tensors of several "
                "shapes to functions with reduce_retracing=True.",
                len(self._calls),
                sum(self._calls),
                name,
            )


_tracings: WeakKeyDictionary[Any, _Tracings] = WeakKeyDictionary()


def note_tracing(func: Callable[..., Any], calls: int) -> None:
    """Note that a call of a function made a body, after so many that did not; warn where that happens often.

    Functions that the same lines of a program define count as one.
    """
    inner: Any = func
    while hasattr(inner, "__wrapped__"):
        inner = inner.__wrapped__
    inner = getattr(inner, "__func__", inner)
    try:
        found = _tracings.setdefault(getattr(inner, "__code__", func), _Tracings())
    except TypeError:  # a callable that has no hash, or cannot be referred to weakly
        return
    found.note(str(func), calls)
