"""Bytes of tensors: fingerprints of rows, bits of comparisons, numbers of bytes; names of the parts of a file."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..graph.build import call, dtype_of, shape_of
from ..graph.dtypes import as_dtype
from ..graph.run_values import array_of
from ..graph.shapes import Shape
from ..graph.static_values import constant_value
from .string_hash_ops import farm
from .string_ops import as_bytes

__all__ = ["compare_and_bitpack", "decode_padded_raw", "fingerprint", "sharded_filename", "sharded_filespec"]


def fingerprint(data: Any, method: str = "farmhash64", name: str | None = None) -> Any:
    """Return for each row, along the first axis, eight bytes that tell it from others.

    Raises ValueError for another method than "farmhash64", and for a scalar.

    Source: ``tf.fingerprint``.
    """
    if method != "farmhash64":
        raise ValueError(f"Unsupported method: {method}")
    if shape_of(data) == ():
        raise ValueError("Shape must be at least rank 1 but is rank 0 for 'Fingerprint'")
    texts = dtype_of(data).name == "string"

    def hashes(x: Any) -> Any:
        array = array_of(x)
        rows = array.reshape(len(array), math.prod(array.shape[1:]))
        if texts:
            parts = [[as_bytes(text) for text in row] for row in rows.tolist()]
            whole = [row[0] if rows.shape[1] == 1 else b"".join(map(_hash, row)) for row in parts]
        else:
            whole = [row.tobytes() for row in rows]
        return np.frombuffer(b"".join(map(_hash, whole)), np.uint8).reshape(len(array), 8)

    def shape_fn(shape: Shape) -> Shape:
        return (shape[0] if shape else None, 8)

    options: Any = {"shape": shape_fn, "dtype": "uint8", "same": False, "differentiable": False}
    return call("Fingerprint", hashes, (data,), name=name, **options)


def _hash(data: bytes) -> bytes:
    return farm(data).to_bytes(8, "little")


def decode_padded_raw(
    input_bytes: Any, fixed_length: Any, out_type: Any, little_endian: bool = True, name: str | None = None
) -> Any:
    """Return the numbers that the first ``fixed_length`` bytes of strings are; shorter ones are filled with zeros."""
    dtype = as_dtype(out_type)
    order = dtype.dtype.newbyteorder("<" if little_endian else ">")
    size = constant_value(fixed_length)

    def numbers(x: Any, length: Any) -> Any:
        strings, size = array_of(x), int(array_of(length))
        if size <= 0:
            raise ValueError(f"`fixed_length` must be greater than 0 but got {size}")
        if size % order.itemsize:
            raise ValueError(f"`fixed_length` must be a multiple of {order.itemsize}, the size of {dtype.name}: {size}")
        whole = b"".join(as_bytes(item)[:size].ljust(size, b"\0") for item in strings.reshape(-1).tolist())
        return np.frombuffer(whole, order).astype(dtype.dtype).reshape(*strings.shape, size // order.itemsize)

    def shape_fn(shape: Shape, _: Shape) -> Shape:
        return None if shape is None else (*shape, None if size is None else int(size) // order.itemsize)

    options: Any = {"shape": shape_fn, "dtype": dtype, "same": False, "differentiable": False}
    return call("DecodePaddedRaw", numbers, (input_bytes, fixed_length), name=name, **options)


def compare_and_bitpack(input: Any, threshold: Any, name: str | None = None) -> Any:
    """Return bytes whose bits tell which of eight numbers along the last axis are above a threshold.

    ValueError, or InvalidArgumentError when a session runs, where that axis is no multiple of eight.
    """

    def packed(x: Any, limit: Any) -> Any:
        array, limit = array_of(x), array_of(limit)
        if array.ndim < 1 or array.shape[-1] % 8:
            raise ValueError(f"Inner dimension of input should be divisible by 8, but saw shape: {list(array.shape)}")
        return np.packbits(array if array.dtype == bool else array > limit, axis=-1)

    def shape_fn(shape: Shape, _: Shape) -> Shape:
        if not shape:
            return None
        last = shape[-1]
        if last is not None and last % 8:
            raise ValueError(f"Dimension size must be evenly divisible by 8 but is {last} for 'CompareAndBitpack'")
        return (*shape[:-1], None if last is None else last // 8)

    options: Any = {"shape": shape_fn, "dtype": "uint8", "differentiable": False}
    return call("CompareAndBitpack", packed, (input, threshold), name=name, **options)


def _number(value: Any) -> int:
    array = array_of(value)
    if array.ndim:
        raise ValueError(f"num_shards must be a scalar, got shape {list(array.shape)}")
    return int(array)


def sharded_filename(basename: Any, shard: Any, num_shards: Any, name: str | None = None) -> Any:
    """Return the name of one part of a file: ``basename-00001-of-00010``."""

    def named(base: Any, part: Any, parts: Any) -> Any:
        return as_bytes(array_of(base).item()) + b"-%05d-of-%05d" % (_number(part), _number(parts))

    return _named("ShardedFilename", named, (basename, shard, num_shards), name)


def sharded_filespec(basename: Any, num_shards: Any, name: str | None = None) -> Any:
    """Return the pattern of the names of a file's parts: ``basename-?????-of-00010``."""

    def named(base: Any, parts: Any) -> Any:
        return as_bytes(array_of(base).item()) + b"-?????-of-%05d" % _number(parts)

    return _named("ShardedFilespec", named, (basename, num_shards), name)


def _named(op_type: str, function: Any, inputs: Any, name: str | None) -> Any:
    options: Any = {"shape": (), "dtype": "string", "same": False, "differentiable": False}
    return call(op_type, function, inputs, name=name, **options)
