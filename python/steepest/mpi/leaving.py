"""The end of a rank, told to the others: they raise where they would wait for it."""

from __future__ import annotations

import atexit
import contextlib
import sys
import time
import traceback
from typing import Any

import numpy as np

from . import meeting as meetings
from .meeting import DIED, HEAD, LEFT, Meeting

__all__ = ["watch"]

_PATIENCE = 60.0  # seconds that a rank that has raised waits for the others before it ends the job

_watched: list[Meeting] = []
_errors: list[str] = []  # what has ended this process


def watch(meeting: Meeting) -> None:
    """Have this rank's end told to the ranks that meet it."""
    if not _watched:
        atexit.register(_leave)
        before = sys.excepthook

        def remember(kind: Any, value: Any, trace: Any) -> None:
            _errors.append("".join(traceback.format_exception(kind, value, trace)).rstrip())
            before(kind, value, trace)

        sys.excepthook = remember
    _watched.append(meeting)


meetings._watch.append(watch)


def _leave() -> None:
    """Tell the ranks that still meet that this one does not; where it has raised and nobody answers, end the job."""
    text = _errors[-1] if _errors else None
    pending = []
    for meeting in _watched:
        if meeting.ended is None:
            head, heads = np.zeros(HEAD, np.int64), np.empty((meeting.wire.size, HEAD), np.int64)
            head[0] = LEFT if text is None else DIED
            pending.append((meeting.wire, meeting.wire.comm.Iallgather(head, heads), heads))
    limit = time.monotonic() + _PATIENCE
    for wire, request, heads in pending:
        while not request.Test():
            if text is not None and time.monotonic() > limit:
                line = f"steepest.mpi: rank {wire.rank} has raised and the others do not meet it: the job ends"
                print(line, file=sys.stderr, flush=True)
                wire.comm.Abort(1)
            time.sleep(0.001)
        if _raises(heads[:, 0]):
            with contextlib.suppress(Exception):
                wire.all_objects(text)


def _raises(states: Any) -> bool:
    """Tell whether the ranks go on to exchange the text of an error, as `Meeting.meet` does."""
    return bool(np.isin(states, (meetings.FAILED, DIED)).any())
