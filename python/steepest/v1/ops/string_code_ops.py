"""Strings and other codes: base64, the numbers that bytes hold."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph import shape_inference
from ..graph.arguments import as_count, call_with
from ..graph.build import call
from ..graph.dtypes import as_dtype
from ..graph.errors import DataLossError
from ..graph.node import Node
from ..graph.run_values import array_of
from .string_ops import as_bytes, each

__all__ = ["decode_base64", "decode_compressed", "decode_padded_raw", "decode_raw", "encode_base64"]


_BASE64 = re.compile(rb"(?:[-\w]{4})*(?:[-\w]{2}(?:==)?|[-\w]{3}=?)?")


def _of_each(op_type: str, function: Callable[[bytes], Any], input: Any, name: str | None, dtype: Any) -> Any:
    elements = "O" if dtype == "string" else np.dtype(dtype).str
    options: Any = {"shape": shape_inference.same, "dtype": dtype, "differentiable": False}
    return call(op_type, each(function, elements), (input,), name=name, **options)


def encode_base64(input: Any, pad: bool = False, name: str | None = None) -> Any:
    """Return strings in the base64 of addresses, without ``=`` at the end unless ``pad``."""

    def encoded(text: bytes) -> bytes:
        code = base64.urlsafe_b64encode(text)
        return code if pad else code.rstrip(b"=")

    return _of_each("EncodeBase64", encoded, input, name, "string")


def decode_base64(input: Any, name: str | None = None) -> Any:
    """Return what `encode_base64` was given. InvalidArgumentError, when a session runs, for what is no such code."""

    def decoded(code: bytes) -> bytes:
        whole = _BASE64.fullmatch(code)
        if not whole:
            alone = len(code) % 4 == 1
            raise ValueError(
                f"{'Base64 string length cannot be 1 modulo 4' if alone else 'Invalid character found in base64'}."
            )
        bare = code.rstrip(b"=")
        return base64.urlsafe_b64decode(bare + b"=" * (-len(bare) % 4))

    return _of_each("DecodeBase64", decoded, input, name, "string")


def decode_raw(
    input_bytes: Any = None,
    out_type: Any = None,
    little_endian: bool = True,
    name: str | None = None,
    bytes: Any = None,
) -> Any:
    """Return the numbers that the bytes of strings are, along a new last axis.

    InvalidArgumentError, when a session runs, for strings of several lengths, or one that ends within a number.
    """
    dtype = as_dtype(out_type)
    order = dtype.dtype.newbyteorder("<" if little_endian else ">")

    def numbers(x: Any) -> Any:
        strings = array_of(x)
        flat = [as_bytes(item) for item in strings.reshape(-1).tolist()]
        lengths = {len(text) for text in flat}
        if len(lengths) > 1:
            first = len(flat[0])
            at, other = next((k, len(text)) for k, text in enumerate(flat) if len(text) != first)
            told = f"element {at} has size {first} != {other}"
            raise ValueError(f"DecodeRaw requires input strings to all be the same size, but {told}")
        if any(length % order.itemsize for length in lengths):
            raise ValueError(
                f"Input to DecodeRaw has length {max(lengths)} that is not a multiple of {order.itemsize}, the size of "
                f"{dtype.name}"
            )
        rows = np.frombuffer(b"".join(flat), order).astype(dtype.dtype)
        return rows.reshape(*strings.shape, max(lengths, default=0) // order.itemsize)

    def shape_fn(shape: Any) -> Any:
        return None if shape is None else (*shape, None)

    given = bytes if input_bytes is None else input_bytes
    return call("DecodeRaw", numbers, (given,), name=name, shape=shape_fn, dtype=dtype, differentiable=False)


def decode_padded_raw(
    input_bytes: Any, out_type: Any, little_endian: bool = True, fixed_length: Any = None, name: str | None = None
) -> Any:
    """Return the numbers that the bytes of strings are, of which each is cut to a length or filled with zeros.

    Without ``fixed_length`` they are those of `decode_raw`. Raises ValueError for a length that is known not to be
    positive, or not to be one of whole numbers; InvalidArgumentError, when a session runs, for such a length.

    Source: ``tf.io.decode_raw`` of TensorFlow 2.
    """
    if fixed_length is None:
        return decode_raw(input_bytes, out_type, little_endian, name)
    dtype = as_dtype(out_type)
    order = dtype.dtype.newbyteorder("<" if little_endian else ">")

    def check(length: int) -> None:
        if length <= 0:
            raise ValueError(f"fixed_length must be positive and non-negative, got {length}")
        if length % order.itemsize:
            told = f"must be a multiple of the size of the output type, {order.itemsize}"
            raise ValueError(f"fixed_length ({length}) {told}: evenly divisible by {order.itemsize} but is {length}")

    def numbers(length: int, x: Any) -> Any:
        check(length)
        strings = array_of(x)
        data = b"".join(as_bytes(item)[:length].ljust(length, b"\0") for item in strings.reshape(-1).tolist())
        return np.frombuffer(data, order).astype(dtype.dtype).reshape(*strings.shape, length // order.itemsize)

    def shape_fn(length: Any, shape: Any) -> Any:
        if isinstance(length, Node):
            return None if shape is None else (*shape, None)
        check(length)
        return None if shape is None else (*shape, length // order.itemsize)

    options: Any = {"name": name, "shape": shape_fn, "dtype": dtype, "same": False, "differentiable": False}
    return call_with("DecodePaddedRaw", [(fixed_length, as_count)], numbers, (input_bytes,), **options)


def decode_compressed(bytes: Any, compression_type: str = "", name: str | None = None) -> Any:
    """Return what strings were before they were compressed, by "ZLIB", by "GZIP", or by neither.

    DataLossError, when a session runs, for strings that were not.
    """
    bits = {"": 0, "ZLIB": zlib.MAX_WBITS, "GZIP": zlib.MAX_WBITS | 16}.get(compression_type)

    def plain(text: Any) -> Any:
        if bits is None:
            raise ValueError("Only ZLIB, GZIP or NONE are supported compressions")
        try:
            return zlib.decompress(text, bits) if bits else text
        except zlib.error as error:
            raise DataLossError(None, None, f"inflate() failed: {error}") from None

    return _of_each("DecodeCompressed", plain, bytes, name, "string")
