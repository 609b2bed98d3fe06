"""What each thread records at the moment: one object that every operation looks at first."""

from __future__ import annotations

import itertools
import math
import threading
from typing import Any, Protocol

import numpy as np

from .. import _core

__all__ = ["RecordingTape", "next_number", "state"]

next_number = itertools.count(1).__next__
"""The next sequence number: operations, watches and the borders of recording intervals are ordered by it."""


class RecordingTape(Protocol):
    """What others ask of a `GradientTape`: this module, the variables, and the backward pass."""

    _first: int
    _intervals: list[tuple[int, float]]
    _persistent: bool
    _shared: bool
    _watches_accessed: bool
    _watched: set[Any]

    def watch(self, tensor: Any) -> None: ...

    def _recorded(self, number: int) -> bool: ...

    def _snapshot(self, variable: Any) -> np.ndarray[Any, Any]: ...


class RecordingState(threading.local):
    """The tapes that record in this thread.

    ``floor`` is the number from which on a value is recorded: infinite while no tape records, so that one
    comparison, ``tensor.mark >= state.floor``, decides whether an operation is recorded at all.
    ``epoch`` changes with every change of the rest; variables keep what they found out in an epoch.
    """

    def __init__(self) -> None:
        self.tapes: tuple[RecordingTape, ...] = ()
        self.floor: float = math.inf
        self.epoch = object()
        self._allocator: Any = None

    def set_tapes(self, tapes: tuple[RecordingTape, ...]) -> None:
        """Make ``tapes`` the ones that record; while there are any, NumPy's arrays are in memory that is kept."""
        if tapes and not self.tapes:
            self._allocator = _core.allocate_by(_core.caching_allocator)
        elif self.tapes and not tapes:
            _core.allocate_by(self._allocator)
        self.tapes = tapes
        self.floor = min([tape._first for tape in tapes]) if tapes else math.inf
        self.epoch = object()


state = RecordingState()
