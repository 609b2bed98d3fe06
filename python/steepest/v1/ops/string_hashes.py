"""Hashes of strings that give 64 bits: the same numbers as TensorFlow's kernels.

Sources: FarmHash's ``farmhashna::Hash64`` (Pike), MurmurHash64A (Appleby), SipHash-2-4 (Aumasson and Bernstein).
"""

from __future__ import annotations

__all__ = ["fingerprint", "murmur", "sip"]

_MASK = (1 << 64) - 1
_K0, _K1, _K2 = 0xC3A5C85C97CB3127, 0xB492B66FBE98F273, 0x9AE16A3B2F90404F


def _word(text: bytes, at: int, size: int = 8) -> int:
    return int.from_bytes(text[at : at + size], "little")


def _rotated(value: int, by: int) -> int:
    """Rotate to the right."""
    value &= _MASK
    return ((value >> by) | (value << (64 - by))) & _MASK


def _mixed(value: int) -> int:
    value &= _MASK
    return value ^ (value >> 47)


def _of_two(u: int, v: int, mul: int) -> int:
    a = _mixed(((u ^ v) & _MASK) * mul)
    b = _mixed((v ^ a) * mul)
    return (b * mul) & _MASK


def _short(s: bytes) -> int:
    """Up to 16 bytes."""
    n = len(s)
    mul = _K2 + n * 2
    if n >= 8:
        a, b = (_word(s, 0) + _K2) & _MASK, _word(s, n - 8)
        c = _rotated(b, 37) * mul + a
        d = (_rotated(a, 25) + b) * mul
        return _of_two(c & _MASK, d & _MASK, mul)
    if n >= 4:
        return _of_two(n + (_word(s, 0, 4) << 3), _word(s, n - 4, 4), mul)
    if n:
        y, z = s[0] + (s[n >> 1] << 8), n + (s[n - 1] << 2)
        return (_mixed((y * _K2) ^ (z * _K0)) * _K2) & _MASK
    return _K2


def _middle(s: bytes) -> int:
    """17 to 64 bytes."""
    n = len(s)
    mul = _K2 + n * 2
    a = (_word(s, 0) * (_K1 if n <= 32 else _K2)) & _MASK
    b, c, d = _word(s, 8), (_word(s, n - 8) * mul) & _MASK, (_word(s, n - 16) * _K2) & _MASK
    y = (_rotated(a + b, 43) + _rotated(c, 30) + d) & _MASK
    z = _of_two(y, (a + _rotated(b + _K2, 18) + c) & _MASK, mul)
    if n <= 32:
        return z
    e, f = (_word(s, 16) * mul) & _MASK, _word(s, 24)
    g, h = ((y + _word(s, n - 32)) * mul) & _MASK, ((z + _word(s, n - 24)) * mul) & _MASK
    return _of_two((_rotated(e + f, 43) + _rotated(g, 30) + h) & _MASK, (e + _rotated(f + a, 18) + g) & _MASK, mul)


def _weak(s: bytes, at: int, a: int, b: int) -> tuple[int, int]:
    w, x, y, z = (_word(s, at + 8 * k) for k in range(4))
    a += w
    b = _rotated(b + a + z, 21)
    c = a
    a += x + y
    b += _rotated(a, 44)
    return (a + z) & _MASK, (b + c) & _MASK


def fingerprint(s: bytes) -> int:
    """Return FarmHash's fingerprint of 64 bits."""
    n = len(s)
    if n <= 64:
        return _short(s) if n <= 16 else _middle(s)
    x, y = 81, (81 * _K1 + 113) & _MASK
    z = (_mixed(y * _K2 + 113) * _K2) & _MASK
    v, w = (0, 0), (0, 0)
    x = (x * _K2 + _word(s, 0)) & _MASK
    end = (n - 1) // 64 * 64
    for at in range(0, end, 64):
        x, y, z, v, w = _block(s, at, x, y, z, v, w, _K1, 1)
    mul = _K1 + ((z & 0xFF) << 1)
    w = (w[0] + ((n - 1) & 63)) & _MASK, w[1]
    v = (v[0] + w[0]) & _MASK, v[1]
    w = (w[0] + v[0]) & _MASK, w[1]
    x, y, z, v, w = _block(s, n - 64, x, y, z, v, w, mul, 9)
    first = _of_two(v[0], w[0], mul) + _mixed(y) * _K0 + z
    return _of_two(first & _MASK, (_of_two(v[1], w[1], mul) + x) & _MASK, mul)


_Pair = tuple[int, int]


def _block(
    s: bytes, at: int, x: int, y: int, z: int, v: _Pair, w: _Pair, mul: int, times: int
) -> tuple[int, int, int, _Pair, _Pair]:
    """Take 64 bytes in; x and z change their places."""
    x = (_rotated(x + y + v[0] + _word(s, at + 8), 37) * mul) & _MASK
    y = (_rotated(y + v[1] + _word(s, at + 48), 42) * mul) & _MASK
    x ^= (w[1] * times) & _MASK
    y = (y + v[0] * times + _word(s, at + 40)) & _MASK
    z = (_rotated(z + w[0], 33) * mul) & _MASK
    v = _weak(s, at, v[1] * mul, x + w[0])
    w = _weak(s, at + 32, z + w[1], y + _word(s, at + 16))
    return z, y, x, v, w


def murmur(s: bytes) -> int:
    """Return MurmurHash64A with the seed of TensorFlow's ``Hash64``."""
    m, n = 0xC6A4A7935BD1E995, len(s)
    h = 0xDECAFCAFFE ^ ((n * m) & _MASK)
    whole = n // 8 * 8
    for at in range(0, whole, 8):
        k = _mixed(_word(s, at) * m) * m
        h = ((h ^ (k & _MASK)) * m) & _MASK
    if n > whole:
        h = ((h ^ _word(s, whole)) * m) & _MASK
    return _mixed(_mixed(h) * m)


def _sip_round(v: list[int]) -> None:
    for a, b, by in ((0, 1, 13), (2, 3, 16)):
        v[a] = (v[a] + v[b]) & _MASK
        v[b] = _rotated(v[b], 64 - by) ^ v[a]
    v[0] = _rotated(v[0], 32)
    for a, b, by in ((2, 1, 17), (0, 3, 21)):
        v[a] = (v[a] + v[b]) & _MASK
        v[b] = _rotated(v[b], 64 - by) ^ v[a]
    v[2] = _rotated(v[2], 32)


def sip(s: bytes, key: tuple[int, int]) -> int:
    """Return SipHash-2-4 with a key of two numbers."""
    starts = (0x736F6D6570736575, 0x646F72616E646F6D, 0x6C7967656E657261, 0x7465646279746573)
    v = [(start ^ key[k % 2]) & _MASK for k, start in enumerate(starts)]
    whole = len(s) // 8 * 8
    words = [_word(s, at) for at in range(0, whole, 8)]
    for word in [*words, _word(s, whole) | ((len(s) & 0xFF) << 56)]:
        v[3] ^= word
        _sip_round(v)
        _sip_round(v)
        v[0] ^= word
    v[2] ^= 0xFF
    for _ in range(4):
        _sip_round(v)
    return v[0] ^ v[1] ^ v[2] ^ v[3]
