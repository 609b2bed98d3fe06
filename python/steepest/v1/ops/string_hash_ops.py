"""Texts as numbers of buckets, by the hashes that TensorFlow takes: a table of embeddings finds its rows again."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ..graph import shape_inference
from ..graph.build import call
from ..graph.run_values import array_of

__all__ = ["string_to_hash_bucket", "string_to_hash_bucket_fast", "string_to_hash_bucket_strong"]

_MASK = (1 << 64) - 1
_K0, _K1, _K2 = 0xC3A5C85C97CB3127, 0xB492B66FBE98F273, 0x9AE16A3B2F90404F


def _word(data: bytes, at: int, size: int = 8) -> int:
    return int.from_bytes(data[at : at + size], "little")


def _rotated(value: int, by: int) -> int:
    """Return a number whose lowest bits have become its highest."""
    value &= _MASK
    return (value >> by | value << (64 - by)) & _MASK


def _mixed(value: int) -> int:
    value &= _MASK
    return value ^ value >> 47


def _pair(u: int, v: int, factor: int) -> int:
    a = _mixed(((u ^ v) & _MASK) * factor)
    return _mixed(((v ^ a) & _MASK) * factor) * factor & _MASK


def _weak(data: bytes, at: int, a: int, b: int) -> tuple[int, int]:
    w, x, y, z = (_word(data, at + 8 * k) for k in range(4))
    a += w
    b = _rotated(b + a + z, 21)
    c = a
    a += x + y
    return (a + z) & _MASK, (b + _rotated(a, 44) + c) & _MASK


def _short(data: bytes) -> int:
    size = len(data)
    factor = _K2 + size * 2
    if size >= 8:
        a, b = _word(data, 0) + _K2, _word(data, size - 8)
        return _pair(_rotated(b, 37) * factor + a & _MASK, (_rotated(a, 25) + b) * factor & _MASK, factor)
    if size >= 4:
        return _pair(size + (_word(data, 0, 4) << 3), _word(data, size - 4, 4), factor)
    if size:
        y, z = data[0] + (data[size >> 1] << 8), size + (data[-1] << 2)
        return _mixed(y * _K2 ^ z * _K0) * _K2 & _MASK
    return _K2


def _middle(data: bytes) -> int:
    size = len(data)
    factor = _K2 + size * 2
    a, b = _word(data, 0) * (_K1 if size <= 32 else _K2), _word(data, 8)
    c, d = _word(data, size - 8) * factor, _word(data, size - 16) * _K2
    y = _rotated(a + b, 43) + _rotated(c, 30) + d & _MASK
    z = _pair(y, a + _rotated(b + _K2, 18) + c & _MASK, factor)
    if size <= 32:
        return z
    e, f = _word(data, 16) * factor, _word(data, 24)
    g, h = (y + _word(data, size - 32)) * factor, (z + _word(data, size - 24)) * factor
    return _pair(_rotated(e + f, 43) + _rotated(g, 30) + h & _MASK, e + _rotated(f + a, 18) + g & _MASK, factor)


def farm(data: bytes) -> int:
    """Return FarmHash's Fingerprint64. Source: Pike and Alakuijala, 2014."""
    size = len(data)
    if size <= 16:
        return _short(data)
    if size <= 64:
        return _middle(data)
    x, y = 81, 81 * _K1 + 113 & _MASK
    z = _mixed(y * _K2 + 113) * _K2 & _MASK
    v = w = (0, 0)
    x = x * _K2 + _word(data, 0) & _MASK
    end = (size - 1) // 64 * 64

    def step(at: int, factor: int, times: int) -> None:
        nonlocal x, y, z, v, w
        x = _rotated(x + y + v[0] + _word(data, at + 8), 37) * factor & _MASK
        y = _rotated(y + v[1] + _word(data, at + 48), 42) * factor & _MASK
        x ^= w[1] * times & _MASK
        y = y + v[0] * times + _word(data, at + 40) & _MASK
        z = _rotated(z + w[0], 33) * factor & _MASK
        v = _weak(data, at, v[1] * factor & _MASK, x + w[0])
        w = _weak(data, at + 32, z + w[1], y + _word(data, at + 16))
        x, z = z, x

    for at in range(0, end, 64):
        step(at, _K1, 1)
    factor = _K1 + ((z & 0xFF) << 1)
    w = (w[0] + (size - 1 & 63) & _MASK, w[1])
    v = (v[0] + w[0] & _MASK, v[1])
    w = (w[0] + v[0] & _MASK, w[1])
    step(end + (size - 1 & 63) - 63, factor, 9)
    first = _pair(v[0], w[0], factor) + _mixed(y) * _K0 + z & _MASK
    return _pair(first, _pair(v[1], w[1], factor) + x & _MASK, factor)


def murmur(data: bytes) -> int:
    """Return what TensorFlow calls Hash64: MurmurHash64A with a seed of its own. Source: Appleby, 2008."""
    factor, size = 0xC6A4A7935BD1E995, len(data)
    h = 0xDECAFCAFFE ^ size * factor & _MASK
    for at in range(0, size - 7, 8):
        k = _word(data, at) * factor & _MASK
        h = (h ^ (k ^ k >> 47) * factor & _MASK) * factor & _MASK
    if size % 8:
        h = (h ^ _word(data, size - size % 8, size % 8)) * factor & _MASK
    h = _mixed(h) * factor & _MASK
    return _mixed(h)


def sip(data: bytes, key: tuple[int, int]) -> int:
    """Return SipHash-2-4. Source: Aumasson and Bernstein, 2012."""
    k0, k1 = (each & _MASK for each in key)
    v = [k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D, k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573]

    def rounds(count: int) -> None:
        for _ in range(count):
            v[0], v[2] = v[0] + v[1] & _MASK, v[2] + v[3] & _MASK
            v[1], v[3] = _rotated(v[1], 51) ^ v[0], _rotated(v[3], 48) ^ v[2]
            v[0] = _rotated(v[0], 32)
            v[2], v[0] = v[2] + v[1] & _MASK, v[0] + v[3] & _MASK
            v[1], v[3] = _rotated(v[1], 47) ^ v[2], _rotated(v[3], 43) ^ v[0]
            v[2] = _rotated(v[2], 32)

    whole = len(data) - len(data) % 8
    tail = _word(data, whole) | (len(data) & 0xFF) << 56
    for word in [*(_word(data, at) for at in range(0, whole, 8)), tail]:
        v[3] ^= word
        rounds(2)
        v[0] ^= word
    v[2] ^= 0xFF
    rounds(4)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def joined_hashes(first: int, second: int) -> int:
    """Return one hash of two, as TensorFlow joins those of crossed features."""
    factor = 0xC6A4A7935BD1E995
    total = (first ^ factor ^ _mixed(second * factor) * factor) * factor & _MASK
    return _mixed(_mixed(total) * factor & _MASK)


@functools.lru_cache(1 << 17)  # texts come again, batch after batch
def _hashed(kind: str, data: bytes, key: tuple[int, int] | None) -> int:
    if key is not None:
        return sip(data, key)
    return farm(data) if kind == "farm" else murmur(data)


def _buckets(op_type: str, kind: str, texts: Any, num_buckets: int, name: str | None, key: Any = None) -> Any:
    if num_buckets < 1:
        raise ValueError(f"{op_type}: num_buckets must be at least 1, got {num_buckets}")

    def run(values: Any) -> Any:
        if key is not None and len(key) != 2:
            raise ValueError(f"{op_type}: Key must have 2 elements, got {list(key)}")
        array = array_of(values)
        data = (item if isinstance(item, bytes) else str(item).encode() for item in array.ravel())
        return np.array([_hashed(kind, item, key) % num_buckets for item in data], np.int64).reshape(array.shape)

    return call(op_type, run, (texts,), name=name, shape=shape_inference.same, dtype="int64", differentiable=False)


def string_to_hash_bucket_fast(input: Any, num_buckets: int, name: str | None = None) -> Any:
    """Return for each text the number of its bucket, by FarmHash; the same as TensorFlow's in every program."""
    return _buckets("StringToHashBucketFast", "farm", input, num_buckets, name)


def string_to_hash_bucket_strong(input: Any, num_buckets: int, key: Any, name: str | None = None) -> Any:
    """Return for each text the number of its bucket, by SipHash with a key, two integers that nobody else knows."""
    pair = tuple(int(part) for part in key)
    return _buckets("StringToHashBucketStrong", "sip", input, num_buckets, name, pair)


def string_to_hash_bucket(
    string_tensor: Any = None, num_buckets: Any = None, name: str | None = None, input: Any = None
) -> Any:
    """Return for each text the number of its bucket, by the hash of TensorFlow's first version."""
    texts = string_tensor if input is None else input
    return _buckets("StringToHashBucket", "murmur", texts, num_buckets, name)
