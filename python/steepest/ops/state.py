"""What is recorded at the moment, here: one object that every operation looks at first."""

from __future__ import annotations

import math
import weakref
from contextvars import ContextVar
from typing import Any, Protocol

import numpy as np

from .. import _core

__all__ = [
    "NothingRecorded",
    "Recording",
    "RecordingTape",
    "begin_recording",
    "end_recording",
    "leave_ended",
    "next_number",
    "recording",
]

next_number = _core.next_number
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


class Recording:
    """The tapes that record in a context: that of a thread, of an asyncio task, or of ``contextvars.Context.run``.

    ``floor`` is the number from which on a value is recorded: infinite while no tape records, so that one comparison,
    ``tensor.mark >= recording().floor``, decides whether an operation is recorded at all. ``epoch`` changes with every
    change of the rest; variables keep what they found out in an epoch.

    A context that is copied, as for a new task, shares the object: a tape that ends is dropped from it, so that the
    copy neither records on the tape nor keeps it alive.
    """

    __slots__ = ("__weakref__", "_allocator", "_inner", "_outer", "_root", "_wants_memory", "epoch", "floor", "tapes")

    def __init__(self, tapes: tuple[RecordingTape, ...], outer: Recording | None) -> None:
        self._outer = outer
        self._inner: list[weakref.ref[Recording]] = []
        # That of the first tape; None for itself, which would be a cycle that only the garbage collector frees.
        self._root: Recording | None = None if outer is None else outer._root or outer
        self._allocator: Any = None  # of a root: what made NumPy's arrays in this context before
        self._wants_memory = False  # of a root: whether it is counted among those who want kept memory
        self._change(tapes)

    def _change(self, tapes: tuple[RecordingTape, ...]) -> None:
        self.tapes = tapes
        self.floor: float = math.inf
        for tape in tapes:
            if tape._first < self.floor:
                self.floor = tape._first
        self.epoch = object()

    def _drop(self, tape: RecordingTape) -> None:
        last = len(self.tapes) == 1 and self.tapes[0] is tape
        self._change(() if last else tuple([other for other in self.tapes if other is not tape]))
        for reference in self._inner:
            inner = reference()
            if inner is not None:
                inner._drop(tape)


_NOTHING = Recording((), None)
_current: ContextVar[Recording] = ContextVar("steepest.recording", default=_NOTHING)

recording = _current.get
"""The `Recording` of this context."""

_core.register_tape(recording=_current, recording_type=Recording)


def begin_recording(tape: RecordingTape) -> Recording:
    """Have one more tape record in this context; while there are any, NumPy's arrays are in memory that is kept."""
    outer = recording()
    if outer.tapes:
        inner = Recording((*outer.tapes, tape), outer)
        outer._inner = [reference for reference in outer._inner if reference() is not None] + [weakref.ref(inner)]
    else:
        inner = Recording((tape,), None)
        inner._allocator = _core.allocate_by(_core.caching_allocator, 1)
        inner._wants_memory = True
    _current.set(inner)
    return inner


def end_recording(tape: RecordingTape, begun: Recording) -> None:
    """End what `begin_recording` returned, in every context that has a copy of it."""
    begun._drop(tape)
    here = recording()
    if here is begun and here._outer is not None and here.tapes:
        _current.set(here._outer)
    else:
        leave_ended()


def leave_ended() -> None:
    """Forget a recording whose tapes have all ended, perhaps in another context."""
    here = recording()
    if not here.tapes and here is not _NOTHING:
        _current.set(_NOTHING)
        root = here._root or here
        _core.allocate_by(root._allocator, -1 if root._wants_memory else 0)
        root._wants_memory = False


class NothingRecorded:
    """Let no tape record inside ``with NothingRecorded():``."""

    __slots__ = ("_here",)

    def __enter__(self) -> None:
        self._here = recording()
        _current.set(_NOTHING)

    def __exit__(self, *error: object) -> None:
        _current.set(self._here)
