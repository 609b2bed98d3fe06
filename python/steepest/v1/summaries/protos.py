"""The messages of TensorBoard's event files: tensorboardX's, or stand-ins without contents where it is missing."""

from __future__ import annotations

import functools
import importlib
from types import SimpleNamespace
from typing import Any

from ..graph.log import warn

__all__ = ["Histogram", "event_class", "protos", "summary_class"]


@functools.cache
def protos() -> Any:
    """Return the modules ``summary``, ``event`` and ``graph`` of messages, None without tensorboardX, which is said."""
    try:
        names = ("summary", "event", "graph")
        modules = {name: importlib.import_module(f"tensorboardX.proto.{name}_pb2") for name in names}
    except ImportError:
        warn("summaries are not written: pip install tensorboardX; the program goes on")
        return None
    return SimpleNamespace(**modules)


class _Value:
    def __init__(self, **fields: Any) -> None:
        self.__dict__.update({"tag": "", "simple_value": 0.0}, **fields)


class _Values(list[_Value]):
    def add(self, **fields: Any) -> _Value:
        """Append a value, as a repeated field does."""
        self.append(_Value(**fields))
        return self[-1]


class _Summary:
    """What programs fill in where nothing is written."""

    Value = _Value

    def __init__(self, value: Any = ()) -> None:
        self.value = _Values(value)

    def ParseFromString(self, serialized: bytes) -> int:
        """Take over nothing."""
        return len(serialized)

    def SerializeToString(self) -> bytes:
        """Return an empty message."""
        return b""


class Histogram:
    """What programs fill in for ``tf.HistogramProto`` where nothing is written."""

    def __init__(self, **fields: Any) -> None:
        self.bucket_limit: list[float] = []
        self.bucket: list[float] = []
        self.__dict__.update(fields)


def summary_class() -> Any:
    """Return the class of summaries."""
    messages = protos()
    return _Summary if messages is None else messages.summary.Summary


def event_class(name: str = "Event", module: str = "event") -> Any:
    """Return the class of events, or another message of a module. Raises ImportError without tensorboardX."""
    messages = protos()
    if messages is None:
        raise ImportError(f"tf.{name} must have tensorboardX's messages; pip install tensorboardX")
    return getattr(getattr(messages, module), name)
