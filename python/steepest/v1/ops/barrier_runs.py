"""What the operations of barriers do when a session runs."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...ops.dispatch import unwrap
from ..graph.dtypes import DType
from ..graph.errors import CancelledError, InvalidArgumentError, OutOfRangeError
from ..graph.run_values import array_of
from ..graph.shapes import Shape, bracketed
from .queue_elements import Prioritized

__all__ = ["BarrierKind", "close", "incomplete_size", "inserted", "ready_size", "taken"]

_FIRST = np.iinfo(np.int64).min


class BarrierKind:
    """What a barrier is; called with a session it gives what the barrier holds there.

    Args:
        name, shared: the operation's name, and the one under which others of the session find it.
        dtypes, shapes: those of an element's components; None for a shape that is free.
    """

    def __init__(self, name: str, shared: str | None, dtypes: Sequence[DType], shapes: Sequence[Shape]) -> None:
        self.name, self.shared = name, shared
        self.dtypes, self.shapes = list(dtypes), list(shapes)

    def __call__(self, session: Any) -> Barred:
        key = ("barrier", self.shared or self.name)
        found: Barred | None = session._queues.get(key)
        if found is None:
            found = session._queues.setdefault(key, Barred(self))
            if session._closed:
                found.cancel()
        if found.kind is not self:
            self._check(found.kind)
        return found

    def _check(self, first: BarrierKind) -> None:
        for what, has, asked in (
            ("component types", _types(first), _types(self)),
            ("component shapes", _shapes(first), _shapes(self)),
        ):
            if has != asked:
                _refuse(f"Shared barrier '{self.shared}' has {what} {has} but requested {what} were {asked}")


def _types(kind: BarrierKind) -> str:
    return f"[{', '.join(dtype.name for dtype in kind.dtypes)}]"


def _shapes(kind: BarrierKind) -> str:
    return f"[{', '.join(bracketed(shape) for shape in kind.shapes)}]"


class Barred:
    """The elements of a barrier in a session: those that have all their components wait in a queue."""

    def __init__(self, kind: BarrierKind) -> None:
        self.kind = kind
        self.ready = Prioritized("PriorityQueue", kind.shared or kind.name, -1)
        self.incomplete: dict[bytes, list[Any]] = {}
        self._index = _FIRST  # of the insertion that begins elements
        self._lock = threading.RLock()
        self._closed = self._cancels = False

    def cancel(self) -> None:
        """End all waiting: the session is closed."""
        self.ready.cancel()

    def insert(self, position: int, keys: Sequence[bytes], values: Any) -> None:
        """Give elements one of their components. Raises CancelledError where it is closed and a key is new."""
        with self._lock:
            if self._closed and (self._cancels or (len(keys) and not self.incomplete)):
                self._end("", len(keys))
            begins = False
            complete = []
            try:
                for key, value in zip(keys, values, strict=True):
                    element = self.incomplete.get(key)
                    if element is None:
                        if self._closed:
                            self._end(f", but attempted to insert a brand new key: {key.decode()}", len(keys))
                        begins = True
                        element = self.incomplete[key] = [self._index, key, *[None] * len(self.kind.dtypes)]
                    if element[2 + position] is not None:
                        told = f"already has a value for component {position} in barrier {self.kind.name}"
                        _refuse(f"Key {key.decode()} {told}")
                    element[2 + position] = value
                    if all(part is not None for part in element):
                        complete.append(tuple(self.incomplete.pop(key)))
            finally:
                self._index += begins
                self.ready.put(complete)
            if self._closed and not self.incomplete:
                self._close_ready(None, False)

    def _end(self, why: str, count: int) -> None:
        cancelled = f"Pending enqueues cancelled: {int(self._cancels)}.  Number of new insertions: {count}."
        left = f"Number of incomplete keys: {len(self.incomplete)}."
        raise CancelledError(None, None, f"Barrier {self.kind.name} is closed{why}.  {cancelled}  {left}")

    def take(self, session: Any, count: int, small: bool) -> list[Any]:
        """Return elements, in the order of the insertions that began them; wait for them.

        ``small``: fewer will do where it is closed. Raises OutOfRangeError where it is closed and there are not enough.
        """
        with self._lock:
            if self._closed:
                available = len(self.ready)
                count = min(count, available) if small else count
                available += 0 if small else len(self.incomplete)
                if available < max(count, 1):
                    why = f"(requested {count}, total size {available})"
                    message = f"Barrier '{self.kind.name}' is closed and has insufficient elements {why}"
                    raise OutOfRangeError(None, None, message)
        return self.ready.take(session, count, small)

    def close(self, session: Any, cancel: bool) -> None:
        """Let no new elements in; with ``cancel`` none of those that are not complete either."""
        with self._lock:
            if self._closed and (self._cancels or not cancel):
                raise CancelledError(None, None, f"Barrier '{self.kind.name}' is already closed.")
            self._closed, self._cancels = True, cancel
            if cancel:
                self.incomplete.clear()
            if not self.incomplete:
                self._close_ready(session, cancel)

    def _close_ready(self, session: Any, cancel: bool) -> None:
        if not self.ready.closed:
            self.ready.close(session, cancel)


def inserted(session: Any, barrier: Barred, keys: Any, values: Any, position: int) -> None:
    """Give the elements of some keys a component each. Raises InvalidArgumentError for values that do not fit."""
    del session
    texts, array = np.reshape(array_of(keys), -1), np.array(unwrap(values), barrier.kind.dtypes[position].dtype)
    if texts.size and not array.size:
        kind = f"{barrier.kind.name}: received shape {bracketed(array.shape)}"
        _refuse(f"Tensors with no elements are not supported {kind}")
    if array.shape[:1] != texts.shape:
        _refuse(f"keys and values must have as many rows, got {texts.size} and {bracketed(array.shape)}")
    expected = barrier.kind.shapes[position]
    if expected is not None and array.shape[1:] != expected:
        shown = f"Expected {bracketed(expected)}, got {bracketed(array.shape[1:])}"
        _refuse(f"Shape mismatch in tuple component {position}. {shown}")
    rows = [array[k, ...] for k in range(texts.size)]
    barrier.insert(position, [_text(key) for key in texts], rows)


def _text(key: Any) -> bytes:
    return key if isinstance(key, bytes) else str(key).encode()


def taken(session: Any, barrier: Barred, count: Any, small: bool) -> Any:
    """Return indices, keys and components of elements, each below each other."""
    elements = barrier.take(session, int(array_of(count)), small)
    indices = np.array([element[0] for element in elements], np.int64)
    keys = np.array([element[1] for element in elements], object)
    parts = [np.stack([element[2 + k] for element in elements]) for k in range(len(barrier.kind.dtypes))]
    return indices, keys, *parts


def close(session: Any, barrier: Barred, cancel: bool) -> None:
    """Close a barrier."""
    barrier.close(session, cancel)


def ready_size(session: Any, barrier: Barred) -> Any:
    """Return how many elements have all their components."""
    del session
    return np.int32(len(barrier.ready))


def incomplete_size(session: Any, barrier: Barred) -> Any:
    """Return how many elements have some of their components."""
    del session
    return np.int32(len(barrier.incomplete))


def _refuse(why: str) -> None:
    raise InvalidArgumentError(None, None, why)
