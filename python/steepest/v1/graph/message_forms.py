"""Messages as bytes in protobuf's encoding, and as texts in its text form."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from .message_fields import Field
from .wire_format import field_of, fields_in, number_at, varint

__all__ = ["bytes_of", "read_into", "text_of"]

_FIXED = {"float": ("<f", 5), "double": ("<d", 1)}


def bytes_of(message: Any) -> bytes:
    """Return a message's bytes."""
    parts: list[bytes] = []
    for field, value in message.ListFields():
        if field.mapped:
            of_key, of_value = field.message.FIELDS
            parts += [field_of(field.number, _one(of_key, key) + _one(of_value, value[key])) for key in sorted(value)]
        elif field.is_repeated and field.kind not in ("string", "bytes") and not field.message:
            parts.append(field_of(field.number, _packed(field, value)))
        else:
            parts += [_one(field, each) for each in (value if field.is_repeated else [value])]
    return b"".join(parts)


def _one(field: Field, value: Any) -> bytes:
    if field.message:
        return field_of(field.number, value.SerializeToString())
    if field.kind in ("string", "bytes"):
        return field_of(field.number, value.encode() if isinstance(value, str) else bytes(value))
    wire = _FIXED[field.kind][1] if field.kind in _FIXED else 0
    return varint(field.number << 3 | wire) + _plain(field, value)


def _packed(field: Field, values: list[Any]) -> bytes:
    """Return the bytes of numbers, one behind the other."""
    if field.kind in _FIXED:
        return struct.pack(f"<{len(values)}{_FIXED[field.kind][0][1]}", *values)
    return b"".join(varint(int(each)) for each in values)


def _plain(field: Field, value: Any) -> bytes:
    """Return the bytes of a number."""
    return struct.pack(_FIXED[field.kind][0], value) if field.kind in _FIXED else varint(int(value))


def read_into(message: Any, data: bytes) -> None:
    """Put what the bytes of a message say into one; ValueError for what is no message. Unknown fields are left out."""
    fields = message.DESCRIPTOR.fields_by_number
    for number, value in fields_in(data):
        field = fields.get(number)
        if field is None:
            continue
        values = _values(field, value)
        if field.mapped:
            getattr(message, field.name)[values[0].key] = values[0].value
        elif field.is_repeated:
            list.extend(getattr(message, field.name), values)  # they are of its kind: not looked at once more
        elif field.message:
            message.take(field, values[0])
        elif values:
            setattr(message, field.name, values[-1])


def _values(field: Field, value: bytes | int) -> list[Any]:
    if isinstance(value, int):
        return [_number(field, value)]
    if field.message:
        inner = field.message()
        inner.MergeFromString(value)
        return [inner]
    if field.kind in ("string", "bytes"):
        return [value.decode() if field.kind == "string" else value]
    if field.kind in _FIXED:
        form = _FIXED[field.kind][0]
        return [each for (each,) in struct.iter_unpack(form, value)]
    numbers, at = [], 0
    while at < len(value):
        number, at = number_at(value, at)
        numbers.append(_number(field, number))
    return numbers


def _number(field: Field, value: int) -> Any:
    return bool(value) if field.kind == "bool" else value - (1 << 64) if value >> 63 else value


def text_of(message: Any, indent: str = "") -> str:
    """Return a message's text, a line for each field."""
    lines: list[str] = []
    for field, value in message.ListFields():
        if field.mapped:
            value = [field.message(key=key, value=value[key]) for key in sorted(value)]
        for each in value if field.is_repeated else [value]:
            if field.message:
                lines.append(f"{indent}{field.name} {{\n{text_of(each, indent + '  ')}{indent}}}\n")
            else:
                lines.append(f"{indent}{field.name}: {_word(field, each)}\n")
    return "".join(lines)


def _word(field: Field, value: Any) -> str:
    if field.kind in ("string", "bytes"):
        return f'"{_escaped(value.encode() if isinstance(value, str) else value)}"'
    if field.enum_type:
        known = field.enum_type.values_by_number.get(value)
        return str(value) if known is None else str(known.name)
    if field.kind == "bool":
        return "true" if value else "false"
    return str(float(str(np.float32(value)))) if field.kind == "float" else str(value)


_MARKS = {9: r"\t", 10: r"\n", 13: r"\r", 34: r"\"", 39: r"\'", 92: r"\\"}


def _escaped(data: bytes) -> str:
    return "".join(_MARKS.get(byte) or (chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}") for byte in data)
