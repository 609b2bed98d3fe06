"""Protobuf's encoding: numbers of seven bits a byte, and fields with their numbers."""

from __future__ import annotations

from ...base.errors import must

__all__ = ["field_of", "fields_in", "number_at", "varint"]


def field_of(number: int, data: bytes) -> bytes:
    """Return a field of bytes: its number and kind, the length, the bytes."""
    return varint(number << 3 | 2) + varint(len(data)) + data


def varint(value: int) -> bytes:
    """Return a number, seven bits a byte; a negative one as that of 64 bits with the same bits."""
    value &= 0xFFFFFFFFFFFFFFFF
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def fields_in(data: bytes) -> list[tuple[int, bytes | int]]:
    """Return the fields of a message: their numbers, and their bytes, or a number where it was written alone.

    Raises ValueError for what is no message.
    """
    found: list[tuple[int, bytes | int]] = []
    position = 0
    while position < len(data):
        key, position = number_at(data, position)
        kind = key & 7
        if kind == 0:
            value, position = number_at(data, position)
            found.append((key >> 3, value))
            continue
        size, position = (8, position) if kind == 1 else (4, position) if kind == 5 else number_at(data, position)
        if not key >> 3 or kind in (3, 4, 6, 7) or position + size > len(data):
            raise ValueError(must("ParseFromString", "serialized", "be a whole message", f"{len(data)} bytes"))
        found.append((key >> 3, data[position : position + size]))
        position += size
    return found


def number_at(data: bytes, position: int) -> tuple[int, int]:
    """Return the number that begins at a place, and the place behind it; ValueError where the bytes end before."""
    value = shift = 0
    while position < len(data):
        byte = data[position]
        value, shift, position = value | (byte & 127) << shift, shift + 7, position + 1
        if byte < 128:
            return value, position
    raise ValueError(must("ParseFromString", "serialized", "be a whole message", f"{len(data)} bytes"))
