"""TensorFlow's own numbers: what Philox makes of a key and a counter, and the draws that follow from it.

J. Salmon and others, Parallel random numbers: as easy as 1, 2, 3, 2011; TensorFlow's ``random_distributions.h``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["normal", "truncated_normal", "uniform", "uniform_full_int", "uniform_int"]

_FACTORS = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_STEPS = 0x9E3779B9, 0xBB67AE85
_WORD, _HALF = np.uint64(2**32 - 1), np.uint64(32)
_EACH = 64
"""So many counters are set aside for each result that may need more than one."""


def _words(key: int, counter: int, blocks: Any) -> Any:
    """Return four words [..., 4] for each block, by its number after the counter."""
    low = np.uint64(counter & 2**64 - 1) + blocks
    high = np.uint64(counter >> 64 & 2**64 - 1) + (low < blocks)
    a, b, c, d = low & _WORD, low >> _HALF, high & _WORD, high >> _HALF
    first, second = key & 2**32 - 1, key >> 32 & 2**32 - 1
    for turn in range(10):
        left, right = a * _FACTORS[0], c * _FACTORS[1]
        keys = [np.uint64(k + turn * step & 2**32 - 1) for k, step in zip((first, second), _STEPS, strict=True)]
        a, b, c, d = right >> _HALF ^ b ^ keys[0], right & _WORD, left >> _HALF ^ d ^ keys[1], left & _WORD
    return np.stack([a, b, c, d], axis=-1)


def _counted(key: int, counter: int, count: int, each: int) -> Any:
    """Return so many words, one after the other, that results of ``each`` words can be made of them."""
    blocks = np.arange(-(-count * each // 4), dtype=np.uint64)
    return _words(key, counter, blocks).reshape(-1)[: count * each]


def _pairs(words: Any) -> Any:
    """Return two words each as one of 64 bits."""
    return words[..., ::2] | words[..., 1::2] << _HALF


def _unit(words: Any, dtype: Any) -> Any:
    """Return floats from 0 to 1 whose bits are those of words; float64 takes two each."""
    if dtype == np.float64:
        parts = (words[..., ::2] & np.uint64(0xFFFFF)) << _HALF | words[..., 1::2]
        return (np.uint64(1023 << 52) | parts).view(np.float64) - 1
    if dtype == np.float16:
        return (np.uint16(15 << 10) | (words & np.uint64(0x3FF)).astype(np.uint16)).view(np.float16) - np.float16(1)
    if dtype == np.float32:
        return (np.uint32(127 << 23) | (words & np.uint64(0x7FFFFF)).astype(np.uint32)).view(np.float32) - np.float32(1)
    return ((words & np.uint64(0x7F)).astype(np.float32) / np.float32(128)).astype(dtype)  # bfloat16 has seven bits


def _box_muller(words: Any, dtype: Any) -> Any:
    """Return pairs of normal draws of pairs of floats, one after the other along the last axis."""
    kind = np.dtype(np.float64) if dtype == np.float64 else np.dtype(np.float32)
    units = _unit(words, kind)
    # In double precision, and rounded: NumPy's own of single precision are off in the last bits.
    logarithm = np.log(np.maximum(units[..., ::2], kind.type(1e-7)), dtype=np.float64).astype(kind)
    angle = (2 * np.pi * units[..., 1::2].astype(np.float64)).astype(kind).astype(np.float64)
    radius = np.sqrt(kind.type(-2) * logarithm)
    drawn = np.stack([np.sin(angle).astype(kind) * radius, np.cos(angle).astype(kind) * radius], axis=-1)
    return drawn.reshape(*drawn.shape[:-2], -1)


def _words_of(dtype: Any) -> int:
    """Return how many words a result of a type takes."""
    return 2 if np.dtype(dtype).itemsize == 8 else 1


def uniform(key: int, counter: int, count: int, dtype: Any) -> Any:
    """Return draws from ``[0, 1)``."""
    return _unit(_counted(key, counter, count, _words_of(dtype)), dtype)


def uniform_full_int(key: int, counter: int, count: int, dtype: Any) -> Any:
    """Return draws of all integers that a type has."""
    kind = np.dtype(dtype)
    words = _counted(key, counter, count, _words_of(kind))
    return (_pairs(words) if kind.itemsize == 8 else words.astype(np.uint32)).view(kind)


def uniform_int(key: int, counter: int, count: int, dtype: Any, low: int, high: int) -> Any:
    """Return draws from ``[low, high)``."""
    kind = np.dtype(dtype)
    unsigned = np.dtype(f"u{kind.itemsize}")
    draws = uniform_full_int(key, counter, count, unsigned) % unsigned.type(high - low)
    return (draws + np.array(low, kind).view(unsigned)).view(kind)


def normal(key: int, counter: int, count: int, dtype: Any) -> Any:
    """Return draws from the normal distribution."""
    words = _counted(key, counter, -(-count // 2) * 2, _words_of(dtype))
    return _box_muller(words, dtype)[:count].astype(dtype)


def truncated_normal(key: int, counter: int, count: int, dtype: Any) -> Any:
    """Return draws from the normal distribution, those beyond two deviations left out."""
    size = 4 // _words_of(dtype)
    starts = np.arange(-(-count // size), dtype=np.uint64)[:, None] * np.uint64(size * _EACH)
    blocks = 4
    while True:
        words = _words(key, counter, starts + np.arange(blocks, dtype=np.uint64))
        drawn = _box_muller(words.reshape(len(starts), -1), dtype)
        near = np.abs(drawn) < 2
        if (near.sum(axis=1) >= size).all() or blocks == size * _EACH:
            break
        blocks = min(2 * blocks, size * _EACH)
    first = np.argsort(~near, axis=1, kind="stable")[:, :size]
    return np.take_along_axis(drawn, first, axis=1).reshape(-1)[:count].astype(dtype)
