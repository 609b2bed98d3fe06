"""``tf.train.Example``: named lists of bytes, floats or integers, as a message that other programs read and write."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ..graph.wire_format import field_of, fields_in, number_at, varint
from ..ops.string_ops import as_bytes

__all__ = ["BytesList", "Example", "Feature", "Features", "FloatList", "Int64List", "Message", "parsed"]


class Message:
    """A message: equal to another one of its kind that has the same bytes."""

    def SerializeToString(self) -> bytes:
        """Return the message's bytes."""
        raise NotImplementedError

    def ParseFromString(self, serialized: bytes) -> int:
        """Become what the bytes say; ValueError for what is no message. Returns how many bytes there were."""
        raise NotImplementedError

    @classmethod
    def FromString(cls, serialized: bytes) -> Any:
        """Return what the bytes of a message say."""
        made = cls()
        made.ParseFromString(serialized)
        return made

    def CopyFrom(self, other: Any) -> None:
        """Become what another one is."""
        self.ParseFromString(other.SerializeToString())

    def ByteSize(self) -> int:
        """Return how many bytes the message has."""
        return len(self.SerializeToString())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self.SerializeToString() == other.SerializeToString()

    __hash__ = None  # type: ignore[assignment]


class BytesList(Message):
    """A list of bytes. Source: ``tf.train.BytesList``."""

    def __init__(self, value: Iterable[Any] = ()) -> None:
        self.value = [_bytes(each) for each in value]

    def SerializeToString(self) -> bytes:
        """Return the message's bytes."""
        return b"".join(field_of(1, _bytes(each)) for each in self.value)

    def ParseFromString(self, serialized: bytes) -> int:
        """Become what the bytes say."""
        self.value = [data for number, data in fields_in(serialized) if number == 1 and isinstance(data, bytes)]
        return len(serialized)


class FloatList(Message):
    """A list of numbers of float32. Source: ``tf.train.FloatList``."""

    def __init__(self, value: Iterable[Any] = ()) -> None:
        self.value = [float(np.float32(each)) for each in value]

    def SerializeToString(self) -> bytes:
        """Return the message's bytes."""
        return field_of(1, struct.pack(f"<{len(self.value)}f", *self.value)) if self.value else b""

    def ParseFromString(self, serialized: bytes) -> int:
        """Become what the bytes say."""
        parts = [data for number, data in fields_in(serialized) if number == 1 and isinstance(data, bytes)]
        self.value = np.frombuffer(b"".join(parts), "<f4").tolist()
        return len(serialized)


class Int64List(Message):
    """A list of integers. Source: ``tf.train.Int64List``."""

    def __init__(self, value: Iterable[Any] = ()) -> None:
        self.value = [_integer(each) for each in value]

    def SerializeToString(self) -> bytes:
        """Return the message's bytes."""
        return field_of(1, b"".join(varint(_integer(each)) for each in self.value)) if self.value else b""

    def ParseFromString(self, serialized: bytes) -> int:
        """Become what the bytes say."""
        self.value = []
        for number, data in fields_in(serialized):
            if number == 1 and isinstance(data, int):
                self.value.append(_signed(data))
            elif number == 1 and isinstance(data, bytes):
                place = 0
                while place < len(data):
                    found, place = number_at(data, place)
                    self.value.append(_signed(found))
        return len(serialized)


def _bytes(value: Any) -> bytes:
    if not isinstance(value, (bytes, str)):
        raise TypeError(f"{value!r} has type {type(value)}, but expected one of: ({bytes},)")
    return as_bytes(value)


def _integer(value: Any) -> int:
    if not isinstance(value, (int, np.integer, np.bool_)):
        raise TypeError(f"{value!r} has type {type(value)}, but expected one of: ({int},)")
    found = int(value)
    if not -(2**63) <= found < 2**63:
        raise ValueError(f"Value out of range: {found}")
    return found


def _signed(value: int) -> int:
    return value - 2**64 if value >= 2**63 else value


_KINDS: dict[str, type[Any]] = {"bytes_list": BytesList, "float_list": FloatList, "int64_list": Int64List}


class Feature(Message):
    """One list, of bytes, of floats or of integers. Source: ``tf.train.Feature``."""

    def __init__(self, bytes_list: Any = None, float_list: Any = None, int64_list: Any = None) -> None:
        given = {"bytes_list": bytes_list, "float_list": float_list, "int64_list": int64_list}
        self._given = next((kind for kind, value in given.items() if value is not None), None)
        self.bytes_list: BytesList = BytesList() if bytes_list is None else bytes_list
        self.float_list: FloatList = FloatList() if float_list is None else float_list
        self.int64_list: Int64List = Int64List() if int64_list is None else int64_list

    def WhichOneof(self, oneof_group: str = "kind") -> str | None:
        """Return the name of the list that it has, None where it has none."""
        return next((kind for kind in _KINDS if getattr(self, kind).value), self._given)

    def HasField(self, field_name: str) -> bool:
        """Tell whether a list is the one that it has."""
        return self.WhichOneof() == field_name

    def SerializeToString(self) -> bytes:
        """Return the message's bytes."""
        kind = self.WhichOneof()
        return b"" if kind is None else field_of([*_KINDS].index(kind) + 1, getattr(self, kind).SerializeToString())

    def ParseFromString(self, serialized: bytes) -> int:
        """Become what the bytes say."""
        Feature.__init__(self)
        for number, data in fields_in(serialized):
            if 1 <= number <= 3 and isinstance(data, bytes):
                self._given, kind = list(_KINDS.items())[number - 1]
                setattr(self, self._given, kind.FromString(data))
        return len(serialized)


class _ByName(dict[str, Feature]):
    """Features by their names: one that is asked for is made."""

    def __missing__(self, key: str) -> Feature:
        return self.setdefault(key, Feature())


class Features(Message):
    """Features by their names. Source: ``tf.train.Features``."""

    def __init__(self, feature: Mapping[str, Feature] | None = None) -> None:
        self.feature = _ByName(feature or {})

    def SerializeToString(self) -> bytes:
        """Return the message's bytes, the features in the order of their names."""
        entries = (
            (field_of(1, name.encode()), each.SerializeToString()) for name, each in sorted(self.feature.items())
        )
        return b"".join(field_of(1, name + field_of(2, data)) for name, data in entries)

    def ParseFromString(self, serialized: bytes) -> int:
        """Become what the bytes say."""
        self.feature = _ByName()
        for number, entry in fields_in(serialized):
            if number == 1 and isinstance(entry, bytes):
                parts = dict(fields_in(entry))
                self.feature[as_bytes(parts.get(1, b"")).decode()] = Feature.FromString(as_bytes(parts.get(2, b"")))
        return len(serialized)


class Example(Message):
    """What one example has: features by their names. Source: ``tf.train.Example``."""

    def __init__(self, features: Features | None = None) -> None:
        self.features = Features() if features is None else features

    def SerializeToString(self) -> bytes:
        """Return the message's bytes."""
        return field_of(1, self.features.SerializeToString())

    def ParseFromString(self, serialized: bytes) -> int:
        """Become what the bytes say."""
        parts = [data for number, data in fields_in(serialized) if number == 1 and isinstance(data, bytes)]
        self.features = Features.FromString(b"".join(parts))
        return len(serialized)


def parsed(kind: type[Message], text: bytes) -> Any:
    """Return the message of an example that a run reads; ValueError in TensorFlow's words for what is none."""
    try:
        return kind.FromString(text)
    except ValueError as error:
        raise ValueError(f"Could not parse example input, value: '{text.decode(errors='replace')}'") from error
