"""TensorFlow's messages of graphs as classes: named fields, bytes, texts, and what protobuf's own functions ask for."""

from __future__ import annotations

import copyreg
import functools
from typing import Any, ClassVar, TypeVar

from .message_fields import Described, Field, MessageMap
from .message_forms import bytes_of, read_into, text_of

__all__ = ["Field", "Message", "map_of"]

M = TypeVar("M", bound="Message")


class Message:
    """A message with the fields of its class; one that was not set has its kind's empty value.

    Fields are attributes; they are given by their names, or in the order of ``FIELDS``. Raises ValueError for a name
    that is no field's.
    """

    FIELDS: ClassVar[tuple[Field, ...]] = ()
    MAPPED: ClassVar[bool] = False
    DESCRIPTOR = Described()
    _present = False  # whether it was set, though all of its fields are empty

    def __init__(self, *values: Any, **fields: Any) -> None:
        if values:
            fields.update(zip((field.name for field in self.FIELDS), values, strict=False))
        by_name = self.DESCRIPTOR.fields_by_name if fields else {}
        for name, value in fields.items():
            field = by_name.get(name)
            if field is None:
                raise ValueError(f'Protocol message {type(self).__name__} has no "{name}" field.')
            if value is not None:
                setattr(self, name, field.holding(value))
                if field.message and not field.is_repeated:
                    value.SetInParent()

    def __getattr__(self, name: str) -> Any:
        field = None if name.startswith("_") else type(self).DESCRIPTOR.fields_by_name.get(name)
        if field is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        value = field.empty()
        if field.is_repeated or field.message:
            vars(self)[name] = value
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        field = None if name[0] == "_" else type(self).DESCRIPTOR.fields_by_name.get(name)
        if field is not None and field.oneof:
            for other in type(self).FIELDS:
                if other.oneof == field.oneof:
                    vars(self).pop(other.name, None)
        object.__setattr__(self, name, value)

    def _stored(self, name: str) -> Any:
        """Return what was put into a field, None where nothing was."""
        return vars(self).get(name)

    def _holds(self, field: Field) -> bool:
        value = self._stored(field.name)
        if value is None:
            return False
        if field.is_repeated:
            return len(value) > 0
        if field.message:
            return bool(value._present or value.ListFields())
        return bool(field.oneof) or value != field.empty()

    def ListFields(self) -> list[tuple[Field, Any]]:
        """Return the fields that are set, with their values, in the order of their numbers."""
        return [(field, self._stored(field.name)) for field in self.DESCRIPTOR.fields if self._holds(field)]

    def HasField(self, field_name: str) -> bool:
        """Tell whether a message or one of a group is set; ValueError for other fields, which are there always."""
        field = self.DESCRIPTOR.fields_by_name.get(field_name)
        if field is None or not field.has_presence:
            name = type(self).__name__
            raise ValueError(f'Protocol message {name} has no singular "{field_name}" field that can be absent.')
        return self._holds(field)

    def WhichOneof(self, oneof_group: str) -> str | None:
        """Return which field of a group is set, None where none is."""
        chosen = (field.name for field in self.FIELDS if field.oneof == oneof_group and self._holds(field))
        return next(chosen, None)

    def SetInParent(self) -> None:
        """Have the message be set in the one that holds it, though it is empty."""
        vars(self)["_present"] = True

    def Clear(self) -> None:
        """Empty all fields."""
        for field in self.FIELDS:
            self.ClearField(field.name)

    def ClearField(self, field_name: str) -> None:
        """Empty one field."""
        vars(self).pop(field_name, None)

    def CopyFrom(self, other: Message) -> None:
        """Become what another one is. Raises TypeError for a message of another class."""
        if other is not self:
            self.Clear()
            self.MergeFrom(other)
            self._present = True

    def MergeFrom(self, other: Message) -> None:
        """Take the fields that another one has: behind its own in lists. Raises TypeError for another class."""
        if not isinstance(other, type(self)):
            kinds = f"expected {type(self).__name__} got {type(other).__name__}"
            raise TypeError(f"Parameter to MergeFrom() must be instance of same class: {kinds}.")
        for field, value in other.ListFields():
            if field.mapped:
                getattr(self, field.name).update({key: _copied(each) for key, each in value.items()})
            elif field.is_repeated:
                getattr(self, field.name).extend([_copied(each) for each in value])
            elif field.message:
                self.take(field, _copied(value))
            else:
                setattr(self, field.name, value)

    def take(self, field: Field, value: Message) -> None:
        """Merge a message into what a field has, or have the field be the message where it has none."""
        inner = self._stored(field.name)
        if inner is None:
            setattr(self, field.name, value)
            value.SetInParent()
        else:
            inner.MergeFrom(value)
            inner.SetInParent()

    def IsInitialized(self) -> bool:
        """Return True: no field has to be set."""
        return True

    def SerializeToString(self, deterministic: bool | None = None) -> bytes:
        """Return the message's bytes; those of keys are in order."""
        return bytes_of(self)

    def MergeFromString(self, serialized: bytes) -> int:
        """Take what bytes say, and return how many there are; ValueError for what is no message."""
        read_into(self, serialized)
        return len(serialized)

    def ParseFromString(self, serialized: bytes) -> int:
        """Become the message of these bytes, and return how many there are; ValueError for what is no message."""
        self.Clear()
        return self.MergeFromString(serialized)

    @classmethod
    def FromString(cls: type[M], serialized: bytes) -> M:
        """Return the message of bytes; ValueError for what is none."""
        made = cls()
        made.ParseFromString(serialized)
        return made

    def ByteSize(self) -> int:
        """Return how many bytes the message has."""
        return len(self.SerializeToString())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return [(f.name, value) for f, value in self.ListFields()] == [
            (f.name, value) for f, value in other.ListFields()
        ]

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return text_of(self)

    __repr__ = __str__


def _copied(value: Any) -> Any:
    if not isinstance(value, Message):
        return value
    made = type(value)()
    made.CopyFrom(value)
    return made


@functools.cache
def map_of(kind: Any) -> type[Message]:
    """Return the class of messages that stand for a key, a text, and a value of a kind, in a field that is repeated."""

    class Entry(Message):
        """A key and its value."""

        MAPPED = True
        FIELDS = (Field("key", 1, "string"), Field("value", 2, kind))

    return Entry


def _empty_map(kind: Any) -> MessageMap:
    return MessageMap(map_of(kind))


def _parts_of_map(values: MessageMap) -> Any:
    """Return how a pickle says a map: by the kind of its values, for the classes of its messages have no name."""
    return _empty_map, (values.GetEntryClass().FIELDS[1].kind,), None, None, iter(values.items())


copyreg.pickle(MessageMap, _parts_of_map)
