"""What sessions hold of readers: the file that is being read, and how many records have come out of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

import numpy as np

from ...ops.dispatch import unwrap
from ..graph.errors import InvalidArgumentError, UnimplementedError
from ..graph.run_values import array_of
from ..graph.wire_format import field_of, fields_in, varint
from ..ops.queue_waiting import Element, Elements
from ..ops.string_ops import as_bytes
from .work_units import OPENED, SINGLE, Record

__all__ = ["ReaderKind", "Reading", "completed", "produced", "read", "read_up_to", "reset", "restore", "serialize"]


class ReaderKind:
    """What a reader is; called with a session it gives the reader's state there.

    Args:
        kind: ``TextLineReader`` or another of TensorFlow's classes.
        name: the operation's name.
        arguments: how it takes files apart.
    """

    def __init__(self, kind: str, name: str, arguments: tuple[Any, ...]) -> None:
        self.kind, self.name, self.arguments = kind, name, arguments

    def __call__(self, session: Any) -> Reading:
        made: Reading = session._queues.setdefault(("reader", self.name), Reading(self))
        return made

    def opened(self, work: bytes) -> Iterator[Record]:
        """Return the records of a work unit."""
        return OPENED[self.kind](work, *self.arguments)

    @property
    def called(self) -> str:
        """What messages call it."""
        return f"{self.kind} '{self.name}'"


class Reading:
    """The state of a reader in one session."""

    def __init__(self, kind: ReaderKind) -> None:
        self.kind = kind
        self._lock = Lock()
        self._clear()

    def _clear(self) -> None:
        self.started = self.finished = self.produced = 0
        self._work = b""
        self._records: Iterator[Record] = iter(())

    def cancel(self) -> None:
        """Do nothing: a run that waits for a work unit waits at its queue."""

    @contextmanager
    def turn(self, session: Any) -> Iterator[None]:
        """Keep other runs from the reader; they wait aside, so that the one whose turn it is can go on."""
        if not self._lock.acquire(blocking=False):
            with session._aside():
                self._lock.acquire()
        try:
            yield
        finally:
            self._lock.release()

    def read(self, session: Any, elements: Elements, most: int) -> list[Record]:
        """Return the next records of one work unit, at least one; where none is left, the queue is asked for another.

        Raises OutOfRangeError where the queue is closed and empty; what the system says of a file.
        """
        with self.turn(session):
            while True:
                if self.started == self.finished:
                    self._work = _one_text(elements.take(session)[0])
                    self._records = self.kind.opened(self._work)
                    self.started += 1
                if found := self._some(most):
                    self.produced += len(found)
                    return found

    def _some(self, most: int) -> list[Record]:
        found: list[Record] = []
        while len(found) < most and self.started > self.finished:
            record = next(self._records, None)
            if record is not None:
                found.append(record)
            if record is None or self.kind.kind in SINGLE:
                self.finished = self.started
        return found

    def reset(self, session: Any) -> None:
        """Begin anew: what is left of a work unit is not read."""
        with self.turn(session):
            self._clear()

    def serialized(self, session: Any) -> bytes:
        """Return the state as bytes. Raises UnimplementedError where a file is read piece by piece."""
        if self.kind.kind not in SINGLE:
            raise UnimplementedError(None, None, "Reader SerializeState")
        with self.turn(session):
            counts = (self.started, self.finished, self.produced)
            numbers = [varint(k << 3) + varint(count) for k, count in enumerate(counts, 1) if count]
            return b"".join(numbers) + (field_of(4, self._work) if self._work else b"")

    def restore(self, session: Any, state: bytes) -> None:
        """Become what `serialized` told. Raises InvalidArgumentError for other bytes."""
        if self.kind.kind not in SINGLE:
            raise UnimplementedError(None, None, "Reader RestoreState")
        try:
            fields = dict(fields_in(state))
        except ValueError as error:
            why = f"Could not parse state for {self.kind.called}: {_escaped(state)}"
            raise InvalidArgumentError(None, None, why) from error
        started, finished, produced = (np.uint64(fields.get(k, 0)).astype(np.int64).item() for k in (1, 2, 3))
        if min(started, finished, produced) < 0:
            self._refuse("Unexpected negative value when restoring in")
        if started > finished:  # between two runs a work unit that is one record is done
            self._refuse("Inconsistent work started vs. finished when restoring in")
        with self.turn(session):
            self.started, self.finished, self.produced = started, finished, produced
            self._work = bytes(fields.get(4, b""))
            self._records = self.kind.opened(self._work)

    def _refuse(self, why: str) -> None:
        raise InvalidArgumentError(None, None, f"{why} {self.kind.called}")


def _one_text(element: Element) -> bytes:
    if len(element) != 1:
        raise InvalidArgumentError(None, None, "Expected single component queue")
    array = np.asarray(element[0])
    if array.dtype != object:
        raise InvalidArgumentError(None, None, "Expected queue with single string component")
    if array.size != 1:
        raise InvalidArgumentError(None, None, "Expected to dequeue a one-element string tensor")
    return as_bytes(array.item())


def _escaped(data: bytes) -> str:
    named = {9: r"\t", 10: r"\n", 13: r"\r", 34: r"\"", 39: r"\'", 92: r"\\"}
    return "".join(named.get(byte) or (chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}") for byte in data)


def _texts(values: list[bytes]) -> Any:
    out = np.empty(len(values), object)
    out[:] = values
    return out


def read(session: Any, reading: Reading, elements: Elements) -> Any:
    """Return the next record: its key, and its value."""
    ((key, value),) = reading.read(session, elements, 1)
    return _texts([key]).reshape(()), _texts([value]).reshape(())


def read_up_to(session: Any, reading: Reading, elements: Elements, most: Any) -> Any:
    """Return the next records of one work unit, at most so many: their keys, and their values."""
    records = reading.read(session, elements, max(int(unwrap(most)), 1))
    keys, values = zip(*records, strict=True)
    return _texts(list(keys)), _texts(list(values))


def produced(session: Any, reading: Reading) -> Any:
    """Return how many records have come out."""
    del session
    return np.int64(reading.produced)


def completed(session: Any, reading: Reading) -> Any:
    """Return how many work units are done."""
    del session
    return np.int64(reading.finished)


def serialize(session: Any, reading: Reading) -> Any:
    """Return the state, as bytes."""
    return _texts([reading.serialized(session)]).reshape(())


def restore(session: Any, reading: Reading, state: Any) -> None:
    """Take a state that `serialize` gave."""
    reading.restore(session, as_bytes(array_of(state).item()))


def reset(session: Any, reading: Reading) -> None:
    """Begin anew."""
    reading.reset(session)
