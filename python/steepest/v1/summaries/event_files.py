"""Files of events that summary operations write to: events wait, a number of them or a time long."""

from __future__ import annotations

import importlib
import itertools
import os
import time
import weakref
from typing import Any

from ..graph.errors import NotFoundError
from .protos import protos

__all__ = ["EventFile", "FileOf", "next_suffix"]

_numbers = itertools.count()
_of_sessions: weakref.WeakKeyDictionary[Any, dict[str, EventFile]] = weakref.WeakKeyDictionary()


def next_suffix(suffix: str) -> str:
    """Return the end of a file's name that no other file of this program has."""
    return f".{os.getpid()}.{next(_numbers)}{suffix}"


class EventFile:
    """The file of a summary writer; there is one after `open`, and until `close`.

    What waits is written when nothing refers to the object any more, and at the end of the program.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._pending: list[Any] = []
        self._file: Any = None
        self._finish: Any = None
        self._opened = False

    def open(self, logdir: str, max_queue: int, flush_millis: int, suffix: str) -> None:
        """Begin a file in a folder, which is made; nothing where there is one.

        Args:
            logdir: the folder.
            max_queue: how many events may wait.
            flush_millis: how long, in thousandths of a second.
            suffix: the end of the file's name.
        """
        if self._opened:
            return
        os.makedirs(logdir, exist_ok=True)
        self._opened, self._max_queue, self._wait = True, max_queue, flush_millis / 1000
        self._flushed = time.monotonic()
        if protos() is None:
            return
        writers = importlib.import_module("tensorboardX.event_file_writer")
        self._file = writers.EventsWriter(os.path.join(logdir, "events"), next_suffix(suffix))
        self._file.flush()
        self._finish = weakref.finalize(self, _written, self._file, self._pending, True)

    def _check_open(self) -> None:
        if not self._opened:
            raise NotFoundError(None, None, f"Resource localhost/{self.name}/SummaryWriterInterface does not exist.")

    def write_event(self, event: Any) -> None:
        """Let an event wait for the file. Raises NotFoundError where there is none."""
        self._check_open()
        if self._file is None:
            return
        self._pending.append(event)
        if len(self._pending) > self._max_queue or time.monotonic() - self._flushed > self._wait:
            self.flush()

    def flush(self) -> None:
        """Write what waits. Raises NotFoundError where there is no file."""
        self._check_open()
        self._flushed = time.monotonic()
        if self._file is not None:
            _written(self._file, self._pending, False)

    def close(self) -> None:
        """Write what waits and end the file."""
        self._opened = False
        if self._finish is not None:
            self._finish()
        self._file = self._finish = None
        self._pending = []


def _written(file: Any, pending: list[Any], last: bool) -> None:
    for event in pending:
        file.write_event(event)
    pending.clear()
    file.close() if last else file.flush()


class FileOf:
    """The function from a session to the file that it has under a name."""

    def __init__(self, shared_name: str) -> None:
        self._name = shared_name

    def __call__(self, session: Any) -> EventFile:
        files = _of_sessions.setdefault(session, {})
        return files.setdefault(self._name, EventFile(self._name))
