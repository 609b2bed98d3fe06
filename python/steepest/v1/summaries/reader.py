"""Reading TensorBoard's event files."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

from ..graph.errors import DataLossError
from .protos import event_class

__all__ = ["summary_iterator"]


def summary_iterator(path: str) -> Iterator[Any]:
    """Yield the events of a file in order; a record that is cut off at its end is not there yet.

    Raises DataLossError for what is no event, ImportError without tensorboardX. Source: ``tf.train.summary_iterator``.
    """
    event = event_class()
    with open(path, "rb") as file:
        while len(head := file.read(12)) == 12:  # the length, and its checksum
            (size,) = struct.unpack("<Q", head[:8])
            record = file.read(size + 4)
            if len(record) < size + 4:
                return
            try:
                yield event.FromString(record[:size])
            except Exception as error:
                raise DataLossError(None, None, f"summary_iterator: {path} must hold events, got {error}") from error
