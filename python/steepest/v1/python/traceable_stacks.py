"""TensorFlow's ``traceable_stack``: stacks of objects that know the line of the program that put them there."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

__all__ = ["TraceableObject", "TraceableStack"]


class TraceableObject:
    """An object with the place of a call: file name and line."""

    SUCCESS, HEURISTIC_USED, FAILURE = (0, 1, 2)

    def __init__(self, obj: Any, filename: str | None = None, lineno: int | None = None) -> None:
        self.obj, self.filename, self.lineno = obj, filename, lineno

    def set_filename_and_line_from_caller(self, offset: int = 0) -> int:
        """Take the place of the call of this function, or of one that many calls outside; tell how sure that is."""
        frames = inspect.stack(context=0)[1:]
        if not frames:
            return self.FAILURE
        frame = frames[min(offset, len(frames) - 1)]
        self.filename, self.lineno = frame.filename, frame.lineno
        return self.SUCCESS if offset < len(frames) else self.HEURISTIC_USED

    def copy_metadata(self) -> TraceableObject:
        """Return the place without the object."""
        return TraceableObject(None, self.filename, self.lineno)


class TraceableStack:
    """A stack of objects with their places."""

    def __init__(self, existing_stack: list[TraceableObject] | None = None) -> None:
        self._stack: list[TraceableObject] = list(existing_stack or ())

    def push_obj(self, obj: Any, offset: int = 0) -> int:
        """Put an object on top; tell how sure its place is."""
        held = TraceableObject(obj)
        self._stack.append(held)
        return held.set_filename_and_line_from_caller(offset + 1)

    def pop_obj(self) -> Any:
        """Take the object from the top, and return it."""
        return self._stack.pop().obj

    def peek_top_obj(self) -> Any:
        """Return the object on the top."""
        return self._stack[-1].obj

    def peek_objs(self) -> Iterator[Any]:
        """Give the objects, from the top."""
        return (held.obj for held in reversed(self._stack))

    def peek_traceable_objs(self) -> Iterator[TraceableObject]:
        """Give the objects with their places, from the top."""
        return reversed(self._stack)

    def __len__(self) -> int:
        return len(self._stack)

    def copy(self) -> TraceableStack:
        """Return a stack of the same objects."""
        return TraceableStack(self._stack)
