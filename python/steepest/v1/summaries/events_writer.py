"""The writer of event files that TensorFlow has in C++: names of files begin as a program says."""

from __future__ import annotations

import importlib
from typing import Any

from ..compat import as_bytes, as_str
from .protos import event_class

__all__ = ["EventsWriter"]


class EventsWriter:
    """Append events to a file; one that says the version of the format is the first.

    Args:
        file_prefix: the beginning of the file's path.

    Raises ImportError without tensorboardX. Source: ``_pywrap_events_writer.EventsWriter``.
    """

    def __init__(self, file_prefix: bytes | str) -> None:
        self._event = event_class()
        self._prefix, self._file = as_str(file_prefix), None

    def InitWithSuffix(self, suffix: bytes | str) -> None:
        """Begin the file, with an end of its name."""
        writers = importlib.import_module("tensorboardX.event_file_writer")
        self._file = writers.EventsWriter(self._prefix, as_str(suffix))

    def _begun(self) -> Any:
        if self._file is None:
            self.InitWithSuffix("")
        return self._file

    def FileName(self) -> bytes:
        """Return the file's path."""
        return as_bytes(self._begun()._file_name)

    def WriteEvent(self, event: Any) -> None:
        """Append an event. TypeError for anything else."""
        if not isinstance(event, self._event):
            raise TypeError(f"WriteEvent: event must be an event_pb2.Event, got {event}")
        self._begun().write_event(event)

    def Flush(self) -> None:
        """Write what waits."""
        self._begun().flush()

    def Close(self) -> None:
        """Write what waits and end the file; the next event begins another one."""
        if self._file is not None:
            self._file.close()
        self._file = None
