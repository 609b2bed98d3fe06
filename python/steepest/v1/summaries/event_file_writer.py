"""TensorFlow's ``event_file_writer``: a writer of events alone, which `FileWriter` is not: it makes them, too."""

from __future__ import annotations

import os
import time
import weakref
from typing import Any

from .event_files import next_suffix
from .events_writer import EventsWriter

__all__ = ["EventFileWriter"]


class EventFileWriter:
    """Append events to a file in a folder, which is made; at once, so that none waits for a thread.

    Args:
        logdir: the folder.
        max_queue: accepted for TensorFlow's sake.
        flush_secs: how long events may wait to be on the disk.
        filename_suffix: the end of the file's name.

    Raises ImportError without tensorboardX. Source: TensorFlow's ``event_file_writer.EventFileWriter``.
    """

    def __init__(
        self, logdir: Any, max_queue: int = 10, flush_secs: float = 120, filename_suffix: str | None = None
    ) -> None:
        del max_queue
        self._logdir: str = os.fspath(logdir)
        self._flush_secs, self._suffix = flush_secs, filename_suffix or ""
        os.makedirs(self._logdir, exist_ok=True)
        self._file = EventsWriter(os.path.join(self._logdir, "events"))
        weakref.finalize(self, self._file.Close)  # programs seldom close their writers
        self._begin()

    def _begin(self) -> None:
        self._file.InitWithSuffix(next_suffix(self._suffix))
        self._closed, self._flushed = False, time.monotonic()

    def get_logdir(self) -> str:
        """Return the folder."""
        return self._logdir

    @property
    def closed(self) -> bool:
        """Whether nothing is written any more."""
        return self._closed

    def add_event(self, event: Any) -> None:
        """Append an event; nothing where the writer is closed. TypeError for anything else."""
        if self._closed:
            return
        self._file.WriteEvent(event)
        if time.monotonic() - self._flushed > self._flush_secs:
            self.flush()

    def flush(self) -> None:
        """Write what waits."""
        if not self._closed:
            self._file.Flush()
            self._flushed = time.monotonic()

    def close(self) -> None:
        """Write what waits and end the file."""
        if not self._closed:
            self._file.Close()
        self._closed = True

    def reopen(self) -> None:
        """Go on after `close`, in a new file."""
        if self._closed:
            self._begin()
