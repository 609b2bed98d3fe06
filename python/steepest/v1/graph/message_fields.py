"""Fields of messages, and what protobuf's own functions ask of them: ``text_format`` reads and writes ours too.

See: ``google.protobuf.descriptor``.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["Described", "Description", "Enumeration", "Field", "MessageMap", "Messages"]

# Protobuf's numbers of the kinds of fields, and of those in C++, which its functions ask for.
_NUMBERS = {
    "double": (1, 5),
    "float": (2, 6),
    "int64": (3, 2),
    "int32": (5, 1),
    "bool": (8, 7),
    "string": (9, 9),
    "bytes": (12, 9),
}
_MESSAGE, _ENUM = (11, 10), (14, 8)
_EMPTY: dict[str, Any] = {"double": 0.0, "float": 0.0, "bool": False, "string": "", "bytes": b""}


class Enumeration:
    """The names of numbers that a field may have."""

    is_closed = False

    def __init__(self, full_name: str, numbers: dict[str, int]) -> None:
        self.full_name = full_name
        self.values_by_name = {name: EnumValue(name, number) for name, number in numbers.items()}
        self.values_by_number = {value.number: value for value in reversed(self.values_by_name.values())}


class EnumValue:
    """One name of a number."""

    def __init__(self, name: str, number: int) -> None:
        self.name, self.number = name, number


class Field:
    """One field of a message.

    Args:
        name: what it is called.
        number: its number in the bytes of a message.
        kind: ``"string"``, ``"bytes"``, ``"int32"``, ``"int64"``, ``"float"``, ``"double"``, ``"bool"``, an
            `Enumeration`, or the class of messages that it holds.
        repeated: whether it is a list; of messages by a key (``kind.MAPPED``) a dict.
        oneof: the name of the group of fields of which one is set.
    """

    is_extension = is_required = False
    default_value: Any = None
    has_default_value = False

    def __init__(self, name: str, number: int, kind: Any, repeated: bool = False, oneof: str = "") -> None:
        self.name, self.number, self.kind, self.oneof = name, number, kind, oneof
        self.is_repeated = repeated
        self.message: Any = kind if isinstance(kind, type) else None
        self.enum_type = kind if isinstance(kind, Enumeration) else None
        numbers = _MESSAGE if self.message else _ENUM if self.enum_type else _NUMBERS[kind]
        self.type, self.cpp_type = numbers
        self.label = 3 if repeated else 1
        self.has_presence = not repeated and bool(self.message or oneof)
        self.containing_oneof = OneOf(oneof) if oneof else None
        self.containing_type: Any = None
        self.full_name, self.index = name, 0

    @property
    def message_type(self) -> Any:
        """The description of the messages in it, None where it holds none."""
        return self.message and self.message.DESCRIPTOR

    @property
    def json_name(self) -> str:
        """What it is called in JSON's texts: without underscores, the letters behind them large."""
        first, *rest = self.name.split("_")
        return first + "".join(each[:1].upper() + each[1:] for each in rest)

    @property
    def mapped(self) -> bool:
        """Whether it holds values by keys."""
        return self.message is not None and self.message.MAPPED

    def empty(self) -> Any:
        """Return what it holds where nothing was put into it."""
        if self.mapped:
            return MessageMap(self.message)
        if self.is_repeated:
            return Messages(self.message) if self.message else Scalars(self.kind)
        return self.message() if self.message else _EMPTY.get(self.kind, 0) if not self.enum_type else 0

    def holding(self, value: Any) -> Any:
        """Return what is kept for a value that is given: lists and dicts of its own."""
        if not self.is_repeated:
            return value
        kept = self.empty()
        kept.update(value) if self.mapped else kept.extend(value)
        return kept


class OneOf:
    """A group of fields of which one is set."""

    def __init__(self, name: str) -> None:
        self.name = name


class Messages(list[Any]):
    """The messages of a field: ``add()`` appends one and returns it."""

    def __init__(self, kind: Any, values: Any = ()) -> None:
        super().__init__(values)
        self._kind = kind

    def add(self, **fields: Any) -> Any:
        """Append a message, and return it."""
        self.append(self._kind(**fields))
        return self[-1]


class Scalars(list[Any]):
    """The numbers or texts of a field: what is put into it is of the field's kind, or a TypeError or ValueError."""

    def __init__(self, kind: Any, values: Any = ()) -> None:
        super().__init__(values)
        self._kind, self._all = kind, _CONVERTERS.get(kind, list) if isinstance(kind, str) else list

    def append(self, value: Any) -> None:
        """Put one behind the others."""
        super().extend(self._all([value]))

    def extend(self, values: Any) -> None:
        """Put several behind the others."""
        super().extend(self._all(values))

    def insert(self, index: Any, value: Any) -> None:
        """Put one before another one."""
        super().insert(index, self._all([value])[0])

    def __setitem__(self, index: Any, value: Any) -> None:
        super().__setitem__(index, self._all(value) if isinstance(index, slice) else self._all([value])[0])

    def __reduce__(self) -> Any:
        return Scalars, (self._kind, list(self))


def _bytes(values: Any) -> list[bytes]:
    return [value if isinstance(value, bytes) else _encoded(value) for value in values]


def _encoded(value: Any) -> bytes:
    if not isinstance(value, (bytes, str)):
        raise TypeError(f"{value!r} has type {type(value)}, but expected one of: ({bytes},)")
    return value.encode() if isinstance(value, str) else value


def _int64s(values: Any) -> list[int]:
    values = list(values)
    try:
        return array("q", values).tolist()
    except (TypeError, OverflowError):
        return [_int64(value) for value in values]


def _int64(value: Any) -> int:
    if not isinstance(value, (int, np.integer, np.bool_)):
        raise TypeError(f"{value!r} has type {type(value)}, but expected one of: ({int},)")
    found = int(value)
    if not -(2**63) <= found < 2**63:
        raise ValueError(f"Value out of range: {found}")
    return found


def _floats(values: Any) -> list[float]:
    return array("f", list(values)).tolist()


_CONVERTERS: dict[str, Callable[[Any], list[Any]]] = {"bytes": _bytes, "int64": _int64s, "float": _floats}


class MessageMap(dict[str, Any]):
    """The values of a field by their keys: one that is asked for is there."""

    def __init__(self, entry: Any) -> None:
        super().__init__()
        self._entry = entry

    def __missing__(self, key: str) -> Any:
        self[key] = made = self._entry().value
        return made

    def get_or_create(self, key: str) -> Any:
        """Return the value of a key, which is made where it is not there."""
        return self[key]

    def GetEntryClass(self) -> Any:
        """Return the class of messages that stand for a key and its value."""
        return self._entry


class Options:
    """What protobuf's functions ask of a message's class: whether it stands for a key and a value."""

    message_set_wire_format = False

    def __init__(self, map_entry: bool) -> None:
        self.map_entry = map_entry


class FileDescription:
    """What tells of the file of messages' definitions: none of protobuf's own."""

    name, package = "", "tensorflow"


class Description:
    """What a class of messages tells of itself."""

    is_extendable = False
    containing_type = None

    def __init__(self, kind: Any) -> None:
        self.name, self.full_name = kind.__name__, f"tensorflow.{kind.__qualname__}"
        self.file = FileDescription()
        self.has_options, self._options = kind.MAPPED, Options(kind.MAPPED)
        self.fields = sorted(kind.FIELDS, key=lambda field: field.number)
        for index, field in enumerate(self.fields):
            field.containing_type, field.index, field.full_name = self, index, f"{self.full_name}.{field.name}"
        self.fields_by_name = {field.name: field for field in self.fields}
        self.fields_by_number = {field.number: field for field in self.fields}

    def GetOptions(self) -> Options:
        """Return the options."""
        return self._options


class Described:
    """The attribute ``DESCRIPTOR`` of classes of messages, made when it is first asked for."""

    def __get__(self, instance: Any, kind: Any) -> Description:
        made: Description | None = kind.__dict__.get("_description")
        if made is None:
            made = kind._description = Description(kind)
        return made
