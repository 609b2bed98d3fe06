"""Reading TensorBoard's event files."""

from __future__ import annotations

import struct
from typing import Any

from ..graph.errors import DataLossError
from .protos import event_class

__all__ = ["summary_iterator"]


class _Events:
    """The events of a file, one after the other; after the last one those that have been appended since."""

    def __init__(self, path: str) -> None:
        self._path, self._event = path, event_class()
        self._file = open(path, "rb")  # noqa: SIM115 - it stays open, for what is appended

    def __iter__(self) -> _Events:
        return self

    def __next__(self) -> Any:
        start = self._file.tell()
        head = self._file.read(12)  # the length, and its checksum
        size = struct.unpack("<Q", head[:8])[0] if len(head) == 12 else 0
        record = self._file.read(size + 4)
        if len(head) < 12 or len(record) < size + 4:  # a record that is cut off is not there yet
            self._file.seek(start)
            raise StopIteration
        try:
            return self._event.FromString(record[:size])
        except Exception as error:
            raise DataLossError(None, None, f"summary_iterator: {self._path} must hold events, got {error}") from error

    def __del__(self) -> None:
        if hasattr(self, "_file"):
            self._file.close()


def summary_iterator(path: str) -> _Events:
    """Return an iterator of the events of a file, in order; after its end it goes on with what has been appended.

    A record that is cut off at the end is not there yet. Raises DataLossError for what is no event, ImportError without
    tensorboardX. Source: ``tf.train.summary_iterator``.
    """
    return _Events(path)
