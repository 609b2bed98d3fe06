"""What the operations of staging areas do when a session runs."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

from ...ops.dispatch import unwrap
from ..graph.errors import InvalidArgumentError, ResourceExhaustedError
from .queue_elements import Fifo
from .queue_waiting import Attempt, Element

__all__ = ["Area", "Get", "Peek", "Put", "clear", "size"]


class Area:
    """What a staging area is; called with a session it gives the elements there."""

    def __init__(self, name: str, capacity: int, limit: int) -> None:
        self._name, self._capacity, self._limit = name, capacity, limit

    def __call__(self, session: Any) -> Staged:
        key = ("staging", self._name)
        found: Staged | None = session._queues.get(key)
        if found is None:
            found = session._queues.setdefault(key, Staged(self._name, self._capacity, self._limit))
            if session._closed:
                found.cancel()
        return found

    def asked(self, question: Callable[[Staged], Any]) -> Callable[[Any], Any]:
        """Return what a run does that asks something of the elements."""
        return lambda session: question(self(session))


class Staged(Fifo):
    """The elements of a staging area in a session, as many and as large as may be."""

    def __init__(self, name: str, capacity: int, limit: int) -> None:
        super().__init__("StagingArea", name, capacity or -1)
        self.limit = limit

    def has_room(self, new: Element) -> bool:
        return super().has_room(new) and not (self.limit and _bytes(new) + sum(map(_bytes, self._inside)) > self.limit)

    def peek(self, session: Any, index: int) -> Element:
        """Return the element with a number; wait for it."""
        attempt, line = _Peek(self, index), deque[Attempt]()
        with self._changed:
            self._lines = [*self._lines, line]
        try:
            self.wait(session, self._entered(attempt, line))
        finally:
            with self._changed:
                self._lines = [each for each in self._lines if each is not line]
        return attempt.seen

    def look(self, index: int) -> Element | None:
        """Return the element with a number, None where it is not there yet."""
        return self._inside[index] if index < len(self._inside) else None

    def clear(self) -> None:
        """Throw all away."""
        with self._changed:
            self._inside.clear()
            self._advance()


class _Peek(Attempt):
    doing = "Peek"

    def __init__(self, elements: Staged, index: int) -> None:
        super().__init__(elements)
        self._staged, self._index = elements, index
        self.seen: Element = ()

    def advance(self) -> bool:
        seen = self._staged.look(self._index)
        if seen is not None:
            self.seen, self.done = seen, True
        return self.done


class Put:
    """Puts one element in."""

    def __init__(self, area: Area) -> None:
        self._area = area

    def __call__(self, session: Any, *values: Any) -> None:
        self.end(session, self.begin(session, *values))

    def begin(self, session: Any, *values: Any) -> Attempt:
        """Begin, and do not wait. Raises ResourceExhaustedError for an element that will never have room."""
        elements = self._area(session)
        new = tuple(np.array(unwrap(value)) for value in values)
        if elements.limit and _bytes(new) > elements.limit:
            into = f"into Staging Area with a memory limit of '{elements.limit}'."
            size = f"Attempted to insert tensors with combined size of '{_bytes(new)}' bytes"
            raise ResourceExhaustedError(None, None, f"{size} {into}")
        return elements.put([new])

    def end(self, session: Any, attempt: Attempt) -> None:
        """Wait until it is in."""
        attempt.elements.wait(session, attempt)


class Get:
    """Takes the first element out."""

    def __init__(self, area: Area, count: int) -> None:
        self._area, self._count = area, count

    def __call__(self, session: Any) -> Any:
        (element,) = self._area(session).take(session)
        return _parts(element, self._count)


class Peek:
    """Shows an element and leaves it."""

    def __init__(self, area: Area, count: int) -> None:
        self._area, self._count = area, count

    def __call__(self, session: Any, index: Any) -> Any:
        if np.ndim(index):
            raise InvalidArgumentError(None, None, f"index must be scalar, got shape {list(np.shape(index))}")
        if index < 0:
            raise InvalidArgumentError(None, None, f"index must be at least 0, got {int(index)}")
        return _parts(self._area(session).peek(session, int(index)), self._count)


def size(elements: Staged) -> Any:
    """Return how many elements there are."""
    return np.int32(len(elements))


def clear(elements: Staged) -> None:
    """Throw all away."""
    elements.clear()


def _parts(element: Element, count: int) -> Any:
    if len(element) != count:
        raise InvalidArgumentError(None, None, f"Mismatch stage/unstage: {len(element)} vs. {count}")
    return element if count > 1 else element[0]


def _bytes(element: Element) -> int:
    return sum(part.nbytes for part in element)
