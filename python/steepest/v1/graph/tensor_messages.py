"""Arrays as the bytes of TensorFlow's message `TensorProto`."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from .dtypes import DType, as_dtype
from .wire_format import field_of, fields_in, number_at, varint

__all__ = ["array_of_bytes", "bytes_of_array"]

_FIELDS = {"float16": 13, "float32": 5, "float64": 6, "complex64": 9, "complex128": 12, "string": 8, "bool": 11}
_FIELDS |= {"int64": 10, "uint32": 16, "uint64": 17}
_FIXED = {5: "<f4", 6: "<f8", 9: "<c8", 12: "<c16"}
_BY_ELEMENTS = ("complex64", "complex128", "bool")
_SHAPE, _CONTENT = 2, 4


def bytes_of_array(array: Any, whole: bool = False, given: Any = None) -> bytes:
    """Return an array as a message: its bytes, or, as TensorFlow does, its elements in the field of its type.

    So are single elements, texts, truth values and complex numbers; ``whole``: all as bytes.
    ``given`` are the elements that the message is to have, of which the last is repeated.
    """
    dtype = as_dtype(array.dtype)
    sizes = b"".join(field_of(2, b"\x08" + varint(size) if size else b"") for size in array.shape)
    head = b"\x08" + varint(dtype.as_datatype_enum) + field_of(_SHAPE, sizes)
    field = _FIELDS.get(dtype.name, 7)
    if dtype.name == "string":
        items = (array if given is None else given).reshape(-1).tolist()
        texts = [each.encode() if isinstance(each, str) else bytes(each) for each in items]
        if whole:
            return head + field_of(_CONTENT, b"".join(varint(len(each)) for each in texts) + b"".join(texts))
        return head + b"".join(field_of(field, each) for each in texts)
    if not array.size:
        return head
    elements = array if given is None else given
    data = np.ascontiguousarray(elements, array.dtype.newbyteorder("<"))
    if whole or (array.size > 1 and given is None and dtype.name not in _BY_ELEMENTS):
        return head + field_of(_CONTENT, data.tobytes())
    if field in _FIXED:
        return head + field_of(field, data.tobytes())
    numbers = data.view("<u2" if field == 13 else data.dtype).reshape(-1).tolist()
    return head + field_of(field, b"".join(varint(int(number)) for number in numbers))


def array_of_bytes(serialized: bytes) -> tuple[DType, Any]:
    """Return the type and the array of a message; the last element stands for those that are not there.

    Raises ValueError for what is no such message.
    """
    number, shape, content = 0, b"", None
    given: list[tuple[int, bytes | int]] = []
    for field, value in fields_in(serialized):
        if field == 1 and isinstance(value, int):
            number = value
        elif field == _SHAPE and isinstance(value, bytes):
            shape = value
        elif field == _CONTENT and isinstance(value, bytes):
            content = value
        else:
            given.append((field, value))
    dtype = as_dtype(number)
    sizes = [_size(dim) for field, dim in fields_in(shape) if field == 2 and isinstance(dim, bytes)]
    count = int(np.prod(sizes, dtype=np.int64))
    if content is not None and dtype.name == "string":
        return dtype, _texts(content, count).reshape(sizes)
    if content is not None:
        return dtype, np.frombuffer(content, dtype.dtype.newbyteorder("<")).astype(dtype.dtype).reshape(sizes)
    found = _elements([value for field, value in given if field == _FIELDS.get(dtype.name, 7)], dtype)
    if len(found) < count:
        last = found[-1:] if len(found) else np.full(1, b"" if dtype.name == "string" else 0, dtype.dtype)
        found = np.concatenate([found, np.repeat(last, count - len(found))])
    return dtype, found[:count].reshape(sizes)


def _texts(content: bytes, count: int) -> Any:
    """Return the texts of a field: before them come the lengths of all."""
    lengths, place = [], 0
    for _ in range(count):
        length, place = number_at(content, place)
        lengths.append(length)
    if place + sum(lengths) != len(content):
        raise ValueError(f"a tensor has {len(content) - place} bytes for texts of {sum(lengths)}")
    out = np.empty(count, object)
    for k, length in enumerate(lengths):
        out[k], place = content[place : place + length], place + length
    return out


def _size(dim: bytes) -> int:
    size = dict(fields_in(dim)).get(1, 0)
    if not isinstance(size, int) or size >= 2**31:
        raise ValueError(f"a tensor has an axis of {size!r}")
    return size


def _elements(values: list[bytes | int], dtype: DType) -> Any:
    """Return the elements that a field of a type has, one by one or many at once."""
    out: Any
    if dtype.name == "string":
        out = np.empty(len(values), object)
        out[:] = values
        return out
    if _FIELDS.get(dtype.name) in _FIXED:
        data = b"".join(value for value in values if isinstance(value, bytes))
        return np.frombuffer(data, dtype.dtype.newbyteorder("<")).astype(dtype.dtype)
    numbers: list[int] = []
    for value in values:
        if isinstance(value, int):
            numbers.append(value)
            continue
        place = 0
        while place < len(value):
            number, place = number_at(value, place)
            numbers.append(number)
    if dtype.name == "float16":
        return np.frombuffer(struct.pack(f"<{len(numbers)}H", *numbers), "<f2").astype(dtype.dtype)
    return np.array(numbers, np.uint64).astype(np.int64).astype(dtype.dtype)
