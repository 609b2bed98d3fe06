"""TensorFlow's own numbers: what Philox makes of a key and a counter, and the draws that follow from it.

J. Salmon and others, Parallel random numbers: as easy as 1, 2, 3, 2011; TensorFlow's ``random_distributions.h``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._core import philox_words

__all__ = [
    "box_muller",
    "grouped",
    "normal",
    "truncated_normal",
    "uniform",
    "uniform_full_int",
    "uniform_int",
    "unit",
    "words",
]

_WIDEST, _HALF = 2**64 - 1, np.uint64(32)
_EACH = 64
"""So many counters are set aside for each result that may need more than one."""


def grouped(key: int, counter: int, groups: int, blocks: int, skip: int) -> Any:
    """Return the words [groups, 4 * blocks] of counters: those of a group follow each other, groups are apart."""
    words = np.empty((groups, 4 * blocks), np.uint32)
    philox_words(key & _WIDEST, counter & _WIDEST, counter >> 64 & _WIDEST, blocks, skip, words)
    return words


def _counted(key: int, counter: int, count: int, each: int) -> Any:
    """Return so many words, one after the other, that results of ``each`` words can be made of them."""
    return grouped(key, counter, -(-count * each // 4), 1, 1).reshape(-1)[: count * each]


def words(key: int, counter: int, count: int) -> Any:
    """Return so many words of 32 bits."""
    return _counted(key, counter, count, 1)


def _pairs(words: Any) -> Any:
    """Return two words each as one of 64 bits."""
    return words[..., ::2] | words[..., 1::2].astype(np.uint64) << _HALF


def unit(words: Any, dtype: Any) -> Any:
    """Return floats from 0 to 1 whose bits are those of words; float64 takes two each."""
    if dtype == np.float64:
        parts = (words[..., ::2] & np.uint32(0xFFFFF)).astype(np.uint64) << _HALF | words[..., 1::2]
        return (np.uint64(1023 << 52) | parts).view(np.float64) - 1
    if dtype == np.float16:
        return (np.uint16(15 << 10) | (words & np.uint32(0x3FF)).astype(np.uint16)).view(np.float16) - np.float16(1)
    if dtype == np.float32:
        return (np.uint32(127 << 23) | words & np.uint32(0x7FFFFF)).view(np.float32) - np.float32(1)
    return ((words & np.uint32(0x7F)).astype(np.float32) / np.float32(128)).astype(dtype)  # bfloat16 has seven bits


def box_muller(words: Any, dtype: Any) -> Any:
    """Return pairs of normal draws of pairs of floats, one after the other along the last axis."""
    kind = np.dtype(np.float64) if dtype == np.float64 else np.dtype(np.float32)
    units = unit(words, kind)
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
    return unit(_counted(key, counter, count, _words_of(dtype)), dtype)


def uniform_full_int(key: int, counter: int, count: int, dtype: Any) -> Any:
    """Return draws of all integers that a type has."""
    kind = np.dtype(dtype)
    words = _counted(key, counter, count, _words_of(kind))
    return (_pairs(words) if kind.itemsize == 8 else words).view(kind)


def uniform_int(key: int, counter: int, count: int, dtype: Any, low: int, high: int) -> Any:
    """Return draws from ``[low, high)``."""
    kind = np.dtype(dtype)
    unsigned = np.dtype(f"u{kind.itemsize}")
    draws = uniform_full_int(key, counter, count, unsigned) % unsigned.type(high - low)
    return (draws + np.array(low, kind).view(unsigned)).view(kind)


def normal(key: int, counter: int, count: int, dtype: Any) -> Any:
    """Return draws from the normal distribution."""
    words = _counted(key, counter, -(-count // 2) * 2, _words_of(dtype))
    return box_muller(words, dtype)[:count].astype(dtype)


def truncated_normal(key: int, counter: int, count: int, dtype: Any) -> Any:
    """Return draws from the normal distribution, those beyond two deviations left out."""
    size = 4 // _words_of(dtype)
    groups, blocks = -(-count // size), 2
    found = np.empty((groups, size), np.float64 if dtype == np.float64 else np.float32)
    left = np.arange(groups)  # few need more than two blocks
    words = grouped(key, counter, groups, blocks, size * _EACH)
    while left.size:
        drawn = box_muller(words, dtype)
        near = np.abs(drawn) < 2
        done = (near.sum(axis=1) >= size) | (blocks == size * _EACH)
        found[left[done]] = _first_of(drawn[done], near[done], size)
        left, blocks = left[~done], min(4 * blocks, size * _EACH)
        starts = [grouped(key, counter + int(group) * size * _EACH, 1, blocks, 0) for group in left]
        words = np.concatenate(starts or [words[:0]])
    return found.reshape(-1)[:count].astype(dtype)


def _first_of(drawn: Any, near: Any, size: int) -> Any:
    """Return the first draws of each row that are near."""
    first = drawn[:, :size].copy()
    mixed = np.flatnonzero(~near[:, :size].all(axis=1))
    order = np.argsort(~near[mixed], axis=1, kind="stable")[:, :size]
    first[mixed] = np.take_along_axis(drawn[mixed], order, axis=1)
    return first
