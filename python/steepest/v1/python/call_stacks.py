"""TensorFlow's ``tf_stack``: the calls that are going on."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterator
from types import FrameType
from typing import Any, NamedTuple

__all__ = ["StackSummary", "extract_stack", "extract_stack_file_and_line"]

_LIBRARY = os.path.dirname(os.path.dirname(os.path.dirname(__file__))) + os.sep


class StackSummary(tuple[traceback.FrameSummary, ...]):
    """Calls, the outermost first; equal to others that are at the same lines. Source: ``tf_stack.StackSummary``."""

    def get_user_frames(self) -> list[traceback.FrameSummary]:
        """Return the calls of functions that are not this library's."""
        return [frame for frame in self if not frame.filename.startswith(_LIBRARY)]

    def last_user_frame(self) -> traceback.FrameSummary:
        """Return the innermost of these, of all calls where there is none."""
        return (self.get_user_frames() or list(self))[-1]

    uncached = property(lambda self: self)


class _Frame(traceback.FrameSummary):
    """A call that is a key of dicts."""

    def __hash__(self) -> int:  # type: ignore[override]  # FrameSummary has none
        return hash((self.filename, self.lineno, self.name))

    __eq__ = traceback.FrameSummary.__eq__


def _frames(frame: FrameType | None) -> Iterator[_Frame]:
    while frame is not None:
        code = frame.f_code
        yield _Frame(code.co_filename, frame.f_lineno, code.co_name, lookup_line=False)
        frame = frame.f_back


def extract_stack(limit: int | None = None, stacklevel: int = 1) -> StackSummary:
    """Return the calls that are going on, that of this function left out.

    Args:
        limit: how many of the innermost ones; None or below 0: all.
        stacklevel: 1 for the caller as the innermost, 2 for its caller, and so on.
    """
    found = list(_frames(sys._getframe(stacklevel)))[::-1]
    return StackSummary(found if limit is None or limit < 0 else found[-limit:])


class _FileAndLine(NamedTuple):
    file: str
    line: int | None


def extract_stack_file_and_line(max_length: int = 1000) -> list[Any]:
    """Return the files and lines of the calls that are going on, the outermost first."""
    return [_FileAndLine(call.filename, call.lineno) for call in extract_stack(stacklevel=2)[-max_length:]]
