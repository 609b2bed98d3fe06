"""The runs that wait to put elements into a queue, or to take some.

Whoever comes first is served first, as far as there is room or there are elements: a run that puts or takes many moves
one after the other, and waits in between.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterable
from typing import Any

from ..graph.errors import CancelledError, DeadlineExceededError, OpError, OutOfRangeError
from ..graph.run_limits import end_of_waiting

__all__ = ["Attempt", "Element", "Elements"]

Element = tuple[Any, ...]
"""The arrays that are one element."""


class Attempt:
    """What a run wants of a queue; ``done`` when it has it, or ``error`` tells why it never will."""

    doing = ""

    def __init__(self, elements: Elements) -> None:
        self.elements = elements
        self.done = False
        self.error: OpError | None = None

    def advance(self) -> bool:
        """Do what can be done now; tell whether that was anything."""
        raise NotImplementedError

    def fail(self, error: OpError) -> bool:
        """End with an error."""
        self.error, self.done = error, True
        return True

    def leave(self, error: OpError) -> None:
        """End with an error before it is done."""
        self.fail(error)

    def abandon(self) -> None:
        """Leave the queue: the run has failed elsewhere."""
        self.elements.withdraw(self, CancelledError(None, None, f"{self.doing} operation was cancelled"))


class _Put(Attempt):
    doing = "Enqueue"

    def __init__(self, elements: Elements, new: Iterable[Element]) -> None:
        super().__init__(elements)
        self._new = deque(new)

    def advance(self) -> bool:
        elements, new = self.elements, self._new
        if elements.closed:
            return self.fail(CancelledError(None, None, f"{elements.called} is closed."))
        before = len(new)
        while new and elements.has_room(new[0]):
            elements.add(new.popleft())
        self.done = not new
        return len(new) < before


class _Take(Attempt):
    doing = "Dequeue"

    def __init__(self, elements: Elements, count: int, up_to: bool) -> None:
        super().__init__(elements)
        self._missing, self._up_to = count, up_to
        self.taken: list[Element] = []

    def advance(self) -> bool:
        elements = self.elements
        if elements.closed and len(elements) < self._missing:
            self._give_back()
            if not self._up_to or not len(elements):
                why = f"(requested {self._missing}, current size {len(elements)})"
                return self.fail(
                    OutOfRangeError(None, None, f"{elements.called} is closed and has insufficient elements {why}")
                )
            self._missing = min(self._missing, len(elements))
        before = self._missing
        while self._missing and elements.may_go():
            self.taken.append(elements.remove())
            self._missing -= 1
        self.done = not self._missing
        return self._missing < before

    def _give_back(self) -> None:
        self._missing += len(self.taken)
        while self.taken:
            self.elements.put_back(self.taken.pop())

    def leave(self, error: OpError) -> None:
        self._give_back()
        self.fail(error)


class _Close(Attempt):
    """The end of what enters: it waits until those before it have entered."""

    doing = "Close"

    def advance(self) -> bool:
        elements = self.elements
        if elements.closed:
            return self.fail(CancelledError(None, None, f"Queue {elements.name!r} is already closed."))
        elements.closed = self.done = True
        return True


class Elements:
    """The elements of a queue in one session; its kinds differ in which of them leaves next.

    Args:
        kind, name: what messages call it.
        capacity: how many there may be; negative for any number.
    """

    kept = 0  # how many must stay until it is closed

    def __init__(self, kind: str, name: str, capacity: int) -> None:
        self.name, self.called = name, f"{kind} {name!r}"
        self.closed = False
        self.made_by: Any = None  # what asked for it first
        self._capacity = capacity
        self._changed = threading.Condition()
        self._entering: deque[Attempt] = deque()
        self._leaving: deque[Attempt] = deque()
        self._lines = [self._entering, self._leaving]
        self._cancelled = False

    # What the kinds have ------------------------------------------------------------------------

    def __len__(self) -> int:
        raise NotImplementedError

    def add(self, element: Element) -> None:
        """Take an element in."""
        raise NotImplementedError

    def remove(self) -> Element:
        """Give the next one away."""
        raise NotImplementedError

    def put_back(self, element: Element) -> None:
        """Take the one that was given away last in again."""
        self.add(element)

    # For runs -----------------------------------------------------------------------------------

    def has_room(self, new: Element) -> bool:
        """Tell whether one more element may enter."""
        del new
        return self._capacity < 0 or len(self) < self._capacity

    def may_go(self) -> bool:
        """Tell whether one may leave."""
        return len(self) > (0 if self.closed else self.kept)

    def put(self, new: Iterable[Element]) -> Attempt:
        """Begin to put elements in."""
        return self._entered(_Put(self, new), self._entering)

    def take(self, session: Any, count: int = 1, up_to: bool = False) -> list[Element]:
        """Return the next elements; wait for them. ``up_to``: as many as are left once the queue is closed.

        Raises OutOfRangeError where the queue is closed and has fewer.
        """
        attempt = _Take(self, count, up_to)
        self.wait(session, self._entered(attempt, self._leaving))
        return attempt.taken

    def close(self, session: Any, cancel: bool) -> None:
        """Let nothing enter any more: what waits to enter may, or is cancelled."""
        if not cancel:
            self.wait(session, self._entered(_Close(self), self._entering))
            return
        with self._changed:
            self.closed = True
            self._end_all(self._entering)
            self._advance()

    def cancel(self) -> None:
        """End all waiting: the session is closed."""
        with self._changed:
            self._cancelled = True
            for waiting in self._lines:
                self._end_all(waiting)

    def wait(self, session: Any, attempt: Attempt) -> None:
        """Wait until an attempt is done; other runs of the session go on meanwhile. Raises its error."""
        if not attempt.done:
            with session._aside():
                self._wait(attempt, end_of_waiting(session))
        if attempt.error is not None:
            raise attempt.error

    def withdraw(self, attempt: Attempt, error: OpError) -> None:
        """End an attempt that is not done."""
        with self._changed:
            if not attempt.done:
                for waiting in self._lines:
                    if attempt in waiting:
                        waiting.remove(attempt)
                attempt.leave(error)
                self._advance()

    def _wait(self, attempt: Attempt, end: float | None) -> None:
        try:
            with self._changed:
                while not attempt.done and (end is None or time.monotonic() < end):
                    # Not for ever at once: where a lock's wait cannot be interrupted, an interrupt comes in between.
                    self._changed.wait(0.5 if end is None else min(max(end - time.monotonic(), 0), 0.5))
        finally:  # too late, or an interrupt
            self.withdraw(attempt, DeadlineExceededError(None, None, "Timed out waiting for notification"))

    def _entered(self, attempt: Attempt, waiting: deque[Attempt]) -> Attempt:
        with self._changed:
            if self._cancelled:
                attempt.leave(CancelledError(None, None, f"{attempt.doing} operation was cancelled"))
            else:
                waiting.append(attempt)
                self._advance()
        return attempt

    def _end_all(self, waiting: deque[Attempt]) -> None:
        while waiting:
            attempt = waiting.popleft()
            attempt.leave(CancelledError(None, None, f"{attempt.doing} operation was cancelled"))
        self._changed.notify_all()

    def _advance(self) -> None:
        """Let the first ones in all lines do what they can, until none can do more."""
        moved = True
        while moved:
            moved = False
            for waiting in self._lines:
                while waiting and (waiting[0].advance() or waiting[0].done):
                    moved = True
                    if waiting[0].done:
                        waiting.popleft()
        self._changed.notify_all()
